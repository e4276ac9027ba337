"""The path of every command to an aggregate: load, decide, append, evolve. HTTP and workers share it."""

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from typing import Generic, TypeAlias

import msgspec

from hoodwink.domain.due_times import NOTHING_DUE
from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.actor import WORKER, Actor
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.entries import (
    Entry,
    Recorded,
    decoded,
)
from hoodwink.domain.tables.proving.log import apply
from hoodwink.service.application.errors import (
    ApplicationError,
    Busy,
    HistoryChanged,
    KeyReused,
    NotFound,
    NotFoundCode,
    VersionConflict,
)
from hoodwink.service.application.ports import (
    Appended,
    Clock,
    Commit,
    Conflict,
    Diverged,
    Duplicate,
    EventStore,
    IdempotencyKey,
    Rollbacks,
    StreamId,
    own_command_id,
)
from hoodwink.service.application.streams.aggregates import Aggregate, C, S
from hoodwink.service.application.streams.history import (
    Loaded,
    Position,
    before,
    events_after,
    extended,
    first_vanished,
)
from hoodwink.service.application.streams.loader import Loader
from hoodwink.service.application.streams.outages import Gaps, Outages
from hoodwink.service.application.streams.parts import PART, rest

# The winner of a race makes progress, so retries end by themselves. The limit is for a flood of commands to one table.
_MAX_ATTEMPTS = 50


class Accepted(msgspec.Struct, Generic[S], frozen=True, gc=False):
    """The result of a command: the events of its commit and the aggregate right after them."""

    after: Loaded[S]
    events: tuple[Recorded, ...]


Intent: TypeAlias = Callable[[S], tuple[C, Actor]]
"""Returns the command and its actor for the current state of the aggregate; may raise `Forbidden`.

It is called again at every attempt, since another process may have been faster. Anything that depends on the state,
such as the first free seat, must be chosen inside it.
"""

DueStep: TypeAlias = Callable[[S], tuple[C, Actor] | None]
"""Like an intent, for the service's own next step; returns `None` if nothing is due."""


class Repository(Generic[S, C]):
    """Loads and changes the aggregates of one kind, by id. Safe to share between threads."""

    def __init__(
        self,
        *,
        aggregate: Aggregate[S, C],
        store: EventStore,
        clock: Clock,
        rollbacks: Rollbacks,
        outages: Outages | None = None,
        cached: int = 10_000,
    ) -> None:
        """Keeps the latest state of up to `cached` aggregates in memory."""
        self._aggregate = aggregate
        self._store = store
        self._clock = clock
        self._rollbacks = rollbacks
        self._outages = outages
        self._loader = Loader(aggregate=aggregate, store=store, cached=cached)

    def load(self, id_: str) -> Loaded[S]:
        """Returns the latest state of the aggregate; raises `NotFound`."""
        return self._require(self._refresh(id_, self._loader.remembered(id_)))

    def load_at(self, id_: str, version: int) -> Loaded[S]:
        """Returns the aggregate right after event `version`; raises `NotFound` for a version it never had."""
        loaded = self._require(self._loader.read_at(id_, version))
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
            # The event at the position is read as well, to prove it, and does not count.
            count=None if count is None else count + position.version - before(position),
        )
        events = events_after(self._aggregate.decode, position, stored)
        if events is None:
            raise HistoryChanged
        return events

    def entries(self, id_: str) -> tuple[Entry, ...]:
        """Returns the entries of the whole log, as stored."""
        # In parts, so that a long log does not keep the event loop from answering others.
        entries = list[Entry]()
        while part := self._store.read(self._stream(id_), after=len(entries), count=PART):
            entries += part
            if len(part) < PART:
                break
            rest()
        return tuple(entries)

    def last_version_of(self, id_: str, types: Collection[str], *, upto: int) -> int:
        """Returns the version of the last event of one of these types, up to a version; 0 if there is none."""
        # A client names `upto`: without this bound, a huge one would cost millions of empty reads.
        upto = min(upto, self._store.version(self._stream(id_)))
        # Backwards, because the event is usually near the end of the log.
        return next((entry.version for entry in self._backwards(id_, upto) if entry.type in types), 0)

    def latest(self, id_: str, *, upto: int) -> Iterator[Recorded]:
        """Yields the events up to a version, the latest first; reads only as many parts as the caller takes."""
        for entry in self._backwards(id_, upto):
            yield from decoded([entry], self._aggregate.decode)

    def _backwards(self, id_: str, upto: int) -> Iterator[Entry]:
        while upto:
            after = max(0, upto - PART)
            yield from reversed(self._store.read(self._stream(id_), after=after, count=upto - after))
            upto = after
            rest()

    def open(self, id_: str, command: C, *, by: Actor, key: IdempotencyKey) -> Accepted[S]:
        """Begins a stream with a new id; the same id and key again return the first result."""
        # Without a read: if the stream exists, the append finds the key, or the events that forbid it.
        accepted = self._execute(id_, self._loader.unopened, lambda _: (command, by), key=key)
        assert accepted is not None, "the intent always returns a command"
        return accepted

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
        """Executes a command on the latest state of the aggregate, even while others act on it.

        The command is decided on the copy in memory. If another process was faster, the store refuses the append
        and returns the missed events, and the command is decided again. If the store came back older than the copy,
        it refuses, too, and the stream is read again from its beginning.

        Raises:
            RuleViolation: the rules forbid it; nothing has changed.
            VersionConflict: the aggregate is not at the expected position of its history.
            KeyReused: an earlier, different request had the same key.
            NotFound, Busy, StoreUnavailable
        """
        accepted = self.execute_due(id_, intent, key=key, expected=expected)
        assert accepted is not None, "an intent always returns a command"
        return accepted

    def execute_due(
        self,
        id_: str,
        step: DueStep[S, C],
        *,
        key: IdempotencyKey | None = None,
        expected: Position | None = None,
    ) -> Accepted[S] | None:
        """Executes the step like `execute`; returns `None` if nothing is due on the latest state."""
        loaded = self._loader.remembered(id_)
        is_fresh = not loaded.state.version
        if is_fresh:
            loaded = self._require(self._refresh(id_, loaded))
        # Deadlines are moved first. Otherwise, right after an outage, the next turn would end the time for a sneak
        # that ran out during it. Each pass moves them for one outage.
        while self._outages is not None and (gaps := self._outages.recent) and self.move_clocks(id_, gaps):
            loaded, is_fresh = self.load(id_), False
        return self._execute(id_, loaded, step, key=key, expected=expected, is_fresh=is_fresh)

    def check(
        self,
        id_: str,
        intent: Intent[S, C],
        *,
        key: IdempotencyKey | None = None,
        expected: Position | None = None,
    ) -> None:
        """Raises the errors that `execute` would raise on the latest state, and changes nothing."""
        # On what is stored, not on the copy in memory: a refusal by a stale copy would be final here.
        loaded = self.load(id_)
        self._check_position(loaded, expected)
        known = None if key is None else self._store.known(self._stream(id_), key.id)
        if key is not None and known is not None and known.fingerprint != key.fingerprint:
            raise KeyReused
        self._decide(loaded, intent, cmd="")

    def _execute(
        self,
        id_: str,
        loaded: Loaded[S],
        intent: DueStep[S, C],
        *,
        key: IdempotencyKey | None,
        expected: Position | None = None,
        is_fresh: bool = True,
    ) -> Accepted[S] | None:
        for _ in range(_MAX_ATTEMPTS):
            try:
                # Within `try`, because a stale copy is at another position than the one that is right.
                self._check_position(loaded, expected)
                cmd = key.id if key else own_command_id(loaded.state.version + 1)
                accepted = self._decide(loaded, intent, cmd=cmd)
            except (RuleViolation, ApplicationError) as refused:
                # The copy in memory may be stale, and the stored state may allow the command. So only a refusal on
                # a state that was just read is final.
                if not is_fresh:
                    loaded, is_fresh = self._require(self._refresh(id_, loaded)), True
                    continue
                # A repeated request is refused now if its first attempt took effect ("you have played already").
                if key is not None and (known := self._store.known(self._stream(id_), key.id)):
                    return self._first_result(id_, known, key)
                if not self._is_excused(id_, refused):
                    raise
                loaded = self._require(self._refresh(id_, self._loader.remembered(id_)))
                continue
            if accepted is None:
                # A stale copy may also miss the event that made work due.
                if is_fresh:
                    return None
                loaded, is_fresh = self._require(self._refresh(id_, loaded)), True
                continue
            answer = self._store.append(self._commit(id_, loaded, accepted, key))
            match answer:
                case Appended():
                    # This may replace a later state from another thread; the next append then meets a conflict.
                    self._loader.remember(id_, accepted.after)
                    return accepted
                case Duplicate():
                    assert key is not None, "only a key can be known"
                    return self._first_result(id_, answer, key)
                case Conflict():
                    loaded, is_fresh = extended(self._aggregate, loaded, answer.tail), True
                    self._loader.remember(id_, loaded)
                case Diverged():
                    loaded, is_fresh = self._require(self._read_again(id_, loaded)), True
        raise Busy(self._aggregate.busy)

    def _check_position(self, loaded: Loaded[S], expected: Position | None) -> None:
        if expected is not None and not expected.is_at(loaded.position):
            raise VersionConflict(self._aggregate.category, loaded.state)

    def _decide(self, loaded: Loaded[S], intent: DueStep[S, C], *, cmd: str) -> Accepted[S] | None:
        asked = intent(loaded.state)
        if asked is None:
            return None
        command, by = asked
        # Another machine's clock may be ahead; time on a stream never runs backwards.
        now = max(self._clock.now_ms(), loaded.at)
        state, events = apply(
            self._aggregate, loaded.state, command, head=loaded.head, at=now, by=by, cmd=cmd
        )
        due = self._aggregate.work_due(state)
        return Accepted(Loaded(state, events[-1].entry.hash, now, due), events)

    def move_clocks(self, id_: str, gaps: Gaps) -> bool:
        """Moves the open deadlines for the first of the outages that moves any; returns whether one did.

        Raises:
            NotFound, Busy, StoreUnavailable
        """
        loaded = self.load(id_)
        move = self._aggregate.pending_move(loaded.state, gaps, self._clock.now_ms())
        if move is None:
            return False
        # Another process may be faster. Callers then load the aggregate again, and find nothing more to move.
        with suppress(RuleViolation):
            self._execute(id_, loaded, lambda _: (move, WORKER), key=None)
        return True

    def _is_excused(self, id_: str, refused: Exception) -> bool:
        """Returns whether something was too late only because of an outage, whose length has now been added."""
        if self._outages is None or not isinstance(refused, RuleViolation):
            return False
        # No other command is refused as too late: a turn lasts until a worker ends it, and that looks for outages.
        is_late = refused.code == TableCode.REVEAL_OVER
        return is_late and self.move_clocks(id_, self._outages.gaps())

    def _first_result(self, id_: str, known: Duplicate, key: IdempotencyKey) -> Accepted[S]:
        if known.fingerprint != key.fingerprint:
            raise KeyReused
        # The state after the first attempt, not the latest one: a repeated request gets the same bytes.
        after = self.load_at(id_, known.version)
        events = self.history(
            id_, after=known.first_version - 1, count=known.version - known.first_version + 1
        )
        return Accepted(after, events)

    def _refresh(self, id_: str, loaded: Loaded[S]) -> Loaded[S]:
        """Returns the stored aggregate, and reports events that vanished from the store."""
        latest = self._loader.refresh(id_, loaded)
        return self._read_again(id_, loaded) if latest is None else latest

    def _read_again(self, id_: str, remembered: Loaded[S]) -> Loaded[S]:
        """Returns the stored aggregate in place of a remembered one that the store no longer holds."""
        # Other threads may notice the same at the same moment, and one report is enough.
        if self._loader.forget(id_, remembered):
            stored = self._store.read(self._stream(id_))
            first = first_vanished(stored, version=remembered.state.version, at=remembered.at)
            self._rollbacks.notice(self._stream(id_), first=first, last=remembered.state.version)
        loaded = self._loader.read_all(id_)
        if not loaded.state.version:
            return loaded
        ending = self._aggregate.ending_again(remembered.state, loaded.state)
        return loaded if ending is None else self._end_again(id_, loaded, ending)

    def _end_again(self, id_: str, loaded: Loaded[S], ending: tuple[C, Actor]) -> Loaded[S]:
        """Ends an aggregate that the store put back to a time before its secret was published."""
        with suppress(RuleViolation):  # another process was faster
            self._execute(id_, loaded, lambda _: ending, key=None)
        return self._refresh(id_, self._loader.remembered(id_))

    def _require(self, loaded: Loaded[S]) -> Loaded[S]:
        if not loaded.state.version:
            raise NotFound(self._aggregate.not_found)
        return loaded

    def _stream(self, id_: str) -> StreamId:
        return StreamId(self._aggregate.category, id_)

    def _commit(
        self, id_: str, loaded: Loaded[S], accepted: Accepted[S], key: IdempotencyKey | None
    ) -> Commit:
        aggregate = self._aggregate
        # Work that is no longer due must reach the dispatcher, too, or it would go on sending tasks.
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
