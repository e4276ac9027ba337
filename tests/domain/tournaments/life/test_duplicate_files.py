"""The files of a duplicate tournament: its JSON keeps the comparisons, and FIDE's report is refused."""

import pytest
from msgspec.structs import replace

from hoodwink.domain.kernel import without_name
from hoodwink.domain.tournaments.files.tournament_json import read_tournament
from hoodwink.domain.tournaments.files.trf import Unwritable
from hoodwink.domain.tournaments.life import standings_of
from hoodwink.domain.tournaments.life.scoring.exports import report_file, results_file
from hoodwink.domain.tournaments.standings import standings
from hoodwink.domain.tournaments.terms import Compare
from tests.domain.tournaments.life.test_duplicate import duplicate_setup
from tests.tournaments.world import World


def played(compare: Compare) -> World:
    """Returns a tournament after a round in which one table of four ended because its last opponent resigned."""
    world = World(duplicate_setup(), compare=compare)
    world.begin(*(f"p{number}" for number in range(8)))
    world.settle()
    first, *others = tuple(world.open)
    world.end(first, points=(8, 1), outcome="last_seat")
    for points, table in zip([(5, 2), (9, 0), (3, 3)], others, strict=True):
        world.end(table, points=points)
    world.settle()
    return world


@pytest.mark.parametrize("compare", Compare)
def test_d_3_d_6_the_standings_follow_from_the_file(compare):
    tournament = played(compare).tournament
    read = read_tournament(results_file(tournament, without_name))
    shown = [(row.entrant, row.score) for row in standings_of(tournament, after=1).rows]

    assert [(row.entrant, row.score) for row in read.standings[0]] == shown
    table = read.crosstable.until(1)
    assert [(row.entrant, row.score) for row in standings(table).rows] == shown
    first, *boards = table.rounds[0].boards
    longer = replace(table.rounds[0], boards=(replace(first, is_cut_short=False), *boards))
    for other in (
        replace(table, terms=replace(table.terms, compare=None)),
        replace(table, rounds=(longer,)),
    ):
        assert [(row.entrant, row.score) for row in standings(other).rows] != shown


def test_d_7_the_file_has_no_result_of_a_deal_that_others_still_play():
    world = World(duplicate_setup(), compare=Compare.MATCHPOINTS)
    world.begin("ada", "bo", "cy", "dee")
    world.settle()
    before = results_file(world.tournament, without_name)
    world.end(next(iter(world.open)), points=(9, 0))

    assert results_file(world.tournament, without_name) == before


def test_d_3_fides_report_has_no_place_for_comparisons():
    with pytest.raises(Unwritable, match="no place for the comparisons"):
        report_file(played(Compare.MATCHPOINTS).tournament, without_name, days=("2026/03/01",) * 2)
