"""The API's answers, as records that msgspec encodes and generates schemas for."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, Final, Literal

import msgspec
from msgspec.structs import replace

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import (
    Action,
    CardChoice,
    Event,
    Game,
    LegalAction,
    Names,
    Viewer,
    offences_among,
    plays_among,
    redact,
)
from hoodwink.domain.tables.deciding.unplayable import Unplayable, unplayable_of
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tables.state import Table
from hoodwink.domain.tables.view import (
    TableView,
    legal_actions_of,
    view_table,
)
from hoodwink.domain.words import Seating, seating_after, seating_of, sentence
from hoodwink.service.application.streams.history import Position
from hoodwink.service.application.streams.tables import LoadedTable
from hoodwink.service.http.messages.schemas import tag_of, without_rule_ids


def _exact(value: object) -> str:
    assert isinstance(value, Fraction), "msgspec encodes every other type of an answer"
    return str(value)


# Made once, because making an encoder takes longer than encoding a small answer.
encode = msgspec.json.Encoder(enc_hook=_exact).encode
"""Encodes an answer as JSON; scores are exact fractions, such as `"5/2"`."""

HEAD_DIGITS: Final = 16
"""The hash digits in the id of an event: enough to tell two histories apart."""


# No answer contains a cycle, so `gc=False` spares the garbage collector the thousands of records of a long list.
class Registered(msgspec.Struct, frozen=True, gc=False):
    """A new player. Keep the token, which is returned only here; send it as `Authorization: Bearer <token>`."""

    id: str
    name: str
    token: str


class PlayerCard(msgspec.Struct, frozen=True, gc=False):
    """The public data of a player.

    Attributes:
        name: the current name; `someone who left` if the player was erased.
    """

    id: str
    name: str


class OwnCard(msgspec.Struct, frozen=True, gc=False):
    """Your own data.

    Attributes:
        registered_at: in ms since the epoch.
    """

    id: str
    name: str
    registered_at: int


class EventRecord(msgspec.Struct, frozen=True, gc=False):
    """An event as the viewer may see it; a hidden card is `??`.

    Attributes:
        version: the number of the event at its table, from 1.
        at: milliseconds since the epoch.
        by: `player:<seat>`, `bot:<seat>`, `host`, `worker` or `admin`. A game's event by `host` is an offence that the
            host entered in the seat's name.
        data: the event's own fields.
        words: a sentence about the event and whose choice it was; only with `include=words`.
        now: the service's clock when the event was sent, in ms since the epoch; only in live streams.
    """

    version: int
    type: str
    at: int
    by: str
    data: Event
    words: str | msgspec.UnsetType = msgspec.UNSET
    now: int | msgspec.UnsetType = msgspec.UNSET


class LegalActions(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The actions that a seat may take now.

    Attributes:
        actions: actions that may be sent as they are.
        choices: choices of cards; each stands for many actions of one type.
        offences: offences that the table's options allow, such as showing a hidden card. Each may be sent as it is
            and costs the player points.
        unplayable: the cards of your own that you see and may not play now, and why.
    """

    seat: int
    actions: tuple[Action, ...]
    choices: tuple[CardChoice, ...]
    offences: tuple[Action, ...]
    unplayable: tuple[Unplayable, ...] | msgspec.UnsetType = msgspec.UNSET


# The attributes are explained again, because the description takes them from the docstring of each class alone.
class LegalAnswer(LegalActions, frozen=True, gc=False, kw_only=True):
    """The actions that a seat may take at one version.

    Attributes:
        now: the service's clock, in ms since the epoch.
        actions: actions that may be sent as they are.
        choices: choices of cards; each stands for many actions of one type.
        offences: offences that the table's options allow, such as showing a hidden card. Each may be sent as it is
            and costs the player points.
        unplayable: the cards of your own that you see and may not play now, and why; only with `include=unplayable`.
    """

    version: int
    now: int


class TableAnswer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A table as the viewer sees it.

    Attributes:
        version: the number of events so far.
        head: the hash of the last event, blinded until the server seed is revealed.
        now: the service's clock, in ms since the epoch; not for an earlier version.
        legal_actions: the viewer's legal actions, `null` for a viewer without a seat; only with `include=legal_actions`,
            and in streams with `with=view`.
    """

    version: int
    head: str
    now: int | msgspec.UnsetType = msgspec.UNSET
    view: TableView
    legal_actions: LegalActions | msgspec.UnsetType | None = msgspec.UNSET


class AcceptedAnswer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The effect of a command or, in a stream with `with=view`, of a commit.

    Attributes:
        version, head: those of the table right after the command.
        now: the service's clock, in ms since the epoch; in the answer to a command, the time at which the command took
            effect, even if the command is repeated later.
        events: the events of the command, as the viewer may see them.
        view: the table right after the command.
        legal_actions: the viewer's legal actions then, `null` for a viewer without a seat; only with
            `include=legal_actions`, and in streams with `with=view`.
    """

    version: int
    head: str
    now: int
    events: tuple[EventRecord, ...]
    view: TableView
    legal_actions: LegalActions | msgspec.UnsetType | None = msgspec.UNSET


class EventsAnswer(msgspec.Struct, frozen=True, gc=False):
    """A page of a table's events.

    Attributes:
        cursor: send it to get the following events, now or later.
        more: whether there are more events now.
        now: the service's clock, in ms since the epoch; not for imports.
    """

    events: tuple[EventRecord, ...]
    cursor: str
    more: bool
    now: int | msgspec.UnsetType = msgspec.UNSET


class Health(msgspec.Struct, frozen=True, gc=False):
    """The state of a working service.

    Attributes:
        warning: a problem that the operator should solve before the service stops; only if there is one.
    """

    status: Literal["ok"] = "ok"
    warning: str | msgspec.UnsetType = msgspec.UNSET


def position_text(position: Position) -> str:
    """Returns a position in a history as clients send it back, in a cursor or as `Last-Event-ID`.

    >>> position_text(Position(12, "5e8dd316726b0335fe3cd4b3c7c39b0f"))
    '12-5e8dd316726b0335'
    >>> position_text(Position(12, ""))
    '12'
    """
    return f"{position.version}-{position.head[:HEAD_DIGITS]}" if position.head else str(position.version)


def table_answer(
    loaded: LoadedTable, viewer: Viewer, names: Names, *, now: int | None, with_legal: bool = False
) -> TableAnswer:
    """Returns the table as the viewer may see it.

    Args:
        now: the service's clock, in ms; `None` for an earlier version, whose answer never changes.
        with_legal: whether to add the viewer's legal actions; an earlier version has none.
    """
    table = loaded.state
    return TableAnswer(
        version=table.version,
        head=loaded.head,
        now=msgspec.UNSET if now is None else now,
        # An earlier version is shown at its own time, so that every request gets the same bytes.
        view=view_table(table, viewer, names, now=loaded.at if now is None else now),
        legal_actions=legal_of_viewer(table, viewer, now)
        if with_legal and now is not None
        else msgspec.UNSET,
    )


def effect(  # noqa: PLR0913 - the parts of the answer
    after: LoadedTable,
    events: Iterable[Recorded],
    viewer: Viewer,
    names: Names,
    *,
    now: int,
    words: bool,
    with_legal: bool,
) -> AcceptedAnswer:
    """Returns events with the table right after them, as the viewer may see both at the time `now` (ms)."""
    table = after.state
    return AcceptedAnswer(
        version=table.version,
        head=after.head,
        now=now,
        events=event_records(table, events, viewer, names, words=words),
        view=view_table(table, viewer, names, now=now),
        legal_actions=legal_of_viewer(table, viewer, now) if with_legal else msgspec.UNSET,
    )


def legal_of_viewer(table: Table, viewer: Viewer, now: int) -> LegalActions | None:
    """Returns the viewer's legal actions and unplayable cards; `None` for a viewer without a seat."""
    if not isinstance(viewer, int):
        return None
    legal = legal_actions_of(table, viewer, now)
    actions, choices, offences = split_legal(table.rulebook, legal)
    return LegalActions(
        seat=viewer,
        actions=actions,
        choices=choices,
        offences=offences,
        unplayable=unplayable_of(table, viewer, legal, now),
    )


def event_records(
    table: Table, events: Iterable[Recorded], viewer: Viewer, names: Names, *, words: bool = False
) -> tuple[EventRecord, ...]:
    """Returns the events as the viewer may see them, without those that are hidden from the viewer altogether.

    Args:
        table: at any version, even before the events.
        events: in order.
        words: whether to add a sentence to each.
    """
    seating, records = seating_of(table, names) if words else None, list[EventRecord]()
    for recorded in events:
        # The events may be newer than the table, and seat people whom later sentences name.
        if seating is not None and recorded.entry.version > table.version:
            seating = seating_after(seating, recorded.event)
        if (record := event_record(table.game, recorded, viewer, seating)) is not None:
            records.append(record)
    return tuple(records)


def event_record(
    game: str,
    recorded: Recorded,
    viewer: Viewer,
    seating: Seating | None,
    now: int | msgspec.UnsetType = msgspec.UNSET,
) -> EventRecord | None:
    """Returns an event as the viewer may see it, or `None` if it is hidden; with a seating, it has a sentence."""
    shown = redact(recorded.event, viewer)
    if shown is None:
        return None
    words = msgspec.UNSET if seating is None else sentence(game, shown, seating, by=recorded.entry.by)
    entry = recorded.entry
    return EventRecord(entry.version, shown.wire, entry.at, entry.by, shown, words, now)


def legal_answer(table: Table, seat: int, now: int, *, with_unplayable: bool = False) -> LegalAnswer:
    """Returns the seat's legal actions, with separate lists of card choices and offences."""
    legal = legal_actions_of(table, seat, now)
    actions, choices, offences = split_legal(table.rulebook, legal)
    return LegalAnswer(
        version=table.version,
        now=now,
        seat=seat,
        actions=actions,
        choices=choices,
        offences=offences,
        unplayable=unplayable_of(table, seat, legal, now) if with_unplayable else msgspec.UNSET,
    )


def split_legal(
    game: Game[Any], legal: tuple[LegalAction, ...]
) -> tuple[tuple[Action, ...], tuple[CardChoice, ...], tuple[Action, ...]]:
    """Splits legal actions into plays that can be sent as they are, card choices, and offences."""
    plays = plays_among(game, legal)
    actions = tuple([play for play in plays if not isinstance(play, CardChoice)])
    choices = tuple(
        [
            replace(play, purpose=_purposes(game.name)[play.type])
            for play in plays
            if isinstance(play, CardChoice)
        ]
    )
    return actions, choices, offences_among(game, legal)


@cache
def _purposes(game: str) -> Mapping[str, str]:
    """Returns what each kind of action does, by its tag."""
    return {tag_of(kind): without_rule_ids(kind.__doc__ or "") for kind in GAMES[game].actions}
