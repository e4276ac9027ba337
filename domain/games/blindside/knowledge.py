"""The knowledge that a viewer gains from the events of a Blindside table.

A card that another player takes from the discard pile may later be in the hand or, face down, on the Keeper Pile.
"""

from typing import TypeAlias

from msgspec.structs import replace

from hoodwink.domain.cards import HIDDEN
from hoodwink.domain.games.blindside.events import (
    BlindsideEvent,
    BlindsidePassed,
    BlindsidesRevealed,
    CardDiscarded,
    CardKept,
    DiscardDrawn,
    KeepersRevealed,
    RoundDealt,
    StockDrawn,
)
from hoodwink.domain.games.blindside.options import pack_for
from hoodwink.domain.games.blindside.state import State
from hoodwink.domain.kernel import (
    Knowledge,
    begin_round,
    is_mark,
    lose,
    mix,
    replace_at,
    show,
    show_all,
    show_held,
)

Known: TypeAlias = Knowledge[State]


def learn(known: Known, event: BlindsideEvent) -> tuple[Known, BlindsideEvent]:
    """Returns what the viewer knows once it has seen the event, and the event with the known cards or their marks."""
    state = known.state
    match event:
        case CardKept():
            return _learn_kept(known, event)
        case CardDiscarded():
            return show_held(known, state.hands[event.seat], (event.card,)), event
        case StockDrawn():
            known = show(known, state.stock[0], event.card)
            return known, replace(event, card=known.state.stock[0])
        case DiscardDrawn() if event.seat != known.viewer:
            known, mark = lose(known, event.card)
            return known, replace(event, card=mark)
        case BlindsidePassed() if event.card == HIDDEN:
            # The viewer does not know which card was chosen. Any card of a hand that is unknown as a whole will do.
            return known, replace(event, card=state.hands[event.seat][0])
        case BlindsidesRevealed():
            return show_all(known, state.blindsides, event.cards), event
        case KeepersRevealed():
            return show_all(known, state.keepers, event.keepers), event
        case RoundDealt():
            return begin_round(known, event, pack_for(state.seats))
        case _:
            return known, event


def _learn_kept(known: Known, event: CardKept) -> tuple[Known, BlindsideEvent]:
    if event.card != HIDDEN:
        return known, event
    known = _lose_hand(known, event.seat)
    hand = known.state.hands[event.seat]
    return mix(known, hand), replace(event, card=hand[0])


def _lose_hand(known: Known, seat: int) -> Known:
    """Returns marks for the known cards of a hand, which a discard that was taken back has shown (G-20)."""
    hand = list(known.state.hands[seat])
    for index, card in enumerate(hand):
        if not is_mark(card):
            known, hand[index] = lose(known, card)
    state = known.state
    return replace(known, state=replace(state, hands=replace_at(state.hands, seat, tuple(hand))))
