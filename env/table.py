"""A table in memory, played by numbers: whose decision it is, which numbers are legal, and what the seat observes."""

from collections.abc import Sequence
from random import Random
from typing import Any

from hoodwink.domain.cards import Card, Draws
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Action, Event, GameOptions, LegalAction, Stage, plays_among
from hoodwink.domain.tables.state import MAX_ACTIONS_PER_ROUND
from hoodwink.env.encodings import Encoding, encoding_of
from hoodwink.env.layout import Row
from hoodwink.env.memory import Memory

# CPython 3.11 looks up an enum member slowly, and every step compares one.
_IN_PLAY, _TO_SCORE, _TO_DEAL = Stage.IN_PLAY, Stage.TO_SCORE, Stage.TO_DEAL


class Shuffles:
    """Draws from a generator. They are fast and repeatable, but not the provably fair ones of a real table."""

    def __init__(self, seats: int, chance: Random) -> None:
        self.first_dealer = chance.randrange(seats)
        self._chance = chance

    def seat(self, seats: int) -> int:
        return self.first_dealer

    def deck(self, pack: Sequence[Card], number: int) -> tuple[Card, ...]:
        cards = list(pack)
        self._chance.shuffle(cards)
        return tuple(cards)


class Table:
    """One table from its first deal to its end.

    One seat decides at a time. Where several owe an action, they are asked in the order of seats, and none sees what the
    others chose. After each action, the seats that may and can interrupt are asked first, clockwise from the seat to move;
    the others learn nothing of that. Offences are not offered.

    Attributes:
        state: the state of the game.
        seat: the seat that decides; `None` before a deal and at the end.
        legal: its legal actions.
        selected: the cards that it has selected for a play so far.
        log: a list that gets every event, and `None` for a void round, if it is kept.
    """

    def __init__(self, game: str, seats: int, options: GameOptions, *, log: list[Any] | None = None) -> None:
        self.game = GAMES[game]
        self.encoding: Encoding[Any] = encoding_of(game, seats)
        self.options = options
        self.state: Any = self.game.initial(options, seats)
        self.seat: int | None = None
        self.legal: tuple[LegalAction, ...] = ()
        self.selected: list[Card] = []
        self.log = log
        self._choices: list[int] | None = None
        self.seats = seats
        self._memory = Memory.empty(seats, len(self.encoding.layout.faces))
        self._declined: list[int] = []
        self._may_decline = False
        # With options that allow none, there is nothing to filter out of the legal actions.
        self._has_offences = bool(self.game.host_offences(options))
        self._now = 0
        self._actions = 0

    @property
    def is_to_deal(self) -> bool:
        return self.game.stage(self.state) is _TO_DEAL

    @property
    def is_over(self) -> bool:
        return self.game.stage(self.state) is Stage.OVER

    @property
    def scores(self) -> tuple[int, ...]:
        return self.game.scores(self.state)

    def deal(self, draws: Draws) -> None:
        """Deals the next round, up to the first decision."""
        self._actions = 0
        self._apply(self.game.deal(self.state, draws))
        self._proceed()

    def choices(self) -> list[int]:
        """Returns the numbers of the legal choices, in any order; a number may occur twice."""
        if self._choices is None:
            assert self.seat is not None, "nobody decides now"
            self._choices = self.encoding.options(self.seat, self.legal, self.selected)
            if self._may_decline and not self.selected:
                assert self.encoding.decline is not None, "only games with interrupts offer one"
                self._choices.append(self.encoding.decline)
        return self._choices

    def step(self, number: int) -> None:
        """Makes a choice for the seat that decides, up to the next decision, deal or the end.

        Raises:
            ValueError: the choice is not legal.
        """
        seat, encoding = self.seat, self.encoding
        if seat is None or number not in self.choices():
            raise ValueError(f"{number} is not a legal choice now")
        self._choices = None
        if number == encoding.decline:
            self._declined.append(seat)
            self._proceed()
            return
        action = encoding.choose(seat, self.legal, self.selected, number)
        if action is not None:
            self._act(seat, action)

    def _act(self, seat: int, action: Action) -> None:
        """Plays a legal action of the seat that decides."""
        self._actions += 1
        self._apply(self.game.decide(self.state, seat, action, self._now))
        if self._declined:
            self._declined.clear()
        self._proceed()

    def observe(self, row: Row, seat: int) -> None:
        """Writes what a seat observes into an empty row."""
        self.encoding.write(row, self.state, seat, self._memory)
        if seat == self.seat and self.selected:
            self.encoding.write_selected(row, self.selected)

    def imagine(self, seat: int, state: Any) -> None:
        """Replaces the state with one that a seat cannot tell from it, and forgets the log.

        If the seat decides, it still does. Of the seats that could interrupt, those asked before it have declined; it does
        not know whether any later one has been asked.
        """
        self.state, self.log = state, []
        if self.seat is None:
            return
        first = self.game.turn(state).owes[0]
        has_declined = seat in self._declined
        earlier = (seat - first) % self.seats if has_declined or seat == self.seat else 0
        self._declined = [(first + step) % self.seats for step in range(earlier + has_declined)]
        if self.seat != seat:
            self.selected, self._choices = [], None
            self._ask()

    def __deepcopy__(self, memo: dict[int, Any]) -> "Table":
        """Returns a copy that shares everything that never changes."""
        changing = {
            "selected": list(self.selected),
            "log": None if self.log is None else list(self.log),
            "_declined": list(self._declined),
            "_memory": self._memory.copy(),
        }
        table = object.__new__(Table)
        table.__dict__.update(self.__dict__ | changing)
        return table

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "game": self.game.name, "encoding": None}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        self.__dict__.update(attributes)
        self.game = GAMES[attributes["game"]]
        self.encoding = encoding_of(self.game.name, self.seats)

    def _apply(self, events: tuple[Event, ...]) -> None:
        evolve, remember, state = self.game.evolve, self.encoding.remember, self.state
        for event in events:
            before, state = state, evolve(state, event)
            remember(self._memory, before, event, state)
        self.state = state
        if self.log is not None:
            self.log += events

    def _proceed(self) -> None:
        game = self.game
        self.selected = []
        while (stage := game.stage(self.state)) is _IN_PLAY:
            if self._actions < MAX_ACTIONS_PER_ROUND and not game.is_endless(self.state):
                self._ask()
                return
            self._void()
        if stage is _TO_SCORE:
            self._apply(game.score_round(self.state))
        self.seat, self.legal = None, ()

    def _void(self) -> None:
        self.state = self.game.void_round(self.state)
        self._memory.clear()
        if self.log is not None:
            self.log.append(None)

    def _ask(self) -> None:
        """Finds the next seat that has to decide: one that can interrupt, or else one that owes an action."""
        game, state = self.game, self.state
        turn = game.turn(state)
        seat = turn.owes[0]
        if turn.may and game.interrupts:
            for other in sorted(turn.may, key=lambda other: (other - seat) % self.seats):
                if other not in self._declined and (legal := self._plays(other)):
                    self.seat, self.legal, self._may_decline = other, legal, True
                    return
        self._now = max(self._now, game.waits_until(state) or 0)
        self.seat, self.legal, self._may_decline = seat, self._plays(seat), False

    def _plays(self, seat: int) -> tuple[LegalAction, ...]:
        legal = self.game.legal_actions(self.state, seat, self._now)
        return plays_among(self.game, legal) if self._has_offences else legal
