"""Nobody fills the log of a tournament (T-51)."""

from fractions import Fraction
from types import MappingProxyType

import pytest

from hoodwink.domain.tables.proving.proof import replayed
from hoodwink.domain.tournaments.life import (
    TOURNAMENT,
    AcceptEntry,
    Admission,
    AssignBye,
    Cancel,
    ChangePairing,
    ChangeTiebreaks,
    CheckIn,
    Enter,
    MarkAbsent,
    OpenRegistration,
    OpenRound,
    OrderEntrants,
    Pause,
    RankBy,
    Reschedule,
    Resume,
    SayAbsent,
    ScoreVoid,
    VoidTable,
    Withdraw,
)
from hoodwink.domain.tournaments.life.counts import MAX_TIMES
from hoodwink.domain.tournaments.life.deciding import bounds
from hoodwink.domain.tournaments.life.deciding.bounds import MAX_ABSENCES, MAX_ENTRIES
from hoodwink.domain.tournaments.terms import Tiebreak
from tests.domain.tournaments.life.test_verify import HASH
from tests.tournaments.world import World, setup

REFUSED = "too_many_changes"


@pytest.fixture
def twice(monkeypatch):
    """Officials may decide everything twice."""
    monkeypatch.setattr(bounds, "MAX_TIMES", MappingProxyType(dict.fromkeys(MAX_TIMES, 2)))


def test_t_51_a_player_enters_twenty_times_in_all():
    world = World(setup())
    world.register("bob")
    for _ in range(MAX_ENTRIES):
        world.do(Enter(player="ada"))
        world.do(Withdraw("ada"))
    assert world.refusal(Enter(player="ada")) == REFUSED
    assert world.refusal(Enter(player="cy")) == ""
    assert replayed(TOURNAMENT, world.log) == world.tournament


def test_t_51_asking_to_enter_counts_like_entering():
    world = World(setup(), admission=Admission(approval=True))
    world.do(OpenRegistration())
    for _ in range(MAX_ENTRIES - 1):
        world.do(Enter(player="ada"))
        world.do(Withdraw("ada"))
    world.do(Enter(player="ada"))
    assert world.tournament.applicants[0].counts.entries == MAX_ENTRIES
    # The organiser may still accept the last request.
    world.do(AcceptEntry("ada"))
    world.do(Withdraw("ada"))
    assert world.refusal(Enter(player="ada")) == REFUSED


def test_t_51_bots_enter_two_thousand_times(monkeypatch):
    monkeypatch.setattr(bounds, "MAX_BOTS_ENTERED", 2)
    world = World(setup())
    world.do(OpenRegistration())
    for number in (1, 2):
        world.do(Enter(player="", policy="steady"))
        world.do(Withdraw(f"bot:{number}"))
    assert world.refusal(Enter(player="", policy="steady")) == REFUSED
    assert world.refusal(Enter(player="ada")) == ""


def test_t_51_an_entrant_is_absent_120_times_and_can_always_check_in():
    world = World(setup())
    world.begin("ada", "bob", "cy")
    for time in range(MAX_ABSENCES):
        world.do(SayAbsent("ada") if time % 2 else MarkAbsent("ada", "olga", HASH))
        world.do(CheckIn("ada"))
    assert world.refusal(SayAbsent("ada")) == REFUSED
    assert world.refusal(MarkAbsent("ada", "olga", HASH)) == REFUSED
    assert world.refusal(SayAbsent("bob")) == ""
    world.do(Withdraw("ada"))
    assert replayed(TOURNAMENT, world.log) == world.tournament


def test_t_51_officials_decide_before_the_start_as_often_as_the_rule_says(twice):
    world = World(setup(rank_by=RankBy.ORGANISER))
    world.register("ada", "bob")
    for number in (1, 2):
        world.do(OrderEntrants(("ada",) * (number % 2)))
        world.do(Reschedule(1, world.now + number))
        world.do(ChangeTiebreaks((Tiebreak.WINS, Tiebreak.BUCHHOLZ)[:number]))
        world.do(AssignBye("ada", number, Fraction(0), "ill"))
    for command in (
        OrderEntrants(()),
        Reschedule(1, None),
        ChangeTiebreaks(()),
        AssignBye("bob", 3, Fraction(0), "ill"),
    ):
        assert world.refusal(command) == REFUSED, command


def test_t_51_t_15_pauses_pairings_and_scores_are_bounded_and_nobody_is_stuck(twice):
    world = World(setup(advance="manual", seats=2))
    world.begin("ada", "bob")
    for _ in range(2):
        world.do(Pause())
        assert world.refusal(Resume()) == ""
        world.do(Resume())
    assert world.refusal(Pause()) == REFUSED
    world.do(OpenRound(1))
    (pairing,) = [match.deals[0].seats for match in world.tournament.rounds[0].matches]
    for seats in (pairing[::-1], pairing):
        world.do(ChangePairing(1, (seats,), (), "seats"))
    assert world.refusal(ChangePairing(1, (pairing[::-1],), (), "seats")) == REFUSED
    world.settle()
    assert world.refusal(Cancel("enough")) == ""


def test_t_51_scores_of_voided_tables_are_bounded(twice):
    world = World(setup(seats=2))
    world.begin("ada", "bob")
    world.settle()
    world.end_all()
    world.do(VoidTable(1, 1, 1, "a leak"))
    for score in (Fraction(0), Fraction(1)):
        world.do(ScoreVoid(1, 1, score, "agreed"))
    assert world.refusal(ScoreVoid(1, 1, Fraction(0), "agreed")) == REFUSED


def test_t_51_the_bounds_are_those_of_the_rule():
    assert {kind.wire.removeprefix("tournament."): most for kind, most in MAX_TIMES.items()} == {
        "entrants_ordered": 1000,
        "tiebreaks_changed": 100,
        "sitting_rescheduled": 500,
        "paused": 200,
        "pairing_changed": 500,
        "bye_assigned": 2000,
        "void_scored": 500,
    }
    assert (MAX_ENTRIES, bounds.MAX_BOTS_ENTERED, MAX_ABSENCES) == (20, 2000, 120)
