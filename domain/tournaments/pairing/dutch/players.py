"""The players of a round, with the parts of their history that the pairing needs."""

from collections.abc import Container, Mapping, Sequence
from fractions import Fraction

import msgspec

from hoodwink.domain.tournaments.crosstable import Crosstable, Why
from hoodwink.domain.tournaments.pairing.dutch.colours import Preference, preference_after
from hoodwink.domain.tournaments.scoring import RoundScore, Status, round_scores

BYE = 0
"""The number of the pairing-allocated bye among the players."""


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """An entrant to be paired, or the bye.

    Attributes:
        number: the starting rank; 0 for the bye.
        level: the rank of the score, from 1 for the lowest score among the players; 0 for the bye.
        pairing_number: the number, from 1, among the entrants who were ever paired or are present.
        colours: the colours of the games played, in order, such as `wbw`.
        met: the rounds of the games with each opponent, in order.
        full_byes: the number of rounds that rule out another bye: pairing byes and wins without playing (C.04.1.4).
        unplayed: the number of rounds that the player did not play.
        floats: in the last round and in the one before: -1 floated down, 1 floated up, 0 neither.
        is_topscorer: whether the player has more than half of the maximum score before the last round.
    """

    number: int
    score: Fraction = Fraction(-1)
    level: int = 0
    pairing_number: int = 0
    colours: str = ""
    preference: Preference | None = None
    met: Mapping[int, tuple[int, ...]] = {}
    full_byes: int = 0
    unplayed: int = 0
    floats: tuple[int, int] = (0, 0)
    is_topscorer: bool = False

    @property
    def is_bye(self) -> bool:
        """Whether this is the pairing-allocated bye."""
        return self.number == BYE

    @property
    def colour_difference(self) -> int:
        """Games with white minus games with black (article 1.6)."""
        return self.colours.count("w") - self.colours.count("b")


def players_of(crosstable: Crosstable, *, round_: int, present: Sequence[int]) -> list[Player]:
    """Returns the players of a round by score, the highest first, then by starting rank; the bye, if needed, is last."""
    past = _Past(crosstable, round_, present)
    levels = {score: level for level, score in enumerate(sorted({past.score(n) for n in present}), 1)}
    players = [past.player(number, levels) for number in present]
    players.sort(key=lambda player: (-player.level, player.number))
    return players + [Player(number=BYE)] * (len(players) % 2)


class _Past:
    """The rounds before the one to be paired."""

    def __init__(self, crosstable: Crosstable, round_: int, present: Sequence[int]) -> None:
        self.numbers = list(crosstable.numbers())
        self.rounds: Sequence[Mapping[int, RoundScore]] = round_scores(crosstable.until(round_ - 1))
        self.scores = self._scores_before_each_round()
        self.is_last = round_ >= crosstable.terms.rounds
        self.pairing_numbers = self._pairing_numbers(frozenset(present))

    def _scores_before_each_round(self) -> list[dict[int, Fraction]]:
        scores = [dict.fromkeys(self.numbers, Fraction(0))]
        for round_ in self.rounds:
            gained = {entrant: of_round.score + of_round.provisional for entrant, of_round in round_.items()}
            scores.append({n: score + gained.get(n, 0) for n, score in scores[-1].items()})
        return scores

    def _pairing_numbers(self, present: Container[int]) -> dict[int, int]:
        paired = [n for n in self.numbers if n in present or any(map(_was_paired, self.of(n)))]
        return {number: position for position, number in enumerate(paired, 1)}

    def of(self, number: int) -> list[RoundScore]:
        """Returns the scores of an entrant's rounds, in order."""
        return [round_[number] for round_ in self.rounds if number in round_]

    def score(self, number: int) -> Fraction:
        return self.scores[-1][number]

    def player(self, number: int, levels: Mapping[Fraction, int]) -> Player:
        rounds = self.of(number)
        colours = "".join("b" if round_.seat else "w" for round_ in rounds if round_.opponents)
        score = self.score(number)
        return Player(
            number=number,
            score=score,
            level=levels[score],
            pairing_number=self.pairing_numbers[number],
            colours=colours,
            preference=preference_after(colours),
            met=self._met(number),
            full_byes=sum(map(_bars_from_bye, rounds)),
            unplayed=len(self.rounds) - len(colours),
            floats=(self._float(number, len(self.rounds)), self._float(number, len(self.rounds) - 1)),
            is_topscorer=self.is_last and score > Fraction(len(self.rounds), 2),
        )

    def _met(self, number: int) -> dict[int, tuple[int, ...]]:
        met: dict[int, tuple[int, ...]] = {}
        for round_, scores in enumerate(self.rounds, 1):
            for opponent in scores[number].opponents if number in scores else ():
                met[opponent] = (*met.get(opponent, ()), round_)
        return met

    def _float(self, number: int, round_: int) -> int:
        """Returns -1 if the player floated down in a round, or scored without playing, 1 for up, else 0 (1.4)."""
        if round_ < 1 or number not in self.rounds[round_ - 1]:
            return 0
        round_score, before = self.rounds[round_ - 1][number], self.scores[round_ - 1]
        if not round_score.opponents:
            scored = round_score.score + round_score.provisional > 0 or round_score.why is Why.PAIRING_BYE
            return -1 if scored else 0
        own, theirs = before[number], before[round_score.opponents[0]]
        return (theirs > own) - (theirs < own)


def _was_paired(round_score: RoundScore) -> bool:
    return round_score.status is not Status.NOT_SEATED or round_score.why is Why.PAIRING_BYE


def _bars_from_bye(round_score: RoundScore) -> bool:
    return round_score.why is Why.PAIRING_BYE or (not round_score.opponents and round_score.score >= 1)
