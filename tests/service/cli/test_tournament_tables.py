"""The cross-table fits into 80 columns, and a legend explains its marks and numbers."""

from io import StringIO
from random import Random

import pytest
from rich.console import Console

from domain.tournaments.crosstable import Outcome, Why
from domain.tournaments.life import Setup, Sitting
from domain.tournaments.standings import standings
from domain.tournaments.terms import Format
from service.application.tournament_simulation import TournamentSimulation, plan_entrants
from service.cli.tournament_tables import crosstable_grid, quality_lines
from tests.domain.tournaments.tables import NO_SHOW, crosstable, out, table


def shown(case, **given):
    out = StringIO()
    Console(file=out, width=80).print(crosstable_grid(case, standings(case).rows, **given))
    return out.getvalue()


def row_of(text, number):
    """Returns the cells of the rounds of an entrant."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split("│")[1:-1]]
        if cells and cells[1:2] == [str(number)]:
            return cells[3:-1]
    raise AssertionError(number)


FORFEIT = [table(1, (1, 1), (2, NO_SHOW)), table(2, (3, NO_SHOW), (4, NO_SHOW))]
ABSENCES = [
    table(1, (1, 1), (2, 2)),
    out(3, Why.REQUESTED_BYE, 0),
    out(4, Why.PAIRING_BYE, 1),
]
REASONS = [
    out(1, Why.ASSIGNED_BYE, 1),
    out(2, Why.WITHDRAWN),
    out(3, Why.LATE),
    out(4, Why.ABSENT),
]
VOIDED = [
    table(1, (1, 1), (2, 2), outcome=Outcome.VOID),
    table(2, (3, None), (4, None), outcome=Outcome.UNFINISHED),
]


def test_forfeits_name_the_opponents_and_other_unplayed_rounds_have_short_marks():
    text = shown(crosstable(FORFEIT, ABSENCES, REASONS, VOIDED, seats=2))

    assert row_of(text, 1) == ["+ 2", "1: 2", "asg 1", "void ½"]
    assert row_of(text, 2) == ["- 1", "2: 1", "out 0", "void ½"]
    assert row_of(text, 3) == ["- 4", "req 0", "late 0", "… 0"]
    assert row_of(text, 4) == ["- 3", "bye 1", "abs 0", "… 0"]


def test_a_legend_names_the_marks_that_occur():
    text = shown(crosstable(ABSENCES, seats=2))

    assert text.splitlines()[-1].strip() == "bye: pairing bye; req: requested bye"
    assert text.count(":") == 4


def test_without_marks_there_is_no_legend():
    assert shown(crosstable([table(1, (1, 1), (2, 2))], seats=2)).rstrip().endswith("┘")


@pytest.mark.parametrize("rounds", [5, 9])
def test_no_cell_is_cut_at_80_columns(rounds):
    text = shown(crosstable(*[ABSENCES] * rounds, seats=2))

    assert "…" not in text
    assert row_of(text, 4) == ["bye 1"] * rounds


@pytest.mark.parametrize(
    ("form", "names"),
    [
        (Format.SWISS, 7),
        (Format.LEAGUE, 4),
        (Format.ROUND_ROBIN, 5),
    ],
)
def test_p_4_the_minimised_criteria_are_named_in_their_order(form, names, played_by):
    *_, legend, first = quality_lines(played_by(form))

    head, _, named = legend.partition(": ")
    assert head == "The pairings minimised, in this order of priority"
    assert len(named.split("; ")) == len(first.split(", ")) == names


@pytest.fixture
def played_by():
    """Returns a function that plays a round at tables of three."""

    def play(form):
        setup = Setup(
            name="Cup",
            format=form,
            game="blindside",
            seats=3,
            sittings=(Sitting(rounds=1),),
            options={"rounds": 1},
        )
        plans = plan_entrants(["steady"], 6, latest=1, chance=Random("a"))
        simulation = TournamentSimulation(setup=setup, entrants=plans, seed="1")
        simulation.play()
        return simulation.crosstable

    return play


def test_only_entrants_who_sat_at_a_table_count_for_the_seats():
    lines = list(quality_lines(crosstable([table(1, (1, 1), (2, 2)), out(3)], seats=2)))

    assert (
        lines[1]
        == "Seats: the counts of 2 of the 2 entrants who sat at a table differ by at most 1, the greatest difference is 1."
    )
