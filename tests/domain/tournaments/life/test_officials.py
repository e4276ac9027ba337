"""Officials mark entrants as absent, withdraw them (T-18), and add rounds (T-22)."""

from typing import Any

import pytest

from hoodwink.domain.tables.proving.proof import replayed
from hoodwink.domain.tournaments.life import (
    AddRounds,
    Advance,
    CheckIn,
    Enter,
    Finish,
    MarkAbsent,
    NameArbiter,
    NameCoOrganiser,
    OpenRound,
    RemoveArbiter,
    RemoveCoOrganiser,
    RequestBye,
    Sitting,
    StartRound,
    WithdrawEntrant,
    standings_of,
)
from hoodwink.domain.tournaments.life.facts import participant
from hoodwink.domain.tournaments.life.proving.verify import TOURNAMENT
from hoodwink.domain.tournaments.terms import Format
from tests.tournaments.world import World, setup


def started(*players: str, bots: int = 0, **changes: Any) -> World:
    world = World(setup(**({"seats": 2, "advance": Advance.MANUAL} | changes)))
    world.begin(*players, bots=bots)
    return world


def seated(world: World) -> set[int]:
    matches = world.tournament.rounds[-1].matches
    return {number for match in matches for number in match.deals[0].seats}


def test_t_18_an_entrant_who_is_marked_absent_is_not_paired_until_they_check_in():
    world = started("ada", "bob", bots=2)
    world.do(OpenRound(1))
    assert seated(world) == {1, 2, 3, 4}
    world.do(MarkAbsent("ada", "olga", "no answer"))
    assert world.refusal(MarkAbsent("ada", "olga", "no answer")) == "already_absent"
    world.settle()
    assert 1 not in seated(world), "the pairing is made again"

    world.do(StartRound(1))
    world.settle()
    world.end_all()
    world.do(CheckIn("ada"))
    world.do(OpenRound(2))

    assert seated(world) == {1, 2, 3, 4}
    assert replayed(TOURNAMENT, world.log) == world.tournament


def test_t_18_a_withdrawn_entrant_finishes_the_table_keeps_the_rank_and_does_not_return():
    world = started("ada", "bob", bots=2)
    world.do(OpenRound(1))
    world.do(StartRound(1))
    world.settle()
    tables = set(world.open)
    world.do(WithdrawEntrant("ada", "olga", "ill"))
    world.settle()
    assert set(world.open) == tables, "nothing is resigned"
    world.end_all()

    world.do(OpenRound(2))

    assert 1 not in seated(world)
    assert all(row.rank for row in standings_of(world.tournament).rows)
    assert world.refusal(WithdrawEntrant("ada", "olga", "ill")) == "entrant_left"
    assert world.refusal(Enter(player="ada")) != ""
    assert replayed(TOURNAMENT, world.log) == world.tournament


def test_t_18_before_the_start_an_entrant_who_was_withdrawn_may_enter_again():
    world = World(setup())
    world.register("ada", "bob")
    world.do(WithdrawEntrant("ada", "olga", "a mistake"))
    assert participant(world.tournament, "ada") is None
    assert world.refusal(Enter(player="ada")) == ""


@pytest.mark.parametrize("command", [MarkAbsent, WithdrawEntrant])
def test_t_18_only_officials_do_that_and_with_a_reason(command):
    world = started("ada", "bob")
    assert world.refusal(command("ada", "bob", "no answer")) == "not_an_official"
    assert world.refusal(command("ada", "olga", " ")) == "invalid_reason"
    assert world.refusal(command("eve", "olga", "no answer")) == "no_such_entrant"


@pytest.mark.parametrize("command", [MarkAbsent, WithdrawEntrant])
@pytest.mark.parametrize("format_", [Format.ROUND_ROBIN, Format.KNOCKOUT])
def test_t_18_an_organiser_who_plays_wins_nothing_by_an_opponents_absence(command, format_):
    world = started("olga", "ada", "bob", "cy", format=format_, sittings=(Sitting(),), tiebreaks=())
    assert world.refusal(command("ada", "olga", "no answer")) == "own_contest"
    assert world.refusal(command("olga", "olga", "ill")) == ""
    swiss = started("olga", "ada", "bob", "cy")
    assert swiss.refusal(command("ada", "olga", "no answer")) == ""


def test_t_22_added_rounds_belong_to_the_last_sitting_and_are_played():
    world = started(bots=4, sittings=(Sitting(rounds=1), Sitting(rounds=1)), advance=Advance.AUTOMATIC)
    world.do(AddRounds(2, "olga", "time is left"))
    world.play()

    assert [round_.sitting for round_ in world.tournament.rounds] == [1, 2, 2, 2]
    assert world.tournament.setup.rounds == world.tournament.terms.rounds == 4
    assert replayed(TOURNAMENT, world.log) == world.tournament


def test_t_22_rounds_are_added_until_the_last_one_is_paired():
    world = started("ada", bots=3, sittings=(Sitting(rounds=2),))
    world.do(OpenRound(1))
    assert world.refusal(RequestBye("ada", 2)) == "last_round"
    world.do(AddRounds(1, "olga", "time is left"))
    assert world.refusal(RequestBye("ada", 2)) == "", "it is not the last one any more"
    world.do(StartRound(1))
    world.settle()
    world.end_all()
    for number in (2, 3):
        assert world.refusal(AddRounds(1, "olga", "time is left")) == ""
        world.do(OpenRound(number))
        world.do(StartRound(number))
        world.settle()
        world.end_all()

    assert world.refusal(AddRounds(1, "olga", "time is left")) == "last_round"
    world.do(Finish())


def test_t_22_who_adds_rounds_and_how_many():
    world = started(bots=4)
    assert world.refusal(AddRounds(1, "ada", "time is left")) == "not_an_official"
    assert world.refusal(AddRounds(1, "olga", "")) == "invalid_reason"
    for rounds in (0, -1, 498):
        assert world.refusal(AddRounds(rounds, "olga", "time is left")) == "too_many_rounds"
    assert world.refusal(AddRounds(497, "olga", "time is left")) == ""
    for format_ in (Format.ROUND_ROBIN, Format.KNOCKOUT):
        fixed = started(bots=4, format=format_, sittings=(Sitting(),), tiebreaks=())
        assert fixed.refusal(AddRounds(1, "olga", "time is left")) == "rounds_fixed"


def test_t_23_an_arbiter_does_not_play():
    world = World(setup())
    world.register("ada", "bob")
    assert world.refusal(NameArbiter("ada")) == "arbiter_plays"
    world.do(NameArbiter("ann"))
    assert world.refusal(Enter(player="ann")) == "arbiter_plays"
    assert world.refusal(NameArbiter("ann")) == world.refusal(NameArbiter("olga")) == "already_official"
    world.do(RemoveArbiter("ann"))
    assert world.refusal(RemoveArbiter("ann")) == "not_an_arbiter"
    world.do(Enter(player="ann"))


@pytest.mark.parametrize(
    ("name", "remove", "times", "code"),
    [
        (NameArbiter, RemoveArbiter, 50, "too_many_arbiters"),
        (NameCoOrganiser, RemoveCoOrganiser, 20, "too_many_co_organisers"),
    ],
)
def test_t_23_t_50_officials_are_named_a_limited_number_of_times_even_the_same_ones(
    name, remove, times, code
):
    world = World(setup())
    for number in range(times):
        assert world.refusal(name("ann")) == "", "who has been one may be one again"
        world.do(name(f"one{number % 2}"))
        world.do(remove(f"one{number % 2}"))
    assert world.refusal(name("ann")) == world.refusal(name("one0")) == code


def test_t_23_arbiters_decide_for_each_other_and_their_acts_verify():
    world = started("olga", "ada", bots=2)
    for number in range(10):
        world.do(NameArbiter(f"arbiter{number}"))
    assert world.refusal(NameArbiter("ann")) == "too_many_arbiters"
    world.do(MarkAbsent("ada", "arbiter3", "no answer"))
    world.do(RemoveArbiter("arbiter3"), by="entrant:arbiter3")
    assert world.refusal(WithdrawEntrant("ada", "arbiter3", "ill")) == "not_an_official"
    assert world.refusal(AddRounds(1, "arbiter4", "time is left")) == "not_an_official", "the organiser does"
    assert replayed(TOURNAMENT, world.log) == world.tournament
