"""Sentences for the events of Coconut."""

from collections.abc import Sequence
from typing import assert_never

from domain.games.coconut.events import (
    CardFlipped,
    CardsPlayed,
    CardsSneaked,
    CoconutEvent,
    FaceUpChosen,
    FaceUpRevealed,
    FlipFailed,
    PilePickedUp,
    RoundDealt,
    RoundScored,
)
from domain.phrases import cards, drew, each, named, open_zones, signed


def say(event: CoconutEvent, names: Sequence[str]) -> str:
    """Returns the sentence of an event, as far as it is known."""
    match event:
        case RoundDealt():
            return _dealt(event, names)
        case FaceUpChosen():
            return f"{names[event.seat]} chose {cards(event.cards)} to lie face up."
        case FaceUpRevealed():
            return f"All have chosen.{open_zones('Face up', names, event.face_up)}"
        case CardsPlayed():
            return f"{names[event.seat]} played {cards(event.cards)}{drew(event.drawn)}."
        case CardFlipped():
            return f"{names[event.seat]} turned up the card in slot {event.slot} and played it: {event.card}."
        case FlipFailed():
            return (
                f"{names[event.seat]} turned up {event.card} in slot {event.slot}, could not play it, "
                "and picked it up with the pile."
            )
        case PilePickedUp():
            return f"{names[event.seat]} picked up the pile."
        case CardsSneaked():
            done = f"{names[event.seat]} completed four of a kind out of turn with {cards(event.cards)}"
            return f"{done}{drew(event.drawn)}."
        case RoundScored():
            return _scored(event, names)
        case _:
            assert_never(event)


def _dealt(event: RoundDealt, names: Sequence[str]) -> str:
    opening = (
        f"{names[event.dealer]} dealt round {event.round}: three cards face down and six to take up, each."
    )
    return (
        opening + open_zones("Taken up", names, event.hands) + open_zones("Face down", names, event.face_down)
    )


def _scored(event: RoundScored, names: Sequence[str]) -> str:
    first, *others = event.order
    ahead = f" ahead of {named(others, names)}" if others else ""
    points = each(names, [signed(gained) if gained else "" for gained in event.points])
    return f"{names[first]} won the round{ahead}. Points: {points}."
