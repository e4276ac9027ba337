"""The path of every command to an aggregate: load, decide, append, evolve. HTTP and workers share it."""

from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeAlias

import msgspec

from domain.kernel import RuleViolation
from domain.tables import NOTHING_DUE, Entry, Recorded, apply, decoded
from domain.tables.asker import Asker
from service.application.aggregates import Aggregate, C, S
from service.application.cache import Cache
from service.application.errors import (
    ApplicationError,
    Busy,
    HistoryChanged,
    KeyReused,
    NotFound,
    NotFoundCode,
    VersionConflict,
)
from service.application.history import (
    Loaded,
    Position,
    before,
    events_after,
    extended,
    first_vanished,
    tail_after,
)
from service.application.ports import (
    Appended,
    Clock,
    Commit,
    Conflict,
    Diverged,
    Duplicate,
    Entropy,
    EventStore,
    IdempotencyKey,
    Rollbacks,
    StreamId,
)

_ATTEMPTS = 50

_CHECKPOINT_EVERY: Final = 64
"""Between so many versions of an aggregate one is remembered, so that replaying a version takes fewer events."""

_MOST_CHECKPOINTS: Final = 2_000


class Accepted(msgspec.Struct, Generic[S], frozen=True, gc=False):
    """The result of a command: the events of its commit and the aggregate right after them."""

    after: Loaded[S]
    events: tuple[Recorded, ...]


Intent: TypeAlias = Callable[[S], tuple[C, Asker]]
"""Returns the command and its asker for the present state of the aggregate; may raise `Forbidden`.

It is called again for every attempt, since another process may have been faster: what depends on the state, such as the
first free seat, must be chosen within it.
"""


class Repository(Generic[S, C]):
    """Loads and changes the aggregates of one kind, by id. Safe to share between threads."""

    def __init__(
        self,
        *,
        aggregate: Aggregate[S, C],
        store: EventStore,
        clock: Clock,
        entropy: Entropy,
        rollbacks: Rollbacks,
        cached: int = 10_000,
    ) -> None:
        """Keeps the latest state of up to `cached` aggregates in memory."""
        self._aggregate = aggregate
        self._unopened = Loaded(aggregate.unopened)
        self._store = store
        self._clock = clock
        self._entropy = entropy
        self._rollbacks = rollbacks
        self._cache: Cache[str, Loaded[S]] = Cache(cached)
        # Apart from the cache of latest states, on which commands are decided.
        self._checkpoints: Cache[tuple[str, int], Loaded[S]] = Cache(_MOST_CHECKPOINTS)

    def load(self, id_: str) -> Loaded[S]:
        """Returns the present state of the aggregate; raises `NotFound`."""
        return self._require(self._refreshed(id_, self._cached(id_)))

    def load_at(self, id_: str, version: int) -> Loaded[S]:
        """Returns the aggregate right after event `version`; raises `NotFound` for a version it never had."""
        stream, nearest = self._stream(id_), self._nearest_checkpoint(id_, version)
        start = before(nearest.position)
        tail = tail_after(nearest.position, self._store.read(stream, after=start, count=version - start))
        if tail is None:
            nearest, tail = self._unopened, self._store.read(stream, count=version)
        loaded = self._require(self._replayed(id_, nearest, tail))
        if loaded.state.version != version:
            raise NotFound(
                NotFoundCode.VERSION_NOT_FOUND, f"The {self._aggregate.category} has no such version."
            )
        return loaded

    def history(self, id_: str, *, after: int = 0, count: int | None = None) -> tuple[Recorded, ...]:
        """Returns up to `count` events after version `after`, oldest first."""
        return decoded(self._store.read(self._stream(id_), after=after, count=count), self._aggregate.decode)

    def following(self, id_: str, position: Position, *, count: int | None = None) -> tuple[Recorded, ...]:
        """Returns up to `count` events after a position, oldest first.

        Raises:
            HistoryChanged: the store does not hold the event at that position.
        """
        stored = self._store.read(
            self._stream(id_),
            after=before(position),
            count=None if count is None else count + position.version - before(position),
        )
        events = events_after(self._aggregate.decode, position, stored)
        if events is None:
            raise HistoryChanged
        return events

    def entries(self, id_: str) -> tuple[Entry, ...]:
        """Returns the entries of the whole log, as stored."""
        return self._store.read(self._stream(id_))

    def open(self, id_: str, command: C, *, by: Asker, key: IdempotencyKey) -> Accepted[S]:
        """Begins a stream with a new id; the same id and key again return the first result."""
        return self._execute(id_, self._unopened, lambda _: (command, by), key=key)

    def confirm(self, id_: str) -> None:
        """Returns once enough replicas have all events of the aggregate; see `EventStore.confirm`."""
        self._store.confirm(self._stream(id_))

    def execute(
        self,
        id_: str,
        intent: Intent[S, C],
        *,
        key: IdempotencyKey | None = None,
        expected: Position | None = None,
    ) -> Accepted[S]:
        """Executes a command on the present state of the aggregate, however many others act at the same moment.

        The command is decided on the copy in memory. If another process was faster, the store refuses the append and
        returns the events since, and the command is decided again. The store also refuses if it came back older than
        the copy; the stream is then read again from its beginning.

        Raises:
            RuleViolation: the rules forbid it; nothing has changed.
            VersionConflict: the aggregate is not at the expected position of its history.
            KeyReused: an earlier request had the same key and was another one.
            NotFound, Busy, StoreUnavailable
        """
        loaded = self._cached(id_)
        fresh = not loaded.state.version
        if fresh:
            loaded = self._require(self._refreshed(id_, loaded))
        return self._execute(id_, loaded, intent, key=key, expected=expected, fresh=fresh)

    def _execute(
        self,
        id_: str,
        loaded: Loaded[S],
        intent: Intent[S, C],
        *,
        key: IdempotencyKey | None,
        expected: Position | None = None,
        fresh: bool = True,
    ) -> Accepted[S]:
        own_key = key or IdempotencyKey(id=self._entropy.command_id(), fingerprint="")
        for _ in range(_ATTEMPTS):
            try:
                if expected is not None and not expected.is_at(loaded.position):
                    raise VersionConflict(self._aggregate.category, loaded.state)
                asked, by = intent(loaded.state)
                # Another machine's clock may be ahead; time on a stream never runs backwards.
                now = max(self._clock.now_ms(), loaded.at)
                state, events = apply(
                    self._aggregate, loaded.state, asked, head=loaded.head, at=now, by=by, cmd=own_key.id
                )
            except (RuleViolation, ApplicationError):
                # The copy in memory may be old, and the present state may allow what it refuses. So only a state that
                # was just read counts.
                if not fresh:
                    loaded, fresh = self._require(self._refreshed(id_, loaded)), True
                    continue
                # A repeated request is refused now if its first attempt took effect ("you have played already").
                if key is not None and (known := self._store.known(self._stream(id_), key.id)):
                    return self._first_result(id_, known, own_key)
                raise
            due = self._aggregate.work_due(state)
            accepted = Accepted(Loaded(state, events[-1].entry.hash, now, due), events)
            answer = self._store.append(self._commit(id_, loaded, accepted, own_key))
            match answer:
                case Appended():
                    self._cache.put(id_, accepted.after)
                    return accepted
                case Duplicate():
                    return self._first_result(id_, answer, own_key)
                case Conflict():
                    loaded, fresh = self._caught_up(id_, loaded, answer), True
                case Diverged():
                    loaded, fresh = self._require(self._read_again(id_, loaded)), True
        raise Busy(self._aggregate.busy)

    def _first_result(self, id_: str, known: Duplicate, key: IdempotencyKey) -> Accepted[S]:
        if known.fingerprint != key.fingerprint:
            raise KeyReused
        after = self.load_at(id_, known.version)
        events = self.history(
            id_, after=known.first_version - 1, count=known.version - known.first_version + 1
        )
        return Accepted(after, events)

    def _nearest_checkpoint(self, id_: str, version: int) -> Loaded[S]:
        # A version may be any number that a client sends, and no checkpoint is later than the latest known state.
        latest = min(version, self._cached(id_).state.version)
        for earlier in range(latest - latest % _CHECKPOINT_EVERY, 0, -_CHECKPOINT_EVERY):
            if checkpoint := self._checkpoints.get((id_, earlier)):
                return checkpoint
        return self._unopened

    def _replayed(self, id_: str, loaded: Loaded[S], tail: Sequence[Entry]) -> Loaded[S]:
        """Returns the aggregate after the stored events `tail`, and remembers it at each checkpoint on the way."""
        while tail:
            count = _CHECKPOINT_EVERY - loaded.state.version % _CHECKPOINT_EVERY
            loaded, tail = extended(self._aggregate, loaded, tail[:count]), tail[count:]
            if not loaded.state.version % _CHECKPOINT_EVERY:
                self._checkpoints.put((id_, loaded.state.version), loaded)
        return loaded

    def _caught_up(self, id_: str, loaded: Loaded[S], conflict: Conflict) -> Loaded[S]:
        loaded = extended(self._aggregate, loaded, conflict.tail)
        self._cache.put(id_, loaded)
        return loaded

    def _cached(self, id_: str) -> Loaded[S]:
        return self._cache.get(id_) or self._unopened

    def _refreshed(self, id_: str, loaded: Loaded[S]) -> Loaded[S]:
        """Returns the aggregate as stored; reads only the new events if the stream still begins with the remembered ones."""
        version = loaded.state.version
        if not version:
            return self._read_all(id_)
        # The last remembered event is read again: only its hash proves that the store did not come back older and then
        # grow to the same length with other events.
        stored = self._store.read(self._stream(id_), after=version - 1)
        if not stored or stored[0].hash != loaded.head:
            return self._read_again(id_, loaded)
        if len(stored) > 1:
            loaded = extended(self._aggregate, loaded, stored[1:])
            self._cache.put(id_, loaded)
        return loaded

    def _read_all(self, id_: str) -> Loaded[S]:
        loaded = extended(self._aggregate, self._unopened, self._store.read(self._stream(id_)))
        if loaded.state.version:
            self._cache.put(id_, loaded)
        return loaded

    def _read_again(self, id_: str, remembered: Loaded[S]) -> Loaded[S]:
        """Returns the stored aggregate in place of a remembered one that the store no longer holds."""
        is_first = self._cache.discard(id_, remembered)
        stored = self._store.read(self._stream(id_))
        if is_first:  # other threads may notice the same at the same moment, and one report is enough
            first = first_vanished(stored, version=remembered.state.version, at=remembered.at)
            self._rollbacks.noticed(self._stream(id_), first=first, last=remembered.state.version)
        loaded = extended(self._aggregate, self._unopened, stored)
        if not loaded.state.version:
            return loaded
        self._cache.put(id_, loaded)
        ending = self._aggregate.ending_again(remembered.state, loaded.state)
        return loaded if ending is None else self._end_again(id_, loaded, ending)

    def _end_again(self, id_: str, loaded: Loaded[S], ending: tuple[C, Asker]) -> Loaded[S]:
        """Ends an aggregate that the store put back to a time before its secret was published."""
        try:
            return self._execute(id_, loaded, lambda _: ending, key=None).after
        except RuleViolation:  # another process was faster
            return self._refreshed(id_, self._cached(id_))

    def _require(self, loaded: Loaded[S]) -> Loaded[S]:
        if not loaded.state.version:
            raise NotFound(self._aggregate.not_found)
        return loaded

    def _stream(self, id_: str) -> StreamId:
        return StreamId(self._aggregate.category, id_)

    def _commit(self, id_: str, loaded: Loaded[S], accepted: Accepted[S], key: IdempotencyKey) -> Commit:
        aggregate = self._aggregate
        due, due_before = accepted.after.due or NOTHING_DUE, loaded.due or aggregate.work_due(loaded.state)
        return Commit(
            stream=self._stream(id_),
            expected_version=loaded.state.version,
            expected_head=loaded.head,
            entries=tuple([recorded.entry for recorded in accepted.events]),
            key=key,
            due=due,
            is_quiet=due == NOTHING_DUE == due_before and aggregate.is_quiet(accepted.events),
            people=aggregate.people(accepted.events),
        )
