"""Logs from other installations: verified, stored apart from this service's tables, and counted nowhere."""

from base64 import b32encode
from collections.abc import Sequence
from hashlib import sha256
from typing import Final, NamedTuple, TypeAlias

from hoodwink.domain.due_times import NOTHING_DUE
from hoodwink.domain.kernel import Event, Names, RuleViolation
from hoodwink.domain.tables.codec import current_wire, decode_event
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.entries import Entry, Recorded
from hoodwink.domain.tables.events import TableOpened
from hoodwink.domain.tables.evolve import evolve
from hoodwink.domain.tables.proving.log import (
    Header,
    export_log,
    introduced_in_log,
    names_in_log,
    parse_log,
    people_in_log,
)
from hoodwink.domain.tables.proving.proof import Finding, OnProgress, ignore_progress
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.domain.tables.state import UNOPENED, Phase, Table
from hoodwink.service.application.commands.import_retention import ImportRetention
from hoodwink.service.application.commands.import_shelf import BY_OPERATOR, Dropped, Found, Keeper, Shelved
from hoodwink.service.application.errors import Busy, BusyCode, NotFound, NotFoundCode, SignedOut
from hoodwink.service.application.players.player_lookup import PlayerStore
from hoodwink.service.application.players.players import Players
from hoodwink.service.application.ports import (
    Clock,
    Commit,
    Diverged,
    IdempotencyKey,
    Rollbacks,
    StreamId,
)
from hoodwink.service.application.streams.aggregates import Aggregate
from hoodwink.service.application.streams.history import Position
from hoodwink.service.application.streams.repository import Repository
from hoodwink.service.application.streams.tables import LoadedTable

MAX_LOG: Final = 16 * 1024 * 1024
"""Limit of an imported log in bytes."""

_MAX_ATTEMPTS: Final = 3
_CHUNK: Final = 500
"""Events that are appended together: Redis serves nobody else while a script runs."""

Nothing: TypeAlias = None


class InvalidLog(Exception):
    """Raised for a log that does not verify; `finding` is its first fault."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(f"{finding.code}: {finding.detail}")
        self.finding = finding


def _never(_state: Table, _command: Nothing, _now: int) -> tuple[Event, ...]:
    raise RuleViolation(TableCode.TABLE_OVER)


IMPORT: Final[Aggregate[Table, Nothing]] = Aggregate(
    category="import",
    not_found=NotFoundCode.IMPORT_NOT_FOUND,
    busy=BusyCode.TABLE_BUSY,
    unopened=UNOPENED,
    decide=_never,
    evolve=evolve,
    decode=decode_event,
    current_wire=current_wire,
    work_due=lambda _table: NOTHING_DUE,
    pending_move=lambda _table, _gaps, _now: None,
    people=lambda _events: (),
    is_quiet=lambda _events: True,
    ending_again=lambda _remembered, _stored: None,
)
"""An imported log, event for event, in a category that no projection or worker follows."""


class Imported(NamedTuple):
    """An imported table and its record."""

    loaded: LoadedTable
    found: Found


class Imports:
    """Imported logs, by an id that is derived from their bytes. Safe to share between threads."""

    def __init__(
        self,
        *,
        store: PlayerStore,
        players: Players,
        clock: Clock,
        rollbacks: Rollbacks,
        keeping: ImportRetention,
        cached: int = 1_000,
    ) -> None:
        """Keeps up to `cached` tables in memory."""
        self._store = store
        self._players = players
        self._clock = clock
        self._keeping = keeping
        self._repository: Repository[Table, Nothing] = Repository(
            aggregate=IMPORT,
            store=store,
            clock=clock,
            rollbacks=rollbacks,
            cached=cached,
        )

    def add(self, log: bytes, keeper: Keeper = BY_OPERATOR, on_progress: OnProgress = ignore_progress) -> str:
        """Stores a log for somebody and returns its id, the same for the same log.

        Args:
            log: as it was exported, byte for byte.
            keeper: who imports it.
            on_progress: called with the number of events checked.

        Raises:
            InvalidLog: it does not verify.
            SignedOut: the keeper was erased meanwhile.
            LimitReached: the keeper may keep no more.
            Busy: it was evicted at every attempt before it was stored.
        """
        finding = verify_log(log, on_progress).finding
        if finding is not None:
            raise InvalidLog(finding)
        # Checked again, because the player may have been erased during the long verification.
        if keeper != BY_OPERATOR and not self._players.exists(keeper.player):
            raise SignedOut
        import_id = id_of(log)
        header, entries = parse_log(log)
        shelved = self._shelved(header, entries, size=len(log))
        for _ in range(_MAX_ATTEMPTS):
            # The record comes first, so that a part that a killed process has stored expires, too.
            self._keeping.keep(import_id, keeper, shelved)
            is_whole = self._store_entries(StreamId(IMPORT.category, import_id), entries)
            if self._keeping.is_kept(import_id) and is_whole:
                return import_id
            self._keeping.delete(import_id)  # it was evicted meanwhile, and part of it was stored after that
        raise Busy(BusyCode.NO_ROOM_FOR_JOBS)

    def _shelved(self, header: Header, entries: Sequence[Entry], *, size: int) -> Shelved:
        opened = decode_event(entries[0].type, entries[0].data)
        assert isinstance(opened, TableOpened), "a log that verifies opens a table"
        introduced = introduced_in_log(entries)
        return Shelved(
            table=header.table,
            game=opened.game,
            size=size,
            events=len(entries),
            at=self._clock.now_ms(),
            introduced=introduced,
            others=tuple([person for person in people_in_log(entries) if person not in introduced]),
            names=header.names or {},
        )

    def find(self, import_id: str, player: str = "") -> Found:
        """Returns the record of an import and delays its expiry; raises `NotFound`."""
        return self._keeping.view(import_id, player)

    def look(self, import_id: str, player: str = "") -> Imported:
        """Returns the table at its end and delays its expiry; raises `NotFound`."""
        found = self.find(import_id, player)
        loaded = self._repository.load(import_id)
        if loaded.state.phase is not Phase.ENDED:  # only part of it is stored: `add` is at work or was killed
            raise NotFound(NotFoundCode.IMPORT_NOT_FOUND)
        return Imported(loaded, found)

    def load_at(self, import_id: str, version: int) -> LoadedTable:
        """Returns the table at a version; raises `NotFound`."""
        return self._repository.load_at(import_id, version)

    def following(self, import_id: str, position: Position, *, count: int | None) -> tuple[Recorded, ...]:
        """Returns up to `count` events after a position; raises `HistoryChanged` if the log has no such position."""
        return self._repository.following(import_id, position, count=count)

    def entries(self, import_id: str) -> tuple[Entry, ...]:
        return self._repository.entries(import_id)

    def names(self, shelved: Shelved) -> Names:
        """Returns the players' names: the current ones for players of this service, and the log's for all others."""
        held = names_in_log(shelved.names)
        return self._players.names((*shelved.introduced, *shelved.others), otherwise=held)

    def log(self, import_id: str) -> bytes:
        """Returns the log with the current names of this service's players; raises `NotFound`."""
        shelved, entries = self.find(import_id).shelved, self.entries(import_id)
        # `add` stores a log in several steps, so a part of it may be visible.
        if len(entries) != shelved.events:
            raise NotFound(NotFoundCode.IMPORT_NOT_FOUND)
        return export_log(
            shelved.table, entries, self.names(shelved) if shelved.names else None, shelved.introduced
        )

    def give_up(self, import_id: str, player: str) -> Dropped:
        """Gives up an import like `ImportRetention.give_up`, and waits until the replicas have that."""
        dropped = self._keeping.give_up(import_id, player)
        self._repository.confirm(import_id)
        return dropped

    def _store_entries(self, stream: StreamId, entries: Sequence[Entry]) -> bool:
        """Appends the entries that are not stored yet; returns False if some were deleted meanwhile."""
        # Another request may store the same log at the same moment, or an earlier one may have died halfway. So
        # each step continues from the stored version, and a refused append means that the other request was faster.
        while (version := self._store.version(stream)) < len(entries):
            answer = self._store.append(
                Commit(
                    stream=stream,
                    expected_version=version,
                    expected_head=entries[version - 1].hash if version else "",
                    entries=tuple(entries[version : version + _CHUNK]),
                    key=IdempotencyKey(f"import-{version}", ""),
                    is_quiet=True,
                )
            )
            # The id is derived from the whole log, so other events cannot be the cause: some were deleted.
            if isinstance(answer, Diverged):
                return False
        # Even if nothing was appended here: the replicas may not have confirmed the request that did so.
        self._store.confirm(stream)
        return True


def id_of(log: bytes) -> str:
    """Returns 160 bits of the log's SHA-256 as 32 lower-case letters and digits.

    >>> id_of(b"hoodwink")
    'sjvumr5mevralaax3ugvqno3oyqhkoi3'
    """
    return b32encode(sha256(log).digest()[:20]).decode().lower()
