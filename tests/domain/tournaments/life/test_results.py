"""Reports of tables, and later changes to their results."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from hoodwink.domain.tournaments.crosstable import Outcome, SeatState
from hoodwink.domain.tournaments.life import (
    Advance,
    Cancel,
    ConfirmTables,
    Finish,
    SayAbsent,
    ScoreVoid,
    Sitting,
    StartTournament,
    VoidTable,
    Withdraw,
    crosstable,
    table_id,
    tables_awaited,
    tables_to_open,
)
from hoodwink.domain.tournaments.scoring import scores_after
from hoodwink.domain.tournaments.terms import Format
from tests.tournaments.world import World, report, setup

DUEL = {"seats": 2}
KNOCKOUT = {"format": Format.KNOCKOUT, "sittings": (Sitting(),)}
HALF = Fraction(1, 2)


def playing(*players, absent=(), bots=0, **changes):
    """Returns an automatic tournament whose first tables are open."""
    world = World(setup(**changes))
    world.register(*players, bots=bots)
    ids = [entrant.id for entrant in world.tournament.entrants]
    world.do(StartTournament({id_: -rank for rank, id_ in enumerate(ids)}))
    for player in absent:
        world.do(SayAbsent(player))
    world.settle()
    return world


def board(world: World, number: int = 1, round_: int = 1):
    return crosstable(world.tournament).rounds[round_ - 1].boards[number - 1]


def score(world: World, number: int) -> Fraction:
    return scores_after(crosstable(world.tournament), 1)[number]


def test_the_id_of_a_table_follows_from_its_place():
    id_ = table_id("spring", round_=1, board=2)
    assert (len(id_), id_.isalnum(), id_.islower() or id_.isdigit()) == (20, True, True)
    assert id_ == table_id("spring", round_=1, board=2)
    others = {
        table_id("spring", round_=2, board=1),
        table_id("spring", round_=1, board=2, deal=2),
        table_id("autumn", round_=1, board=2),
        id_,
    }
    assert len(others) == 4


def test_a_result_is_taken_from_the_table_once():
    world = playing("ada", "bo", "cy")
    (order,) = world.open.values()
    good = report(order, points=(5, 9, 5))
    assert world.refusal(replace(good, table="another")) == "wrong_table"
    assert world.refusal(replace(good, board=2)) == "no_such_board"
    assert world.refusal(replace(good, round=2)) == "no_such_board"
    assert world.refusal(replace(good, deal=2)) == "no_such_board"
    world.do(good)
    assert [(seat.place, seat.points) for seat in board(world).seats] == [(2, 5), (1, 9), (2, 5)]
    assert world.refusal(good) == "table_reported"


@pytest.mark.parametrize(
    "wrong",
    [
        {"places": None},
        {"points": None},
        {"places": (1, 2)},
        {"points": (1, 2, 3, 4)},
        {"outcome": "abandoned"},
        {"no_shows": (3,)},
    ],
)
def test_a_report_must_match_the_end_of_a_table(wrong):
    world = playing("ada", "bo", "cy")
    (order,) = world.open.values()
    assert world.refusal(replace(report(order, points=(5, 9, 5)), **wrong)) == "invalid_report"


def test_the_tables_of_a_round_are_opened_once():
    world = World(setup(**DUEL))
    world.begin("ada", "bo", "cy", "dee")
    while not tables_to_open(world.tournament):
        world.serve()
    one, other = (order.table for order in tables_to_open(world.tournament))
    assert world.refusal(ConfirmTables(())) == "no_table_due"
    assert world.refusal(ConfirmTables((one, "another"))) == "no_table_due"
    world.do(ConfirmTables((one,)))
    assert world.refusal(ConfirmTables((one,))) == "no_table_due"
    assert [order.table for order in tables_to_open(world.tournament)] == [other]
    assert set(tables_awaited(world.tournament)) == {one, other}


def test_t_6_a_no_show_is_reported_by_the_table():
    world = playing("ada", "bo", "cy")
    (order,) = world.open.values()
    away = next(seat for seat, occupant in enumerate(order.seats) if occupant.player == "cy")
    world.end(order.table, points=(0, 0, 0), no_shows=(away,))
    states = {seat.entrant: seat.state for seat in board(world).seats}
    assert states == {1: SeatState.PLAYED, 2: SeatState.PLAYED, 3: SeatState.NO_SHOW}
    assert score(world, 3) == 0


def test_t_6_the_only_one_present_has_a_forfeit_win_without_a_table():
    form = {"format": Format.ROUND_ROBIN, "sittings": (Sitting(),), **DUEL}
    world = playing("ada", "bo", absent=("bo",), **form)
    assert not world.open
    assert board(world).outcome is Outcome.RESULT
    assert {seat.entrant: seat.place for seat in board(world).seats} == {1: 1, 2: 2}
    assert [score(world, number) for number in (1, 2)] == [1, 0]


def test_t_6_where_nobody_is_present_all_score_nothing():
    form = {"format": Format.ROUND_ROBIN, "seats": 3, "sittings": (Sitting(rounds=1),)}
    world = playing("ada", "bo", "cy", absent=("ada", "bo", "cy"), **form)
    assert board(world).outcome is Outcome.NO_RESULT
    assert {seat.state for seat in board(world).seats} == {SeatState.NO_SHOW}
    assert [score(world, number) for number in (1, 2, 3)] == [0, 0, 0]


def test_t_5_a_bot_that_fills_a_table_is_no_entrant():
    world = playing("ada", "bo", fill_with_bots=True)
    (order,) = world.open.values()
    world.end(order.table, points=(4, 3, 2, 1))
    assert sorted(seat.entrant or 0 for seat in board(world).seats) == [0, 0, 1, 2]
    assert {seat.state for seat in board(world).seats if not seat.entrant} == {SeatState.BOT}


def test_t_10_a_table_without_result_halves_a_first_place():
    world = playing("ada", "bo", "cy")
    (order,) = world.open.values()
    away = next(seat for seat, occupant in enumerate(order.seats) if occupant.player == "cy")
    world.end(order.table, outcome="abandoned", no_shows=(away,))
    assert board(world).outcome is Outcome.NO_RESULT
    assert [score(world, number) for number in (1, 2, 3)] == [HALF, HALF, 0]


# ---------------------------------------------------------------------- voids


def voided(**changes):
    world = playing("ada", "bo", "cy", **changes)
    assert world.refusal(VoidTable(1, 1, 1, "a leak")) == "table_not_reported"
    world.end_all()
    assert world.refusal(VoidTable(1, 1, 1, "")) == "invalid_reason"
    world.do(VoidTable(1, 1, 1, "a leak"), by="admin")
    return world


def test_t_12_a_voided_table_counts_like_one_without_result():
    world = voided()
    assert world.refusal(VoidTable(1, 1, 1, "a leak")) == "already_voided"
    assert board(world).outcome is Outcome.VOID
    assert [score(world, number) for number in (1, 2, 3)] == [HALF, HALF, HALF]


def test_t_12_the_organiser_states_another_score():
    world = playing("ada", "bo", "cy")
    assert world.refusal(ScoreVoid(1, 1, Fraction(0), "both knew")) == "table_not_void"
    world = voided()
    assert world.refusal(ScoreVoid(1, 1, Fraction(1, 3), "both knew")) == "invalid_score"
    assert world.refusal(ScoreVoid(1, 1, Fraction(0), "")) == "invalid_reason"
    world.do(ScoreVoid(1, 1, Fraction(0), "both knew"))
    assert [score(world, number) for number in (1, 2, 3)] == [0, 0, 0]


def test_t_12_a_table_is_voided_after_the_tournament_too_and_the_phase_stays():
    world = playing("ada", "bo", "cy", sittings=(Sitting(rounds=1),))
    world.end_all()
    world.settle()
    assert world.tournament.phase == "finished"
    world.do(VoidTable(1, 1, 1, "a leak"))
    world.do(ScoreVoid(1, 1, Fraction(1), "agreed"))
    assert world.tournament.phase == "finished"
    assert score(world, 3) == 1


def test_t_12_entrants_who_advanced_in_a_knockout_stay():
    world = playing("ada", "bo", "cy", "dee", **DUEL, **KNOCKOUT)
    world.end_all()
    world.settle()
    finalists = {seat.player for order in world.open.values() for seat in order.seats}
    for number in (1, 2):
        world.do(VoidTable(1, number, 1, "a leak"))
    world.end_all()
    world.settle()
    assert world.tournament.phase == "finished"
    assert len(finalists) == 2
    assert [len(round_.matches) for round_ in world.tournament.rounds] == [2, 1]


# ---------------------------------------------------------------------- further deals


def drawn(world: World) -> None:
    """Ends every open table with all of its seats equal."""
    for table, order in list(world.open.items()):
        world.end(table, points=(0,) * len(order.seats))


def test_p_6_equals_at_the_edge_play_up_to_three_further_deals():
    world = playing("ada", "bo", **DUEL, **KNOCKOUT)
    for deal in (1, 2, 3, 4):
        (order,) = world.open.values()
        assert order.deal == deal
        assert order.table == table_id("spring", round_=1, board=1, deal=deal)
        drawn(world)
        world.settle()
    assert not world.open, "then the lot decides"
    assert world.tournament.phase == "finished"
    assert len(board(world).replays) == 3


def test_p_6_an_entrant_who_left_is_absent_from_the_further_deal():
    world = playing("ada", "bo", **DUEL, **KNOCKOUT)
    world.do(Withdraw("bo"))
    drawn(world)
    world.settle()
    assert world.tournament.phase == "finished"
    assert not world.open


def test_p_6_a_further_deal_between_two_who_left_needs_no_table():
    world = playing("ada", "bo", **DUEL, **KNOCKOUT)
    world.do(Withdraw("ada"))
    world.do(Withdraw("bo"))
    drawn(world)
    world.settle()
    assert world.tournament.phase == "finished"
    assert all(not deal.table for deal in world.tournament.rounds[0].matches[0].deals[1:])


def test_p_6_no_further_deal_after_the_end():
    world = playing("ada", "bo", **DUEL, **KNOCKOUT)
    world.do(Finish("night falls"))
    drawn(world)
    assert len(world.tournament.rounds[0].matches[0].deals) == 1
    assert world.tournament.is_seed_revealed


def test_t_2_other_formats_have_no_further_deals():
    world = playing("ada", "bo", advance=Advance.MANUAL, **DUEL)
    assert not world.open
    world.do(Cancel("no hall"))
    assert not tables_awaited(world.tournament)
