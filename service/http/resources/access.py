"""Reads requests: the viewer, path parameters, and expected and known versions."""

import re
from collections.abc import Callable, Collection, Iterator
from typing import Any, Final

from marshmallow import fields

from hoodwink.domain.kernel import SharedCode, Viewer
from hoodwink.domain.players import Player
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tables.proving.log import people_in_log
from hoodwink.domain.tables.state import (
    Phase,
    Table,
    people_at,
    seat_of,
)
from hoodwink.domain.tables.view import legal_actions_of
from hoodwink.domain.tournaments.life import Tournament, people_in
from hoodwink.service.application.commands.intents import check_seat
from hoodwink.service.application.errors import (
    ConflictCode,
    Forbidden,
    ForbiddenCode,
    NotFound,
    NotFoundCode,
    VersionConflict,
)
from hoodwink.service.application.players.identity import idempotency_key
from hoodwink.service.application.players.player_lookup import is_id
from hoodwink.service.application.players.player_names import PlayerNames
from hoodwink.service.application.ports import IdempotencyKey
from hoodwink.service.application.reading.seen import split_legal
from hoodwink.service.application.streams.history import Position
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import Call
from hoodwink.service.http.messages.answers import position_text
from hoodwink.service.http.messages.fields import (
    BIGGEST,
    NamesField,
    TextIntegerField,
    Whole,
    parse_position,
    within,
)
from hoodwink.service.http.messages.problems import (
    NOT_YOUR_SEAT,
    SEAT_NOT_FOUND,
    TABLE_NOT_OVER,
    HttpCode,
    Problem,
)
from hoodwink.service.http.messages.schemas import EXPECTED_VERSION, QuerySchema

LOOKING: Final = (SEAT_NOT_FOUND, NOT_YOUR_SEAT, TABLE_NOT_OVER)
"""The refusals of a viewer."""

PLAYING: Final = (TableCode.TABLE_NOT_STARTED, TableCode.TABLE_OVER)
AT_OWN_SEAT: Final = (ForbiddenCode.NOT_SEATED, *PLAYING)
"""The refusals of commands that only a seated player may give, and only while the table is played."""

# `int` alone would also accept 07 and the digits of other scripts, so one seat would have many addresses.
_SEAT: Final = re.compile("0|[1-9][0-9]?")

# One digit, because no game has more than ten seats.
VIEWERS: Final = "^(spectator|everybody|[0-9])$"


class ViewerSchema(QuerySchema):
    """The viewer."""

    viewer = fields.String(
        validate=Whole(VIEWERS, "Must be spectator, everybody or a seat."),
        metadata={
            "description": "`spectator` or your own seat; once the table is over, any seat, or `everybody`, who sees all "
            "cards. The default is your own seat, or `spectator` if you have none."
        },
    )


WORDS: Final = {
    "words": "adds the field `words` to each event: a sentence about the event and whose choice it was, as far as the "
    "viewer may know."
}
LEGAL_ACTIONS: Final = {
    "legal_actions": "adds the field `legal_actions`: the viewer's legal actions at the version shown, and which of their own "
    "cards may not be played and why; `null` for a viewer without a seat."
}


class IncludeSchema(QuerySchema):
    """Additional fields of events."""

    include = NamesField(WORDS)


class EffectSchema(QuerySchema):
    """Additional fields of the effect of a command at a table."""

    include = NamesField(WORDS | LEGAL_ACTIONS)


def includes(call: Call, name: str) -> bool:
    return name in call.query.get("include", ())


def wants_words(call: Call) -> bool:
    return includes(call, "words")


def wants_legal_actions(call: Call) -> bool:
    return includes(call, "legal_actions")


class ViewSchema(ViewerSchema):
    """The version and the viewer of a table."""

    version = TextIntegerField(
        validate=within(1, BIGGEST),
        metadata={"description": "The version to show; by default the current one."},
    )


def table_id(call: Call) -> str:
    """Returns the id of the table in the path; raises `NotFound` if it is malformed."""
    named = call.path["table_id"]
    if not is_id(named):  # ids become part of keys in Redis
        raise NotFound(NotFoundCode.TABLE_NOT_FOUND)
    return named


def import_id(call: Call) -> str:
    """Returns the id of the import in the path; raises `NotFound` if it is malformed."""
    named = call.path["import_id"]
    if not is_id(named):
        raise NotFound(NotFoundCode.IMPORT_NOT_FOUND)
    return named


def seat_number(call: Call) -> int:
    """Returns the seat in the path; raises `NotFound` if it is not a number."""
    named = call.path["seat"]
    if not _SEAT.fullmatch(named):
        raise NotFound(SharedCode.NO_SUCH_SEAT)
    return int(named)


def names_at(service: Service, table: Table, events: Collection[Recorded] = ()) -> PlayerNames:
    """Returns the current names of the people at a table and in these events."""
    people = people_at(table)
    if events:  # they may name people who have left, or were only offered a seat
        people += people_in_log([recorded.entry for recorded in events])
    return service.players.names(people)  # once for all, since players who are not cached cost a round trip


def names_in(service: Service, tournament: Tournament) -> PlayerNames:
    """Returns the current names of the people who have entered a tournament."""
    # With those who have left again, because events and pairings still have their ids.
    return service.players.names(people_in(tournament))


def viewer_of(table: Table, player: Player | None, asked: str | None) -> Viewer:
    """Returns the viewer for a request to see the table.

    Args:
        table: at its current version, even if an earlier one will be shown.
        player: the player who sent the request, if known.
        asked: the viewer in the query.

    Raises:
        Forbidden: the player may not see the table as that seat does before it is over (G-3).
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
    if table.phase is not Phase.ENDED or table.is_embargoed:
        raise Forbidden(
            TableCode.NOT_YOUR_SEAT,
            "Until the table is over, you may view it only from your own seat or as a spectator.",
        )
    check_seat(table, asked)
    return asked


def check_over(table: Table) -> None:
    """Raises `Problem` 409 unless the table is over, and with it every other table of its deal (D-7)."""
    if table.phase is not Phase.ENDED or table.is_embargoed:
        raise Problem(TABLE_NOT_OVER)


def etag_of(position: Position, names: PlayerNames | None = None, *, is_weak: bool = False) -> str:
    """Returns the entity tag of a table at a position in its history, with these names.

    Args:
        is_weak: whether the answer has the time (`now`), so that its bytes differ from one request to the next.
    """
    # With the hash, because a store restored from an older copy may reach the same version with other events. With
    # the number of name changes, because these are no events of the table, and no cache may keep an erased name.
    return f'{"W/" if is_weak else ""}"{position_text(position)}{_changes(names)}"'


def _changes(names: PlayerNames | None) -> str:
    changes = 0 if names is None else names.changes
    return f"+{changes}" if changes else ""


def is_known(call: Call, position: Position, names: PlayerNames) -> bool:
    """Returns whether the client has the resource at this position with these names, by `If-None-Match`."""
    given = call.request.headers.get("if-none-match")
    if given is None:
        return False
    if given.strip() == "*":  # matches any version that exists (RFC 9110, 13.1.2)
        return True
    shown = _changes(names)
    return any(known.is_at(position) and changes == shown for known, changes in _tags(given))


def expected_position(call: Call, current: Callable[[], Position]) -> Position | None:
    """Returns the position that the request expects, by its body or `If-Match`.

    Args:
        current: loads the current position.
    """
    asked: int | None = call.form.get(EXPECTED_VERSION)
    given = call.request.headers.get("if-match")
    if given is None or given.strip() == "*":
        return None if asked is None else Position(asked)
    # Unlike RFC 9110, weak tags match, too: a command depends on the position alone, and the tag names it.
    positions = {position for position, _ in _tags(given) if asked in (None, position.version)}
    if len(positions) == 1:  # the command compares it with the latest state, without a read before it
        return positions.pop()
    present = current()  # the command compares the position again, so a change after this look does no harm
    return next((position for position in positions if position.is_at(present)), _NOWHERE)


def _tags(given: str) -> Iterator[tuple[Position, str]]:
    """Yields the position of each valid entity tag, and its name changes."""
    for tag in _ETAG.findall(given):
        place, plus, changes = tag.partition("+")
        if (position := parse_position(place)) is not None:
            yield position, plus + changes


_ETAG: Final = re.compile(r'"([^"]*)"')

_NOWHERE: Final = Position(-1)
"""A position that no history has, so that a command that expects it is refused."""


def command_key(call: Call) -> IdempotencyKey | None:
    if call.key is None:
        return None
    # The path and body detect a key that is used for two requests. The query only selects how the answer is shown.
    return idempotency_key(call.sender, call.key, call.request.path.encode() + b"\n" + call.raw)


def version_mismatch(call: Call, noun: str, **present: Any) -> Problem:
    """Returns the problem of a request that expects another version than the current one.

    Args:
        noun: `table` or `tournament`.
        present: the fields of the problem document about the current version.
    """
    return mismatch(noun, is_matched="if-match" in call.request.headers, **present)


def mismatch(noun: str, *, is_matched: bool, **present: Any) -> Problem:
    """Returns the same problem; `is_matched` says whether the request used `If-Match`."""
    # RFC 9110 has a status for `If-Match`. A version in the body is a matter of this API: an ordinary conflict.
    code, detail = (
        (HttpCode.PRECONDITION_FAILED, f"The {noun} is not at the version that the request names.")
        if is_matched
        else (
            ConflictCode.VERSION_CONFLICT,
            f"The {noun} has changed: it is no longer at the version that you expect.",
        )
    )
    return Problem(code, detail, **present)


def table_version_mismatch(conflict: VersionConflict, call: Call, now: int) -> Problem:
    """Returns the problem of a request that expects another version of a table, with the player's legal actions."""
    return version_mismatch(call, "table", **_present(conflict.current, call.player, now))


def _present(table: Table, player: Player | None, now: int) -> dict[str, Any]:
    seat = None if player is None else seat_of(table, player.id)
    if seat is None:
        return {"version": table.version}
    # The player has to choose again. Without another request, the next attempt is less likely to be late, too.
    actions, choices, offences = split_legal(table.rulebook, legal_actions_of(table, seat, now))
    return {
        "version": table.version,
        "legal_actions": actions,
        "legal_choices": choices,
        "legal_offences": offences,
    }
