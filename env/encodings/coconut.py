"""The encoding of Coconut."""

from typing import Any

from hoodwink.domain.cards import Card
from hoodwink.domain.games.coconut.actions import ChooseFaceUp, FlipCard, PickUpPile, PlayCards, SneakCards
from hoodwink.domain.games.coconut.events import (
    CardsPlayed,
    CardsSneaked,
    FlipFailed,
    PilePickedUp,
    RoundDealt,
)
from hoodwink.domain.games.coconut.state import CHOOSE, IN_PLAY, State, Step
from hoodwink.domain.kernel import Action, Event, LegalAction
from hoodwink.env.encodings.shedding import Shedding
from hoodwink.env.layout import Layout, Row
from hoodwink.env.memory import Memory

_KINDS = {"choose_face_up": ChooseFaceUp, "play": PlayCards, "sneak": SneakCards}


class Coconut(Shedding[State]):
    """Declining means not to sneak."""

    def __init__(self, seats: int) -> None:
        layout = Layout(seats)
        self._committed = layout.numbers("committed", seats, meaning="1 at each seat that has chosen.")
        self._laid_by = layout.numbers("laid_by", seats, meaning="1 at the seat that laid the last cards.")
        self._chosen = layout.cards("chosen", "The face-up cards that the seat has committed.")
        super().__init__(layout, tuple(Step), (), _KINDS)

    def write(self, row: Row, state: State, seat: int, memory: Memory) -> None:
        self.write_common(row, state, seat, memory, state.face_up, state.face_down)
        seats = state.seats
        if state.step is CHOOSE:
            for other, cards in enumerate(state.chosen):
                if cards is not None:
                    row[self._committed + (other - seat) % seats] = 1
            at: Any = self._chosen
            for card in state.chosen[seat] or ():
                row[at[card]] += 1
        elif state.stage is IN_PLAY:
            row[self._to_move + (state.to_move - seat) % seats] = 1
        if state.pile:
            row[self._laid_by + (state.laid_by - seat) % seats] = 1
        self.write_gone(row, state.set_aside)

    def remember(self, memory: Memory, before: State, event: Event, after: State) -> None:
        match event:
            case CardsPlayed() | CardsSneaked():
                memory.remove(event.seat, event.cards)
            case PilePickedUp():
                memory.add(event.seat, before.pile)
            case FlipFailed():
                memory.add(event.seat, (*before.pile, event.card))
            case RoundDealt():
                memory.clear()
            case _:
                pass

    def number_of(self, seat: int, action: LegalAction) -> int:
        return self._flip + action.slot if isinstance(action, FlipCard) else self._pick_up

    def action_of(
        self, seat: int, legal: tuple[LegalAction, ...], selected: list[Card], number: int
    ) -> Action:
        return PickUpPile() if number == self._pick_up else FlipCard(number - self._flip)
