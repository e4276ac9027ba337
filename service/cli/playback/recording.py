"""An exported log as a sequence of applied events."""

from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from hoodwink.domain.kernel import Names, Viewer, redact
from hoodwink.domain.tables.codec import decode_event
from hoodwink.domain.tables.entries import Entry, Recorded
from hoodwink.domain.tables.evolve import evolve
from hoodwink.domain.tables.proving.log import (
    Header,
    MalformedLog,
    names_in_log,
    parse_log,
)
from hoodwink.domain.tables.state import UNOPENED, Table
from hoodwink.domain.words import seating_of, sentence

HIDDEN_EVENT = "This event is hidden from this viewer."


class AppliedEvent(msgspec.Struct, frozen=True):
    """An event, the table right after it, and the names in the log."""

    table: Table
    recorded: Recorded
    names: Names

    def words_for(self, viewer: Viewer) -> str | None:
        """Returns a sentence without hidden facts, or `None` if the viewer may not know that the event exists."""
        table, recorded = self.table, self.recorded
        shown = redact(recorded.event, viewer)
        if shown is None:
            return None
        return sentence(table.game, shown, seating_of(table, self.names), by=recorded.entry.by)


class Recording(msgspec.Struct, frozen=True):
    """All events of a table, applied; version n is the n-th of them."""

    events: tuple[AppliedEvent, ...]

    @property
    def last(self) -> int:
        return len(self.events)

    @property
    def seats(self) -> int:
        return len(self.events[0].table.seats)

    def at(self, version: int) -> AppliedEvent:
        return self.events[version - 1]

    def round_start(self, number: int) -> int | None:
        """Returns the version at which a round was dealt, or `None` if there is no such round."""
        for version, applied in enumerate(self.events, start=1):
            if applied.table.round == number:
                return version
        return None


def parsed_log(file: Path, log: bytes) -> tuple[Header, tuple[Entry, ...]]:
    """Returns the header and entries of a log; raises `ClickException` if it is not an exported log."""
    try:
        return parse_log(log)
    except MalformedLog as error:
        raise click.ClickException(f"{file}, {error}.") from None


def applied_events(file: Path, header: Header, entries: tuple[Entry, ...]) -> Iterator[AppliedEvent]:
    """Yields the applied events of a log; raises `ClickException` at the first one that cannot have happened."""
    table, names = UNOPENED, names_in_log(header.names)
    for entry in entries:
        try:
            recorded = Recorded(entry, decode_event(entry.type, entry.data))
            table = evolve(table, recorded)
            applied = AppliedEvent(table, recorded, names)
            applied.words_for("everybody")  # so that a broken event fails here, not while it is drawn
        except Exception:  # noqa: BLE001 - a changed log can cause any error
            raise click.ClickException(
                f"{file} was changed: event {entry.version} cannot have happened. "
                f"`hoodwink verify {file}` says where it was changed."
            ) from None
        if table.id != header.table:
            raise click.ClickException(
                f"{file} was changed: its first line names another table than its events."
            )
        yield applied


def read_recording(file: Path, log: bytes) -> Recording:
    """Returns the recording of a log; raises `ClickException` if the log was changed or holds no event."""
    header, entries = parsed_log(file, log)
    events = tuple(applied_events(file, header, entries))
    if not events:
        raise click.ClickException(f"{file} contains no events.")
    return Recording(events)
