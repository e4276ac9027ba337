"""The encoding of The Double Blind."""

from typing import Any

from hoodwink.domain.cards import Card
from hoodwink.domain.games.double_blind.actions import Bribe, PlayPocket
from hoodwink.domain.games.double_blind.events import CaperDealt, HatTaken
from hoodwink.domain.games.double_blind.options import POCKET_SIZE
from hoodwink.domain.games.double_blind.state import State
from hoodwink.domain.kernel import Action, Event, LegalAction
from hoodwink.env.encodings.encoding import Encoding
from hoodwink.env.layout import FACES_AND_JOKER, Layout, Row, marked, rotated
from hoodwink.env.memory import Memory

_ACTIONS: tuple[Action, ...] = (
    *[PlayPocket(slot) for slot in range(POCKET_SIZE)],
    *[Bribe(card) for card in FACES_AND_JOKER],
)
_BRIBES = {card: POCKET_SIZE + index for index, card in enumerate(FACES_AND_JOKER)}


class DoubleBlind(Encoding[State]):
    """Each action has one number. Exposures are offences, which the environments do not offer."""

    def __init__(self, seats: int) -> None:
        layout = Layout(seats, has_jokers=True)
        self._to_move = layout.numbers("to_move", seats, meaning="1 at the seat whose turn it is.")
        layout.numbers("waiting", seats, meaning="1 at each seat that has yet to play.")
        layout.numbers("contenders", seats, meaning="1 at each seat that plays in this go of the hat.")
        layout.numbers("leader", seats, meaning="1 at the Madd Hatter.")
        self._scores = layout.numbers("scores", seats, meaning="Total of each seat after the last caper.")
        layout.numbers("joker_counts", seats, meaning="How often each seat was Joker.")
        layout.numbers("loot_bonus", seats, meaning="Bonus points of each seat in this caper.")
        self._round = layout.numbers("round", meaning="Number of the caper.")
        self._end_reached = layout.numbers("end_reached", meaning="1 if a total has reached the target.")
        self._bonus = layout.numbers("bonus", meaning="Points that ties have added to the hat.")
        self._bank_count = layout.numbers("bank_count", meaning="Cards in the bank.")
        self._pocket_count = layout.numbers("pocket_count", meaning="Cards in its own pocket.")
        self._sleeve_counts = layout.numbers("sleeve_counts", seats, meaning="Cards in each sleeve.")
        self._bribes = layout.numbers("bribes", seats, meaning="Bribes of each seat in this hat.")
        self._sleeve = layout.cards("sleeve", "Own sleeve.")
        self._target = layout.cards_by(
            "target", POCKET_SIZE, "Pocket of its target, the seat on its right, by slot."
        )
        self._pockets = layout.cards_by(
            "pockets", seats - 2, "Pockets of all other seats but its target, from its left on."
        )
        self._middle = layout.cards_by("middle", seats, "Cards that each seat has played in this hat.")
        self._loot = layout.card_counts("loot", "Cards that each seat has won in this caper.")
        self._lost = layout.cards("lost", "Cards of hats that nobody won.")
        super().__init__(layout, [_label(action) for action in _ACTIONS])

    def write(self, row: Row, state: State, seat: int, memory: Memory) -> None:
        seats, waiting = state.seats, state.waiting
        row[self._to_move : self._scores] = marked(
            seat, seats, waiting[:1], waiting, state.contenders, (state.madd_hatter,)
        )
        row[self._scores : self._round] = rotated(seat, state.totals, state.joker_counts, state.loot_bonus)
        row[self._round] = state.round
        row[self._end_reached] = state.end_reached
        row[self._bonus] = state.bonus
        row[self._bank_count] = len(state.bank)
        row[self._pocket_count] = POCKET_SIZE - state.pockets[seat].count(None)
        memory.write(row, self._loot, self.layout.orders[seat])
        self._write_stashes(row, state, seat)
        for play in state.middle:
            position = (play.seat - seat) % seats
            row[self._middle[position][play.card]] += 1
            row[self._bribes + position] += play.bribed
        for card in state.lost:
            row[self._lost[card]] += 1

    def _write_stashes(self, row: Row, state: State, seat: int) -> None:
        pockets, sleeves = state.pockets, state.sleeves
        order = self.layout.orders[seat]
        for index, other in enumerate(order, self._sleeve_counts):
            row[index] = len(sleeves[other])
        at: Any
        for at, other in zip(self._pockets, order[1:-1], strict=True):
            for card in pockets[other]:
                if card is not None:
                    row[at[card]] += 1
        for at, card in zip(self._target, pockets[seat - 1], strict=True):
            if card is not None:
                row[at[card]] = 1
        at = self._sleeve
        for card in sleeves[seat]:
            row[at[card]] += 1

    def remember(self, memory: Memory, before: State, event: Event, after: State) -> None:
        match event:
            case HatTaken():
                memory.add(event.seat, event.cards)
            case CaperDealt():
                memory.clear()
            case _:
                pass

    def options(self, seat: int, legal: tuple[LegalAction, ...], selected: list[Card]) -> list[int]:
        actions: Any = legal
        return [action.slot if type(action) is PlayPocket else _BRIBES[action.card] for action in actions]

    def choose(
        self, seat: int, legal: tuple[LegalAction, ...], selected: list[Card], number: int
    ) -> Action | None:
        return _ACTIONS[number]

    def numbers_of(self, seat: int, action: Action) -> tuple[int, ...]:
        return tuple(self.options(seat, (action,), []))


def _label(action: Any) -> str:
    return f"play_pocket {action.slot}" if isinstance(action, PlayPocket) else f"bribe {action.card}"
