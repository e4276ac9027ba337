"""What a viewer learns from the events of a Lantern table."""

from typing import TypeAlias

from msgspec.structs import replace

from hoodwink.domain.cards import HIDDEN, build_pack
from hoodwink.domain.kernel import Knowledge, begin_round, show_all
from tests.sixth_game.lantern.events import CardChosen, CardsRevealed, HandsDealt, LanternEvent
from tests.sixth_game.lantern.state import State

Known: TypeAlias = Knowledge[State]


def learn(known: Known, event: LanternEvent) -> tuple[Known, LanternEvent]:
    """Returns what the viewer knows once it has seen the event, and the event with the known cards or their marks."""
    match event:
        case HandsDealt():
            return begin_round(known, event, build_pack())
        case CardChosen() if event.card == HIDDEN:
            # The viewer does not know which card was chosen. Any card of a hand that is unknown as a whole will do.
            return known, replace(event, card=known.state.hands[event.seat][0])
        case CardsRevealed():
            return show_all(known, known.state.chosen, event.cards), event
        case _:
            return known, event
