"""Sentences for the events of Blind Don."""

from collections.abc import Sequence
from typing import assert_never

from hoodwink.domain.games.blind_don import events
from hoodwink.domain.games.blind_don.actions import BlindDonAction
from hoodwink.domain.games.blind_don.state import State
from hoodwink.domain.phrases import cards, counted, open_zones, per_player


def say(event: events.BlindDonEvent, names: Sequence[str]) -> str:
    """Returns a sentence for a redacted event."""
    match event:
        case events.DealerCut():
            cuts = ", then ".join(per_player(names, pair) for pair in event.cards)
            return f"The players cut for the deal: {cuts}. {names[event.dealer]} deals first."
        case events.RoundDealt():
            return _dealt(event, names)
        case events.CardLed():
            return f"{names[event.seat]} led {event.card}.{_uncovered(event.uncovered, names)}"
        case events.TrickTaken():
            return _taken(event, names)
        case events.CardsTallied():
            return _tallied(event, names)
        case _:
            assert_never(event)


def _dealt(event: events.RoundDealt, names: Sequence[str]) -> str:
    up = open_zones("Face up", names, event.face_up)
    down = open_zones("Face down", names, event.face_down)
    return f"{names[event.dealer]} dealt round {event.round}: nine cards face up on nine face down, each.{up}{down}"


def _taken(event: events.TrickTaken, names: Sequence[str]) -> str:
    lead, follow = event.cards
    points = f" for {counted(event.points, 'point')}" if event.points else ""
    taker = " and" if event.taker == event.seat else f", and {names[event.taker]}"
    taken = f"{names[event.seat]} followed {lead} with {follow}{taker} took the trick{points}."
    return f"{taken}{_uncovered(event.uncovered, names)}"


def _uncovered(turned: Sequence[events.Uncovered], names: Sequence[str]) -> str:
    return "".join(
        f" {cards((turned_up.card,))} was turned up at position {turned_up.position + 1} of {names[turned_up.seat]}'s row."
        for turned_up in turned
    )


def _tallied(event: events.CardsTallied, names: Sequence[str]) -> str:
    tallies = per_player(names, map(str, event.tallies))
    if event.winner is None:
        return f"The captured cards were counted: {tallies}. Nobody won the 8 points for them."
    return f"The captured cards were counted: {tallies}. {names[event.winner]} won the 8 points for them."


def phrase(state: State, seat: int, action: BlindDonAction, _names: Sequence[str]) -> str:
    """Returns an action as an instruction."""
    card = state.face_up[seat][action.position]
    return f"lead {card}" if state.lead is None else f"follow with {card}"
