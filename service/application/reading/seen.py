"""A table as a viewer receives it: events, and legal actions. Answers, streams and bots from outside share it."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

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
from hoodwink.domain.tables.view import legal_actions_of
from hoodwink.domain.words import Seating, seating_after, seating_of, sentence

_RULE_IDS: Final = re.compile(r"\s*\([A-Z]{1,2}-\d+[a-z]?(?:, [A-Z]{1,2}-\d+[a-z]?)*\)")


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
    # Players read these docstrings, here and in the description of the API.
    return {tag_of(kind): without_rule_ids(kind.__doc__ or "") for kind in GAMES[game].actions}


def tag_of(kind: type[msgspec.Struct]) -> str:
    """Returns the `type` of an action in requests and answers."""
    return str(kind.__struct_config__.tag)


def without_rule_ids(description: str) -> str:
    """Removes ids of rules in parentheses, which clients cannot look up.

    >>> without_rule_ids("The table is over (G-11, DB-3).")
    'The table is over.'
    """
    return _RULE_IDS.sub("", description)
