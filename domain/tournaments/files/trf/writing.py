"""Writes a tournament report file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from hoodwink.domain.tournaments.crosstable import Crosstable, Outcome, Round, Why
from hoodwink.domain.tournaments.files.trf.sheet import (
    FIRST_DAY,
    NAME_LENGTH,
    SYSTEMS,
    TIEBREAK_CODES,
    TYPES,
    UNPLAYED_CODES,
    TrfSheet,
    Unwritable,
)
from hoodwink.domain.tournaments.scoring import HALF, RoundScore, Status, round_scores
from hoodwink.domain.tournaments.terms import Format, ScoreBy, Terms

RoundScores: TypeAlias = Mapping[int, RoundScore]


def write_trf(sheet: TrfSheet) -> str:
    """Returns the text of the file.

    Raises:
        Unwritable: see `check_writable`; or there is a table in play or a score that is not a multiple of a half.
    """
    table = sheet.crosstable
    check_writable(table.terms)
    scores = round_scores(table)
    blocks = [
        _round_blocks(table, round_, round_score)
        for round_, round_score in zip(table.rounds, scores, strict=True)
    ]
    return "".join(f"{line}\n" for line in (*_head(sheet), *_players(sheet, blocks, _points(table, scores))))


def check_writable(terms: Terms) -> None:
    """Raises `Unwritable` if the file format does not support such a tournament."""
    if terms.format not in SYSTEMS or terms.seats != 2:
        raise Unwritable(
            "Only a Swiss tournament or league with two seats per table can be written as a tournament report file."
        )
    if terms.best_of is not None:
        raise Unwritable(
            "A tournament report file adds up the results of all rounds, and here only the best sittings count."
        )
    if terms.score_by is ScoreBy.POINTS:
        raise Unwritable("A tournament report file has wins, draws and losses, but no points of a game.")
    if terms.compare is not None:
        raise Unwritable(
            "A tournament report file has no place for the comparisons of a duplicate tournament. Its JSON has the standings."
        )


def _head(sheet: TrfSheet) -> Iterator[str]:
    terms = sheet.crosstable.terms
    codes = [TIEBREAK_CODES[tiebreak] for tiebreak in terms.tiebreaks if tiebreak in TIEBREAK_CODES]
    yield f"012 {_one_line(sheet.name)}"
    yield f"022 {_one_line(sheet.site)}"
    yield f"032 {sheet.federation}"
    yield f"042 {max(sheet.start, FIRST_DAY)}"
    yield f"052 {max(sheet.end, FIRST_DAY)}"
    yield f"062 {len(sheet.crosstable.entrants)}"
    yield "072 0"
    yield f"092 {TYPES[terms.format]}"
    yield f"142 {terms.rounds}"
    if terms.format is Format.SWISS:
        yield f"152 {sheet.initial.upper()}"
    yield f"162  W 1.0    D 0.5    L 0.0    P{_decimal(terms.bye_score)}"
    yield f"192 {SYSTEMS[terms.format]}"
    yield f"212 {','.join(['PTS', *codes])}"
    yield from _forbidden(terms)


def _forbidden(terms: Terms) -> Iterator[str]:
    for lower, higher in terms.forbidden:
        yield f"260 {1:3} {terms.rounds:3} {lower:4} {higher:4}"


def _players(
    sheet: TrfSheet, rounds: Sequence[Mapping[int, str]], points: Mapping[int, Fraction]
) -> Iterator[str]:
    for entrant in sheet.crosstable.entrants:
        number = entrant.number
        name = _one_line(entrant.name)[:NAME_LENGTH]
        blocks = "".join(f"  {blocks[number]}" for blocks in rounds)
        yield f"001 {number:4}      {name:<66}{_decimal(points[number])} {sheet.ranks.get(number, ''):>4}{blocks}"


def _points(table: Crosstable, scores: Iterable[RoundScores]) -> Mapping[int, Fraction]:
    points = dict.fromkeys(table.numbers(), Fraction(0))
    for round_ in scores:
        for number, round_score in round_.items():
            points[number] += round_score.score
    return points


def _round_blocks(table: Crosstable, round_: Round, scores: RoundScores) -> Mapping[int, str]:
    """Returns the opponent, colour and result of each entrant in a round; those who had not entered yet are absent."""
    if any(board.outcome is Outcome.UNFINISHED for board in round_.boards):
        raise Unwritable(
            f"Round {round_.number} has a table in play. Write the rounds before it, or wait for it."
        )
    blocks = dict.fromkeys(table.numbers(), "0000 - Z")
    return blocks | {entrant: _block(round_score, round_.number) for entrant, round_score in scores.items()}


def _block(round_score: RoundScore, number: int) -> str:
    if round_score.is_played:
        return _against(round_score.opponents[0], round_score.seat, _RESULTS[round_score.score])
    if round_score.missed:
        return _against(
            round_score.missed[0], round_score.seat, "+" if round_score.status is Status.FORFEIT_WIN else "-"
        )
    if round_score.why is Why.PAIRING_BYE:
        return "0000 - U"
    if round_score.score not in UNPLAYED_CODES:
        raise Unwritable(
            f"Entrant {round_score.entrant} has {round_score.score} for unplayed round {number}; a file has 0, ½ or 1."
        )
    return f"0000 - {UNPLAYED_CODES[round_score.score]}"


def _against(opponent: int, seat: int | None, result: str) -> str:
    return f"{opponent:4} {'b' if seat else 'w'} {result}"


_RESULTS: Mapping[Fraction, str] = {Fraction(1): "1", HALF: "=", Fraction(0): "0"}


def _decimal(score: Fraction) -> str:
    """Returns a multiple of a half with one decimal place, in four columns."""
    whole, rest = divmod(score, 1)
    if rest not in {0, HALF}:
        raise Unwritable(f"The score {score} is not a multiple of a half.")
    return f"{whole:2}.{5 if rest else 0}"


def _one_line(text: str) -> str:
    return " ".join(text.splitlines()).strip()
