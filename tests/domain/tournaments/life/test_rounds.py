"""Rounds: opening, starting, and the organiser's changes to a pairing."""

import pytest

from hoodwink.domain.due_times import IMMEDIATELY, NOTHING_DUE, WorkDue
from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tournaments.crosstable import Outcome
from hoodwink.domain.tournaments.life import (
    Advance,
    ChangePairing,
    CheckIn,
    OpenCheckIn,
    OpenRound,
    Pause,
    RequestBye,
    Resume,
    SayAbsent,
    Sitting,
    StartRound,
    Withdraw,
    crosstable,
    due,
    next_step,
    work_due,
)
from hoodwink.domain.tournaments.life.events import RoundOpened
from hoodwink.domain.tournaments.life.facts import paired
from hoodwink.domain.tournaments.pairing.division import table_sizes
from hoodwink.domain.tournaments.terms import Format, ScoreBy
from tests.tournaments.world import World, setup

DUEL = {"seats": 2}
KNOCKOUT = {"format": Format.KNOCKOUT, "sittings": (Sitting(),)}
WHY = "they are siblings"


def started(*players, bots=0, **changes):
    world = World(setup(**{"advance": Advance.MANUAL} | changes))
    world.begin(*players, bots=bots)
    return world


def proposed(world):
    """Returns the round that is paired and has not started."""
    return paired(world.tournament)


def opened(*players, **changes):
    world = started(*players, **changes)
    world.do(OpenRound(1))
    return world


# ---------------------------------------------------------------------- opening and starting


@pytest.mark.parametrize("entrants", [2, 3, 5, 9, 10, 13])
@pytest.mark.parametrize("format_", [Format.SWISS, Format.LEAGUE, Format.ROUND_ROBIN])
def test_t_1_as_few_tables_as_possible_with_sizes_differing_by_one_at_most(entrants, format_):
    world = started(bots=entrants, format=format_)
    world.do(OpenRound(1))
    sizes = sorted((len(match.deals[0].seats) for match in world.tournament.rounds[0].matches), reverse=True)
    assert tuple(sizes) == table_sizes(entrants, world.tournament.terms)
    assert not world.tournament.rounds[0].unplayed


def test_t_1_a_single_entrant_has_a_bye_and_an_empty_round_is_complete():
    world = started("ada", "bo")
    world.do(SayAbsent("bo"))
    world.do(OpenRound(1))
    assert [unplayed.why for unplayed in world.tournament.rounds[0].unplayed] == ["pairing_bye", "absent"]
    world.do(StartRound(1))
    assert world.tournament.rounds[0].is_complete
    world.do(SayAbsent("ada"))
    world.do(OpenRound(2))
    world.do(StartRound(2))
    assert world.tournament.rounds[1].is_complete


def test_t_5_rounds_open_and_start_one_after_the_other_and_once():
    world = started("ada", "bo")
    assert world.refusal(StartRound(1)) == "round_not_open"
    assert world.refusal(OpenRound(2)) == "wrong_round"
    world.do(OpenRound(1))
    assert world.refusal(OpenRound(1)) == "round_open"
    world.do(StartRound(1))
    assert world.refusal(StartRound(1)) == "round_started"
    assert world.refusal(OpenRound(1)) == "round_open"
    assert world.refusal(OpenRound(2)) == "round_unfinished"
    assert world.refusal(OpenRound(4)) == "no_such_round"


def test_t_2_a_pause_stops_new_rounds():
    world = started("ada", "bo")
    world.do(Pause("lunch"))
    assert world.refusal(OpenRound(1)) == "tournament_paused"
    world.do(Resume())
    world.do(OpenRound(1))
    world.do(Pause())
    assert world.refusal(StartRound(1)) == "tournament_paused"


def test_t_2_a_round_needs_two_entrants():
    world = started("ada", "bo")
    world.do(Withdraw("bo"))
    assert world.refusal(OpenRound(1)) == "too_few_entrants"


def test_the_event_of_a_round_holds_the_pairing_and_its_explanations():
    (event,) = started("ada", "bo", "cy").do(OpenRound(1))
    assert isinstance(event, RoundOpened)
    assert (event.round, event.sitting, event.early, event.reason) == (1, 1, False, "")
    assert [explanation.entrant for explanation in event.explanations] == [1, 2, 3]
    assert set(event.tables[0]) == {1, 2, 3}
    assert event.objective


def test_t_11_by_hand_a_round_starts_although_tables_are_unfinished():
    world = opened("ada", "bo", "cy", **DUEL)
    world.do(StartRound(1))
    world.settle()
    assert world.refusal(OpenRound(2, early=True)) == "invalid_reason"
    (event,) = world.do(OpenRound(2, early=True, reason="the hall closes"), by="organiser")
    assert (event.early, event.reason) == (True, "the hall closes")
    world.do(StartRound(2))
    world.settle()
    assert len(world.open) == 2
    assert [board.outcome for board in crosstable(world.tournament).rounds[0].boards] == [Outcome.UNFINISHED]
    assert not world.tournament.rounds[0].is_complete
    late = next(order for order in world.open.values() if order.round == 1)
    world.end(late.table, points=(3, 1))
    assert world.tournament.rounds[0].is_complete
    assert [board.outcome for board in crosstable(world.tournament).rounds[0].boards] == [Outcome.RESULT]


def test_t_11_a_knockout_waits_for_every_table():
    world = opened("ada", "bo", "cy", "dee", **DUEL, **KNOCKOUT)
    world.do(StartRound(1))
    assert world.refusal(OpenRound(2, early=True, reason="late")) == "never_early"


def test_a_reason_has_a_bounded_length():
    assert started("ada", "bo").refusal(OpenRound(1, reason="x" * 501)) == "invalid_reason"


# ---------------------------------------------------------------------- what is due


def test_t_5_by_hand_the_service_waits_for_the_organiser():
    world = started("ada", "bo")
    assert next_step(world.tournament) is None
    assert work_due(world.tournament) == NOTHING_DUE
    world.do(OpenRound(1))
    assert next_step(world.tournament) is None


def test_t_5_automatically_a_round_follows_as_soon_as_the_last_one_is_complete():
    world = started("ada", "bo", advance=Advance.AUTOMATIC)
    assert due(world.tournament, world.now) == OpenRound(1)
    assert work_due(world.tournament) == WorkDue(IMMEDIATELY)
    world.settle()
    assert next_step(world.tournament) is None, "tables are in play"
    assert work_due(world.tournament) == NOTHING_DUE
    world.end_all()
    assert due(world.tournament, world.now) == OpenRound(2)


def test_t_5_a_sitting_begins_at_its_scheduled_time():
    sittings = (Sitting(rounds=2, starts_at=2_000_000), Sitting(rounds=1, starts_at=9_000_000))
    world = started("ada", "bo", advance=Advance.SCHEDULE, sittings=sittings, check_in=60)
    assert work_due(world.tournament) == WorkDue(1_940_000)
    assert due(world.tournament, 1_939_999) is None
    assert due(world.tournament, 1_940_000) == OpenCheckIn(1)
    world.now = 1_940_000
    world.settle()
    assert work_due(world.tournament) == WorkDue(2_000_000)
    world.do(CheckIn("ada"))
    world.do(CheckIn("bo"))
    assert work_due(world.tournament) == WorkDue(2_000_000), "all are there, and the time has not come"
    world.now = 2_000_000
    world.settle()
    assert len(world.tournament.rounds) == 1
    world.end_all()
    world.settle()
    assert len(world.tournament.rounds) == 2, "the second round of a sitting follows the first"
    world.end_all()
    world.settle()
    assert work_due(world.tournament) == WorkDue(8_940_000)


def test_t_5_without_check_in_a_sitting_waits_for_its_time_alone():
    sittings = (Sitting(rounds=1, starts_at=2_000_000),)
    world = started("ada", "bo", advance=Advance.SCHEDULE, sittings=sittings)
    assert work_due(world.tournament) == WorkDue(2_000_000)


def test_t_4_the_service_waits_for_the_end_of_check_in_unless_all_are_present():
    world = started("ada", "bo", advance=Advance.AUTOMATIC, check_in=60)
    world.settle()
    assert work_due(world.tournament) == WorkDue(world.now + 60_000)
    world.do(CheckIn("ada"))
    world.do(CheckIn("bo"))
    assert work_due(world.tournament) == WorkDue(IMMEDIATELY)


def test_t_4_announced_absences_are_not_waited_for():
    world = started("ada", "bo", "cy", advance=Advance.AUTOMATIC, check_in=60)
    world.settle()
    world.do(CheckIn("ada"))
    world.do(CheckIn("bo"))
    assert work_due(world.tournament) == WorkDue(world.now + 60_000)
    world.do(SayAbsent("cy"))
    assert work_due(world.tournament) == WorkDue(IMMEDIATELY)


def test_t_2_with_fewer_than_two_entrants_an_automatic_tournament_finishes():
    world = started("ada", "bo", advance=Advance.AUTOMATIC)
    world.do(Withdraw("bo"))
    world.settle()
    assert world.tournament.phase == "finished"


def test_t_2_nothing_is_due_while_the_tournament_is_paused():
    world = started("ada", "bo", advance=Advance.AUTOMATIC)
    world.do(Pause())
    assert next_step(world.tournament) is None
    assert work_due(world.tournament) == NOTHING_DUE


# ---------------------------------------------------------------------- a changed pairing


def test_t_13_a_changed_pairing_keeps_the_engines_proposal():
    world = opened("ada", "bo", "cy", "dee", **DUEL)
    before = proposed(world).proposed_tables
    (one, other), (third, fourth) = before
    assert world.refusal(ChangePairing(1, before, (), WHY)) == "pairing_unchanged"
    changed = ((one, third), (fourth, other))
    (event,) = world.do(ChangePairing(1, changed, (), WHY))
    assert world.refusal(ChangePairing(1, changed, (), WHY)) == "pairing_unchanged"
    assert (event.proposed_tables, event.proposed_byes, event.reason) == (before, (), WHY)
    world.do(StartRound(1))
    (round_,) = crosstable(world.tournament).rounds
    assert round_.is_changed
    assert tuple(tuple(seat.entrant for seat in board.seats) for board in round_.boards) == changed
    assert world.refusal(ChangePairing(1, changed, (), WHY)) == "round_started"


def test_t_13_a_change_has_a_reason_and_a_round_to_change():
    world = started("ada", "bo")
    assert world.refusal(ChangePairing(1, ((1, 2),), (), WHY)) == "round_not_open"
    world.do(OpenRound(1))
    assert world.refusal(ChangePairing(1, ((1, 2),), (), "")) == "invalid_reason"


@pytest.mark.parametrize(
    "tables",
    [((1, 2, 3),), ((1, 2), (3, 3)), ((1, 2), (3, 4), (5, 6)), ()],
)
def test_t_13_everybody_sits_once(tables):
    world = opened("ada", "bo", "cy", "dee")
    assert world.refusal(ChangePairing(1, tables, (), WHY)) == "not_everybody_once"


def test_t_13_entrants_without_exactly_one_seat_are_named():
    world = opened("ada", "bo", "cy", "dee")
    with pytest.raises(
        RuleViolation, match="else may: 4 is missing, 3 is named 2 times, 9 is not in that pairing"
    ):
        world.do(ChangePairing(1, ((1, 2), (3, 3, 9)), (), WHY))


def test_t_13_tables_keep_to_the_range_of_the_game():
    world = opened("ada", "bo", "cy", "dee", "eva", game="coconut")
    assert world.refusal(ChangePairing(1, ((1, 2, 3, 4, 5),), (), WHY)) == "invalid_table_size"
    assert world.refusal(ChangePairing(1, ((1, 2, 3, 4), (5,)), (), WHY)) == "invalid_table_size"
    assert not world.refusal(ChangePairing(1, ((1, 2), (3, 4, 5)), (), WHY))


def test_t_13_the_options_of_the_game_allow_every_changed_table():
    world = opened(*"abcdefgh", game="shithead", seats=4, options={"decks": 1})
    eight = tuple(range(1, 9))
    assert world.refusal(ChangePairing(1, (eight,), (), WHY)) == "invalid_options", "one pack is too few"
    assert not world.refusal(ChangePairing(1, (eight[:5], eight[5:]), (), WHY))


@pytest.mark.parametrize(
    ("changes", "tables"),
    [
        ({"format": Format.ROUND_ROBIN}, ((1, 2, 3, 4, 5), (6, 7, 8))),
        ({"fill_with_bots": True}, ((1, 2, 3, 4, 5), (6, 7, 8, None))),
    ],
)
def test_t_20_where_points_are_compared_changed_tables_keep_their_size(changes, tables):
    world = opened(*"abcdefgh", score_by=ScoreBy.POINTS, **changes)
    assert world.refusal(ChangePairing(1, tables, (), WHY)) == "uneven_tables"
    assert not world.refusal(ChangePairing(1, ((1, 2, 3, 4), (5, 6, 7, 8)), (), WHY))


def test_t_13_tables_of_two_stay_tables_of_two():
    world = opened("ada", "bo", "cy", "dee", **DUEL)
    with pytest.raises(RuleViolation, match="invalid_table_size: Each table must have 2 seats,"):
        world.do(ChangePairing(1, ((1, 2, 3, 4),), (), WHY))


def test_t_13_bots_fill_a_changed_table_as_they_did_before():
    world = opened("ada", "bo", "cy", "dee", "eva", fill_with_bots=True)
    full = ((1, 2, 4, None), (3, 5, None, None))
    assert world.refusal(ChangePairing(1, ((1, 2, 4), (3, 5)), (), WHY)) == "invalid_bots"
    world.do(ChangePairing(1, full, (), WHY))
    assert opened("ada", "bo", "cy").refusal(ChangePairing(1, ((1, 2, 3, None),), (), WHY)) == "invalid_bots"


def test_t_13_the_bye_goes_to_an_eligible_entrant():
    world = opened("ada", "bo", "cy", **DUEL)
    (bye,) = proposed(world).proposed_byes
    one, other = (number for number in (1, 2, 3) if number != bye)
    assert world.refusal(ChangePairing(1, ((one, other), (bye, bye)), (), WHY)) == "not_everybody_once"
    world.do(ChangePairing(1, ((bye, other),), (one,), WHY))
    world.do(StartRound(1))
    world.settle()
    world.end_all()
    world.do(OpenRound(2))
    (second,) = proposed(world).proposed_byes
    assert second != one
    third = 6 - one - second
    assert world.refusal(ChangePairing(2, ((second, third),), (one,), WHY)) == "bye_not_due"
    assert not world.refusal(ChangePairing(2, ((third, one),), (second,), WHY))


def test_t_13_there_are_as_many_byes_as_before():
    world = opened("ada", "bo", "cy", "dee", **DUEL)
    assert world.refusal(ChangePairing(1, ((1, 2),), (3, 4), WHY)) == "invalid_byes"


def test_t_13_forbidden_pairs_stay_apart():
    world = opened("ada", "bo", "cy", "dee", **DUEL, forbidden=(("ada", "bo"),))
    assert world.refusal(ChangePairing(1, ((1, 2), (3, 4)), (), WHY)) == "forbidden_pair"


def test_t_13_absent_entrants_stay_absent_in_a_changed_schedule():
    world = started("ada", "bo", "cy", "dee", format=Format.ROUND_ROBIN, **DUEL, sittings=(Sitting(),))
    world.do(SayAbsent("dee"))
    world.do(OpenRound(1))
    world.do(ChangePairing(1, ((1, 2), (3, 4)), (), WHY))
    assert [match.deals[0].absent for match in proposed(world).matches] == [(), (4,)]


def test_t_13_a_changed_pairing_keeps_the_entrants_who_sit_out():
    world = started("ada", "bo", "cy", "dee", **DUEL)
    world.do(RequestBye("ada", 1))
    world.do(OpenRound(1))
    (bye,) = proposed(world).proposed_byes
    one, other = (number for number in (2, 3, 4) if number != bye)
    world.do(ChangePairing(1, ((bye, one),), (other,), WHY))
    assert [(missed.entrant, missed.why) for missed in proposed(world).unplayed] == [
        (1, "requested_bye"),
        (other, "pairing_bye"),
    ]


def test_p_6_the_final_is_not_mixed_with_the_table_for_the_third_place():
    world = opened("ada", "bo", "cy", "dee", **DUEL, **KNOCKOUT, third_place=True)
    world.do(StartRound(1))
    world.settle()
    world.end_all()
    world.do(OpenRound(2))
    round_ = proposed(world)
    (one, other), (third, fourth) = round_.proposed_tables
    assert world.refusal(ChangePairing(2, ((one, third), (other, fourth)), (), WHY)) == "bracket_mixed"
    assert not world.refusal(ChangePairing(2, ((other, one), (third, fourth)), (), WHY))
