"""Sentences for the events of Shithead."""

from collections.abc import Sequence
from typing import assert_never

from hoodwink.domain.cards import HIDDEN
from hoodwink.domain.games.shithead import actions, events
from hoodwink.domain.games.shithead.state import State
from hoodwink.domain.phrases import cards, drew, named, open_zones, per_player, signed


def say(event: events.ShitheadEvent, names: Sequence[str]) -> str:
    """Returns a sentence for a redacted event."""
    match event:
        case events.RoundDealt():
            return _dealt(event, names)
        case events.CardsSwapped():
            return _swapped(event, names)
        case events.SeatReady():
            return f"{names[event.seat]} is ready."
        case events.PlayStarted():
            return f"{names[event.seat]} starts{_with(event)}.{open_zones('Face up', names, event.face_up)}"
        case events.CardsPlayed():
            return f"{names[event.seat]} played {cards(event.cards)}{drew(event.drawn)}."
        case events.PileBurned():
            done = f"{names[event.seat]} burned the pile out of turn with {cards(event.cards)}"
            return f"{done}{drew(event.drawn)}."
        case events.BlindCardPlayed() | events.BlindCardFailed() | events.BlindJokerTurned():
            return _blind_card(event, names)
        case events.PilePickedUp():
            added = "" if event.face_up_card is None else f" with {event.face_up_card}"
            return f"{names[event.seat]} picked up the pile{added}."
        case events.JokerPlayed():
            return f"{names[event.seat]} played a Joker on {names[event.target]}{drew(event.drawn)}."
        case events.JokerCountered():
            return f"{names[event.seat]} countered with a Joker and named {names[event.target]}{drew(event.drawn)}."
        case events.PileAccepted():
            return f"{names[event.seat]} did not counter the Joker."
        case events.ShitheadNamed():
            return _named(event, names)
        case _:
            assert_never(event)


def _dealt(event: events.RoundDealt, names: Sequence[str]) -> str:
    opening = f"{names[event.dealer]} dealt round {event.round}: three blind, three face-up and three hand cards each."
    zones = (("Face up", event.face_up), ("Hands", event.hands), ("Blind", event.blind))
    return opening + "".join(open_zones(label, names, zone) for label, zone in zones)


def _swapped(event: events.CardsSwapped, names: Sequence[str]) -> str:
    secretly = " in secret" if event.secretly else ""
    return (
        f"{names[event.seat]} exchanged the hand card {event.hand_card} for the face-up card "
        f"{event.face_up_card}{secretly}."
    )


def _with(event: events.PlayStarted) -> str:
    """Returns the card that the first play must contain, if the viewer knows it."""
    # No card and a hidden card look the same, because the existence of the card may be secret.
    return "" if event.card is None or event.card == HIDDEN else f" and must play {event.card}"


def _blind_card(
    event: events.BlindCardPlayed | events.BlindCardFailed | events.BlindJokerTurned, names: Sequence[str]
) -> str:
    card = "a Joker" if isinstance(event, events.BlindJokerTurned) else event.card
    turned = f"{names[event.seat]} turned up {card} in slot {event.slot + 1}"
    match event:
        case events.BlindCardPlayed():
            return f"{turned} and played it."
        case events.BlindCardFailed():
            return f"{turned}, could not play it, and picked it up with the pile."
        case events.BlindJokerTurned():
            return f"{turned} and must now name another player."
        case _:
            assert_never(event)


def _named(event: events.ShitheadNamed, names: Sequence[str]) -> str:
    *finished, last = event.order
    points = per_player(names, [signed(gained) if gained else "" for gained in event.points])
    return f"{names[last]} is the shithead. Finishing order: {named(finished, names)}. Points: {points}."


def phrase(_state: State, _seat: int, action: actions.ShitheadAction, names: Sequence[str]) -> str:
    """Returns an action as an instruction."""
    match action:
        case actions.SwapCards():
            return f"exchange {action.hand_card} for the face-up {action.face_up_card}"
        case actions.DeclareReady():
            return "declare that you are ready"
        case actions.PlayCards():
            return f"play {cards(action.cards)}"
        case actions.PlayJoker():
            return f"play a Joker on {names[action.target]}"
        case actions.FlipBlind():
            return f"turn up the card in slot {action.slot + 1}"
        case actions.PickUp():
            return f"pick up the pile{'' if action.face_up_card is None else f' with {action.face_up_card}'}"
        case actions.CounterJoker():
            return f"counter with a Joker and name {names[action.target]}"
        case actions.AcceptPile():
            return "take the pile"
        case actions.BurnPile():
            return f"burn the pile with {cards(action.cards)}"
        case _:
            assert_never(action)
