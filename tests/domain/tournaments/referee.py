"""A second, slow referee of scores and of standings at tables of more than two (T-20, K-2, K-4).

Written from the rules alone, in plain fractions, without a line of domain.tournaments.scoring or standings.
"""

from fractions import Fraction

from hoodwink.domain.tournaments.crosstable import Outcome, SeatState
from hoodwink.domain.tournaments.terms import ScoreBy, Tiebreak

HALF = Fraction(1, 2)
CAME = {SeatState.PLAYED, SeatState.RESIGNED, SeatState.STAND_IN}
"""The states of the seats whose entrants appeared at the table."""


class Referee:
    def __init__(self, crosstable):
        self.terms = crosstable.terms
        self.rounds = crosstable.rounds
        self.everybody = [entrant.number for entrant in crosstable.entrants]
        self.expelled = {entrant.number for entrant in crosstable.entrants if entrant.is_expelled}

    def score_in(self, entrant, round_):
        """Returns the score of a round."""
        for unplayed in round_.unplayed:
            if unplayed.entrant == entrant:
                return self._as_points(unplayed.score, round_)
        board, seat = self.seat_of(entrant, round_)
        if board.outcome is Outcome.UNFINISHED:
            return Fraction(0)
        if seat.state is SeatState.NO_SHOW:
            return self._least(round_)
        if board.outcome is Outcome.VOID and board.void_score is not None:
            return self._as_points(board.void_score, round_)
        if board.outcome is not Outcome.RESULT:
            return self._as_points(HALF, round_)
        if not self.is_played(entrant, round_):
            return self._as_points(Fraction(1), round_)
        return self._at_table(board, seat)

    def _at_table(self, board, seat):
        if self.terms.score_by is ScoreBy.POINTS:
            lowest = min(other.points for other in board.seats)
            return Fraction(seat.points if self.counts(seat) else lowest)
        there = [other for other in board.seats if other.state is not SeatState.NO_SHOW]
        better = sum(other.place < seat.place for other in there)
        equal = sum(other.place == seat.place for other in there)
        if self.terms.score_by is ScoreBy.WIN:
            return Fraction(0) if better else Fraction(1, equal)
        seats = len(board.seats)
        occupied = range(better + 1, better + equal + 1)
        return sum(Fraction(seats - place, seats - 1) for place in occupied) / equal

    def _points_of_finished(self, round_):
        finished = [board for board in round_.boards if board.outcome is Outcome.RESULT]
        return [seat.points for board in finished for seat in board.seats if seat.points is not None] or [0]

    def _as_points(self, share, round_):
        if self.terms.score_by is not ScoreBy.POINTS or share == 0:
            return share
        points = self._points_of_finished(round_)
        return Fraction(sum(points), len(points))

    def _least(self, round_):
        by_points = self.terms.score_by is ScoreBy.POINTS
        return Fraction(min(self._points_of_finished(round_))) if by_points else Fraction(0)

    def seat_of(self, entrant, round_):
        """Returns the board and the seat, or `None` twice."""
        for board in round_.boards:
            for seat in board.seats:
                if seat.entrant == entrant:
                    return board, seat
        return None, None

    def is_played(self, entrant, round_):
        """Returns whether the entrant played a table to its end at which others appeared, or which had no others."""
        board, seat = self.seat_of(entrant, round_)
        return self._was_played(board) and seat.state in CAME

    def _was_played(self, board):
        if board is None or board.outcome is not Outcome.RESULT:
            return False
        entrants = [other for other in board.seats if other.entrant is not None]
        return len(entrants) == 1 or sum(other.state in CAME for other in entrants) > 1

    def is_pending(self, entrant, round_):
        board, _ = self.seat_of(entrant, round_)
        return board is not None and board.outcome is Outcome.UNFINISHED

    def met(self, entrant, round_):
        """Returns the seats of the opponents."""
        if not self.is_played(entrant, round_):
            return []
        board, _ = self.seat_of(entrant, round_)
        return [seat for seat in board.seats if seat.state in CAME and seat.entrant != entrant]

    def beat(self, entrant, other, round_):
        """Returns 1 for a win, ½ for equal places, 0 for a loss."""
        own = self.seat_of(entrant, round_)[1].place
        return Fraction(1) if own < other.place else HALF if own == other.place else Fraction(0)

    def total(self, entrant):
        sittings: dict[int, Fraction] = {}
        for round_ in self.rounds:
            if self.is_pending(entrant, round_):
                continue
            sittings[round_.sitting] = sittings.get(round_.sitting, 0) + self.score_in(entrant, round_)
        return sum(sorted(sittings.values(), reverse=True)[: self.terms.best_of], Fraction(0))

    def buchholz_parts(self, entrant):
        parts = []
        for round_ in self.rounds:
            if self.is_pending(entrant, round_):
                continue
            theirs = [self.total(seat.entrant) for seat in self.met(entrant, round_)]
            virtual = min(self.total(entrant), Fraction(len(self.rounds), 2))
            parts.append(sum(theirs) / len(theirs) if theirs else virtual)
        return parts

    def buchholz(self, entrant):
        return sum(self.buchholz_parts(entrant))

    def buchholz_cut1(self, entrant):
        return sum(sorted(self.buchholz_parts(entrant))[1:])

    def buchholz_median(self, entrant):
        return sum(sorted(self.buchholz_parts(entrant))[1:-1])

    def sonneborn_berger(self, entrant):
        value = Fraction(0)
        for round_ in self.rounds:
            if self.is_pending(entrant, round_):
                continue
            met = self.met(entrant, round_)
            parts = [self.total(seat.entrant) * self.beat(entrant, seat, round_) for seat in met]
            virtual = min(self.total(entrant), Fraction(len(self.rounds), 2)) * HALF
            value += sum(parts) / len(parts) if parts else virtual
        return value

    def wins(self, entrant):
        return sum(
            self._is_sole_first(entrant, round_) for round_ in self.rounds if self.is_played(entrant, round_)
        )

    def _is_sole_first(self, entrant, round_):
        board, seat = self.seat_of(entrant, round_)
        others = [
            other for other in board.seats if other is not seat and other.state is not SeatState.NO_SHOW
        ]
        return all(seat.place < other.place for other in others)

    def progressive(self, entrant):
        scores = [self.score_in(entrant, round_) for round_ in self.rounds]
        return sum(sum(scores[:number]) for number in range(1, len(scores) + 1))

    def difference(self, entrant):
        value = Fraction(0)
        for round_ in self.rounds:
            board, seat = self.seat_of(entrant, round_)
            if not self._was_played(board):
                continue
            if points := [other.points for other in board.seats if self.counts(other)]:
                lowest = min(other.points for other in board.seats)
                own = seat.points if self.counts(seat) else lowest
                value += own - Fraction(sum(points), len(points))
        return value

    def counts(self, seat):
        """Returns whether the points of a seat count, which no stand-in may have won."""
        return seat.state in {SeatState.PLAYED, SeatState.BOT}

    def direct(self, tied):
        """Returns the place of each of the tied, or `None` for all."""
        pairs = {
            (entrant, other): self._between(entrant, other)
            for entrant in tied
            for other in tied
            if entrant != other
        }
        if len(tied) == 1 or not all(pairs.values()):
            return dict.fromkeys(tied)
        return self._direct_again(tied, pairs, 1)

    def _direct_again(self, tied, pairs, first):
        sums = {
            entrant: sum(
                sum(pairs[entrant, other]) / len(pairs[entrant, other]) for other in tied if other != entrant
            )
            for entrant in tied
        }
        places: dict[int, int] = {}
        for value in sorted(set(sums.values()), reverse=True):
            equal = [entrant for entrant in tied if sums[entrant] == value]
            if len(equal) == len(tied):
                return dict.fromkeys(tied, first)
            places |= self._direct_again(equal, pairs, first + len(places))
        return places

    def _between(self, one, other):
        return [
            self.beat(one, seat, round_)
            for round_ in self.rounds
            for seat in self.met(one, round_)
            if seat.entrant == other
        ]

    def rows(self):
        """Returns for each entrant the rank, the score and the tie-breaks."""
        values = {entrant: [self.total(entrant)] for entrant in self.everybody}
        ranks = self._ranks(values)
        for tiebreak in self.terms.tiebreaks:
            if tiebreak is Tiebreak.DIRECT:
                self._add_direct(values, ranks)
            else:
                for entrant in self.everybody:
                    values[entrant].append(Fraction(getattr(self, tiebreak.value)(entrant)))
            ranks = self._ranks(values)
        return {entrant: (ranks.get(entrant), *values[entrant]) for entrant in self.everybody}

    def _add_direct(self, values, ranks):
        for rank in set(ranks.values()):
            tied = [entrant for entrant, own in ranks.items() if own == rank]
            for entrant, place in self.direct(tied).items():
                values[entrant].append(place)
        for entrant in self.expelled:
            values[entrant].append(None)

    def _ranks(self, values):
        keys = {
            entrant: self._key(values[entrant]) for entrant in self.everybody if entrant not in self.expelled
        }
        return {entrant: 1 + sum(other > key for other in keys.values()) for entrant, key in keys.items()}

    def _key(self, values):
        """Returns the values of the tie-breaks; greater ones are better."""
        kinds = [None, *self.terms.tiebreaks]
        return [
            -(value or 0) if kind is Tiebreak.DIRECT else value
            for kind, value in zip(kinds, values, strict=False)
        ]
