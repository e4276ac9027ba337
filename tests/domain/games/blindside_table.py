"""Blindside tables for tests: stacked decks, rounds in play, and seats that act."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from hoodwink.domain.cards import Card, Draws, SeededDraws, build_pack
from hoodwink.domain.games.blindside import GAME
from hoodwink.domain.games.blindside.actions import (
    BlindsideAction,
    DiscardCard,
    DrawCard,
    KeepCard,
    PassBlindside,
)
from hoodwink.domain.games.blindside.options import Options
from hoodwink.domain.games.blindside.state import State, Step
from hoodwink.domain.kernel import Event, RuleViolation, Stage, Viewer

PASSES_AND_NOT = [{}, {"five_card": True}]


class Stacked:
    """Draws with a chosen first dealer, whose every deck begins with the same cards."""

    first_dealer = None  # it is drawn

    def __init__(self, first: int = 0, top: str = "") -> None:
        self.first = first
        self.top: tuple[Card, ...] = cards(top)
        self.asked: list[tuple[int, int]] = []

    def seat(self, seats: int) -> int:
        return self.first

    def deck(self, pack: Sequence[Card], number: int) -> tuple[Card, ...]:
        self.asked.append((number, len(pack)))
        rest = list(pack)
        for card in self.top:
            rest.remove(card)
        return (*self.top, *rest)


def cards(text: str = "") -> Any:
    """Returns the cards of a text such as `AS 9H`."""
    return tuple(Card(face) for face in text.split())


def piles(*texts: str) -> tuple[tuple[Card, ...], ...]:
    return tuple(cards(text) for text in texts)


def seeded(number: int, seats: int) -> SeededDraws:
    return SeededDraws(f"{number:064x}", ("",) * seats)


def viewers(seats: int) -> tuple[Viewer, ...]:
    return (*range(seats), "spectator", "everybody")


def deal_event(state: State, draws: Draws) -> Any:
    (event,) = GAME.deal(state, draws)
    return event


def dealt(seats: int, draws: Draws | None = None, **options: Any) -> State:
    start = GAME.initial(Options(**options), seats)
    return fold(start, GAME.deal(start, draws or Stacked()))


def fold(state: State, events: tuple[Event, ...]) -> State:
    for event in events:
        state = GAME.evolve(state, event)
    return state


def in_turn(hands: tuple[str, ...], *, stock: str = "", discard_pile: str = "2C", **changes: Any) -> State:
    """Returns a round in its turns: seat 0 is to draw by default; options go by their names."""
    seats = len(hands)
    options = Options(**{key: changes.pop(key) for key in Options.__struct_fields__ if key in changes})
    given = {
        "stage": Stage.IN_PLAY,
        "step": Step.DRAW,
        "round": 1,
        "dealer": seats - 1,
        "hands": piles(*hands),
        "blindsides": build_pack()[-seats:],
        "stock": cards(stock),
        "discard_pile": cards(discard_pile),
    }
    return replace(GAME.initial(options, seats), **(given | changes))


def to_score(blindsides: str, *keepers: str, **changes: Any) -> State:
    """Returns a round whose turns are over."""
    laid = cards(blindsides)
    state = in_turn(("",) * len(laid), blindsides=laid, **changes)
    return replace(state, stage=Stage.TO_SCORE, keepers=piles(*keepers) or ((),) * len(laid))


def events_of(state: State, seat: int, action: BlindsideAction) -> Any:
    """Returns the one event that the action leads to."""
    (event,) = GAME.decide(state, seat, action, 0)
    return event


def act(state: State, seat: int, *actions: BlindsideAction) -> State:
    for action in actions:
        state = fold(state, GAME.decide(state, seat, action, 0))
    return state


def refusal(state: State, seat: int, action: BlindsideAction) -> str:
    """Returns the code with which the action is refused, or `accepted`."""
    try:
        GAME.decide(state, seat, action, 0)
    except RuleViolation as violation:
        return violation.code
    return "accepted"


def pass_all(state: State, text: str) -> State:
    """Returns the state after every seat has passed a card, from seat 0."""
    for seat, card in enumerate(cards(text)):
        state = act(state, seat, PassBlindside(card))
    return state


def take_turn(state: State, source: str, keep: str, discard: str) -> State:
    """Returns the state after the player to move has drawn, kept and discarded."""
    draw = DrawCard("stock" if source == "stock" else "discard")
    return act(state, state.to_move, draw, KeepCard(Card(keep)), DiscardCard(Card(discard)))


def step_with_first(state: State) -> State:
    """Returns the state after a seat that owes took its first legal action."""
    seat = GAME.turn(state).owes[0]
    return fold(state, GAME.decide(state, seat, GAME.legal_actions(state, seat, 0)[0], 0))


def play_round(state: State) -> State:
    while state.stage is Stage.IN_PLAY:
        state = step_with_first(state)
    return state


def score(state: State) -> State:
    return fold(state, GAME.score_round(state))
