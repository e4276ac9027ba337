"""An exported log as the moments of its table."""

from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from domain.kernel import Viewer, redact
from domain.tables import (
    UNOPENED,
    Entry,
    Header,
    MalformedLog,
    Recorded,
    Table,
    decode_event,
    evolve,
    parse_log,
)
from domain.words import seating_of, sentence

UNTOLD = "Something that this viewer may not know."


class Moment(msgspec.Struct, frozen=True):
    """An event, and the table right after it."""

    table: Table
    recorded: Recorded

    def words_for(self, viewer: Viewer) -> str | None:
        """Returns what happened as the viewer may know it, or `None` where even that is secret."""
        table, recorded = self.table, self.recorded
        shown = redact(recorded.event, viewer)
        if shown is None:
            return None
        return sentence(table.game, shown, seating_of(table), by=recorded.entry.by)


class Recording(msgspec.Struct, frozen=True):
    """All moments of a table; version n is the n-th of them."""

    moments: tuple[Moment, ...]

    @property
    def last(self) -> int:
        """The last version."""
        return len(self.moments)

    @property
    def seats(self) -> int:
        return len(self.moments[0].table.seats)

    def at(self, version: int) -> Moment:
        """Returns the moment of a version."""
        return self.moments[version - 1]

    def round_start(self, number: int) -> int | None:
        """Returns the version at which a round was dealt, or `None` without such a round."""
        for version, moment in enumerate(self.moments, start=1):
            if moment.table.round == number:
                return version
        return None


def opened_log(file: Path, log: bytes) -> tuple[Header, tuple[Entry, ...]]:
    """Returns header and entries of a file's log; raises `ClickException` for what is no log."""
    try:
        return parse_log(log)
    except MalformedLog as error:
        raise click.ClickException(f"{file} is no exported log: {error}") from None


def moments_of(file: Path, header: Header, entries: tuple[Entry, ...]) -> Iterator[Moment]:
    """Yields the moments of a log, as far as it can be believed; raises `ClickException` where it was changed."""
    table = UNOPENED
    for entry in entries:
        try:
            recorded = Recorded(entry, decode_event(entry.type, entry.data))
            table = evolve(table, recorded)
            moment = Moment(table, recorded)
            moment.words_for("everybody")
        except Exception:  # noqa: BLE001 - a log that was changed may ask for anything
            raise click.ClickException(
                f"{file} was changed: event {entry.version} cannot have happened. "
                f"`hoodwink verify {file}` says where it was changed."
            ) from None
        if table.id != header.table:
            raise click.ClickException(
                f"{file} was changed: its first line names another table than its events."
            )
        yield moment


def recorded_log(file: Path, log: bytes) -> Recording:
    """Returns all moments of a file's log; raises `ClickException` for what is no whole log."""
    header, entries = opened_log(file, log)
    moments = tuple(moments_of(file, header, entries))
    if not moments:
        raise click.ClickException(f"{file} holds no event.")
    return Recording(moments)
