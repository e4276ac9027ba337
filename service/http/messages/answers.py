"""The API's answers, as records that msgspec encodes and generates schemas for."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Final, Literal

import msgspec

from hoodwink.domain.kernel import (
    Names,
    Viewer,
)
from hoodwink.domain.tables.deciding.unplayable import unplayable_of
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tables.state import Table
from hoodwink.domain.tables.view import (
    TableView,
    legal_actions_of,
    view_table,
)
from hoodwink.service.application.reading.seen import (
    EventRecord,
    LegalActions,
    event_records,
    legal_of_viewer,
    split_legal,
)
from hoodwink.service.application.streams.history import Position
from hoodwink.service.application.streams.tables import LoadedTable


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


class LegalAnswer(LegalActions, frozen=True, gc=False, kw_only=True):
    """The actions that a seat may take at one version.

    Attributes:
        now: the service's clock, in ms since the epoch.
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


class PresenceAnswer(msgspec.Struct, frozen=True, gc=False):
    """Who is connected to a table.

    Attributes:
        seats: the seats whose players follow the table's events now, or did until a few seconds ago.
    """

    seats: tuple[int, ...]


class SaidAnswer(msgspec.Struct, frozen=True, gc=False):
    """What a player said. It is in no log.

    Attributes:
        saying: its id in the game's `sayings`, or `nudge`.
        to: the seat that was nudged.
        at: when, in milliseconds since the epoch.
    """

    seat: int
    saying: str
    to: int | None
    at: int


class AcceptedAnswer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The effect of a command or, in a stream with `with=view`, of a commit.

    Attributes:
        version, head: those of the table right after the command.
        now: the service's clock, in ms since the epoch; in the response to a command, the time at which the command took
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
