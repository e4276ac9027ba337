"""Sentences for the events of Lantern."""

from collections.abc import Sequence
from typing import assert_never

from hoodwink.domain.phrases import cards, open_zones, per_player
from tests.sixth_game.lantern.actions import ChooseCard
from tests.sixth_game.lantern.events import CardChosen, CardsRevealed, HandsDealt, LanternEvent
from tests.sixth_game.lantern.state import State


def say(event: LanternEvent, names: Sequence[str]) -> str:
    """Returns a sentence for a redacted event."""
    match event:
        case HandsDealt():
            hands = open_zones("Hands", names, event.hands)
            return f"{names[event.dealer]} dealt round {event.round}: five cards each.{hands}"
        case CardChosen():
            return f"{names[event.seat]} chose {cards((event.card,))}."
        case CardsRevealed():
            won = "Nobody" if event.winner is None else names[event.winner]
            return f"The chosen cards were turned up: {per_player(names, event.cards)}. {won} won."
        case _:
            assert_never(event)


def phrase(_state: State, _seat: int, action: ChooseCard, _names: Sequence[str]) -> str:
    """Returns an action as an instruction."""
    return f"choose {action.card}"
