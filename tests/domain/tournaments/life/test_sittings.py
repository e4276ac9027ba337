"""Sittings: check-in, the entrants' seeds, and byes."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from hoodwink.domain.cards import commitment
from hoodwink.domain.tournaments.crosstable import Why
from hoodwink.domain.tournaments.life import (
    Advance,
    AssignBye,
    ChangePairing,
    CheckIn,
    Enter,
    MissSeeds,
    MoveClocks,
    OpenCheckIn,
    OpenRound,
    Pause,
    RequestBye,
    Resume,
    RevealEntrantSeed,
    SayAbsent,
    Sitting,
    StartRound,
    StartTournament,
    Withdraw,
    crosstable,
    tables_to_open,
)
from hoodwink.domain.tournaments.life.commands.allowed_actors import allowed_actors
from hoodwink.domain.tournaments.life.facts import paired
from hoodwink.domain.tournaments.standings import marks_of
from hoodwink.domain.tournaments.terms import Format
from tests.tournaments.world import World, setup

SEED, OTHER = "ab" * 16, "cd" * 16
TWICE = (Sitting(rounds=1), Sitting(rounds=2))


def started(*players, bots=0, **changes):
    world = World(setup(**{"advance": Advance.MANUAL} | changes))
    world.begin(*players, bots=bots)
    return world


def with_seeds(**changes):
    """Returns a tournament to which Ada and Bo brought seeds, and Cy none."""
    world = World(setup(**{"advance": Advance.MANUAL} | changes))
    world.register("cy")
    world.do(Enter(player="ada", seed_commitment=commitment(SEED)))
    world.do(Enter(player="bo", seed_commitment=commitment(OTHER)))
    world.do(StartTournament({"cy": 1}))
    return world


def play_round(world: World, number: int) -> None:
    world.do(OpenRound(number))
    world.do(StartRound(number))
    world.settle()
    world.end_all()


def why(world: World, number: int, round_: int = 1) -> tuple[Why, Fraction] | None:
    unplayed = crosstable(world.tournament).rounds[round_ - 1].unplayed
    return next(((missed.why, missed.score) for missed in unplayed if missed.entrant == number), None)


# ---------------------------------------------------------------------- check-in


def test_t_4_an_entrant_without_check_in_is_absent_from_the_sitting():
    world = started("ada", "bo", "cy", bots=1, check_in=60, sittings=TWICE)
    assert world.refusal(CheckIn("ada")) == "check_in_closed"
    assert world.refusal(OpenRound(1)) == "check_in_due"
    world.do(OpenCheckIn(1))
    world.do(CheckIn("ada"))
    assert world.refusal(CheckIn("ada")) == "already_checked_in"
    assert world.refusal(OpenRound(1)) == "check_in_running"
    world.now += 60_000
    play_round(world, 1)
    assert [why(world, number) for number in (1, 4)] == [None, None], "bots are always present"
    assert why(world, 2) == why(world, 3) == (Why.ABSENT, Fraction(0))


def test_t_4_a_round_does_not_wait_when_everybody_is_present():
    world = started("ada", bots=2, check_in=60)
    world.do(OpenCheckIn(1))
    world.do(CheckIn("ada"))
    assert not world.refusal(OpenRound(1))


def test_t_4_a_late_check_in_counts_from_the_next_round():
    world = started("ada", "bo", "cy", check_in=60)
    world.do(OpenCheckIn(1))
    world.do(CheckIn("ada"))
    world.do(CheckIn("bo"))
    world.now += 60_000
    world.do(OpenRound(1))
    world.do(CheckIn("cy"))
    world.do(StartRound(1))
    world.settle()
    world.end_all()
    play_round(world, 2)
    assert why(world, 3, 1) == (Why.ABSENT, Fraction(0))
    assert why(world, 3, 2) is None


def test_t_4_each_sitting_has_a_check_in_of_its_own():
    world = started("ada", "bo", "cy", check_in=60, sittings=TWICE)
    assert world.refusal(OpenCheckIn(2)) == "wrong_sitting"
    world.do(OpenCheckIn(1))
    assert world.refusal(OpenCheckIn(1)) == "check_in_open"
    world.now += 60_000
    play_round(world, 1)
    assert world.refusal(CheckIn("ada")) == "check_in_closed"
    world.do(OpenCheckIn(2))
    world.do(CheckIn("ada"))
    assert [entrant.checked_in for entrant in world.tournament.entrants] == [2, 0, 0]


def test_t_4_check_in_lasts_at_least_until_the_sitting_starts():
    sitting = Sitting(rounds=1, starts_at=9_000_000)
    world = started("ada", "bo", check_in=60, sittings=(sitting,))
    world.do(OpenCheckIn(1))
    assert world.tournament.check_in_until == 9_000_000


def test_t_4_without_check_in_entrants_play_unless_they_announce_an_absence():
    world = started("ada", "bo", "cy", sittings=TWICE)
    assert world.refusal(OpenCheckIn(1)) == "no_check_in"
    assert world.refusal(CheckIn("ada")) == "already_checked_in"
    world.do(SayAbsent("ada"))
    assert world.refusal(SayAbsent("ada")) == "already_absent"
    world.do(SayAbsent("bo"))
    world.do(CheckIn("bo"))
    play_round(world, 1)
    assert [why(world, number) for number in (1, 2, 3)] == [(Why.ABSENT, Fraction(0)), None, None]
    play_round(world, 2)
    assert why(world, 1, 2) is None, "another sitting, another day"


def test_t_4_bots_neither_check_in_nor_stay_away():
    world = started("ada", bots=1)
    assert world.refusal(CheckIn("bot:1")) == "not_a_person"
    assert world.refusal(SayAbsent("bot:1")) == "not_a_person"


def test_t_4_in_a_round_robin_the_schedule_stands_and_the_absent_forfeit():
    form = {"format": Format.ROUND_ROBIN, "seats": 2, "sittings": (Sitting(),)}
    world = started("ada", "bo", "cy", "dee", **form)
    world.do(SayAbsent("ada"))
    world.do(SayAbsent("bo"))
    world.do(Withdraw("cy"))
    play_round(world, 1)
    boards = crosstable(world.tournament).rounds[0].boards
    assert {frozenset(seat.entrant for seat in board.seats) for board in boards} == {
        frozenset({1, 4}),
        frozenset({2, 3}),
    }
    assert not world.tournament.rounds[0].unplayed
    assert world.tournament.rounds[0].is_complete, "one of two, or nobody: no table is needed"


def test_t_4_at_larger_tables_an_absent_entrant_is_a_no_show_from_the_start():
    world = started("ada", "bo", "cy", format=Format.ROUND_ROBIN, seats=3)
    world.do(SayAbsent("bo"))
    world.do(OpenRound(1))
    world.do(StartRound(1))
    (order,) = tables_to_open(world.tournament)
    assert {seat.player: seat.is_absent for seat in order.seats} == {"ada": False, "bo": True, "cy": False}


# ---------------------------------------------------------------------- byes


def test_t_9_a_bye_is_requested_before_its_round_is_paired_and_not_for_the_last():
    world = started("ada", "bo", "cy", requested_byes=1)
    assert world.refusal(RequestBye("ada", 3)) == "last_round"
    assert world.refusal(RequestBye("ada", 4)) == "no_such_round"
    world.do(RequestBye("ada", 1))
    assert world.refusal(RequestBye("ada", 1)) == "bye_requested"
    assert world.refusal(RequestBye("ada", 2)) == "too_many_byes"
    world.do(OpenRound(1))
    assert world.refusal(RequestBye("bo", 1)) == "round_paired"
    world.do(StartRound(1))
    assert why(world, 1) == (Why.REQUESTED_BYE, Fraction(1, 2))


def test_t_9_a_bye_can_be_requested_before_the_start():
    world = World(setup())
    world.register("ada", "bo")
    world.do(RequestBye("ada", 1))
    assert world.refusal(RequestBye("bo", 0)) == "round_paired"


@pytest.mark.parametrize("score", [Fraction(0), Fraction(1, 2), Fraction(1)])
def test_t_9_the_organiser_assigns_byes(score):
    world = started("ada", "bo", "cy")
    assert world.refusal(AssignBye("ada", 1, Fraction(1, 3), "ill")) == "invalid_score"
    assert world.refusal(AssignBye("ada", 1, score, "")) == "invalid_reason"
    world.do(AssignBye("ada", 1, Fraction(0), "ill"))
    world.do(AssignBye("ada", 1, score, "very ill"))
    world.do(OpenRound(1))
    world.do(StartRound(1))
    assert why(world, 1) == (Why.ASSIGNED_BYE, score)


def test_t_9_organisers_cannot_move_the_pairing_bye_to_themselves():
    world = started("olga", "bo", "cy", seats=2, sittings=(Sitting(rounds=2),))
    world.do(OpenRound(1))
    round_ = world.tournament.rounds[0]
    (bye,) = round_.proposed_byes
    (own,) = (entrant.number for entrant in world.tournament.entrants if entrant.id == "olga")
    others = {1, 2, 3} - {own}
    changed = ChangePairing(1, (tuple(sorted(others)),), (own,), "a headache")
    assert world.refusal(changed) == ("pairing_unchanged" if bye == own else "own_bye")
    for number in others - {bye}:
        tables = (tuple(sorted({1, 2, 3} - {number})),)
        assert world.refusal(ChangePairing(1, tables, (number,), "a headache")) == ""


def test_t_9_an_organisers_own_bye_scores_half_at_most_and_never_in_the_last_round():
    world = started("olga", "bo", "cy", sittings=(Sitting(rounds=3),), advance=Advance.AUTOMATIC)
    own, whole = AssignBye("olga", 1, Fraction(1, 2), "a headache"), Fraction(1)
    assert world.refusal(replace(own, score=whole)) == "own_bye"
    assert world.refusal(replace(own, round=3)) == "last_round"
    assert world.refusal(replace(own, round=3, score=Fraction(0))) == "last_round"
    assert world.refusal(replace(own, entrant="bo", round=3, score=whole)) == ""
    world.do(own)
    world.do(replace(own, round=2, score=Fraction(0)))
    world.settle()
    world.end_all()
    world.settle()
    rounds = crosstable(world.tournament).rounds
    assert [(out.entrant, out.why, out.score) for round_ in rounds for out in round_.unplayed] == [
        (1, "assigned_bye", Fraction(1, 2)),
        (1, "assigned_bye", 0),
    ]
    marks = marks_of(crosstable(world.tournament))
    assert (marks[1].is_organiser, marks[1].assigned_byes) == (True, (1, 2))
    assert (marks[2].is_organiser, marks[2].assigned_byes) == (False, ())


def test_t_9_no_byes_before_an_entrant_takes_part():
    world = started("ada", "bo", "cy", late_until=3)
    world.do(OpenRound(1))
    world.do(Enter(player="dee"))
    world.do(Withdraw("cy"))
    assert paired(world.tournament) is None, "round 1 is to be paired again, without Dee"
    assert world.refusal(AssignBye("dee", 1, Fraction(1), "late train")) == "not_entered_yet"
    assert not world.refusal(AssignBye("dee", 2, Fraction(1), "late train"))


def test_t_9_schedules_and_brackets_allow_no_requested_byes():
    world = started("ada", "bo", format=Format.KNOCKOUT, sittings=(Sitting(),))
    assert world.refusal(RequestBye("ada", 1)) == "no_byes"


def test_t_9_a_pairing_bye_has_the_stated_score_and_none_in_a_schedule():
    world = started("ada", "bo", "cy", seats=2, bye_score=Fraction(1, 2))
    play_round(world, 1)
    assert [unplayed.score for unplayed in world.tournament.rounds[0].unplayed] == [Fraction(1, 2)]
    world = started("ada", "bo", "cy", seats=2, format=Format.ROUND_ROBIN, sittings=(Sitting(),))
    play_round(world, 1)
    assert [(unplayed.why, unplayed.score) for unplayed in world.tournament.rounds[0].unplayed] == [
        (Why.PAIRING_BYE, Fraction(0))
    ]


# ---------------------------------------------------------------------- seeds


def seeds(world: World) -> dict[str, str]:
    return {entrant.id: entrant.seed for entrant in world.tournament.entrants}


def test_t_14_committed_seeds_are_revealed_when_the_next_round_opens():
    world = with_seeds()
    (called,) = world.do(OpenRound(1))
    assert called.wire == "tournament.seeds_called"
    assert set(called.entrants) == {"ada", "bo"}
    assert world.refusal(OpenRound(1)) == "seeds_awaited"
    assert world.refusal(RevealEntrantSeed("cy", SEED)) == "no_seed_awaited"
    assert world.refusal(RevealEntrantSeed("ada", "short")) == "invalid_seed"
    assert world.refusal(RevealEntrantSeed("ada", OTHER)) == "wrong_seed"
    world.do(RevealEntrantSeed("ada", SEED))
    assert world.refusal(RevealEntrantSeed("ada", SEED)) == "no_seed_awaited"
    world.do(RevealEntrantSeed("bo", OTHER))
    world.settle()
    assert world.tournament.rounds[0].seeds == tuple(entrant.seed for entrant in world.tournament.entrants)
    world.do(StartRound(1))
    (table,) = tables_to_open(world.tournament)
    assert {seat.player: seat.seed for seat in table.seats} == {"ada": SEED, "bo": OTHER, "cy": ""}


def test_t_14_a_missing_reveal_counts_as_the_empty_seed():
    world = with_seeds()
    assert world.refusal(MissSeeds()) == "no_seed_awaited"
    world.do(OpenRound(1))
    world.do(RevealEntrantSeed("ada", SEED))
    assert world.refusal(MissSeeds()) == "reveal_running"
    world.now += 10_000
    assert world.refusal(RevealEntrantSeed("bo", OTHER)) == "reveal_over"
    world.settle()
    assert seeds(world) == {"cy": "", "ada": SEED, "bo": ""}
    assert paired(world.tournament) is not None


def test_t_14_a_seed_that_is_awaited_cannot_be_exchanged():
    world = with_seeds()
    assert world.refusal(CheckIn("ada", commitment(OTHER))) == "seed_committed"
    world.do(OpenRound(1))
    assert world.refusal(CheckIn("ada", commitment(OTHER))) == "seed_committed"


def test_t_14_a_seed_committed_to_during_the_call_waits_for_the_next_round():
    world = with_seeds()
    world.do(OpenRound(1))
    world.do(CheckIn("cy", commitment(SEED)))
    world.do(RevealEntrantSeed("ada", SEED))
    world.do(CheckIn("ada", commitment(OTHER)))
    world.now += 10_000
    world.settle()
    assert sorted(world.tournament.rounds[0].seeds) == ["", "", SEED], "the old seed stands for this round"
    world.do(StartRound(1))
    world.settle()
    world.end_all()
    (called,) = world.do(OpenRound(2))
    assert set(called.entrants) == {"ada", "cy"}
    world.do(RevealEntrantSeed("ada", OTHER))
    world.now += 10_000
    world.settle()
    assert seeds(world) == {"cy": "", "ada": OTHER, "bo": ""}


def test_t_14_nobody_waits_for_the_seed_of_somebody_who_left():
    world = with_seeds()
    world.do(OpenRound(1))
    world.do(Withdraw("ada"))
    world.do(RevealEntrantSeed("bo", OTHER))
    world.settle()
    assert paired(world.tournament) is not None


def test_t_2_a_pause_holds_up_the_reveal_and_the_check_in():
    world = with_seeds(check_in=60)
    world.do(OpenCheckIn(1))
    until = world.tournament.check_in_until
    for entrant in ("ada", "bo", "cy"):
        world.do(CheckIn(entrant))
    world.do(OpenRound(1))
    world.do(Pause())
    world.now += 20_000
    assert world.refusal(CheckIn("ada")) == "tournament_paused"
    assert world.refusal(MissSeeds()) == "tournament_paused"
    world.do(RevealEntrantSeed("ada", SEED))
    assert not world.serve()
    world.do(Resume())
    assert world.tournament.check_in_until == until + 20_000
    assert world.refusal(MissSeeds()) == "reveal_running", "ten seconds begin again"
    world.now += 10_000
    world.settle()
    assert seeds(world)["ada"] == SEED


def test_t_2_a_pause_after_the_check_in_leaves_it_closed():
    world = started("ada", "bo", check_in=60)
    world.do(OpenCheckIn(1))
    until = world.tournament.check_in_until
    world.now = until
    world.do(Pause())
    world.now += 5000
    world.do(Resume())
    assert world.tournament.check_in_until == until


def test_t_14_a_round_that_was_called_opens_although_somebody_leaves_the_sitting():
    # All have checked in, so the round need not wait; an entrant who then leaves does not make it wait again.
    world = with_seeds(check_in=60)
    world.do(OpenCheckIn(1))
    for entrant in ("ada", "bo", "cy"):
        world.do(CheckIn(entrant))
    world.do(OpenRound(1))
    world.do(SayAbsent("cy"))
    world.do(RevealEntrantSeed("ada", SEED))
    world.do(RevealEntrantSeed("bo", OTHER))
    world.settle()
    assert paired(world.tournament) is not None


def test_t_15_a_call_of_a_round_that_cannot_open_blocks_nobody():
    world = with_seeds(advance=Advance.AUTOMATIC)
    world.settle()
    assert world.tournament.call is not None
    world.do(Withdraw("ada"))
    world.do(Withdraw("cy"))
    world.do(RevealEntrantSeed("bo", OTHER))
    world.settle()
    assert world.tournament.phase == "finished"


def test_t_16_an_outage_holds_up_the_reveal_and_the_check_in():
    world = with_seeds(check_in=60)
    world.do(OpenCheckIn(1))
    until = world.tournament.check_in_until
    for entrant in ("ada", "bo", "cy"):
        world.do(CheckIn(entrant))
    world.do(OpenRound(1))
    call = world.tournament.call
    assert call is not None
    gap = MoveClocks(world.now, world.now + 16_000)
    world.now += 16_000
    world.do(gap, by="worker")
    assert (world.tournament.check_in_until, world.tournament.call) == (
        until + 16_000,
        replace(call, until=call.until + 16_000),
    )
    assert world.refusal(MissSeeds()) == "reveal_running"
    assert world.refusal(gap) == "no_clock_moved"
    world.do(RevealEntrantSeed("ada", SEED))


def test_t_16_an_outage_moves_nothing_that_began_after_it():
    world = with_seeds(check_in=60)
    gap = MoveClocks(world.now, world.now + 16_000)
    world.now += 16_000
    world.do(OpenCheckIn(1))
    assert world.refusal(gap) == "no_clock_moved"
    for entrant in ("ada", "bo", "cy"):
        world.do(CheckIn(entrant))
    world.do(OpenRound(1))
    assert world.tournament.call is not None
    assert world.refusal(gap) == "no_clock_moved"


def test_t_16_an_outage_moves_nothing_that_is_over_or_paused():
    world = started("ada", "bo", check_in=60)
    world.do(OpenCheckIn(1))
    world.do(Pause())
    gap = MoveClocks(world.now, world.now + 16_000)
    world.now += 16_000
    assert world.refusal(gap) == "no_clock_moved"
    world.do(Resume())
    world.now = world.tournament.check_in_until
    assert world.refusal(MoveClocks(world.now, world.now + 16_000)) == "no_clock_moved"
    assert allowed_actors(world.tournament, gap) == ("worker",)
