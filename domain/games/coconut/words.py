"""Sentences for the events of Coconut."""

from collections.abc import Sequence
from typing import assert_never

from hoodwink.domain.games.coconut import actions, events
from hoodwink.domain.games.coconut.state import State
from hoodwink.domain.phrases import cards, drew, named, open_zones, per_player, signed


def say(event: events.CoconutEvent, names: Sequence[str]) -> str:
    """Returns a sentence for a redacted event."""
    match event:
        case events.RoundDealt():
            return _dealt(event, names)
        case events.FaceUpChosen():
            return f"{names[event.seat]} chose {cards(event.cards)} to lie face up."
        case events.FaceUpRevealed():
            return f"All have chosen.{open_zones('Face up', names, event.face_up)}"
        case events.CardsPlayed():
            return f"{names[event.seat]} played {cards(event.cards)}{drew(event.drawn)}."
        case events.CardFlipped():
            return f"{names[event.seat]} turned up the card in slot {event.slot + 1} and played it: {event.card}."
        case events.FlipFailed():
            return (
                f"{names[event.seat]} turned up {event.card} in slot {event.slot + 1}, could not play it, "
                "and picked it up with the pile."
            )
        case events.PilePickedUp():
            return f"{names[event.seat]} picked up the pile."
        case events.CardsSneaked():
            done = f"{names[event.seat]} completed four of a kind out of turn with {cards(event.cards)}"
            return f"{done}{drew(event.drawn)}."
        case events.RoundScored():
            return _scored(event, names)
        case _:
            assert_never(event)


def _dealt(event: events.RoundDealt, names: Sequence[str]) -> str:
    opening = (
        f"{names[event.dealer]} dealt round {event.round}: three cards face down and six to take up, each."
    )
    return (
        opening + open_zones("Taken up", names, event.hands) + open_zones("Face down", names, event.face_down)
    )


def _scored(event: events.RoundScored, names: Sequence[str]) -> str:
    first, *others = event.order
    ahead = f" ahead of {named(others, names)}" if others else ""
    points = per_player(names, [signed(gained) if gained else "" for gained in event.points])
    return f"{names[first]} won the round{ahead}. Points: {points}."


def phrase(_state: State, _seat: int, action: actions.CoconutAction, _names: Sequence[str]) -> str:
    """Returns an action as an instruction."""
    match action:
        case actions.ChooseFaceUp():
            return f"lay {cards(action.cards)} face up"
        case actions.PlayCards():
            return f"play {cards(action.cards)}"
        case actions.FlipCard():
            return f"turn up the card in slot {action.slot + 1}"
        case actions.PickUpPile():
            return "pick up the pile"
        case actions.SneakCards():
            return f"sneak {cards(action.cards)}"
        case _:
            assert_never(action)
