"""Lists of players to whom an organiser wants to offer an entry (T-29): CSV with a header, or FIDE's tournament report."""

import csv
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from hoodwink.domain.tournaments.files.trf.lines import Line
from hoodwink.domain.tournaments.files.trf.sheet import NAME_LENGTH, MalformedTrf

MAX_LISTED: Final = 500
"""The maximum number of players in a list."""

_COLUMNS: Final = {
    "id": ("id", "player", "player_id"),
    "name": ("name",),
    "order": ("order", "rank", "entrant"),
}
"""The accepted headers of each column. `entrant`, `id` and `name` are those of the service's own list of entrants."""

_MAX_ORDER: Final = 9999


class MalformedList(ValueError):
    """Raised for a text that is no list of players."""


class ListedPlayer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A line of a list.

    Attributes:
        line: its number in the text, from 1.
        id, name: as written; empty if missing.
        is_cut: whether the name may have been cut to the length of the format.
        order: the place in the starting order; `None` without one.
        fault: why the line cannot be used, or an empty string.
    """

    line: int
    id: str = ""
    name: str = ""
    is_cut: bool = False
    order: int | None = None
    fault: str = ""


def read_list(text: str) -> tuple[ListedPlayer, ...]:
    """Returns the lines of a list in their order; raises `MalformedList`."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    is_report = text.startswith(("012 ", "001 ")) or "\n001 " in text
    listed = tuple(_of_report(text) if is_report else _of_csv(text))
    if not listed:
        raise MalformedList("The list has no players.")
    if len(listed) > MAX_LISTED:
        raise MalformedList(f"The list has {len(listed)} players; it can have {MAX_LISTED}.")
    return listed


def _of_report(text: str) -> Iterator[ListedPlayer]:
    for number, written in enumerate(text.split("\n"), start=1):
        if not written.startswith("001 "):
            continue
        line = Line(number, written.rstrip())
        name = line.text[14:47].strip()
        try:
            order = line.whole(4, 8)
        except MalformedTrf:
            yield ListedPlayer(line=number, name=name, fault="Columns 5 to 8 must hold the starting rank.")
            continue
        fault = "" if name else "There is no name in columns 15 to 47."
        yield ListedPlayer(line=number, name=name, is_cut=len(name) >= NAME_LENGTH, order=order, fault=fault)


def _of_csv(text: str) -> Iterator[ListedPlayer]:
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    # Not `splitlines`, which also splits at other characters, and would number the lines otherwise than an editor.
    lines = [f"{line}\n" for line in text.split("\n")]
    rows = csv.reader(lines, delimiter=delimiter)
    try:
        header = next(rows, [])
        places = _places(header)
        for row in rows:
            if any(cell.strip() for cell in row):
                yield _listed(rows.line_num, row, places)
    except csv.Error as error:
        raise MalformedList(f"Line {rows.line_num} is no CSV: {error}.") from None


def _places(header: Sequence[str]) -> dict[str, int]:
    """Returns where the columns are."""
    names = [cell.strip().casefold().replace(" ", "_") for cell in header]
    places = {
        column: names.index(spelling)
        for column, spellings in _COLUMNS.items()
        for spelling in reversed(spellings)
        if spelling in names
    }
    if not places.keys() & {"id", "name"}:
        raise MalformedList("The first line must name the columns, one of them id or name.")
    return places


def _listed(line: int, row: Sequence[str], places: dict[str, int]) -> ListedPlayer:
    written = {column: row[place].strip() if place < len(row) else "" for column, place in places.items()}
    # Also the address of the player's page, whose last part is the id.
    id_, name = written.get("id", "").rstrip("/").rpartition("/")[2], written.get("name", "")
    order, fault = written.get("order", ""), ""
    is_number = order.isascii() and order.isdigit() and 1 <= int(order[:5]) <= _MAX_ORDER
    if not id_ and not name:
        fault = "The line has neither an id nor a name."
    elif order and not is_number:
        fault = f"The starting order must be a number from 1 to {_MAX_ORDER}."
    return ListedPlayer(
        line=line, id=id_, name=name, order=int(order) if order and is_number else None, fault=fault
    )
