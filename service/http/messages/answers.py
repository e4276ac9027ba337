"""The API's answers, as records that msgspec encodes and describes."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Final, Literal

import msgspec

from domain.kernel import (
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
from domain.tables import Recorded, Table, TableView, view_table
from domain.words import Seating, seating_after, seating_of, sentence
from service.application.history import Position
from service.application.tables import Accepted, LoadedTable


def _exact(value: object) -> str:
    assert isinstance(value, Fraction), "msgspec encodes every other type of an answer"
    return str(value)


encode = msgspec.json.Encoder(enc_hook=_exact).encode
"""Writes an answer as JSON; scores are exact fractions, such as `"5/2"`."""

HEAD_DIGITS: Final = 16
"""The number of digits of a hash in the id of an event: enough to distinguish two histories."""


class Registered(msgspec.Struct, frozen=True, gc=False):
    """A new player. Keep the token, which is returned only here; send it as `Authorization: Bearer <token>`."""

    id: str
    name: str
    token: str


class PlayerCard(msgspec.Struct, frozen=True, gc=False):
    """The public data of a player.

    Attributes:
        name: the present name; that of a player who left is `someone who left`.
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
    """An event as the viewer may know it; a hidden card is `??`.

    Attributes:
        version: the number of the event at its table, from 1.
        at: milliseconds since the epoch.
        by: `player:<seat>`, `bot:<seat>`, `host`, `worker` or `admin`. A game's event by `host` is an offence that the
            host entered in the seat's name.
        data: the event's own fields.
        words: a sentence that says what happened and whose choice it was; only with `include=words`.
    """

    version: int
    type: str
    at: int
    by: str
    data: Event
    words: str | msgspec.UnsetType = msgspec.UNSET


class TableAnswer(msgspec.Struct, frozen=True, gc=False):
    """A table as the viewer sees it.

    Attributes:
        version: the number of events so far.
        head: the hash of the last event; until the server seed is revealed it is blinded, so that it gives nothing away.
    """

    version: int
    head: str
    view: TableView


class AcceptedAnswer(msgspec.Struct, frozen=True, gc=False):
    """The effect of a command.

    Attributes:
        version, head: those of the table right after the command.
        events: the events of the command, as the viewer may know them.
        view: the table right after the command.
    """

    version: int
    head: str
    events: tuple[EventRecord, ...]
    view: TableView


class LegalAnswer(msgspec.Struct, frozen=True, gc=False):
    """The actions that a seat may take at one version.

    Attributes:
        actions: actions that may be sent as they are.
        choices: choices of cards; each stands for many actions of one type.
        offences: offences that the table's options allow, such as showing a hidden card. Each may be sent as it is
            and costs the player points.
    """

    version: int
    seat: int
    actions: tuple[Action, ...]
    choices: tuple[CardChoice, ...]
    offences: tuple[Action, ...]


class EventsAnswer(msgspec.Struct, frozen=True, gc=False):
    """A page of a table's events.

    Attributes:
        cursor: send it to get the events that follow, now or later.
        more: whether more events exist already.
    """

    events: tuple[EventRecord, ...]
    cursor: str
    more: bool


class Health(msgspec.Struct, frozen=True, gc=False):
    """The answer of a service that works."""

    status: Literal["ok"] = "ok"


def position_text(position: Position) -> str:
    """Returns a position in a table's history as clients send it back, in a cursor or as `Last-Event-ID`.

    >>> position_text(Position(12, "5e8dd316726b0335fe3cd4b3c7c39b0f"))
    '12-5e8dd316726b0335'
    >>> position_text(Position(12, ""))
    '12'
    """
    return f"{position.version}-{position.head[:HEAD_DIGITS]}" if position.head else str(position.version)


def table_answer(loaded: LoadedTable, viewer: Viewer, names: Names) -> TableAnswer:
    """Returns the table as the viewer may see it."""
    return TableAnswer(loaded.state.version, loaded.head, view_table(loaded.state, viewer, names))


def accepted_answer(
    accepted: Accepted, viewer: Viewer, names: Names, *, words: bool = False
) -> AcceptedAnswer:
    """Returns the effect of a command, as the viewer may know it."""
    after = accepted.after
    events = event_records(after.state, accepted.events, viewer, names, words=words)
    return AcceptedAnswer(after.state.version, after.head, events, view_table(after.state, viewer, names))


def event_records(
    table: Table, events: Iterable[Recorded], viewer: Viewer, names: Names, *, words: bool = False
) -> tuple[EventRecord, ...]:
    """Returns the events as the viewer may know them, without those that are hidden from the viewer altogether.

    Args:
        table: at any version; it need not have reached the events.
        events: in their order.
        viewer: who receives them.
        names: of the people at the table.
        words: whether each comes with its sentence.
    """
    seating, records = seating_of(table, names) if words else None, list[EventRecord]()
    for recorded in events:
        if seating is not None and recorded.entry.version > table.version:
            seating = seating_after(seating, recorded.event)
        if (record := event_record(table.game, recorded, viewer, seating)) is not None:
            records.append(record)
    return tuple(records)


def event_record(
    game: str, recorded: Recorded, viewer: Viewer, seating: Seating | None
) -> EventRecord | None:
    """Returns an event as the viewer may know it, or `None` if it is hidden; with a seating, in words, too."""
    shown = redact(recorded.event, viewer)
    if shown is None:
        return None
    words = msgspec.UNSET if seating is None else sentence(game, shown, seating, by=recorded.entry.by)
    return EventRecord(recorded.entry.version, shown.wire, recorded.entry.at, recorded.entry.by, shown, words)


def legal_answer(table: Table, seat: int, legal: tuple[LegalAction, ...]) -> LegalAnswer:
    """Returns the seat's legal actions, with choices of cards and offences in lists of their own."""
    return LegalAnswer(table.version, seat, *split_legal(table.rulebook, legal))


def split_legal(
    game: Game[Any], legal: tuple[LegalAction, ...]
) -> tuple[tuple[Action, ...], tuple[CardChoice, ...], tuple[Action, ...]]:
    """Splits legal actions into plays that can be sent as they are, choices of cards, and offences."""
    plays = plays_among(game, legal)
    actions = tuple([play for play in plays if not isinstance(play, CardChoice)])
    choices = tuple([play for play in plays if isinstance(play, CardChoice)])
    return actions, choices, offences_among(game, legal)
