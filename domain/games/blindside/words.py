"""Sentences for the events of Blindside."""

from collections.abc import Sequence
from typing import assert_never

from hoodwink.domain.games.blindside import actions, events
from hoodwink.domain.games.blindside.state import State
from hoodwink.domain.kernel import left
from hoodwink.domain.phrases import cards, counted, named, open_zones, per_player


def say(event: events.BlindsideEvent, names: Sequence[str]) -> str:
    """Returns a sentence for a redacted event."""
    match event:
        case events.RoundDealt():
            return _dealt(event, names)
        case events.BlindsidePassed():
            neighbour = names[left(event.seat, len(names))]
            return f"{names[event.seat]} passed {cards((event.card,))} face down to {neighbour}."
        case events.StockDrawn():
            return f"{names[event.seat]} drew {cards((event.card,))} from the stock."
        case events.DiscardDrawn():
            return f"{names[event.seat]} took {event.card} from the discard pile."
        case events.CardKept():
            return f"{names[event.seat]} kept {cards((event.card,))} on the Keeper Pile."
        case events.CardDiscarded():
            return f"{names[event.seat]} discarded {event.card}."
        case events.BlindsidesRevealed():
            shown = per_player(
                names, [f"{card} ({value})" for card, value in zip(event.cards, event.values, strict=True)]
            )
            return f"The Blindside Cards were turned up: {shown}.{_contest(event, names)}"
        case events.KeepersRevealed():
            shown = per_player(
                names,
                [
                    f"{cards(pile)} (total {total})"
                    for pile, total in zip(event.keepers, event.totals, strict=True)
                ],
            )
            return f"The Keeper Piles were turned up: {shown}.{_contest(event, names)}"
        case _:
            assert_never(event)


def _dealt(event: events.RoundDealt, names: Sequence[str]) -> str:
    opening = (
        f"{names[event.dealer]} dealt round {event.round}: {counted(len(event.hands[0]), 'card')} each, "
        f"and {event.turn_up} was turned up."
    )
    hands = open_zones("Hands", names, event.hands)
    if not event.blindsides:
        return opening + hands
    known = open_zones("Blindside Cards", names, [(card,) for card in event.blindsides])
    return f"{opening} Everybody has a Blindside Card that nobody may look at.{hands}{known}"


def _contest(event: events.BlindsidesRevealed | events.KeepersRevealed, names: Sequence[str]) -> str:
    tied = f" BLINDSIDED by a tie: {named(event.blindsided, names)}." if event.blindsided else ""
    if event.winner is None:
        return f" Nobody won.{tied}"
    return f" {names[event.winner]} won a token from every other player.{tied}"


def phrase(state: State, _seat: int, action: actions.BlindsideAction, _names: Sequence[str]) -> str:
    """Returns an action as an instruction."""
    match action:
        case actions.PassBlindside(card):
            return f"pass {card} face down"
        case actions.DrawCard("stock"):
            return "draw from the stock"
        case actions.DrawCard():
            return f"take {state.discard_pile[-1]} from the discard pile"
        case actions.KeepCard(card):
            return f"keep {card}"
        case actions.DiscardCard(card):
            return f"discard {card}"
        case _:
            assert_never(action)
