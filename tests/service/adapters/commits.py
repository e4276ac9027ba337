"""Commits for tests."""

from msgspec import Raw

from hoodwink.domain.due_times import NOTHING_DUE, WorkDue
from hoodwink.domain.tables.entries import Entry
from hoodwink.service.application.ports import Commit, IdempotencyKey, StreamId

TABLE = StreamId("table", "t1")


def record(number: int, **changes: object) -> Entry:
    fields = {
        "version": number,
        "type": "blindside.card_kept",
        "data": Raw(b'{"seat":%d}' % number),
        "at": 1_700_000_000_000 + number,
        "by": "seat:1",
        "cmd": f"c{number}",
        "hash": f"{number:064x}",
    }
    return Entry(**(fields | changes))  # type: ignore[arg-type]


def commit(
    at: int,
    *,
    stream: StreamId = TABLE,
    events: int = 1,
    key: str | None = None,
    due: WorkDue = NOTHING_DUE,
    is_quiet: bool = False,
    head: str | None = None,
    **changes: object,
) -> Commit:
    """Returns a commit of the events at + 1, at + 2, … after event `at`; the last one has the command id."""
    command = key or f"c{at + events}"
    changes = ({"cmd": key} if key else {}) | changes
    return Commit(
        stream=stream,
        expected_version=at,
        expected_head=(record(at).hash if at else "") if head is None else head,
        entries=tuple(record(number, **changes) for number in range(at + 1, at + events + 1)),
        key=IdempotencyKey(command, f"asked for {at + 1}"),
        due=due,
        is_quiet=is_quiet,
    )
