"""Every format is paired by its own rules (T-1)."""

import pytest

from hoodwink.domain.tournaments.chance import Lots
from hoodwink.domain.tournaments.crosstable import Outcome
from hoodwink.domain.tournaments.pairing import (
    dutch,
    knockout,
    pair_round,
    round_robin,
    rounds_planned,
    seating,
)
from hoodwink.domain.tournaments.pairing.case import Case
from hoodwink.domain.tournaments.terms import Format, ScoreBy
from tests.domain.tournaments.tables import crosstable, table


def draw(purpose):
    return Lots("ab", (), purpose=purpose, round_=1)


def case_of(entrants, seats, format_):
    made = crosstable(entrants=entrants, seats=seats, format=format_)
    is_scheduled = format_ is Format.ROUND_ROBIN
    terms = terms_of(seats, format_, rounds=1)
    schedule = round_robin.schedule_of(terms, entrants, draw) if is_scheduled else ()
    return Case(crosstable=made, round=1, present=tuple(range(1, entrants + 1)), draw=draw, schedule=schedule)


def terms_of(seats, format_, rounds):
    return crosstable(entrants=2, seats=seats, format=format_, rounds=rounds).terms


@pytest.mark.parametrize(
    ("format_", "seats", "pair"),
    [
        (Format.ROUND_ROBIN, 2, round_robin.pair),
        (Format.ROUND_ROBIN, 3, round_robin.pair),
        (Format.KNOCKOUT, 2, knockout.pair),
        (Format.KNOCKOUT, 3, knockout.pair),
        (Format.SWISS, 2, dutch.pair),
        (Format.SWISS, 3, seating.pair),
        (Format.LEAGUE, 2, seating.pair),
        (Format.LEAGUE, 3, seating.pair),
    ],
)
def test_t_1_each_format_is_paired_by_its_own_rules(format_, seats, pair):
    case = case_of(6, seats, format_)
    assert pair_round(case) == pair(case)


@pytest.mark.parametrize("format_", [format_ for format_ in Format if format_ is not Format.ARENA])
@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("entrants", [1, 2, 3, 5, 9])
def test_t_1_every_entrant_sits_or_has_a_bye_with_an_explanation(format_, seats, entrants):
    case = case_of(entrants, seats, format_)
    pairing = pair_round(case)
    seated = [entrant for table in pairing.tables for entrant in table if entrant is not None]
    assert sorted((*seated, *pairing.byes)) == [*case.present]
    assert tuple(explanation.entrant for explanation in pairing.explanations) == case.present


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        ({"seats": 2}, "half of a first place."),
        ({"seats": 4}, "half of a first place."),
        ({"format": Format.LEAGUE}, "half of a first place."),
        ({"score_by": ScoreBy.POINTS}, "the mean points of their round."),
    ],
)
def test_t_11_explanations_name_the_score_of_unfinished_tables(terms, said):
    open_table = table(2, (3, None), (4, None), outcome=Outcome.UNFINISHED)
    boards = [table(1, (1, 1), (2, 2), points=[3, 1]), open_table]
    made = crosstable(boards, **terms)

    texts = [
        explanation.text
        for explanation in pair_round(
            Case(crosstable=made, round=2, present=(1, 2, 3, 4), draw=draw)
        ).explanations
    ]

    assert len(texts) == 4
    assert all(text.endswith(f" Scores here count unfinished tables as {said}") for text in texts)


@pytest.mark.parametrize(
    ("format_", "seats", "rounds"),
    [
        (Format.ROUND_ROBIN, 2, 9),
        (Format.ROUND_ROBIN, 4, 5),
        (Format.KNOCKOUT, 2, 4),
        (Format.KNOCKOUT, 4, 3),
        (Format.SWISS, 2, 5),
        (Format.LEAGUE, 4, 5),
    ],
)
def test_t_1_the_rounds_are_stated_or_follow_from_the_entrants(format_, seats, rounds):
    assert rounds_planned(terms_of(seats, format_, rounds=5), 9) == rounds
