"""The encoding of Blindside."""

from typing import Any

from hoodwink.domain.cards import Card
from hoodwink.domain.games.blindside.actions import DiscardCard, DrawCard, KeepCard, PassBlindside
from hoodwink.domain.games.blindside.events import CardDiscarded, DiscardDrawn, KeepersRevealed, RoundDealt
from hoodwink.domain.games.blindside.state import IN_PLAY, PASS, State, Step
from hoodwink.domain.kernel import Action, Event, LegalAction, left
from hoodwink.env.encodings.encoding import Encoding
from hoodwink.env.layout import FACES, Layout, Row, rotated
from hoodwink.env.memory import Memory

_STEPS = tuple(Step)
_DRAWS = (DrawCard("stock"), DrawCard("discard"))
_ACTIONS: tuple[Action, ...] = (
    *[kind(card) for kind in (PassBlindside, KeepCard, DiscardCard) for card in FACES],
    *_DRAWS,
)
_NUMBERS = {action: number for number, action in enumerate(_ACTIONS)}
_DRAW_NUMBERS = tuple(_NUMBERS[action] for action in _DRAWS)
# By kind of action first: looking up whole actions would take most of the time of a mask.
_NUMBERS_BY_KIND = {
    kind: {card: _NUMBERS[kind(card)] for card in FACES} for kind in (PassBlindside, KeepCard, DiscardCard)
}


class Blindside(Encoding[State]):
    """Each action has one number."""

    def __init__(self, seats: int) -> None:
        layout = Layout(seats)
        self._step = layout.numbers("step", len(_STEPS), meaning=f"1 at the step: {', '.join(_STEPS)}.")
        self._to_move = layout.numbers("to_move", seats, meaning="1 at the seat whose turn it is.")
        self._dealer = layout.numbers("dealer", seats, meaning="1 at the dealer.")
        self._round = layout.numbers("round", meaning="Number of the round.")
        self._scores = layout.numbers("scores", seats, meaning="Tokens of each seat, without `start_tokens`.")
        self._committed = layout.numbers("committed", seats, meaning="1 at each seat that has passed a card.")
        self._hand_counts = layout.numbers("hand_counts", seats, meaning="Cards in each hand.")
        self._keeper_counts = layout.numbers("keeper_counts", seats, meaning="Cards on each Keeper Pile.")
        self._stock_count = layout.numbers("stock_count", meaning="Cards in the stock.")
        self._hand = layout.cards("hand", "Own hand.")
        self._passed = layout.cards("passed", "The card that the seat has committed to pass.")
        self._given = layout.cards("given", "The Blindside Card that the seat passed to its left.")
        self._keepers = layout.cards("keepers", "Own Keeper Pile.")
        self._top = layout.cards("discard_top", "Top of the discard pile.")
        self._under = layout.cards("discards", "Discard pile under its top, as remembered.")
        self._taken = layout.card_counts(
            "taken", "Cards that each other seat took from the discard pile and has not discarded again."
        )
        super().__init__(layout, [_label(action) for action in _ACTIONS])

    def write(self, row: Row, state: State, seat: int, memory: Memory) -> None:
        row[self._step + _STEPS.index(state.step)] = 1
        order = self.layout.orders[seat]
        row[self._scores : self._scores + len(order)] = rotated(seat, state.tokens)
        for position, other in enumerate(order):
            row[self._hand_counts + position] = len(state.hands[other])
            row[self._keeper_counts + position] = len(state.keepers[other])
            if state.passed[other] is not None:
                row[self._committed + position] = 1
        if state.stage is IN_PLAY and state.step is not PASS:
            row[self._to_move + order.index(state.to_move)] = 1
        row[self._dealer + order.index(state.dealer)] = 1
        memory.write(row, self._taken + len(FACES), order[1:])
        row[self._round] = state.round
        row[self._stock_count] = len(state.stock)
        self._write_cards(row, state, seat)

    def _write_cards(self, row: Row, state: State, seat: int) -> None:
        at: Any = self._hand
        for card in state.hands[seat]:
            row[at[card]] += 1
        at = self._keepers
        for card in state.keepers[seat]:
            row[at[card]] += 1
        passed = state.passed[seat]
        if passed is not None:
            row[self._passed[passed]] = 1
        given = state.blindsides[left(seat, state.seats)]
        if given is not None and not state.options.five_card:
            row[self._given[given]] = 1
        pile = state.discard_pile
        if pile:
            row[self._top[pile[-1]]] = 1
            at = self._under
            for card in pile[:-1]:
                row[at[card]] += 1

    def remember(self, memory: Memory, before: State, event: Event, after: State) -> None:
        match event:
            case CardDiscarded():
                memory.remove(event.seat, (event.card,))
            case DiscardDrawn():
                memory.add(event.seat, (event.card,))
            case KeepersRevealed() | RoundDealt():
                memory.clear()
            case _:
                pass

    def options(self, seat: int, legal: tuple[LegalAction, ...], selected: list[Card]) -> list[int]:
        actions: Any = legal
        numbers = _NUMBERS_BY_KIND.get(type(actions[0]))
        if numbers is None:
            return list(_DRAW_NUMBERS)
        return [numbers[action.card] for action in actions]

    def choose(
        self, seat: int, legal: tuple[LegalAction, ...], selected: list[Card], number: int
    ) -> Action | None:
        return _ACTIONS[number]

    def numbers_of(self, seat: int, action: Action) -> tuple[int, ...]:
        return (_NUMBERS[action],)


def _label(action: Any) -> str:
    tag = action.__struct_config__.tag
    return f"{tag} {action.source}" if isinstance(action, DrawCard) else f"{tag} {action.card}"
