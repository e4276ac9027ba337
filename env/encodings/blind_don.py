"""The encoding of Blind Don."""

from typing import Any

from hoodwink.domain.cards import SUITS, Card
from hoodwink.domain.games.blind_don.actions import PlayCard
from hoodwink.domain.games.blind_don.events import RoundDealt, TrickTaken
from hoodwink.domain.games.blind_don.state import IN_PLAY, ROW, State
from hoodwink.domain.kernel import Action, Event, LegalAction
from hoodwink.env.encodings.encoding import Encoding
from hoodwink.env.layout import Layout, Row, clamped
from hoodwink.env.memory import Memory

_PLAYS = tuple(PlayCard(position) for position in range(ROW))


class BlindDon(Encoding[State]):
    """Each action has one number: the position of the card in the row."""

    def __init__(self, seats: int) -> None:
        layout = Layout(seats)
        self._step = layout.numbers("step", 2, meaning="1 at the step: lead, follow.")
        self._to_move = layout.numbers("to_move", seats, meaning="1 at the seat whose turn it is.")
        self._dealer = layout.numbers("dealer", seats, meaning="1 at the dealer.")
        self._round = layout.numbers("round", meaning="Number of the round.")
        self._scores = layout.numbers("scores", seats, meaning="Points of each seat.")
        self._trump = layout.numbers("trump", len(SUITS), meaning="1 at the trump suit: C, D, H, S.")
        self._covered = layout.numbers(
            "face_down", seats, ROW, meaning="1 where a stack still has its face-down card."
        )
        self._face_up = layout.cards_by(
            "face_up", seats * ROW, "Face-up card of each stack: own row by position, then the other's."
        )
        self._lead = layout.cards("lead", "The card led to the trick.")
        self._captured = layout.card_counts("captured", "Cards that each seat has taken in tricks.")
        super().__init__(layout, [f"play position {position}" for position in range(ROW)])

    def write(self, row: Row, state: State, seat: int, memory: Memory) -> None:
        order = self.layout.orders[seat]
        for position, other in enumerate(order):
            row[self._scores + position] = clamped(state.scores[other])
            self._write_row(row, state, other, position * ROW)
        memory.write(row, self._captured, order)
        if state.trump:
            row[self._trump + SUITS.index(state.trump)] = 1
        lead = state.lead
        if lead is not None:
            row[self._lead[lead.card]] = 1
        if state.stage is IN_PLAY:
            row[self._step + (lead is not None)] = 1
            row[self._to_move + order.index(state.to_move)] = 1
        row[self._dealer + order.index(state.dealer)] = 1
        row[self._round] = state.round

    def _write_row(self, row: Row, state: State, seat: int, start: int) -> None:
        face_up = self._face_up
        for position, card in enumerate(state.face_up[seat], start):
            if card is not None:
                row[face_up[position][card]] = 1
        for position, card in enumerate(state.face_down[seat], self._covered + start):
            if card is not None:
                row[position] = 1

    def remember(self, memory: Memory, before: State, event: Event, after: State) -> None:
        match event:
            case TrickTaken():
                memory.add(event.taker, event.cards)
            case RoundDealt():
                memory.clear()
            case _:
                pass

    def options(self, seat: int, legal: tuple[LegalAction, ...], selected: list[Card]) -> list[int]:
        actions: Any = legal
        return [action.position for action in actions]

    def choose(
        self, seat: int, legal: tuple[LegalAction, ...], selected: list[Card], number: int
    ) -> Action | None:
        return _PLAYS[number]

    def numbers_of(self, seat: int, action: Action) -> tuple[int, ...]:
        assert isinstance(action, PlayCard), action
        return (action.position,)
