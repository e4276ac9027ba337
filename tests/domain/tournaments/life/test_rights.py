"""Co-organisers, and the rights of all officials (T-50)."""

from typing import Any

import pytest

from hoodwink.domain.tables.commands import DealRound
from hoodwink.domain.tables.proving.proof import replayed
from hoodwink.domain.tournaments.life import (
    AddRounds,
    Admission,
    Advance,
    AssignBye,
    Cancel,
    ChangePairing,
    Enter,
    Expel,
    NameArbiter,
    NameCoOrganiser,
    OpenRegistration,
    OpenRound,
    Pause,
    RemoveCoOrganiser,
    RuleResult,
    StartRound,
    StopTable,
    allowed_actors,
    crosstable,
)
from hoodwink.domain.tournaments.life.facts import organisers_of
from hoodwink.domain.tournaments.life.proving.verify import TOURNAMENT
from hoodwink.domain.tournaments.scoring import HALF
from hoodwink.domain.tournaments.terms import Compare
from tests.tournaments.world import World, setup

CY = "co_organiser:cy"


def organised(*players: str, bots: int = 0, compare: Compare | None = None, **changes: object) -> World:
    """Returns a tournament of Olga with the co-organiser Cy, in round 1 if it has entrants."""
    world = World(setup(**({"seats": 2, "advance": Advance.MANUAL} | changes)), compare=compare)
    world.do(NameCoOrganiser("cy"))
    if players or bots:
        world.begin(*players, bots=bots)
        world.do(OpenRound(1), by=CY)
    return world


def test_t_50_a_co_organiser_runs_the_tournament_and_the_log_names_them():
    world = organised("cy", "ada", bots=2)
    world.do(StartRound(1), by=CY)
    world.do(Pause(), by=CY)

    assert [recorded.entry.by for recorded in world.log[-2:]] == [CY, CY]
    assert replayed(TOURNAMENT, world.log) == world.tournament


def test_t_50_only_the_organiser_names_co_organisers_and_cancels():
    world = organised("ada", bots=3)
    for command in (
        NameCoOrganiser("dee"),
        RemoveCoOrganiser("cy"),
        Cancel("no hall"),
        Expel("olga", "rude"),
    ):
        assert [actor for actor in allowed_actors(world.tournament, command) if actor == CY] == []
    assert "entrant:cy" in allowed_actors(world.tournament, RemoveCoOrganiser("cy")), "they may resign"
    assert CY in allowed_actors(world.tournament, Expel("ada", "rude"))


def test_t_50_a_former_co_organiser_has_no_right_any_more():
    world = organised("ada", bots=3)
    assert world.refusal(AddRounds(1, "cy", "time is left")) == ""
    assert organisers_of(world.tournament) == ("olga", "cy")
    world.do(RemoveCoOrganiser("cy"))
    assert organisers_of(world.tournament) == ("olga",)
    assert world.refusal(AddRounds(1, "cy", "time is left")) == "not_an_official"
    assert CY not in allowed_actors(world.tournament, StartRound(1))
    assert world.refusal(RemoveCoOrganiser("cy")) == "not_a_co_organiser"


def test_nobody_gives_a_command_that_is_none_of_a_tournament():
    command: Any = DealRound()
    with pytest.raises(AssertionError, match="nobody gives DealRound"):
        allowed_actors(organised().tournament, command)


def test_t_50_there_are_five_at_a_time():
    world = organised()
    assert world.refusal(NameCoOrganiser("cy")) == world.refusal(NameArbiter("cy")) == "already_official"
    for number in range(4):
        world.do(NameCoOrganiser(f"helper{number}"))
    assert world.refusal(NameCoOrganiser("dee")) == "too_many_co_organisers"
    world.do(RemoveCoOrganiser("cy"))
    assert world.refusal(NameCoOrganiser("dee")) == ""


def test_t_50_v_6_a_co_organiser_who_plays_does_not_decide_where_they_sit():
    world = organised("cy", "ada", bots=2)
    world.do(StartRound(1))
    boards = world.tournament.rounds[0].matches
    own = next(match.number for match in boards if 1 in match.deals[0].seats)
    assert world.refusal(StopTable(1, own, 1, "cy", "stuck")) == "own_table"
    assert world.refusal(StopTable(1, 3 - own, 1, "cy", "stuck")) == ""


def test_t_50_v_6_a_co_organiser_who_plays_the_deal_decides_at_none_of_its_tables():
    world = organised("cy", "ada", bots=2, compare=Compare.MATCHPOINTS, turn_seconds=60, bye_score=HALF)
    world.do(StartRound(1))
    boards = world.tournament.rounds[0].matches
    other = next(match.number for match in boards if 1 not in match.deals[0].seats)
    assert world.refusal(StopTable(1, other, 1, "cy", "stuck")) == "own_deal"
    ruling = RuleResult(round=1, board=other, official="cy", reason="a mistake")
    assert world.refusal(ruling) == "own_deal"


@pytest.mark.parametrize("entrant", ["cy", "olga"])
def test_t_50_t_9_no_entrant_who_organises_gets_more_than_half_of_a_first_place(entrant):
    world = organised("olga", "cy", "ada", bots=2)
    (bye,) = world.tournament.rounds[0].proposed_byes
    assert world.refusal(AssignBye(entrant, 2, HALF * 2, "ill")) == "own_bye"
    assert world.refusal(AssignBye(entrant, 3, HALF, "ill")) == "last_round"
    assert world.refusal(AssignBye(entrant, 2, HALF, "ill")) == ""
    own = next(listed.number for listed in world.tournament.entrants if listed.id == entrant)
    others = [number for number in range(1, 6) if number != own]
    changed = ChangePairing(1, (tuple(others[:2]), tuple(others[2:])), (own,), "they are siblings")
    assert bye != own
    assert world.refusal(changed) == "own_bye"


def test_t_50_the_standings_mark_those_who_organise_or_did():
    world = organised("olga", "cy", "ada", bots=1)
    world.do(RemoveCoOrganiser("cy"))
    marked = [entrant.is_organiser for entrant in crosstable(world.tournament).entrants]
    assert marked == [True, True, False, False]


def test_t_50_t_26_a_co_organiser_enters_without_a_decision():
    world = World(setup(), admission=Admission(approval=True))
    world.do(OpenRegistration())
    world.do(NameCoOrganiser("cy"))
    world.do(Enter(player="cy"))
    world.do(Enter(player="ada"))
    assert [entrant.id for entrant in world.tournament.entrants] == ["cy"]
    assert [asking.id for asking in world.tournament.applicants] == ["ada"]
