"""Commits for tests."""

from service.application.ports import Command, Commit, EventRecord, StreamId

TABLE = StreamId("table", "t1")


def record(number: int, **changes: object) -> EventRecord:
    fields = {
        "type": "blindside.card_kept",
        "data": b'{"seat":%d}' % number,
        "at": 1_700_000_000_000 + number,
        "by": "seat:1",
        "cmd": f"c{number}",
        "hash": f"{number:064x}",
    }
    return EventRecord(**(fields | changes))  # type: ignore[arg-type]


def commit(
    at: int,
    *,
    stream: StreamId = TABLE,
    events: int = 1,
    key: str | None = None,
    due: str = "",
    is_quiet: bool = False,
) -> Commit:
    """Returns a commit of the events at + 1, at + 2, …"""
    return Commit(
        stream=stream,
        expected_version=at,
        records=tuple(record(number) for number in range(at + 1, at + events + 1)),
        command=Command(key or f"c{at + 1}", f"asked for {at + 1}"),
        due=due,
        is_quiet=is_quiet,
    )
