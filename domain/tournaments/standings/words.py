"""Explains standings in plain words: a few sentences for each number in a row, from its explanation alone."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final, TypeAlias

from hoodwink.domain.tournaments.bracket import Reached, as_played, contest
from hoodwink.domain.tournaments.crosstable import Board, Crosstable, SeatState, Why
from hoodwink.domain.tournaments.scoring import HALF, ONE, ZERO, Comparison, Exclusion, Status
from hoodwink.domain.tournaments.scoring.comparisons import MARGIN_TABLES
from hoodwink.domain.tournaments.scoring.places import effective_places
from hoodwink.domain.tournaments.standings.explanation import Against, Departure, Explanation, Part
from hoodwink.domain.tournaments.standings.opponents import Basis
from hoodwink.domain.tournaments.terms import Compare, Tiebreak

Names: TypeAlias = Mapping[int, str]
"""The entrants' names by starting rank."""

TITLES: Final[Mapping[Tiebreak, str]] = {
    Tiebreak.DIRECT: "Direct encounter",
    Tiebreak.BUCHHOLZ: "Buchholz",
    Tiebreak.BUCHHOLZ_CUT1: "Buchholz cut 1",
    Tiebreak.BUCHHOLZ_MEDIAN: "Median Buchholz",
    Tiebreak.SONNEBORN_BERGER: "Sonneborn-Berger",
    Tiebreak.WINS: "Wins",
    Tiebreak.PROGRESSIVE: "Progressive score",
    Tiebreak.DIFFERENCE: "Difference",
    Tiebreak.LOT: "Lot",
}

_WHY: Final[Mapping[Why, str]] = {
    Why.PAIRING_BYE: "a pairing bye",
    Why.REQUESTED_BYE: "a requested bye",
    Why.ASSIGNED_BYE: "an assigned bye",
    Why.ABSENT: "absent",
    Why.LATE: "not yet entered",
}

_DEPARTURES: Final[Mapping[Departure, str]] = {
    Departure.WITHDRAWN: "withdrawn",
    Departure.EXPELLED: "expelled",
    Departure.KNOCKED_OUT: "knocked out",
}


_STAND_INS: Final[Mapping[SeatState | None, str]] = {
    SeatState.RESIGNED: "resigned",
    SeatState.STAND_IN: "a bot took most of the turns",
    SeatState.NO_SHOW: "did not appear",
}


def three_decimals(value: Fraction) -> str:
    """Returns a number for a column in which not all numbers are integers (T-21).

    >>> three_decimals(Fraction(17, 3)), three_decimals(Fraction(-1, 2)), three_decimals(Fraction(2))
    ('5.667', '-0.500', '2.000')
    """
    thousandths = int(abs(value) * 1000 + HALF)
    sign = "-" if value < 0 < thousandths else ""
    return f"{sign}{thousandths // 1000}.{thousandths % 1000:03}"


def in_figures(value: Fraction) -> str:
    """Returns a number for a sentence: an integer without decimals, any other number with three (T-21).

    >>> in_figures(Fraction(17, 3)), in_figures(Fraction(-1, 2)), in_figures(Fraction(2))
    ('5.667', '-0.500', '2')
    """
    return str(value) if value.denominator == 1 else three_decimals(value)


def in_words(explanation: Explanation, names: Names) -> str:
    match explanation.tiebreak:
        case Tiebreak.DIRECT:
            return _direct(explanation, names)
        case Tiebreak.LOT:
            return f"Lot: number {explanation.value}."
        case None:
            title = "Score"
        case tiebreak:
            title = TITLES[tiebreak]
    total = f"{title} {in_figures(explanation.value or Fraction(0))}."
    return " ".join((total, *(_sentence(explanation.tiebreak, part, names) for part in explanation.parts)))


def _sentence(tiebreak: Tiebreak | None, part: Part, names: Names) -> str:
    value = in_figures(part.value)
    if tiebreak is Tiebreak.PROGRESSIVE:
        return f"After round {part.round}: {value}."
    left_out = ", left out" if part.is_left_out else ""
    return f"Round {part.round}: {value}, {_origin(tiebreak, part, names)}{left_out}."


def _origin(tiebreak: Tiebreak | None, part: Part, names: Names) -> str:
    match tiebreak:
        case None | Tiebreak.WINS:
            doubled = ", doubled in a streak" if part.is_doubled and tiebreak is None else ""
            return _result(part, names) + (", by a ruling" if part.is_ruled else "") + doubled
        case Tiebreak.DIFFERENCE:
            return _difference(part)
        case _:
            return _whose(part, names, is_weighed=tiebreak is Tiebreak.SONNEBORN_BERGER)


def _result(part: Part, names: Names) -> str:
    if part.departure is not None:
        return _DEPARTURES[part.departure]
    if part.why is not None:
        return _WHY[part.why]
    others = _listed([_name(other, names) for other in part.against])
    match part.status:
        case Status.PLAYED:
            shared = "shared " if part.is_shared else ""
            against = f" against {others}" if others else ""
            place = f"{shared}place {part.place} of {part.size}{against}"
            return (
                f"{_compared(part.comparison)}; {place}" if part.comparison else f"{place}{_stand_in(part)}"
            )
        case Status.FORFEIT_WIN:
            return f"a forfeit win, as {others} did not appear"
        case Status.NO_SHOW:
            return f"did not appear{f' against {others}' if others else ''}"
        case _:
            return _annulled(part)


def _difference(part: Part) -> str:
    points = "1 point" if part.points == 1 else f"{part.points} points"
    mean = in_figures(part.mean or Fraction(0))
    if part.is_least:
        return f"{points}, the lowest at a table with a mean of {mean}; {_STAND_INS[part.state]}"
    return f"{points} at a table with a mean of {mean}"


def _compared(found: Comparison) -> str:
    """Returns a comparison with the same seat at the other tables of the deal (D-3, D-5)."""
    points = "1 point" if found.points == 1 else f"{found.points} points"
    if found.is_average:
        return f"{points}, with fewer than two others in that seat to compare"
    if found.compare is Compare.DIFFERENCE:
        return f"{points}, where the mean of {found.others} others in that seat was {in_figures(found.mean or ZERO)}"
    if found.lead is not None:
        lead, mean = in_figures(found.lead), in_figures(found.mean or ZERO)
        return (
            f"{points}, a lead of {lead} over the mean of the table; {found.others} others in that seat led by {mean}, "
            f"which counts {found.others}/{found.others + MARGIN_TABLES}"
        )
    equal = f" and equal to {found.equal}" if found.equal else ""
    scaled = f", scaled from {found.others + 1} to {found.tables} tables" if found.is_scaled else ""
    return f"{points}, better than {found.beaten}{equal} of {found.others} others in that seat{scaled}"


def _stand_in(part: Part) -> str:
    """Returns the remark that a bot played for the entrant, and its effect on points (T-20, D-6)."""
    if part.exclusion is Exclusion.LAST_LEFT:
        return "; not compared, because everybody else at the table resigned"
    if part.exclusion is not None:
        return f"; not compared: {_STAND_INS[part.state]}"
    if part.state not in _STAND_INS:
        return ""
    least = ", so it scores the lowest of the table" if part.is_least else ""
    return f"; {_STAND_INS[part.state]}{least}"


def _annulled(part: Part) -> str:
    if part.is_ruled:
        return "the result does not count"
    if part.void_score is not None:
        return f"the table was voided; the organiser gave {in_figures(part.void_score)}"
    voided = "was voided and " if part.is_void else ""
    return f"the table {voided}counts as one without a result"


def _whose(part: Part, names: Names, *, is_weighed: bool) -> str:
    """Returns the opponents whose scores a round contributes; for Sonneborn-Berger, also the share of each."""
    numbers = [
        f"{_share(other) if is_weighed else ''}{_counted(other, part, names)}" for other in part.against
    ]
    return f"the mean of {_listed(numbers)}" if len(numbers) > 1 else numbers[0]


def _share(other: Against) -> str:
    scored = other.scored or Fraction(0)
    return {ONE: "all of ", HALF: "half of ", ZERO: "none of "}.get(scored, f"{in_figures(scored)} of ")


def _counted(other: Against, part: Part, names: Names) -> str:
    score, name = in_figures(other.score), _name(other, names)
    match part.basis:
        case Basis.VIRTUAL:
            return f"{name}'s {score} (the lesser of their own score and half the rounds)"
        case Basis.FORFEIT:
            return f"the lesser of their own score and {score}, that of {name}, whom they did not meet"
        case _ if other.score != other.total:
            total = in_figures(other.total)
            return f"{name}'s {total}, which counts as {score} because of rounds not played"
        case _:
            return f"{name}'s {score}"


def _direct(explanation: Explanation, names: Names) -> str:
    if not explanation.tied:
        return f"Direct encounter: nobody was tied with {names[explanation.entrant]}."
    tied = _listed([names[entrant] for entrant in explanation.tied])
    if explanation.value is None:
        found = f"Direct encounter cannot tell {tied} apart."
    else:
        found = f"Direct encounter: place {explanation.value} among {tied}, who were tied."
    return " ".join((found, *(_encounter(part, names) for part in explanation.parts)))


def _encounter(part: Part, names: Names) -> str:
    return f"Round {part.round}: {in_figures(part.value)} against {_name(part.against[0], names)}."


def stage_in_words(stage: Reached, crosstable: Crosstable, entrant: int) -> str:
    """Returns how far an entrant got in a knockout, and the further deals and lots that decided it (P-6)."""
    if stage.round == 0:
        return "The first round has not started."
    place = "" if stage.place is None else f" and took place {stage.place}"
    return " ".join((f"Reached round {stage.round}{place}.", *_decided(crosstable, entrant)))


def _decided(crosstable: Crosstable, entrant: int) -> Iterator[str]:
    """Yields a sentence for each of an entrant's tables that was decided by further deals or by lot."""
    for round_ in crosstable.rounds:
        for board in round_.boards:
            deals = [deal for index in range(len(board.replays)) for deal in _deal(board, index, entrant)]
            is_lot = _is_lot(crosstable, round_.number, board, entrant)
            if deals:
                count = "a further deal" if len(deals) == 1 else "further deals"
                lot = "; then the lot decided" if is_lot else ""
                yield f"Round {round_.number} took {count}: {', '.join(deals)}{lot}."
            elif is_lot:
                yield f"Round {round_.number} was decided by lot."


def _deal(board: Board, index: int, entrant: int) -> Iterator[str]:
    """Yields the result of an entrant in a further deal, if they took part in it."""
    seats = board.replays[index]
    places = effective_places(seats)
    for seat, place in zip(seats, places, strict=True):
        if seat.entrant != entrant:
            continue
        if index in board.void_replays:
            yield "voided"
        elif place is None:
            yield "did not appear"
        elif seat.place is None:
            yield "no result"
        else:
            yield f"{'shared ' if places.count(place) > 1 else ''}place {place} of {len(seats)}"


def _is_lot(crosstable: Crosstable, number: int, board: Board, entrant: int) -> bool:
    """Returns whether a lot was drawn for an entrant: their table was still undecided when the next round was paired."""
    is_over = number < len(crosstable.rounds)
    return is_over and entrant in contest(crosstable.until(number), as_played(board)).tied


def _name(other: Against, names: Names) -> str:
    return "a virtual opponent" if other.entrant is None else names[other.entrant]


def _listed(words: Sequence[str]) -> str:
    """Returns words as a list in a sentence: "one", "one and two", "one, two and three"."""
    return " and ".join([", ".join(words[:-1]), *words[-1:]] if len(words) > 1 else words)
