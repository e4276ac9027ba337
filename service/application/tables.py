"""The path of every command to a table: load, decide, append, evolve. HTTP and workers share it."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from domain.kernel import Event, RuleViolation, Stage
from domain.tables import (
    AbandonTable,
    CloseTable,
    Entry,
    OpenTable,
    Phase,
    Recorded,
    Table,
    TableCommand,
    decide,
    evolve,
    seal,
    stage_of,
    work_due,
)
from service.application.cache import Cache
from service.application.errors import (
    ApplicationError,
    HistoryChanged,
    KeyReused,
    NotFound,
    TableBusy,
    VersionConflict,
)
from service.application.history import Loaded, Place, before, decoded, events_after, extended, first_vanished
from service.application.ports import (
    Appended,
    Clock,
    Command,
    Commit,
    Conflict,
    Diverged,
    Duplicate,
    Entropy,
    EventRecord,
    EventStore,
    Rollbacks,
    StreamId,
)

_ATTEMPTS = 50


class Accepted(msgspec.Struct, frozen=True, gc=False):
    """A command that took effect: the events of its commit and the table right after them.

    Attributes:
        repeated: the command id was known; this is the first result again.
    """

    after: Loaded
    events: tuple[Recorded, ...]
    repeated: bool = False


Intent: TypeAlias = Callable[[Table], tuple[TableCommand, str]]
"""Makes the command, and who asks (`Recorded.by`), from the table as it is; may raise `Forbidden`."""


class Tables:
    """Every table of the service, by id. Safe to share between threads."""

    def __init__(
        self,
        *,
        store: EventStore,
        clock: Clock,
        entropy: Entropy,
        rollbacks: Rollbacks,
        cached: int = 10_000,
    ) -> None:
        """Keeps the latest state of up to `cached` tables in memory."""
        self._store = store
        self._clock = clock
        self._entropy = entropy
        self._rollbacks = rollbacks
        self._cache: Cache[str, Loaded] = Cache(cached)

    def load(self, table_id: str) -> Loaded:
        """Returns the table as it is now; raises `NotFound`."""
        return self._require(self._refreshed(table_id, self._cached(table_id)))

    def load_at(self, table_id: str, version: int) -> Loaded:
        """Returns the table right after event `version`; raises `NotFound` for a version it never had."""
        loaded = extended(Loaded(), self._store.read(_stream(table_id), count=version))
        self._require(loaded)
        if loaded.table.version != version:
            raise NotFound("version_not_found", "The table has no such version.")
        return loaded

    def history(self, table_id: str, *, after: int = 0, count: int | None = None) -> tuple[Recorded, ...]:
        """Returns up to `count` events behind version `after`, oldest first."""
        return decoded(self._store.read(_stream(table_id), after=after, count=count), after)

    def following(self, table_id: str, place: Place, *, count: int | None = None) -> tuple[Recorded, ...]:
        """Returns up to `count` events after a place, oldest first.

        Raises:
            HistoryChanged: the store does not hold that place.
        """
        stored = self._store.read(
            _stream(table_id),
            after=before(place),
            count=None if count is None else count + place.version - before(place),
        )
        events = events_after(place, stored)
        if events is None:
            raise HistoryChanged
        return events

    def entries(self, table_id: str) -> tuple[Entry, ...]:
        """Returns the whole log as stored, ready to export."""
        return tuple(
            Entry(
                version=version,
                type=record.type,
                at=record.at,
                by=record.by,
                cmd=record.cmd,
                data=msgspec.Raw(record.data),
                hash=record.hash,
            )
            for version, record in enumerate(self._store.read(_stream(table_id)), start=1)
        )

    def open(self, table_id: str, command: OpenTable, *, key: Command) -> Accepted:
        """Opens a table under a fresh id; the same id and key again return the first result."""
        return self._execute(table_id, Loaded(), lambda _: (command, "host"), key=key)

    def execute(
        self,
        table_id: str,
        intent: Intent,
        *,
        key: Command | None = None,
        expected: Place | None = None,
    ) -> Accepted:
        """Carries out a command on the table as it is, however many others act at the same moment.

        A stale copy of the table costs nothing unless somebody else was faster: the store then
        refuses the append, returns what happened since, and the command is decided again. It refuses as
        well if it came back older than the copy; the table is then read anew.

        Raises:
            RuleViolation: the rules forbid it; nothing has changed.
            VersionConflict: the table is not at the expected place of its history.
            KeyReused: `key` came with another request before.
            NotFound, TableBusy, StoreUnavailable
        """
        loaded = self._cached(table_id)
        fresh = not loaded.table.version
        if fresh:
            loaded = self._require(self._refreshed(table_id, loaded))
        return self._execute(table_id, loaded, intent, key=key, expected=expected, fresh=fresh)

    def _execute(
        self,
        table_id: str,
        loaded: Loaded,
        intent: Intent,
        *,
        key: Command | None,
        expected: Place | None = None,
        fresh: bool = True,
    ) -> Accepted:
        command = key or Command(id=self._entropy.command_id(), fingerprint="")
        for _ in range(_ATTEMPTS):
            try:
                if expected is not None and not expected.is_at(loaded.place):
                    raise VersionConflict(loaded.table)
                asked, by = intent(loaded.table)
                now = max(self._clock.now_ms(), loaded.at)
                events = decide(loaded.table, asked, now)
            except (RuleViolation, ApplicationError):
                # What a stale copy refuses, the table itself may allow.
                if not fresh:
                    loaded, fresh = self._require(self._refreshed(table_id, loaded)), True
                    continue
                if key is not None and (known := self._store.command(_stream(table_id), key.id)):
                    return self._first_result(table_id, known, command)
                raise
            sealed = _sealed(loaded, events, at=now, by=by, cmd=command.id)
            after, recorded = _applied(loaded, sealed, events)
            answer = self._store.append(_commit(table_id, loaded, after, sealed, command))
            match answer:
                case Appended():
                    self._cache.put(table_id, after)
                    return Accepted(after, recorded)
                case Duplicate():
                    return self._first_result(table_id, answer, command)
                case Conflict():
                    loaded, fresh = self._caught_up(table_id, loaded, answer), True
                case Diverged():
                    loaded, fresh = self._require(self._begun_again(table_id, loaded)), True
        raise TableBusy

    def _first_result(self, table_id: str, known: Duplicate, command: Command) -> Accepted:
        if known.fingerprint != command.fingerprint:
            raise KeyReused
        after = self.load_at(table_id, known.version)
        events = self.history(
            table_id, after=known.first_version - 1, count=known.version - known.first_version + 1
        )
        return Accepted(after, events, repeated=True)

    def _caught_up(self, table_id: str, loaded: Loaded, conflict: Conflict) -> Loaded:
        loaded = extended(loaded, conflict.tail)
        self._cache.put(table_id, loaded)
        return loaded

    def _cached(self, table_id: str) -> Loaded:
        return self._cache.get(table_id) or Loaded()

    def _refreshed(self, table_id: str, loaded: Loaded) -> Loaded:
        """Returns the table as stored; reads what is new, if what is remembered still begins the stream."""
        version = loaded.table.version
        if not version:
            return self._read_anew(table_id)
        # The remembered event is read again: only its hash shows that the store did not go back and on otherwise.
        stored = self._store.read(_stream(table_id), after=version - 1)
        if not stored or stored[0].hash != loaded.head:
            return self._begun_again(table_id, loaded)
        if len(stored) > 1:
            loaded = extended(loaded, stored[1:])
            self._cache.put(table_id, loaded)
        return loaded

    def _read_anew(self, table_id: str) -> Loaded:
        loaded = extended(Loaded(), self._store.read(_stream(table_id)))
        if loaded.table.version:
            self._cache.put(table_id, loaded)
        return loaded

    def _begun_again(self, table_id: str, remembered: Loaded) -> Loaded:
        """Returns the table as stored in place of a remembered one that the store no longer has."""
        is_first = self._cache.discard(table_id, remembered)
        records = self._store.read(_stream(table_id))
        if is_first:  # others of this process may meet the same at the same moment
            first = first_vanished(records, version=remembered.table.version, at=remembered.at)
            self._rollbacks.noticed(_stream(table_id), first=first, last=remembered.table.version)
        loaded = extended(Loaded(), records)
        if not loaded.table.version:
            return loaded
        self._cache.put(table_id, loaded)
        return self._ended_again(table_id, loaded) if _has_lost_its_end(remembered, loaded) else loaded

    def _ended_again(self, table_id: str, loaded: Loaded) -> Loaded:
        """Ends a table without a result that the store put back into play after its secret was published."""
        is_open = loaded.table.phase is Phase.OPEN
        command, by = (CloseTable(), "host") if is_open else (AbandonTable(), "worker")
        try:
            return self._execute(table_id, loaded, lambda _: (command, by), key=None).after
        except RuleViolation:  # another process was faster
            return self._refreshed(table_id, self._cached(table_id))

    @staticmethod
    def _require(loaded: Loaded) -> Loaded:
        if not loaded.table.version:
            raise NotFound("table_not_found", "There is no such table.")
        return loaded


def _stream(table_id: str) -> StreamId:
    return StreamId("table", table_id)


def _has_lost_its_end(remembered: Loaded, loaded: Loaded) -> bool:
    """Tells whether a table could be played on by people who know its cards, since its seed was revealed.

    Where only the score is missing it follows from the cards again.
    """
    was_over = remembered.table.phase is Phase.ENDED
    return was_over and loaded.table.phase is not Phase.ENDED and stage_of(loaded.table) is not Stage.TO_SCORE


def _sealed(loaded: Loaded, events: Sequence[Event], *, at: int, by: str, cmd: str) -> tuple[Entry, ...]:
    table = loaded.table
    server_seed = table.server_seed or getattr(events[0], "server_seed", "")
    return seal(
        events=events, server_seed=server_seed, head=loaded.head, version=table.version, at=at, by=by, cmd=cmd
    )


def _applied(
    loaded: Loaded, sealed: Sequence[Entry], events: Sequence[Event]
) -> tuple[Loaded, tuple[Recorded, ...]]:
    recorded = tuple(
        [
            Recorded(entry.version, event, entry.at, entry.by, entry.cmd, entry.hash)
            for entry, event in zip(sealed, events, strict=True)
        ]
    )
    table = loaded.table
    for one in recorded:
        table = evolve(table, one)
    return replace(loaded, table=table, head=sealed[-1].hash, at=sealed[-1].at), recorded


def _commit(
    table_id: str, loaded: Loaded, after: Loaded, sealed: Sequence[Entry], command: Command
) -> Commit:
    due = work_due(after.table)
    return Commit(
        stream=_stream(table_id),
        expected_version=loaded.table.version,
        expected_head=loaded.head,
        records=tuple(
            [
                EventRecord(
                    type=one.type, data=bytes(one.data), at=one.at, by=one.by, cmd=one.cmd, hash=one.hash
                )
                for one in sealed
            ]
        ),
        command=command,
        due=due,
        is_quiet=not (due or work_due(loaded.table)) and _is_play_alone(sealed),
    )


def _is_play_alone(sealed: Sequence[Entry]) -> bool:
    """Tells whether nothing happened to the table itself, from whose events projections are made."""
    return not any(one.type.startswith("table.") for one in sealed)
