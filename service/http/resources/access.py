"""What a request's asker may see, and the versions that a request speaks of."""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from marshmallow import fields, validate

from domain.kernel import Viewer
from domain.players import Player
from domain.tables import Phase, Table, legal_actions_of, seat_of
from domain.tables.codes import TableCode
from service.application.errors import (
    ConflictCode,
    Forbidden,
    ForbiddenCode,
    NotFound,
    NotFoundCode,
    VersionConflict,
)
from service.application.history import Position
from service.application.identity import idempotency_key
from service.application.intents import check_seat
from service.application.players import is_id
from service.application.ports import IdempotencyKey
from service.http.framework.operations import Call
from service.http.messages.answers import parted, position_text
from service.http.messages.fields import BIGGEST, MOST_DIGITS, TextIntegerField, Whole, parsed_position
from service.http.messages.problems import HttpCode, Problem
from service.http.messages.schemas import EXPECTED_VERSION, StrictSchema

LOOKING: Final = (NotFoundCode.NO_SUCH_SEAT, ForbiddenCode.NOT_YOUR_SEAT, HttpCode.TABLE_NOT_OVER)
"""Why somebody may not look at a table through certain eyes."""

PLAYING: Final = (TableCode.TABLE_NOT_STARTED, TableCode.TABLE_OVER)
AT_OWN_SEAT: Final = (ForbiddenCode.NOT_SEATED, *PLAYING)
"""Why somebody may not do what only seated players do, and only while the table is played."""

NUMBER_PATTERN: Final = f"^[0-9]{{1,{MOST_DIGITS}}}$"

_SEAT: Final = re.compile("0|[1-9][0-9]?")

VIEWERS: Final = "^(spectator|everybody|[0-9])$"


class ViewerSchema(StrictSchema):
    """Through whose eyes to look."""

    viewer = fields.String(
        validate=Whole(VIEWERS, "Must be spectator, everybody or a seat."),
        metadata={
            "description": "`spectator`, or a seat. By default the own seat with a token, otherwise `spectator`. "
            "Once the table is over, any seat, and `everybody`, who sees all cards."
        },
    )


class IncludeSchema(StrictSchema):
    """What else to tell of events."""

    include = fields.String(
        validate=validate.OneOf(["words"]),
        metadata={
            "description": "`words`: each event comes with a sentence, `words`, that says what happened and whose "
            "choice it was, made from what the viewer may know."
        },
    )


def wants_words(call: Call) -> bool:
    """Tells whether a request asks for events in words."""
    return call.query.get("include") == "words"


class ViewSchema(ViewerSchema):
    """Which version of the table to show, and to whom."""

    version = TextIntegerField(
        validate=validate.Range(min=1, max=BIGGEST),
        metadata={"description": "An earlier moment of the table; by default the present."},
    )


def table_id(call: Call) -> str:
    """Returns the table that the path names; raises `NotFound` for what can be no id."""
    named = call.path["table_id"]
    if not is_id(named):
        raise NotFound(NotFoundCode.TABLE_NOT_FOUND)
    return named


def import_id(call: Call) -> str:
    """Returns the import that the path names; raises `NotFound` for what can be no id."""
    named = call.path["import_id"]
    if not is_id(named):
        raise NotFound(NotFoundCode.IMPORT_NOT_FOUND)
    return named


def seat_number(call: Call) -> int:
    """Returns the seat that the path names; raises `NotFound` for what can be no seat."""
    named = call.path["seat"]
    if not _SEAT.fullmatch(named):
        raise NotFound(NotFoundCode.NO_SUCH_SEAT)
    return int(named)


def viewer_of(table: Table, player: Player | None, asked: str | None) -> Viewer:
    """Returns who looks at the table as it is now.

    Raises:
        Forbidden: the asker may not look through those eyes before the table is over (G-3).
        NotFound: the table has no such seat.
        Problem: 409 `table_not_over` for `everybody`.
    """
    own = None if player is None else seat_of(table, player.id)
    if asked is None:
        return "spectator" if own is None else own
    if asked == "spectator":
        return "spectator"
    if asked == "everybody":
        check_over(table)
        return "everybody"
    return _seat_asked(table, own, int(asked))


def _seat_asked(table: Table, own: int | None, asked: int) -> int:
    if asked == own:
        return asked
    if table.phase is not Phase.ENDED:
        raise Forbidden(
            ForbiddenCode.NOT_YOUR_SEAT, "Until the table is over you may look only through your own eyes."
        )
    check_seat(table, asked)
    return asked


def check_over(table: Table) -> None:
    """Raises `Problem` 409 unless the table is over."""
    if table.phase is not Phase.ENDED:
        raise Problem(HttpCode.TABLE_NOT_OVER)


def etag_of(position: Position) -> str:
    """Returns the entity tag of a table at a position in its history.

    The version alone would not do: a store that came back older may have reached it otherwise.
    """
    return f'"{position_text(position)}"'


def is_known(call: Call, position: Position) -> bool:
    """Tells whether `If-None-Match` says that the client has this already."""
    given = call.request.headers.get("if-none-match")
    if given is None:
        return False
    return given.strip() == "*" or any(known.is_at(position) for _, known in _tagged(given))


def expected_position(call: Call, current: Callable[[], Position]) -> Position | None:
    """Returns the position in a history that the request insists on, by its body or by `If-Match`.

    Args:
        current: loads where the history is now.
    """
    asked: int | None = call.form.get(EXPECTED_VERSION)
    given = call.request.headers.get("if-match")
    if given is None or given.strip() == "*":
        return None if asked is None else Position(asked)
    positions = {
        position for is_weak, position in _tagged(given) if not is_weak and asked in (None, position.version)
    }
    if len(positions) == 1:
        return positions.pop()
    there = current()
    return next((position for position in positions if position.is_at(there)), _NOWHERE)


def _tagged(given: str) -> Iterator[tuple[bool, Position]]:
    """Yields the positions that entity tags name, and whether each tag is a weak one."""
    for weak, tag in _ETAG.findall(given):
        if (position := parsed_position(tag)) is not None:
            yield bool(weak), position


_ETAG: Final = re.compile(r'(W/)?"([^"]*)"')

_NOWHERE: Final = Position(-1)
"""Where nothing is."""


def command_key(call: Call) -> IdempotencyKey | None:
    """Returns what tells the request's command from others, where it came with an Idempotency-Key."""
    if call.key is None:
        return None
    return idempotency_key(call.sender, call.key, call.request.path.encode() + b"\n" + call.raw)


def moved_on(call: Call, noun: str, **present: Any) -> Problem:
    """Returns the problem of a request that speaks of another version than that of a table or tournament.

    Args:
        present: what the problem document says of the present.
    """
    matched = "if-match" in call.request.headers
    code, detail = (
        (HttpCode.PRECONDITION_FAILED, f"The {noun} is not at the version that If-Match names.")
        if matched
        else (ConflictCode.VERSION_CONFLICT, f"The {noun} has moved on since the version that you expect.")
    )
    return Problem(code, detail, **present)


def conflicting(conflict: VersionConflict, call: Call, now: int) -> Problem:
    """Returns the problem of a request that speaks of another version of a table, with what the asker may do now."""
    return moved_on(call, "table", **_present(conflict.current, call.player, now))


def _present(table: Table, player: Player | None, now: int) -> dict[str, Any]:
    seat = None if player is None else seat_of(table, player.id)
    if seat is None:
        return {"version": table.version}
    actions, choices, offences = parted(table.rulebook, legal_actions_of(table, seat, now))
    return {
        "version": table.version,
        "legal_actions": actions,
        "legal_choices": choices,
        "legal_offences": offences,
    }
