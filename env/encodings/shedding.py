"""The fields and numbers that Coconut and Shithead share."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from hoodwink.domain.cards import Card
from hoodwink.domain.games.shedding import CardsAction, CardsBySeat, Slots, run_on_top
from hoodwink.domain.kernel import Stage
from hoodwink.env.encodings.selection import CardSelection
from hoodwink.env.layout import Layout, Row, counted, filled, rotated
from hoodwink.env.memory import Memory

SLOTS = 3

_IN_PLAY = Stage.IN_PLAY  # CPython 3.11 looks up an enum member slowly

S = TypeVar("S")


class Shedding(CardSelection[S]):
    """The numbers after that of the commitment are `pick_up`, a flip for each slot, `decline`, and the game's own."""

    def __init__(
        self, layout: Layout, steps: Sequence[str], labels: Sequence[str], kinds: Mapping[str, CardsAction]
    ) -> None:
        seats = layout.seats
        self._steps = tuple(steps)
        self._step = layout.numbers("step", len(steps), meaning=f"1 at the step: {', '.join(steps)}.")
        self._to_move = layout.numbers("to_move", seats, meaning="1 at the seat whose turn it is.")
        self._dealer = layout.numbers("dealer", seats, meaning="1 at the dealer.")
        self._round = layout.numbers("round", meaning="Number of the round.")
        self._scores = layout.numbers("scores", seats, meaning="Points of each seat.")
        self._places = layout.numbers(
            "places", seats, meaning="Place of each seat that is out, from 1; 0 for the others."
        )
        self._hand_counts = layout.numbers("hand_counts", seats, meaning="Cards in each hand.")
        self._stock_count = layout.numbers("stock_count", meaning="Cards in the stock.")
        self._run = layout.numbers("run", meaning="Cards of equal rank on top of the pile.")
        self._down = layout.numbers(
            "face_down", seats, SLOTS, meaning="1 at each slot that holds a face-down card."
        )
        self._hand = layout.cards("hand", "Own hand.")
        self._selected = layout.cards("selected", "Cards selected for a play that is not yet committed.")
        self._face_up = layout.card_counts("face_up", "Face-up cards of each seat.")
        self._pile = layout.cards("pile", "Cards of the pile.")
        self._top = layout.cards("pile_top", "Top of the pile.")
        self._gone = layout.numbers("gone", len(layout.faces), meaning="Cards out of play, as remembered.")
        self._held = layout.card_counts(
            "held", "Cards known to be in the hand of each other seat, as remembered."
        )
        first = len(layout.faces) + 1
        self._pick_up, self._flip, self.decline = first, first + 1, first + 1 + SLOTS
        own = ["pick_up", *[f"flip {slot}" for slot in range(SLOTS)], "decline", *labels]
        super().__init__(layout, own, kinds)

    def write_common(
        self,
        row: Row,
        state: Any,
        seat: int,
        memory: Memory,
        face_up: CardsBySeat,
        face_down: tuple[Slots, ...],
    ) -> None:
        """Writes what both games have, most of it under the same names."""
        layout = self.layout
        order = layout.orders[seat]
        layout.copy(row, self._face_up, counted(face_up, len(layout.faces)), seat)
        layout.copy(row, self._down, filled(face_down), seat)
        memory.write(row, self._held + len(layout.faces), order[1:])
        row[self._scores : self._scores + layout.seats] = rotated(seat, state.points)
        at: Any
        hands = state.hands
        for index, other in enumerate(order, self._hand_counts):
            row[index] = len(hands[other])
        at = self._hand
        for card in hands[seat]:
            row[at[card]] += 1
        if state.stage is _IN_PLAY:
            row[self._step + self._steps.index(state.step)] = (
                1  # faster than a dictionary, since these are enum members
            )
        row[self._dealer + order.index(state.dealer)] = 1
        row[self._round] = state.round
        row[self._stock_count] = len(state.stock)
        for place, other in enumerate(state.finished, 1):
            row[self._places + order.index(other)] = place
        pile = state.pile
        if pile:
            row[self._top[pile[-1]]] = 1
            row[self._run] = run_on_top(pile)
            at = self._pile
            for card in pile:
                row[at[card]] += 1

    def write_gone(self, row: Row, cards: tuple[Card, ...]) -> None:
        if cards:
            columns = len(self.layout.faces)
            row[self._gone : self._gone + columns] = counted((cards,), columns)[:columns]

    def write_selected(self, row: Row, selected: list[Card]) -> None:
        at: Any = self._selected
        for card in selected:
            row[at[card]] += 1
