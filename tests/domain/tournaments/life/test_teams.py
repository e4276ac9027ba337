"""Teams: who plays for which (T-30, T-31), whom they meet (T-32), and how teams are ranked (T-33)."""

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from msgspec.structs import replace

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.proving.proof import replayed
from hoodwink.domain.tournaments.files.tournament_json import read_tournament
from hoodwink.domain.tournaments.life import (
    TOURNAMENT,
    AcceptEntry,
    Admission,
    Advance,
    ChooseTeam,
    Enter,
    Expel,
    NameCoOrganiser,
    OfferPlace,
    OpenRegistration,
    OpenTournament,
    ReplaceTeamCode,
    Sitting,
    TakePlace,
    Withdraw,
    allowed_actors,
    full_setup_from,
    results_file,
    standings_of,
    verify_log,
    view_tournament,
)
from hoodwink.domain.tournaments.life.commands import StartTournament
from hoodwink.domain.tournaments.life.commands import allowed_actors as allowed_actors_module
from hoodwink.domain.tournaments.life.deciding import teams
from hoodwink.domain.tournaments.life.deciding.teams import MAX_FOUNDINGS, MAX_TEAM_CHANGES, MAX_TEAM_CODES
from hoodwink.domain.tournaments.life.facts import next_round, rosters_of, terms_of
from hoodwink.domain.tournaments.life.setup import ArenaTimes, TeamTerms
from hoodwink.domain.tournaments.pairing.arena import PATIENCE_MS
from hoodwink.domain.tournaments.standings import standings, team_rows
from hoodwink.domain.tournaments.terms import Compare, Format, ScoreBy
from hoodwink.service.simulation.tournaments import TournamentSimulation, plan_entrants
from tests.domain.tournaments.life.test_duplicate import duplicate_setup
from tests.domain.tournaments.life.test_verify import HASH, forged
from tests.domain.tournaments.tables import crosstable as crosstable_of
from tests.domain.tournaments.tables import table
from tests.tournaments.arenas import arena_setup
from tests.tournaments.world import World, setup

PLAYERS = ("ada", "bob", "cy", "dee", "eve", "flo")
GIVEN = {"name": "Cup", "game": "blindside", "seats": 2, "format": "swiss", "sittings": [{"rounds": 3}]}


def world_of(size: int = 2, **settings) -> World:
    world = World(setup(**({"seats": 2} | settings)), teams=TeamTerms(size, size))
    world.register(*PLAYERS)
    return world


def found(world: World, *teams: tuple[str, ...]) -> None:
    """Founds teams of these entrants."""
    for members in teams:
        team = len(world.tournament.teams) + 1
        world.do(ChooseTeam(members[0], team, HASH), by=f"entrant:{members[0]}")
        for member in members[1:]:
            world.do(ChooseTeam(member, team), by=f"entrant:{member}")


def start(world: World) -> None:
    world.do(StartTournament({player: -rank for rank, player in enumerate(PLAYERS)}))
    world.settle()


def teams_of(world: World) -> dict[str, int | None]:
    return {entrant.id: entrant.team for entrant in view_tournament(world.tournament).entrants}


def test_t_30_teams_have_two_to_ten_entrants_of_whom_all_or_some_count():
    assert full_setup_from(GIVEN).teams is None
    assert full_setup_from(GIVEN | {"team_size": 4}).teams == TeamTerms(4, 4)
    assert full_setup_from(GIVEN | {"team_size": 4, "team_counting": 3}).teams == TeamTerms(4, 3)
    for wrong in ({"team_size": 1}, {"team_size": 11}, {"team_counting": 2}):
        with pytest.raises(RuleViolation):
            assert full_setup_from(GIVEN | wrong).teams

    def opening(format_: Format, teams: TeamTerms) -> OpenTournament:
        settings = setup(seats=2, format=format_, sittings=(Sitting(),))
        return OpenTournament(tournament="t", organiser="olga", setup=settings, server_seed="5e", teams=teams)

    fresh = World(setup())
    fresh.tournament = replace(fresh.tournament, version=0)
    for size, counting in ((3, 4), (3, 0), (1, 1), (11, 11)):
        assert fresh.refusal(opening(Format.ROUND_ROBIN, TeamTerms(size, counting))) == "invalid_setup"
    assert fresh.refusal(opening(Format.ROUND_ROBIN, TeamTerms(3, 3))) == ""
    assert fresh.refusal(opening(Format.KNOCKOUT, TeamTerms(3, 3))) == "invalid_setup"
    assert view_tournament(world_of(3).tournament).setup.team_size == 3


def test_t_31_entrants_found_teams_join_them_and_leave_them_until_they_are_paired():
    world = world_of()
    found(world, ("ada", "bob"), ("cy",))
    assert world.refusal(ChooseTeam("dee", 1)) == "team_full"
    assert world.refusal(ChooseTeam("cy", 2)) == "team_unchanged"
    assert world.refusal(ChooseTeam("dee", None)) == "team_unchanged"
    assert world.refusal(ChooseTeam("zoe", 2)) == "no_such_entrant"
    for wrong in (
        ChooseTeam("dee", 3),
        ChooseTeam("dee", 0),
        ChooseTeam("dee", 4, HASH),
        ChooseTeam("dee", 1, HASH),
    ):
        assert world.refusal(wrong) == "no_such_team"
    world.do(ChooseTeam("bob", None), by="entrant:bob")
    world.do(ChooseTeam("dee", 1), by="organiser")
    world.do(NameCoOrganiser("cora"))
    world.do(ChooseTeam("eve", 2), by="co_organiser:cora")
    assert teams_of(world) == {"ada": 1, "bob": None, "cy": 2, "dee": 1, "eve": 2, "flo": None}
    assert view_tournament(world.tournament).teams == (HASH, HASH)

    start(world)

    assert world.refusal(ChooseTeam("bob", None)) == "team_fixed"
    assert replayed(TOURNAMENT, world.log) == world.tournament
    plain = World(setup())
    plain.register("ada")
    assert plain.refusal(ChooseTeam("ada", 1, HASH)) == "no_teams"


def test_t_34_an_entrant_changes_teams_twenty_times_and_founds_three():
    world = world_of()
    found(world, ("bob",), ("cy",))
    for team in range(3, 3 + MAX_FOUNDINGS):
        world.do(ChooseTeam("ada", team, HASH))
    assert world.refusal(ChooseTeam("ada", 6, HASH)) == "too_many_team_changes"
    world.do(Withdraw("ada"))
    assert teams_of(world).get("ada") is None
    world.do(Enter(player="ada"))
    assert world.refusal(ChooseTeam("ada", 6, HASH)) == "too_many_team_changes"
    for change in range(MAX_TEAM_CHANGES - MAX_FOUNDINGS):
        world.do(ChooseTeam("ada", 1 + change % 2))
    assert world.refusal(ChooseTeam("ada", None)) == "too_many_team_changes"
    assert replayed(TOURNAMENT, world.log) == world.tournament


def test_t_34_empty_teams_take_no_place_among_five_hundred(monkeypatch):
    monkeypatch.setattr(teams, "MAX_TEAMS", 3)
    monkeypatch.setattr(teams, "MAX_TEAMS_FOUNDED", 5)
    world = world_of()
    found(world, ("ada",), ("ada",), ("ada",), ("bob",))
    assert sorted(rosters_of(world.tournament)) == [3, 4]
    world.do(ChooseTeam("cy", 5, HASH))
    assert world.refusal(ChooseTeam("dee", 6, HASH)) == "too_many_team_changes"
    world.do(ChooseTeam("bob", 5))
    # Two teams have entrants, but five were founded.
    assert world.refusal(ChooseTeam("dee", 6, HASH)) == "too_many_team_changes"
    assert world.refusal(ChooseTeam("dee", 3)) == ""


def test_t_34_organisers_found_teams_when_entrants_no_longer_may(monkeypatch):
    monkeypatch.setattr(allowed_actors_module, "MAX_FOUNDED_BY_ENTRANTS", 2)
    world = world_of()
    found(world, ("ada",), ("ada",))

    assert allowed_actors(world.tournament, ChooseTeam("bob", 3, HASH)) == ("organiser",)
    assert allowed_actors(world.tournament, ChooseTeam("bob", 1)) == ("organiser", "entrant:bob")
    world.do(ChooseTeam("bob", 3, HASH), by="organiser")
    world.do(ChooseTeam("cy", 3), by="entrant:cy")


def test_t_34_the_entrants_of_a_team_and_organisers_replace_its_code():
    world = world_of()
    found(world, ("ada", "bob"), ("cy",))
    world.do(NameCoOrganiser("cora"))
    assert set(allowed_actors(world.tournament, ReplaceTeamCode(1))) == {
        "organiser",
        "co_organiser:cora",
        "entrant:ada",
        "entrant:bob",
    }
    for actor in ("entrant:bob", "organiser", "co_organiser:cora"):
        world.do(ReplaceTeamCode(1), by=actor)
    assert view_tournament(world.tournament).team_codes == (3, 0)
    assert world.refusal(ReplaceTeamCode(3)) == world.refusal(ReplaceTeamCode(0)) == "no_such_team"
    for _ in range(MAX_TEAM_CODES - 3):
        world.do(ReplaceTeamCode(1))
    assert world.refusal(ReplaceTeamCode(1)) == "too_many_team_changes"
    assert world.refusal(ReplaceTeamCode(2)) == ""
    start(world)
    world.do(Expel("bob", "shares codes"))
    world.do(Withdraw("ada"))
    assert set(allowed_actors(world.tournament, ReplaceTeamCode(1))) == {"organiser", "co_organiser:cora"}
    assert replayed(TOURNAMENT, world.log) == world.tournament


def test_t_31_asking_again_allows_no_more_changes():
    world = World(setup(seats=2), admission=Admission(approval=True), teams=TeamTerms(2, 2))
    world.do(OpenRegistration())
    for team in (1, 2):
        world.do(Enter(player="ada"))
        world.do(Withdraw("ada"))
        world.do(Enter(player="ada"))
        world.do(AcceptEntry("ada"))
        world.do(ChooseTeam("ada", team, HASH))
        assert world.tournament.entrants[0].counts.team_changes == team
        world.do(Withdraw("ada"))


def test_t_31_late_entrants_join_and_substitutes_play_for_the_team_of_the_place():
    world = world_of(late_until=3)
    found(world, ("ada", "bob"), ("cy",))
    start(world)
    world.do(Enter(player="late"))
    assert world.refusal(ChooseTeam("late", 1)) == "team_full"
    world.do(ChooseTeam("late", 2), by="entrant:late")
    assert (3, 7) in terms_of(world.tournament).forbidden
    world.do(OfferPlace("ada", "sue", "olga", HASH))
    world.do(TakePlace("sue"))
    assert [each.id for each in rosters_of(world.tournament)[1]] == ["sue", "bob"]
    world.do(Expel("cy", "reads along"))
    assert [each.id for each in rosters_of(world.tournament)[2]] == ["late"]
    assert replayed(TOURNAMENT, world.log) == world.tournament


@pytest.mark.parametrize(("seats", "format_"), [(2, Format.SWISS), (3, Format.SWISS), (3, Format.LEAGUE)])
def test_t_32_team_mates_are_kept_apart(seats, format_):
    world = world_of(3, seats=seats, format=format_)
    found(world, ("ada", "bob"), ("cy", "dee"), ("eve", "flo"))
    start(world)
    assert terms_of(world.tournament).forbidden == ((1, 2), (3, 4), (5, 6))
    chance = Random(1)
    while world.open:
        tables = [{who.player for who in order.seats} for order in world.open.values()]
        mates = [
            pair
            for players in tables
            for pair in (("ada", "bob"), ("cy", "dee"), ("eve", "flo"))
            if {*pair} <= players
        ]
        assert not mates
        world.end_all(chance)
        world.settle()
    assert next_round(world.tournament) == 4


def test_t_32_team_mates_meet_in_a_round_robin():
    world = world_of(6, format=Format.ROUND_ROBIN, sittings=(Sitting(),))
    found(world, PLAYERS)
    start(world)
    assert terms_of(world.tournament).forbidden == ()
    world.play()
    met = {
        frozenset(who for who in match.deals[0].seats)
        for round_ in world.tournament.rounds
        for match in round_.matches
    }
    assert len(met) == len(list(combinations(PLAYERS, 2)))


def test_t_32_team_mates_in_an_arena_count_as_just_met():
    world = World(arena_setup(), arena=ArenaTimes(30, 10), teams=TeamTerms(2, 2))
    world.register(*PLAYERS[:4])
    found(world, ("ada", "bob"), ("cy", "dee"))
    world.do(StartTournament({player: -rank for rank, player in enumerate(PLAYERS[:4])}))
    world.settle()
    assert [{who.player for who in order.seats} for order in world.open.values()] == [
        {"ada", "cy"},
        {"bob", "dee"},
    ]

    world.end_all()
    world.now += PATIENCE_MS[1] - 1
    world.settle()

    # Bob could have played Ada at once, as they have not met.
    assert [{who.player for who in order.seats} for order in world.open.values()] == [
        {"ada", "dee"},
        {"bob", "cy"},
    ]


def with_teams(case, counting: int, **teams: int):
    """Returns the cross-table with entrants in teams, such as `e1=2`."""
    entrants = [replace(each, team=teams.get(f"e{each.number}")) for each in case.entrants]
    return replace(
        case,
        terms=replace(case.terms, team_counting=counting),
        entrants=tuple(entrants),
        teams=("A", "B", "C"),
    )


def rows_of(case) -> list[tuple[object, ...]]:
    found = team_rows(case, standings(case).rows)
    return [(row.team, row.rank, row.score, row.entrants, row.counted) for row in found]


ROUND = [table(1, (1, 1), (2, 2), (3, 3)), table(2, (4, 1), (5, 2), (6, 3))]
"""The scores of entrants 1 to 6: 1, ½, 0, 1, ½, 0."""


def test_t_33_the_best_entrants_of_a_team_count_and_then_the_better_single_scores():
    case = crosstable_of(ROUND)
    half = Fraction(1, 2)
    everybody = with_teams(case, 2, e1=1, e3=1, e2=2, e5=2, e4=3)
    assert rows_of(everybody) == [(1, 1, 1, (1, 3), 2), (3, 1, 1, (4,), 1), (2, 3, 1, (2, 5), 2)]
    assert rows_of(with_teams(case, 1, e1=1, e3=1, e2=2, e5=2)) == [
        (1, 1, 1, (1, 3), 1),
        (2, 2, half, (2, 5), 1),
    ]
    assert rows_of(with_teams(case, 3, e1=2, e2=2, e3=2, e4=1, e5=1)) == [
        (1, 1, 3 * half, (4, 5), 2),
        (2, 1, 3 * half, (1, 2, 3), 3),
    ]
    assert team_rows(case, ()) == ()


@pytest.mark.parametrize("score_by", [ScoreBy.POINTS, ScoreBy.PLACE])
def test_t_33_a_missing_entrant_counts_like_the_lowest_score_but_never_more_than_0(score_by):
    boards = [table(1, (1, 1), (2, 2), points=[5, -4]), table(2, (3, 1), (4, 2), points=[1, -6])]
    case = with_teams(crosstable_of(boards, score_by=score_by), 2, e1=1, e2=1, e3=2)
    worth = Fraction(-6 if score_by is ScoreBy.POINTS else 0)
    first = Fraction(5 - 4 if score_by is ScoreBy.POINTS else 1)
    rows = team_rows(case, standings(case).rows)
    assert [(row.team, row.score, row.counted, row.for_missing) for row in rows] == [
        (1, first, 2, worth or None),
        (2, 1 + worth, 1, worth or None),
    ]


def test_t_33_an_expelled_entrant_is_not_the_lowest():
    boards = [table(1, (1, 1), (2, 2), points=[5, -4]), table(2, (3, 1), (4, 2), points=[1, -6])]
    case = with_teams(crosstable_of(boards, score_by=ScoreBy.POINTS), 2, e3=1)
    entrants = (*case.entrants[:3], replace(case.entrants[3], is_expelled=True))
    (row,) = team_rows(replace(case, entrants=entrants), standings(replace(case, entrants=entrants)).rows)
    assert (row.score, row.for_missing) == (Fraction(-3), Fraction(-4))


def test_t_33_an_expelled_entrant_does_not_count():
    case = with_teams(crosstable_of(ROUND), 2, e1=1, e2=1, e4=2)
    entrants = (replace(case.entrants[0], is_expelled=True), *case.entrants[1:])
    assert rows_of(replace(case, entrants=entrants)) == [(2, 1, 1, (4,), 1), (1, 2, Fraction(1, 2), (2,), 1)]


def test_d_7_teams_score_nothing_before_their_deal_is_released():
    world = World(
        duplicate_setup(),
        compare=Compare.MATCHPOINTS,
        teams=TeamTerms(2, 2),
    )
    world.register(*PLAYERS)
    found(world, ("ada", "bob"), ("cy", "dee"))
    start(world)

    def scores() -> set[Fraction]:
        shown = standings_of(world.tournament)
        return {row.score for row in team_rows(shown.sheet.crosstable, shown.rows)}

    for number, table_ in enumerate(list(world.open)):
        world.end(table_, points=(number, -number))
        assert scores() == {0}
    world.settle()
    assert scores() != {0}


def simulated() -> TournamentSimulation:
    simulation = TournamentSimulation(
        setup=setup(sittings=(Sitting(rounds=2),), game="coconut", seats=2, advance=Advance.MANUAL),
        entrants=plan_entrants(["steady", "random"], 7, latest=1, chance=Random(1)),
        seed="teams",
        teams=TeamTerms(2, 1),
    )
    simulation.play()
    return simulation


def test_t_33_a_log_proves_the_teams_and_a_file_has_them():
    simulation = simulated()
    shown = standings_of(simulation.tournament)
    expected = team_rows(shown.sheet.crosstable, shown.rows)
    assert [len(row.entrants) for row in sorted(expected, key=lambda row: row.team)] == [2, 2, 2, 1]

    verdict = verify_log(simulation.log(), simulation.logs.values())
    assert verdict.valid
    assert verdict.crosstable is not None
    assert verdict.crosstable.teams == ("Team 1", "Team 2", "Team 3", "Team 4")
    assert team_rows(verdict.crosstable, shown.rows) == expected
    read = read_tournament(results_file(simulation.tournament, simulation.names))
    assert team_rows(read.crosstable, read.standings[-1]) == expected
    assert read.crosstable.teams == verdict.crosstable.teams

    def by_a_rival(lines):
        chosen = next(line for line in lines if line["type"] == "tournament.team_chosen")
        chosen["by"] = "entrant:bot:2"

    def in_another_team(lines):
        chosen = [line for line in lines if line["type"] == "tournament.team_chosen"]
        chosen[3]["data"]["team"] = 1

    for forge in (by_a_rival, in_another_team):
        assert not verify_log(forged(simulation.log(), forge), simulation.logs.values()).valid
