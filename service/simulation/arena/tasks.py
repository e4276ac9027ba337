"""The parts of a match that one process plays: some deals with one seating."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from time import process_time_ns
from typing import Any, Final

import msgspec

from hoodwink.domain.bots import Choose
from hoodwink.domain.kernel import Action, Game, Knowledge, Observation, Stage
from hoodwink.domain.tables.actor import WORKER
from hoodwink.domain.tables.commands import AbandonTable
from hoodwink.domain.tables.knowing import Known
from hoodwink.domain.tables.state import Phase, stage_of
from hoodwink.service.simulation.outside.mistakes import Mistakes
from hoodwink.service.simulation.outside.outsider import Outsiders, is_outsider
from hoodwink.service.simulation.outside.process import Limits
from hoodwink.service.simulation.tables import BotTable

DEALS_PER_TASK: Final = 50
"""Bots from outside are started once per task, and what they remember of one deal may influence the next ones.

So the number does not depend on the number of processes, or a run could not be repeated on another machine. Built-in bots
remember nothing, so their tasks have one deal.
"""


class Pairing(msgspec.Struct, frozen=True, order=True):
    """Two bots that play against each other; the same bot twice in a mirror match."""

    first: str
    second: str


class Terms(msgspec.Struct, frozen=True):
    """The terms that all matches of a run share.

    Attributes:
        rounds: how many rounds of each table are played.
        seed: determines the cards and the choices.
        peeks: whether bots that think know all cards, to measure how much they lack without.
    """

    game: str
    seats: int
    options: dict[str, Any]
    rounds: int
    seed: str
    limits: Limits
    peeks: bool = False


class Task(msgspec.Struct, frozen=True):
    """Some deals of a match with one seating.

    A task has one seating, so that no process of a bot from outside sees the same deal from two seats.
    """

    terms: Terms
    pairing: Pairing
    seating: int
    first_deal: int
    deals: int


class Times(msgspec.Struct):
    """The CPU times of a bot's moves.

    Attributes:
        moves: how many there were.
        total_ns: their sum.
        rounded: how many there were of each length in ns, rounded to three digits to save memory.
    """

    moves: int = 0
    total_ns: int = 0
    rounded: Counter[int] = msgspec.field(default_factory=Counter)

    def add(self, ns: int) -> None:
        self.moves += 1
        self.total_ns += ns
        self.rounded[int(float(f"{ns:.2e}"))] += 1


class Played(msgspec.Struct):
    """The outcome of a task.

    Attributes:
        scores: of each deal, the score of each seat.
        times_ns: the CPU time of each move by bot.
        mistakes: those of the bots from outside.
    """

    scores: list[tuple[int, ...]]
    times_ns: dict[str, list[int]]
    mistakes: Mistakes


def seatings(seats: int, *, is_mirror: bool = False) -> tuple[tuple[int, ...], ...]:
    """Returns the seatings in which each deal is played: 0 for the first bot of a pairing, 1 for the second.

    One of them sits in each seat against the other in all other seats, and the other way round.

    >>> seatings(2)
    ((0, 1), (1, 0))
    >>> seatings(3)
    ((0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    """
    alone = tuple(tuple(int(seat != at) for seat in range(seats)) for at in range(seats))
    if seats == 2 or is_mirror:
        return alone
    return *alone, *(tuple(1 - bot for bot in seating) for seating in alone)


def pairings(bots: Sequence[str], *, has_mirrors: bool) -> tuple[Pairing, ...]:
    """Returns the matches of a round robin, followed by those of each bot against itself."""
    mirrors = [Pairing(bot, bot) for bot in bots] if has_mirrors else []
    return *(Pairing(*pair) for pair in combinations(bots, 2)), *mirrors


def tasks_of(terms: Terms, matches: Sequence[Pairing], deals: int) -> Iterator[Task]:
    """Yields the tasks of all matches in a fixed order: a run with fewer deals has the first of them."""
    has_outsider = any(is_outsider(bot) for pairing in matches for bot in (pairing.first, pairing.second))
    size = DEALS_PER_TASK if has_outsider else 1
    for first in range(0, deals, size):
        for pairing in matches:
            for seating in range(len(seatings_of(terms, pairing))):
                yield Task(terms, pairing, seating, first, min(size, deals - first))


def seatings_of(terms: Terms, pairing: Pairing) -> tuple[tuple[int, ...], ...]:
    return seatings(terms.seats, is_mirror=pairing.first == pairing.second)


def play(task: Task) -> Played:
    """Plays the deals of a task."""
    terms, pairing = task.terms, task.pairing
    bots = [(pairing.first, pairing.second)[bot] for bot in seatings_of(terms, pairing)[task.seating]]
    played = Played([], {bot: [] for bot in bots}, Mistakes())
    with Outsiders(terms.limits) as outsiders:
        for deal in range(task.first_deal, task.first_deal + task.deals):
            table = _DuplicateTable(task, bots, deal, outsiders)
            table.play_rounds(terms.rounds)
            played.scores.append(table.table.rulebook.scores(table.table.state))
            for seat, bot in enumerate(bots):
                played.times_ns[bot] += table.times_ns(seat)
            name = f"deal {deal}, seating {task.seating} of {pairing.first} and {pairing.second}"
            played.mistakes.add(name, table.mistakes, table.log)
    return played


class _DuplicateTable(BotTable):
    """A table whose cards depend on the deal alone, and which stops after some rounds."""

    def __init__(self, task: Task, bots: Sequence[str], deal: int, outsiders: Outsiders) -> None:
        terms = task.terms
        # Each choice by chance is a new one, even if the same bots sit in the same seats.
        choices = f"{terms.seed}:{deal}:{task.pairing.first}:{task.pairing.second}:{task.seating}"
        self._times_ns = [list[int]() for _ in bots]
        self._peeks = terms.peeks
        super().__init__(
            game=terms.game,
            seats=terms.seats,
            options=terms.options,
            policies=bots,
            seed=choices,
            # Without bots and seating, so that every seating of every match plays the same cards.
            deck_seed=f"{terms.game}:{terms.seed}:{deal}",
            outsiders=outsiders.among(bots),
        )

    def play_rounds(self, rounds: int) -> None:
        """Plays some rounds, or fewer if the table ends before."""
        while self.table.phase is Phase.PLAYING:
            if self.table.round >= rounds and stage_of(self.table) is Stage.TO_DEAL:
                # No rule ends a table after some rounds, so it is abandoned. Its scores stay as they are.
                self._do(AbandonTable(), by=WORKER)
            else:
                self.step()

    def times_ns(self, seat: int) -> Sequence[int]:
        outsider = self._outsiders.get(seat)
        return self._times_ns[seat] if outsider is None else outsider.times_ns

    def _known(self, seat: int) -> Known | None:
        # The state itself is knowledge without marks, which leaves nothing to imagine.
        return Knowledge(seat, self.table.state) if self._peeks else super()._known(seat)

    def _chosen(self, seat: int, choose: Choose, known: Known | None = None) -> Action | None:
        def timed(game: Game[Any], observation: Observation, chance: Random) -> Action | None:
            began = process_time_ns()
            action = choose(game, observation, chance)
            self._times_ns[seat].append(process_time_ns() - began)
            return action

        return super()._chosen(seat, timed, known)
