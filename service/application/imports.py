"""Logs from elsewhere: verified, stored apart from the tables of this service, and counted nowhere."""

from base64 import b32encode
from collections.abc import Sequence
from hashlib import sha256
from typing import Final, TypeAlias

import msgspec

from domain import tables
from domain.kernel import Event, Names, RuleViolation
from domain.tables import (
    Entry,
    Finding,
    Phase,
    Recorded,
    Table,
    export_log,
    names_in_log,
    parse_log,
    people_in_log,
    verify_log,
)
from domain.tables.codes import TableCode
from service.application.aggregates import Aggregate
from service.application.errors import BusyCode, NotFound, NotFoundCode
from service.application.history import Position
from service.application.players import Players, PlayerStore
from service.application.ports import (
    Clock,
    Commit,
    Diverged,
    Entropy,
    IdempotencyKey,
    Rollbacks,
    StreamId,
)
from service.application.repository import Repository
from service.application.tables import LoadedTable

LARGEST_LOG: Final = 16 * 1024 * 1024
"""The most bytes that an imported log may have."""

_CHUNK: Final = 500
"""How many events are appended together: Redis serves nobody else while a script runs."""

Nothing: TypeAlias = None


class InvalidLog(Exception):
    """Raised for a log that does not verify; `finding` is the first fault in it."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(f"{finding.code}: {finding.detail}")
        self.finding = finding


def _never(_state: Table, _command: Nothing, _now: int) -> tuple[Event, ...]:
    raise RuleViolation(TableCode.TABLE_OVER)


IMPORT: Final[Aggregate[Table, Nothing]] = Aggregate(
    category="import",
    not_found=NotFoundCode.IMPORT_NOT_FOUND,
    busy=BusyCode.TABLE_BUSY,
    unopened=tables.UNOPENED,
    decide=_never,
    evolve=tables.evolve,
    decode=tables.decode_event,
    current_wire=tables.current_wire,
    work_due=lambda _table: tables.NOTHING_DUE,
    people=lambda _events: (),
    is_quiet=lambda _events: True,
    ending_again=lambda _remembered, _stored: None,
)
"""An imported log, event for event in a stream of a category that no projection and no worker follows."""


class Imports:
    """Every imported log, by the id that follows from its bytes. Safe to share between threads."""

    def __init__(
        self,
        *,
        store: PlayerStore,
        players: Players,
        clock: Clock,
        entropy: Entropy,
        rollbacks: Rollbacks,
        cached: int = 100,
    ) -> None:
        """Keeps up to `cached` tables in memory."""
        self._store = store
        self._players = players
        self._repository: Repository[Table, Nothing] = Repository(
            aggregate=IMPORT,
            store=store,
            clock=clock,
            entropy=entropy,
            rollbacks=rollbacks,
            cached=cached,
        )

    def add(self, log: bytes) -> str:
        """Stores a log and returns its id, the same for the same log.

        Raises:
            InvalidLog: it does not verify.
        """
        finding = verify_log(log).finding
        if finding is not None:
            raise InvalidLog(finding)
        import_id = id_of(log)
        header, entries = parse_log(log)
        self._store_entries(StreamId(IMPORT.category, import_id), entries, _named(header.names or {}))
        return import_id

    def load(self, import_id: str, version: int | None = None) -> LoadedTable:
        """Returns the table as it was at a version, by default at its end; raises `NotFound`."""
        loaded = self._repository.load(import_id)
        if loaded.state.phase is not Phase.ENDED:  # only part of it is stored: `add` is at work or was killed
            raise NotFound(NotFoundCode.IMPORT_NOT_FOUND)
        return loaded if version is None else self._repository.load_at(import_id, version)

    def following(self, import_id: str, position: Position, *, count: int | None) -> tuple[Recorded, ...]:
        """Returns up to `count` events after a position; raises `HistoryChanged` for a position that is not there."""
        return self._repository.following(import_id, position, count=count)

    def entries(self, import_id: str) -> tuple[Entry, ...]:
        """Returns the whole log."""
        return self._repository.entries(import_id)

    def names(self, import_id: str) -> Names:
        """Returns the names of the players: those of the players of this service, and the others as the log has them."""
        entries, held = self._held(import_id)
        return self._players.names(people_in_log(entries), otherwise=names_in_log(held, entries))

    def log(self, import_id: str) -> bytes:
        """Returns the log as it was imported, but for the present names of players of this service; raises `NotFound`."""
        table = self.load(import_id).state.id
        entries, held = self._held(import_id)
        return export_log(table, entries, self.names(import_id) if held else None)

    def _held(self, import_id: str) -> tuple[tuple[Entry, ...], dict[str, str]]:
        """Returns the entries of a log, and the names of its header."""
        ((entries, names),) = self._store.read_named([StreamId(IMPORT.category, import_id)])
        return entries, msgspec.json.decode(names or "{}", type=dict[str, str])

    def _store_entries(self, stream: StreamId, entries: Sequence[Entry], names: str) -> None:
        """Appends the entries that are not stored yet."""
        # Another request may store the same log at the same moment, or an earlier one may have been killed halfway:
        # each step goes by what is stored now, and a refused append means that the other was faster.
        while (version := self._store.version(stream)) < len(entries):
            answer = self._store.append(
                Commit(
                    stream=stream,
                    expected_version=version,
                    expected_head=entries[version - 1].hash if version else "",
                    entries=tuple(entries[version : version + _CHUNK]),
                    key=IdempotencyKey(f"import-{version}", ""),
                    is_quiet=True,
                    name=names if version == 0 else None,
                )
            )
            assert not isinstance(answer, Diverged), "the id follows from all bytes of the log"
        self._store.confirm(stream)


def _named(names: dict[str, str]) -> str:
    """Returns the names of a header as they are kept beside the log."""
    return msgspec.json.encode(names).decode() if names else ""


def id_of(log: bytes) -> str:
    """Returns 160 bits of the log's SHA-256 as 32 lower-case letters and digits.

    >>> id_of(b"hoodwink")
    'sjvumr5mevralaax3ugvqno3oyqhkoi3'
    """
    return b32encode(sha256(log).digest()[:20]).decode().lower()
