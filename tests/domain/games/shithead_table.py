"""Shithead tables for tests, laid out by hand."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from hoodwink.domain import kernel
from hoodwink.domain.cards import Card, build_pack
from hoodwink.domain.games.shedding import Slots
from hoodwink.domain.games.shithead import GAME
from hoodwink.domain.games.shithead.actions import (
    AcceptPile,
    BurnPile,
    CounterJoker,
    DeclareReady,
    FlipBlind,
    PickUp,
    PlayCards,
    PlayJoker,
    SwapCards,
)
from hoodwink.domain.games.shithead.options import Options
from hoodwink.domain.games.shithead.state import State, Step, initial
from hoodwink.domain.kernel import Action, Event, RuleViolation, Stage, Viewer
from tests.domain.laws.universe import Listing

READY, ACCEPT, PICK_UP = DeclareReady(), AcceptPile(), PickUp()


class StackedDraws:
    """A first dealer and decks chosen by the test."""

    first_dealer = None  # it is drawn

    def __init__(self, *decks: Sequence[Card], dealer: int = 0) -> None:
        self.decks = decks
        self.dealer = dealer

    def seat(self, seats: int) -> int:
        return self.dealer

    def deck(self, pack: Sequence[Card], number: int) -> tuple[Card, ...]:
        return tuple(self.decks[number - 1]) if self.decks else tuple(pack)


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(face) for face in text.split())


def slots(text: str) -> Slots:
    filled = tuple(None if face == "-" else Card(face) for face in text.split())
    return (*filled, None, None, None)[:3]


def table(
    *hands: str,
    face_up: Sequence[str] = (),
    blind: Sequence[str] = (),
    pile: str = "",
    stock: str = "",
    options: dict[str, Any] | None = None,
    **changes: Any,
) -> State:
    """Returns a round in play, seat 0 to move; seats without any card are out, lowest first."""
    seats = len(hands)
    up = tuple(map(cards, (*face_up, *[""] * (seats - len(face_up)))))
    down = tuple(map(slots, (*blind, *[""] * (seats - len(blind)))))
    held = tuple(map(cards, hands))
    out = tuple(seat for seat in range(seats) if not (held[seat] or up[seat] or any(down[seat])))
    defaults: dict[str, Any] = {"finished": out, "last_layer": seats - 1, "step": Step.PLAY}
    state = replace(
        initial(Options(**(options or {})), seats),
        stage=Stage.IN_PLAY,
        round=1,
        hands=held,
        face_up=up,
        dealt_face_up=up,
        blind=down,
        pile=cards(pile),
        stock=cards(stock),
    )
    return replace(state, **(defaults | changes))


def deck_for(
    hands: Sequence[str],
    *,
    face_up: Sequence[str] = (),
    dealer: int = 0,
    packs: int = 1,
    jokers: int = 2,
) -> tuple[Card, ...]:
    """Returns a deck that deals these hands (and face-up cards); the rest falls as it lies in the pack."""
    seats = len(hands)
    named: dict[tuple[int, int], Card] = {}
    for layer, zone in ((2, hands), (1, face_up)):
        for seat, text in enumerate(zone):
            for index, card in enumerate(cards(text)):
                named[3 * layer + index, (seat - dealer - 1) % seats] = card
    rest = list(build_pack(packs=packs, jokers=jokers))
    for card in named.values():
        rest.remove(card)
    dealt = [named.get((turn, seat)) or rest.pop() for turn in range(9) for seat in range(seats)]
    return (*dealt, *rest)


def dealt(deck: Sequence[Card], *, seats: int, dealer: int = 0, **options: Any) -> State:
    """Returns the first round in its swap phase."""
    state = initial(Options(**options), seats)
    for event in GAME.deal(state, StackedDraws(deck, dealer=dealer)):
        state = GAME.evolve(state, event)
    return state


def all_ready(state: State) -> State:
    return after(state, *[(seat, READY) for seat in range(state.seats) if seat not in state.ready])


def events_of(state: State, seat: int, action: Action) -> Any:
    return GAME.decide(state, seat, action, 0)


def view(state: State, viewer: Viewer) -> Any:
    return GAME.view(state, viewer)


def redact(event: Event, viewer: Viewer) -> Any:
    return kernel.redact(event, viewer)


def after(state: State, *moves: tuple[int, Action]) -> State:
    """Returns the state after these actions; each must be listed as legal."""
    for seat, action in moves:
        assert is_listed(state, seat, action), (seat, action, GAME.legal_actions(state, seat, 0))
        for event in events_of(state, seat, action):
            state = GAME.evolve(state, event)
    return state


def scored(state: State) -> State:
    for event in GAME.score_round(state):
        state = GAME.evolve(state, event)
    return state


def play(text: str) -> PlayCards:
    return PlayCards(cards(text))


def burn(text: str) -> BurnPile:
    return BurnPile(cards(text))


def swap(hand_card: str, face_up_card: str) -> SwapCards:
    return SwapCards(Card(hand_card), Card(face_up_card))


def joker(target: int) -> PlayJoker:
    return PlayJoker(target)


def counter(target: int) -> CounterJoker:
    return CounterJoker(target)


def flip(slot: int) -> FlipBlind:
    return FlipBlind(slot)


def pick_up(face_up_card: str) -> PickUp:
    return PickUp(Card(face_up_card))


def refusal(state: State, seat: int, action: Action) -> str:
    """Returns the code with which the action is refused; it must not be listed either."""
    with pytest.raises(RuleViolation) as refused:
        GAME.decide(state, seat, action, 0)
    assert not is_listed(state, seat, action)
    return refused.value.code


def can(state: State, seat: int, action: Action) -> bool:
    """Returns whether the action is accepted; the list of legal actions must agree."""
    try:
        GAME.decide(state, seat, action, 0)
    except RuleViolation:
        assert not is_listed(state, seat, action)
        return False
    assert is_listed(state, seat, action)
    return True


def is_listed(state: State, seat: int, action: Action) -> bool:
    return action in Listing(GAME.legal_actions(state, seat, 0))
