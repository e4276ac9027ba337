"""The encoding of Shithead."""

from collections import Counter
from typing import Any

from hoodwink.domain.cards import JOKER, Card
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
from hoodwink.domain.games.shithead.events import (
    BlindCardFailed,
    CardsPlayed,
    CardsSwapped,
    JokerCountered,
    JokerPlayed,
    PileAccepted,
    PileBurned,
    PilePickedUp,
    PlayStarted,
    RoundDealt,
)
from hoodwink.domain.games.shithead.state import IN_PLAY, SWAP, State, Step
from hoodwink.domain.kernel import Action, Event, LegalAction, replace_at
from hoodwink.env.encodings.shedding import Shedding
from hoodwink.env.layout import FACES_AND_JOKER, Layout, Row
from hoodwink.env.memory import Memory

_KINDS = {"play": PlayCards, "burn": BurnPile}


class Shithead(Shedding[State]):
    """Declining means not to burn the pile.

    A swap selects the hand card, then takes the face-up card. From face-up cards, picking up the pile takes one of them. A
    Joker names its target by how many seats it is to the left; a Joker that answers another one has the same numbers.
    """

    def __init__(self, seats: int) -> None:
        layout = Layout(seats, has_jokers=True)
        self._direction = layout.numbers("direction", meaning="1 clockwise, -1 counter-clockwise.")
        self._ready = layout.numbers("ready", seats, meaning="1 at each seat that has finished swapping.")
        self._last_layer = layout.numbers("laid_by", seats, meaning="1 at the seat that laid the last cards.")
        self._jokers = layout.numbers("jokers", seats, meaning="Jokers of each seat that wait for an answer.")
        self._starting = layout.cards("starting_card", "The card that the seat's first play must contain.")
        labels = ["ready", "accept", *[f"joker {step} to the left" for step in range(1, seats)]]
        labels += [f"take {card}" for card in layout.faces]
        super().__init__(layout, tuple(Step), labels, _KINDS)
        assert self.decline is not None
        self._declare_ready = self.decline + 1
        self._accept = self._declare_ready + 1
        self._target = self._accept  # the nearest target is one seat away
        self._take = self._accept + seats
        self._take_at = {card: self._take + index for index, card in enumerate(layout.faces)}

    def write(self, row: Row, state: State, seat: int, memory: Memory) -> None:
        face_up, seats = state.face_up, state.seats
        if state.step is SWAP and state.options.hidden_swap:  # SH-50
            face_up = replace_at(state.dealt_face_up, seat, face_up[seat])
        self.write_common(row, state, seat, memory, face_up, state.blind)
        row[self._direction] = state.direction
        if state.step is SWAP:
            for other in state.ready:
                row[self._ready + (other - seat) % seats] = 1
        elif state.stage is IN_PLAY:
            row[self._to_move + (state.to_move - seat) % seats] = 1
        if state.starting_card is not None and state.to_move == seat:  # SH-49
            row[self._starting[state.starting_card]] = 1
        if state.pile:
            row[self._last_layer + (state.last_layer - seat) % seats] = 1
        for other in state.jokers_laid:
            row[self._jokers + (other - seat) % seats] += 1
        self.write_gone(row, state.removed)

    def remember(self, memory: Memory, before: State, event: Event, after: State) -> None:
        match event:
            case CardsPlayed() | PileBurned():
                memory.remove(event.seat, event.cards)
            case PilePickedUp():
                memory.add(event.seat, before.pile)
                if event.face_up_card is not None:
                    memory.add(event.seat, (event.face_up_card,))
            case BlindCardFailed():
                memory.add(event.seat, (*before.pile, event.card))
            case JokerPlayed() | JokerCountered():
                if before.turned is None:
                    memory.remove(event.seat, (JOKER,))
                _remember_joker(memory, before, (*before.jokers, JOKER), event.target, after)
            case PileAccepted():
                _remember_joker(memory, before, before.jokers, event.seat, after)
            case CardsSwapped(secretly=False):
                memory.remove(event.seat, (event.hand_card,))
                memory.add(event.seat, (event.face_up_card,))
            case PlayStarted() if before.options.hidden_swap:
                for seat, shown in enumerate(event.face_up):
                    memory.add(seat, (Counter(before.dealt_face_up[seat]) - Counter(shown)).elements())
            case RoundDealt():
                memory.clear()
            case _:
                pass

    def options(self, seat: int, legal: tuple[LegalAction, ...], selected: list[Card]) -> list[int]:
        if isinstance(legal[0], SwapCards):
            swaps: Any = legal[:-1]
            if selected:
                return [self._take_at[swap.face_up_card] for swap in swaps if swap.hand_card == selected[0]]
            hand = dict.fromkeys([swap.hand_card for swap in swaps])
            return [*[self._select[card] for card in hand], self._declare_ready]
        return super().options(seat, legal, selected)

    def numbers_of(self, seat: int, action: Action) -> tuple[int, ...]:
        if isinstance(action, SwapCards):
            return (self._select[action.hand_card], self._take_at[action.face_up_card])
        return super().numbers_of(seat, action)

    def number_of(self, seat: int, action: LegalAction) -> int:
        match action:
            case PlayJoker() | CounterJoker():
                return self._target + (action.target - seat) % self.layout.seats
            case PickUp(face_up_card=None):
                return self._pick_up
            case PickUp():
                assert action.face_up_card is not None
                return self._take_at[action.face_up_card]
            case FlipBlind():
                return self._flip + action.slot
            case AcceptPile():
                return self._accept
            case _:
                return self._declare_ready

    def action_of(
        self, seat: int, legal: tuple[LegalAction, ...], selected: list[Card], number: int
    ) -> Action:
        if number >= self._take:
            face = FACES_AND_JOKER[number - self._take]
            return SwapCards(selected[0], face) if selected else PickUp(face)
        if number > self._accept:
            target = (seat + number - self._target) % self.layout.seats
            answers = isinstance(legal[0], AcceptPile)
            return CounterJoker(target) if answers else PlayJoker(target)
        if number >= self._declare_ready:
            return DeclareReady() if number == self._declare_ready else AcceptPile()
        return PickUp() if number == self._pick_up else FlipBlind(number - self._flip)


def _remember_joker(
    memory: Memory, before: State, jokers: tuple[Card, ...], target: int, after: State
) -> None:
    """Remembers the pile that a Joker's target took, unless the target may still answer (SH-38, SH-59)."""
    if after.jokers:
        return
    memory.add(target, before.pile)
    if before.options.joker_fate == "picked_up":
        memory.add(target, jokers)
