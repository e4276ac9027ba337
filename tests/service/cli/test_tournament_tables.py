"""The cross-table fits into 80 columns, and a legend explains its marks and numbers."""

from fractions import Fraction
from io import StringIO
from random import Random

import pytest
from msgspec.structs import replace
from rich.console import Console

from hoodwink.domain.tournaments.crosstable import Outcome, Why
from hoodwink.domain.tournaments.life import Setup, Sitting
from hoodwink.domain.tournaments.standings import standings
from hoodwink.domain.tournaments.terms import Format, Tiebreak
from hoodwink.service.cli.tournaments.tables import crosstable_grid, quality_lines, standings_grids
from hoodwink.service.simulation.tournaments import TournamentSimulation, plan_entrants
from tests.domain.tournaments.tables import NO_SHOW, by_bot, crosstable, out, resigned, table

HALF = Fraction(1, 2)


def shown(case, **given):
    return drawn(crosstable_grid(case, standings(case).rows, **given))


def drawn(grid):
    out = StringIO()
    Console(file=out, width=80).print(grid)
    return out.getvalue()


def row_of(text, number):
    """Returns the cells of an entrant's rounds."""
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


def test_forfeits_name_opponents_and_other_unplayed_rounds_have_marks():
    text = shown(crosstable(FORFEIT, ABSENCES, REASONS, VOIDED, seats=2))

    assert row_of(text, 1) == ["+ 2", "1: 2", "asg 1", "void ½"]
    assert row_of(text, 2) == ["- 1", "2: 1", "out 0", "void ½"]
    assert row_of(text, 3) == ["- 4", "req 0", "late 0", "… 0"]
    assert row_of(text, 4) == ["- 3", "bye 1", "abs 0", "… 0"]


def test_a_legend_explains_the_marks_used():
    text = shown(crosstable(ABSENCES, seats=2))

    assert text.splitlines()[-1].strip() == "bye: pairing bye; req: requested bye"
    assert text.count(":") == 4


def test_a_draw_is_not_shown_as_a_win():
    text = shown(crosstable([table(1, (1, 1), (2, 1))], [table(1, (1, 1), (2, 2))], seats=2))

    assert row_of(text, 1) == ["=1: 2", "1: 2"]
    assert row_of(text, 2) == ["=1: 1", "2: 1"]
    assert text.splitlines()[-1].strip() == "=: shared place"


def test_t_20_a_place_won_by_a_bot_is_marked():
    text = shown(crosstable([table(1, (1, by_bot(1)), (2, 2))], seats=2))

    assert [row_of(text, number) for number in (1, 2)] == [["1*: 2"], ["2: 1"]]
    assert text.splitlines()[-1].strip() == "*: a bot took more than half of the turns"


def test_t_9_t_20_the_standings_mark_organisers_assigned_byes_and_bots():
    first = [table(1, (1, by_bot(1)), (2, 2)), out(3, Why.ASSIGNED_BYE, 1)]
    second = [table(1, (1, by_bot(1)), (3, resigned(2))), out(2, Why.REQUESTED_BYE, HALF)]
    case = crosstable(first, second, seats=2)
    organiser = replace(case.entrants[2], is_organiser=True)
    marked = replace(case, entrants=(*case.entrants[:2], organiser))

    text = drawn(standings_grids(marked, standings(marked).rows))

    assert "mostly a bot in rounds 1, 2" in text
    assert "organiser; assigned bye in round 1" in text
    assert text.count("round") == 2
    assert "marks" not in drawn(standings_grids(crosstable([out(1)]), standings(crosstable([out(1)])).rows))


def test_t_21_a_column_has_decimals_only_for_fractional_numbers():
    case = crosstable([table(1, (1, 1), (2, 1))], seats=2, tiebreaks=(Tiebreak.WINS, Tiebreak.DIRECT))
    text = drawn(standings_grids(case, standings(case).rows))

    assert row_of(text, 1) == ["0.500", "0"]
    assert text.count("0.500") == 2


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
