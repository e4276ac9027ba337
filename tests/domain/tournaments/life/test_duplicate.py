"""Duplicate tournaments: one deal for all tables of a round, sealed at their ends and released together."""

from collections import Counter
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from hoodwink.domain.tables.commands import OpenTournamentTable, ReleaseDeal
from hoodwink.domain.tables.fairness import SharedDeal
from hoodwink.domain.tables.proving.proof import checked_log
from hoodwink.domain.tables.proving.verify import TABLE, rebuilt_command
from hoodwink.domain.tables.proving.verify import verify_log as verify_table_log
from hoodwink.domain.tables.state import UNOPENED as UNOPENED_TABLE
from hoodwink.domain.tournaments.chance import deal_key
from hoodwink.domain.tournaments.life import (
    AddRounds,
    Advance,
    Cancel,
    ChangePairing,
    OfferPlace,
    OpenRound,
    OpenTournament,
    Phase,
    SealTable,
    Sitting,
    TakePlace,
    Withdraw,
    crosstable,
    seats_to_resign,
    tables_to_close,
    tables_to_release,
    verify_log,
)
from hoodwink.domain.tournaments.life.events import DealReleased, RoundCompleted, TableReported, TableSealed
from hoodwink.domain.tournaments.life.state import UNOPENED
from hoodwink.domain.tournaments.scoring import Status, round_scores
from hoodwink.domain.tournaments.scoring.comparisons import compared
from hoodwink.domain.tournaments.terms import Compare, Format, ScoreBy
from hoodwink.service.simulation.tournaments import TournamentSimulation, plan_entrants
from tests.domain.tables.sitting import Sitting as TableSitting
from tests.domain.tournaments.life.test_verify import finding, forged
from tests.tournaments.world import SEED, World, report, setup

HALF = Fraction(1, 2)


def duplicate_setup(**changes: Any) -> Any:
    return setup(**({"turn_seconds": 60, "bye_score": HALF, "seats": 2} | changes))


def world_of(entrants: int, *, deals: int = 1, **changes: Any) -> World:
    """Returns a duplicate tournament with open tables in its first round."""
    world = World(duplicate_setup(**changes), compare=Compare.MATCHPOINTS, deals_per_pairing=deals)
    world.begin(*(f"p{number:02}" for number in range(1, entrants + 1)))
    world.settle()
    return world


@pytest.mark.parametrize(
    "changes",
    [
        {"format": Format.KNOCKOUT, "sittings": (Sitting(),)},
        {"turn_seconds": 0},
        {"score_by": ScoreBy.WIN},
        {"bye_score": Fraction(1)},
        {"late_until": 2, "late_score": Fraction(1)},
    ],
)
def test_d_1_settings_under_which_tables_could_not_play_the_same_deal_are_refused(changes):
    world = World(setup())
    world.tournament = UNOPENED
    opening = OpenTournament(
        tournament="spring", organiser="olga", setup=duplicate_setup(**changes), server_seed=SEED
    )
    assert world.refusal(opening) == ""
    with_deals = OpenTournament(
        tournament="spring",
        organiser="olga",
        setup=duplicate_setup(**changes),
        server_seed=SEED,
        compare=Compare.MATCHPOINTS,
    )
    assert world.refusal(with_deals) == "invalid_setup"


def seatings(world: World, chance: Random) -> list[list[tuple[str, ...]]]:
    """Plays the tournament to its end, and returns the tables of each round, with the players in seat order."""
    rounds = []
    while world.open:
        tables = [tuple([who.player for who in order.seats]) for order in world.open.values()]
        rounds.append(tables)
        world.end_all(chance)
        world.settle()
    return rounds


@pytest.mark.parametrize(("format_", "entrants", "seats"), [(Format.SWISS, 9, 3), (Format.LEAGUE, 10, 4)])
def test_d_1_the_same_opponents_play_several_deals_each_one_seat_further(format_, entrants, seats):
    sitting = Sitting(rounds=6)
    world = world_of(entrants, deals=3, format=format_, seats=seats, sittings=(sitting,))
    first, second, third, other, *_ = seatings(world, Random(1))

    assert second == [(table[-1], *table[:-1]) for table in first]
    assert third == [(table[-1], *table[:-1]) for table in second]
    assert {frozenset(table) for table in other} != {frozenset(table) for table in first}
    keys = [each.event.deal for each in world.log if isinstance(each.event, DealReleased)]
    assert keys == [1, 2, 3, 4, 5, 6]


def test_d_1_a_round_robin_of_two_plays_its_whole_schedule_in_both_seats():
    world = world_of(6, deals=2, format=Format.ROUND_ROBIN, sittings=(Sitting(),))
    met = Counter(table for tables in seatings(world, Random(1)) for table in tables)

    assert len(met) == 30
    assert set(met.values()) == {1}


def test_d_1_opponents_are_paired_again_when_one_of_them_has_left():
    world = world_of(9, deals=3, seats=3)
    first = {frozenset(who.player for who in order.seats) for order in world.open.values()}
    world.do(Withdraw("p01"))
    world.end_all()
    world.settle()
    second = [{who.player for who in order.seats} for order in world.open.values()]
    world.end_all()
    world.settle()
    third = [{who.player for who in order.seats} for order in world.open.values()]

    assert sorted(map(len, second)) == [2, 3, 3]
    assert not first & set(map(frozenset, second))
    assert third == second


@pytest.mark.parametrize("is_forbidden", [False, True])
def test_d_1_t_19_a_substitute_plays_on_unless_with_somebody_they_must_not_meet(is_forbidden):
    first = _opponents(world_of(6, deals=3))
    opponent = next(iter(next(seated for seated in first if "p01" in seated) - {"p01"}))
    world = world_of(6, deals=3, forbidden=((opponent, "eve"),) if is_forbidden else ())
    world.do(OfferPlace("p01", "eve", "olga", "ill"))
    world.do(TakePlace("eve"))
    world.end_all()
    world.settle()
    second = _opponents(world)
    world.end_all()
    world.settle()

    assert ({opponent, "eve"} in second) is not is_forbidden
    assert second == _opponents(world), "the new pairing is repeated, too"


def _opponents(world: World) -> list[set[str]]:
    return [{who.player for who in order.seats} for order in world.open.values()]


def test_d_1_t_22_rounds_are_added_for_whole_pairings():
    world = world_of(6, deals=2, sittings=(Sitting(rounds=2),))
    assert world.refusal(AddRounds(1, "olga", "time is left")) == "invalid_setup"
    world.do(AddRounds(2, "olga", "time is left"))


def test_d_1_a_bye_lasts_as_long_as_the_pairing():
    world = world_of(7, deals=3)
    seatings(world, Random(1))
    byes = [[each.entrant for each in round_.unplayed] for round_ in world.tournament.rounds]

    assert byes[0] == byes[1] == byes[2]
    assert len(byes[0]) == 1


@pytest.mark.parametrize("sittings", [(Sitting(rounds=3),), (Sitting(rounds=4), Sitting(rounds=1))])
def test_d_1_a_pairing_does_not_last_beyond_its_sitting(sittings):
    opening = OpenTournament(
        tournament="spring",
        organiser="olga",
        setup=duplicate_setup(sittings=sittings),
        server_seed=SEED,
        compare=Compare.MATCHPOINTS,
        deals_per_pairing=2,
    )
    world = World(setup())
    world.tournament = UNOPENED
    assert world.refusal(opening) == "invalid_setup"


@pytest.mark.parametrize(("entrants", "sizes"), [(9, [4, 4, 4]), (10, [3, 3, 4])])
def test_d_6_bots_take_the_last_seats_of_all_tables_or_of_none(entrants, sizes):
    world = world_of(entrants, seats=4, fill_with_bots=True)
    for _ in range(3):
        tables = [tuple([who.is_filler for who in order.seats]) for order in world.open.values()]
        assert sorted(map(len, tables)) == sizes
        assert {table.index(True) for table in tables if any(table)} <= {3}
        world.end_all()
        world.settle()

    comparisons = [mine.comparison for mine in round_scores(crosstable(world.tournament))[0].values()]
    assert sum(found is not None and not found.is_average for found in comparisons) == (
        9 if entrants == 9 else 0
    )


def test_d_6_a_changed_pairing_keeps_the_bots_alike():
    world = World(
        duplicate_setup(seats=4, fill_with_bots=True, advance=Advance.MANUAL), compare=Compare.MATCHPOINTS
    )
    world.begin(*(f"p{number:02}" for number in range(1, 10)))
    world.do(OpenRound(1))

    def change(*tables: tuple[int | None, ...]) -> str:
        return world.refusal(ChangePairing(1, tables, (), "friends"))

    assert change((1, 2, 3, None), (4, 5, 6, None), (7, 9, 8, None)) == ""
    assert change((1, 2, None, 3), (4, 5, 6, None), (7, 9, 8, None)) == "invalid_bots"
    assert change((1, 2, 3, 4), (5, 6, 7, None), (8, 9, None, None)) == "invalid_bots"
    assert change((1, 2, 3, 4), (5, 6, 7), (8, 9)) == ""


def test_d_1_d_2_all_tables_of_a_round_share_a_deal_and_no_other_round_does():
    world = world_of(6)
    first = {order.shared for order in world.open.values()}
    assert len({order.server_seed for order in world.open.values()}) == 3
    world.end_all()
    world.settle()
    second = {order.shared for order in world.open.values()}

    keys = [deal_key(SEED, ("",) * 6, round_=number, deal=number) for number in (1, 2)]
    assert [first, second] == [{SharedDeal(1, keys[0])}, {SharedDeal(2, keys[1])}]
    assert keys[0] != keys[1]


def test_d_7_nothing_is_reported_before_the_last_table_of_the_deal_has_ended():
    world = world_of(6)
    first, second, third = tuple(world.open)
    order = world.open[first]
    world.end(first, points=(9, 0))
    world.end(second, points=(5, 0))

    assert world.refusal(report(order, points=(9, 0))) == "wrong_table"
    assert world.refusal(SealTable(1, 1, first, "cd" * 32)) == "table_reported"
    assert world.refusal(SealTable(1, 1, second, "cd" * 32)) == "wrong_table"
    assert tables_to_release(world.tournament) == ()
    assert not any(isinstance(recorded.event, TableReported) for recorded in world.log)
    assert {mine.status for mine in round_scores(crosstable(world.tournament))[0].values()} == {
        Status.PENDING
    }

    world.end(third, points=(1, 0))
    assert [type(recorded.event) for recorded in world.log][-2:] == [TableSealed, DealReleased]
    assert tables_to_release(world.tournament) == (first, second, third)
    world.settle()
    kinds = [type(recorded.event) for recorded in world.log]
    assert kinds[kinds.index(DealReleased) :][1:5] == [*[TableReported] * 3, RoundCompleted]
    scores = round_scores(crosstable(world.tournament))[0]
    assert sorted(mine.score for mine in scores.values()) == [0, HALF, HALF, HALF, HALF, 1]


def test_d_7_a_cancelled_tournament_closes_and_releases_its_tables():
    world = world_of(6)
    first, *others = tuple(world.open)
    world.end(first, points=(9, 0))
    world.do(Cancel("no hall"))

    assert tables_to_close(world.tournament) == tuple(others)
    assert seats_to_resign(world.tournament) == ()
    world.settle()
    assert world.tournament.phase is Phase.CANCELLED
    assert world.tournament.is_seed_revealed
    assert Counter(type(recorded.event) for recorded in world.log)[DealReleased] == 1


def test_d_7_a_round_without_a_table_releases_nothing():
    world = world_of(2, check_in=60)
    world.settle()
    world.wait()
    world.play()

    assert world.tournament.phase is Phase.FINISHED
    assert not any(isinstance(recorded.event, DealReleased) for recorded in world.log)


@pytest.mark.parametrize("format_", [Format.SWISS, Format.LEAGUE])
def test_d_4_everybody_sits_in_each_seat_equally_often(format_):
    world = world_of(12, format=format_, seats=4, sittings=(Sitting(rounds=4),))
    seats: Counter[tuple[str, int]] = Counter()
    chance = Random(4)
    while world.open:
        seats.update(
            (who.player, seat) for order in world.open.values() for seat, who in enumerate(order.seats)
        )
        world.end_all(chance)
        world.settle()

    assert set(seats.values()) == {1}
    assert len(seats) == 48


@cache
def simulated() -> TournamentSimulation:
    simulation = TournamentSimulation(
        setup=duplicate_setup(game="coconut", sittings=(Sitting(rounds=1),) * 2),
        entrants=plan_entrants(["steady", "random"], 8, latest=1, chance=Random(1)),
        seed="duplicate",
        compare=Compare.MATCHPOINTS,
    )
    simulation.play()
    return simulation


def test_d_3_standings_add_up_the_comparisons():
    table = simulated().crosstable
    for round_, scores in zip(table.rounds, round_scores(table), strict=True):
        for seat in (0, 1):
            held = [board.seats[seat] for board in round_.boards]
            expected = compared([one.points for one in held], Compare.MATCHPOINTS)
            assert tuple(scores[one.entrant or 0].score for one in held) == expected


def test_d_8_a_duplicate_tournament_is_proved_with_its_tables():
    found = verify_log(simulated().log(), simulated().logs.values())

    assert (found.valid, found.tables, found.finding) == (True, 8, None)


def test_d_1_d_6_d_8_deals_in_a_row_with_bots_in_the_last_seats_are_proved():
    simulation = TournamentSimulation(
        setup=duplicate_setup(game="shithead", seats=4, fill_with_bots=True, sittings=(Sitting(rounds=2),)),
        entrants=plan_entrants(["steady", "random"], 6, latest=1, chance=Random(1)),
        seed="bots",
        compare=Compare.DIFFERENCE,
        deals_per_pairing=2,
    )
    simulation.play()
    log, logs = simulation.log(), simulation.logs.values()

    found = verify_log(log, logs)
    assert (found.valid, found.tables, found.finding) == (True, 4, None)
    without_choice = forged(log, lambda lines: lines.pop(2))
    assert finding(verify_log(without_choice, logs))[0] == "altered", (
        "the second pairing would be another one"
    )


def first_fault(log: bytes, logs: Any) -> tuple[str, str | None, str]:
    """Returns the code, the table and the sentence of the finding."""
    found = verify_log(log, logs).finding
    assert found is not None
    return found.code, found.table, found.detail


def opening_of_log(log: bytes) -> OpenTournamentTable:
    """Returns the command that opened a tournament's table."""
    table, recorded = checked_log(TABLE, log)
    commit = [event for event in recorded if event.entry.cmd == recorded[0].entry.cmd]
    command = rebuilt_command(UNOPENED_TABLE, commit)
    assert isinstance(command, OpenTournamentTable)
    assert table.shared == command.shared
    return command


def swap_seals(lines: list[dict[str, Any]]) -> None:
    one, other = [line["data"] for line in lines if line["type"] == "tournament.table_sealed"][:2]
    one["head"], other["head"] = other["head"], one["head"]


def release_early(lines: list[dict[str, Any]]) -> None:
    kinds = [line["type"] for line in lines]
    released = lines.pop(kinds.index("tournament.deal_released"))
    sealed = kinds.index("tournament.table_sealed")
    lines.insert(sealed + 1, released | {key: lines[sealed][key] for key in ("at", "by", "cmd")})


def release_early_again(lines: list[dict[str, Any]]) -> None:
    release_early(lines)
    last = next(line for line in reversed(lines) if line["type"] == "tournament.deal_released")
    lines.remove(last)
    round_ = last["data"]["round"]
    sealed = next(
        number
        for number, line in enumerate(lines)
        if line["type"] == "tournament.table_sealed" and line["data"]["round"] == round_
    )
    lines.insert(sealed + 1, last | {key: lines[sealed][key] for key in ("at", "by", "cmd")})


def test_d_8_a_swapped_seal_and_an_early_release_are_named():
    log, logs = simulated().log(), simulated().logs
    first, second, *_ = logs

    found = first_fault(forged(log, swap_seals), logs.values())
    assert found[:2] == ("wrong_seal", first)
    assert "as it was sealed before the release" in found[2]
    assert first_fault(forged(log, release_early), logs.values()) == (
        "early_release",
        None,
        f"deal 1 was released before table {second} had ended",
    )
    found = first_fault(forged(log, release_early_again), logs.values())
    assert found[2].startswith("deal 1 "), "the first of several"
    without_choice = forged(log, lambda lines: lines.pop(1))
    assert finding(verify_log(without_choice, logs.values()))[0] == "illegal"


@pytest.mark.parametrize(
    ("shared", "sentence"),
    [
        ({"key": "f" * 64}, "the key of deal 1 does not follow from the tournament's seeds"),
        ({"number": 2}, "the table was dealt deal 2, but its round plays deal 1"),
        (None, "the table does not share deal 1 with the other tables of its round"),
    ],
)
def test_d_2_d_8_a_table_that_was_dealt_other_cards_is_named(shared, sentence):
    simulation = simulated()
    table, *others = simulation.logs
    opening = opening_of_log(simulation.logs[table])
    assert opening.shared is not None
    deal = None if shared is None else replace(opening.shared, **shared)
    other = TableSitting(replace(opening, shared=deal)).play_out()
    if deal is not None:
        other.do(ReleaseDeal())
    assert verify_table_log(other.log()).valid

    logs = [other.log(), *[simulation.logs[name] for name in others]]
    assert first_fault(simulation.log(), logs) == ("wrong_deal", table, sentence)


def test_d_2_d_8_a_table_that_shares_a_deal_although_the_tournament_is_no_duplicate_is_named():
    simulation = TournamentSimulation(
        setup=setup(game="coconut", seats=2, sittings=(Sitting(rounds=1),)),
        entrants=plan_entrants(["steady", "random"], 2, latest=1, chance=Random(1)),
        seed="single",
    )
    simulation.play()
    ((table, log),) = simulation.logs.items()
    shared = TableSitting(replace(opening_of_log(log), shared=SharedDeal(1, "f" * 64))).play_out()
    shared.do(ReleaseDeal())

    assert first_fault(simulation.log(), [shared.log()]) == (
        "wrong_deal",
        table,
        "the tournament is no duplicate, but the table shares a deal",
    )
