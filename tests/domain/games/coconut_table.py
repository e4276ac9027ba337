"""Coconut tables laid out by hand. Cards are written `9S KD`; of slots, `--` is an emptied one."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from hoodwink.domain.cards import Card, Draws
from hoodwink.domain.games.coconut import GAME
from hoodwink.domain.games.coconut.actions import (
    ChooseFaceUp,
    CoconutAction,
    FlipCard,
    PickUpPile,
    PlayCards,
    SneakCards,
)
from hoodwink.domain.games.coconut.options import Options, pack_for
from hoodwink.domain.games.coconut.state import MOVE, State, Step, initial
from hoodwink.domain.games.shedding import Slots
from hoodwink.domain.kernel import Event, LegalAction, RuleViolation, Stage

PICK_UP = PickUpPile()
NOW = 1_000_000


class Stacked:
    """A first dealer and decks chosen by the test; after the given tops the pack follows in order."""

    first_dealer = None  # it is drawn

    def __init__(self, *tops: str, dealer: int = 0) -> None:
        self.tops = tops
        self.dealer = dealer

    def seat(self, seats: int) -> int:
        return self.dealer

    def deck(self, pack: Sequence[Card], number: int) -> tuple[Card, ...]:
        top = cards(self.tops[number - 1]) if number <= len(self.tops) else ()
        rest = list(pack)
        for card in top:
            rest.remove(card)
        return (*top, *rest)


def cards(text: str = "") -> tuple[Card, ...]:
    return tuple(Card(face) for face in text.split())


def slots(text: str) -> Slots:
    return tuple(None if face == "--" else Card(face) for face in text.split())


def play(text: str) -> PlayCards:
    return PlayCards(cards(text))


def sneak(text: str) -> SneakCards:
    return SneakCards(cards(text))


def choose(text: str) -> ChooseFaceUp:
    return ChooseFaceUp(cards(text))


def flip(slot: int) -> FlipCard:
    return FlipCard(slot)


def table(
    *hands: str,
    face_up: tuple[str, ...] = (),
    face_down: tuple[str, ...] = (),
    pile: str = "",
    stock: str = "",
    step: Step = MOVE,
    to_move: int = 0,
    laid_by: int | None = None,
    laid_at: int = NOW,
    finished: tuple[int, ...] = (),
    **options: Any,
) -> State:
    """Returns a table in play, one seat a hand; the pile was laid by the seat before the one to move."""
    seats = len(hands)
    return replace(
        initial(Options(**options), seats),
        stage=Stage.IN_PLAY,
        round=1,
        dealer=seats - 1,
        step=step,
        to_move=to_move,
        hands=tuple(map(cards, hands)),
        face_up=tuple(map(cards, face_up or ("JC QC KC",) * seats)),
        face_down=tuple(map(slots, face_down or ("4H 5H 6H",) * seats)),
        pile=cards(pile),
        stock=cards(stock),
        laid_by=(to_move - 1) % seats if laid_by is None else laid_by,
        laid_at=laid_at,
        finished=finished,
    )


def dealt(draws: Stacked, seats: int, **options: Any) -> State:
    """Returns the table after its first deal."""
    return fold(initial(Options(**options), seats), draws)


def fold(state: State, draws: Draws) -> State:
    """Returns the table after its next deal."""
    return evolved(state, GAME.deal(state, draws))


def evolved(state: State, events: Sequence[Event]) -> State:
    for event in events:
        state = GAME.evolve(state, event)
    return state


def decided(state: State, seat: int, action: CoconutAction, now: int = NOW) -> tuple[Event, ...]:
    return GAME.decide(state, seat, action, now)


def after(state: State, *moves: tuple[int, CoconutAction], now: int = NOW) -> State:
    """Returns the table after these actions of these seats."""
    for seat, action in moves:
        state = evolved(state, decided(state, seat, action, now))
    return state


def refusal(state: State, seat: int, action: CoconutAction, now: int = NOW) -> str:
    """Returns the code with which the action is refused."""
    with pytest.raises(RuleViolation) as caught:
        GAME.decide(state, seat, action, now)
    return caught.value.code


def legal(state: State, seat: int, now: int = NOW) -> tuple[LegalAction, ...]:
    return GAME.legal_actions(state, seat, now)


def scored(state: State) -> State:
    return evolved(state, GAME.score_round(state))


def chosen(state: State) -> State:
    """Returns the table after every seat laid the first three of its six cards face up."""
    return after(state, *[(seat, ChooseFaceUp(hand[:3])) for seat, hand in enumerate(state.hands)])


def all_cards(state: State) -> list[Card]:
    """Returns every card in the game, sorted."""
    zones = (*state.hands, *state.face_up, state.stock, state.pile, state.set_aside)
    down = [card for row in state.face_down for card in row if card is not None]
    return sorted([card for zone in zones for card in zone] + down)


def whole_pack(seats: int) -> list[Card]:
    return sorted(pack_for(seats))
