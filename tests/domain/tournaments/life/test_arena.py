"""Arenas: rolling pairing until the bell, points with streaks, and proofs of both (T-40 … T-47)."""

from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tables.proving.proof import replayed
from hoodwink.domain.tournaments.life import (
    TOURNAMENT,
    ChangeTiebreaks,
    CheckIn,
    Enter,
    Finish,
    OpenRound,
    Pause,
    Phase,
    Resume,
    RuleResult,
    SayAbsent,
    ScoreVoid,
    Sitting,
    VoidTable,
    crosstable,
    decode_event,
    full_setup_from,
    standings_of,
    verify_log,
    view_tournament,
    work_due,
)
from hoodwink.domain.tournaments.life.arena import MIN_STAY_MS, bell_at, waiting_at
from hoodwink.domain.tournaments.life.commands import EndOvertime, MoveClocks
from hoodwink.domain.tournaments.life.events import (
    BellRung,
    OvertimeEnded,
    RoundCompleted,
    RoundOpened,
)
from hoodwink.domain.tournaments.life.outages import pending_move
from hoodwink.domain.tournaments.life.setup import ArenaTimes
from hoodwink.domain.tournaments.scoring import Status, round_scores
from hoodwink.domain.tournaments.standings import standings
from hoodwink.domain.tournaments.terms import ScoreBy, Tiebreak
from hoodwink.service.simulation.tournaments import TournamentSimulation, plan_entrants
from tests.domain.tournaments.life.test_verify import finding, forged
from tests.tournaments.arenas import ArenaWorld, arena_setup, check_seats, points_of
from tests.tournaments.world import World

MINUTE = 60_000


def players(count: int) -> list[str]:
    return [f"p{number:02}" for number in range(1, count + 1)]


def world_of(count: int, **settings) -> ArenaWorld:
    world = ArenaWorld(**settings)
    world.begin(*players(count))
    world.settle()
    return world


def scores_of(world: ArenaWorld) -> dict[int, Fraction]:
    return {row.entrant: row.score for row in standings_of(world.tournament).rows}


def end(world: ArenaWorld, winner: str, loser: str, **left) -> None:
    """Ends the open table of two players."""
    (table,) = [
        table for table, order in world.open.items() if {who.player for who in order.seats} == {winner, loser}
    ]
    seats = [who.player for who in world.open[table].seats]
    world.end(table, points=tuple(int(player == winner) for player in seats), **left)


def next_wave(world: ArenaWorld) -> None:
    world.wait()
    world.settle()


@pytest.mark.parametrize(
    ("count", "settings"),
    [
        (2, {}),
        (3, {}),
        (5, {}),
        (24, {}),
        (7, {"seats": 3, "game": "blindside"}),
        (13, {"seats": 4, "game": "shithead"}),
        (9, {"seats": 4, "game": "blindside", "fill_with_bots": True}),
    ],
)
@pytest.mark.parametrize("seed", range(2))
def test_t_41_t_42_t_44_an_arena_seats_everybody_in_time_and_scores_as_recomputed(count, settings, seed):
    world = world_of(count, seed=seed, minutes=15, **settings)
    world.play_until(world.now + 60 * MINUTE)

    assert world.tournament.phase is Phase.FINISHED
    assert len(world.waves()) > 3
    check_seats(world.log, patience_ms=66_000)
    assert points_of(world.log) == scores_of(world)
    assert replayed(TOURNAMENT, world.log) == world.tournament


def test_t_42_t_43_recent_opponents_do_not_meet_again_while_others_are_about():
    world = world_of(16, minutes=20)
    world.lasts = (60_000, 90_000)
    world.play_until(world.now + 20 * MINUTE)

    meetings = again = recently = 0
    met: dict[int, list[int]] = {number: [] for number in range(1, 17)}
    for recorded in world.waves():
        assert isinstance(recorded.event, RoundOpened)
        for seats in recorded.event.tables:
            one, other = (number for number in seats if number is not None)
            again += other in met[one][-1:] or one in met[other][-1:]
            recently += other in met[one][-3:] or one in met[other][-3:]
            meetings += 1
            met[one].append(other)
            met[other].append(one)
    assert meetings > 90
    assert again == 0
    assert recently / meetings < 0.2


def test_t_43_opponents_are_the_nearest_in_the_standings_whom_they_have_not_met():
    world = world_of(16)
    for number in range(1, 17, 2):
        end(world, f"p{number:02}", f"p{number + 1:02}")
    next_wave(world)

    tables = [set(match.deals[0].seats) for match in world.tournament.rounds[1].matches]
    winners, losers = [{n, n + 2} for n in range(1, 16, 4)], [{n, n + 2} for n in range(2, 17, 4)]
    assert tables == [*winners, *losers]


def test_t_41_whoever_plays_is_not_in_the_waves_meanwhile():
    world = world_of(6)
    end(world, "p01", "p02")
    end(world, "p03", "p04")
    next_wave(world)

    (first, second) = crosstable(world.tournament).rounds
    assert [len(first.boards), len(second.boards), second.unplayed] == [3, 2, ()]
    assert {seat.entrant for board in second.boards for seat in board.seats} == {1, 2, 3, 4}
    assert {frozenset(seat.entrant for seat in board.seats) for board in second.boards} == {
        frozenset({1, 3}),
        frozenset({2, 4}),
    }, "the winners meet, and nobody meets the last opponent again"
    assert world.tournament.rounds[1].is_started


def test_t_42_two_who_have_just_met_wait_for_others_but_not_forever():
    world = world_of(4)
    end(world, "p01", "p02")
    ended = world.now
    next_wave(world)

    assert world.now == ended + 60_000
    assert {who.player for who in list(world.open.values())[-1].seats} == {"p01", "p02"}


def test_t_44_two_wins_begin_a_streak_and_a_draw_ends_it():
    world = world_of(2)
    scored = []
    for points in [(1, 0), (1, 0), (1, 0), (0, 0), (1, 0)]:
        (table,) = world.open
        seats = [who.player for who in world.open[table].seats]
        world.end(table, points=points if seats[0] == "p01" else points[::-1])
        scored.append(scores_of(world)[1])
        next_wave(world)

    assert scored == [2, 4, 8, 10, 12]
    assert scores_of(world)[2] == 1, "the draw is doubled only for the player on a streak"
    assert [row.streak for row in standings_of(world.tournament).rows] == [1, 0]


def test_t_44_void_tables_and_rulings_change_the_streaks_that_follow():
    world = world_of(2)
    for _ in range(3):
        end(world, "p01", "p02")
        next_wave(world)
    assert scores_of(world)[1] == 2 + 2 + 4

    world.do(VoidTable(1, 1, 1, "a leak"))
    assert scores_of(world) == {1: 2 + 2, 2: 0}
    world.do(ScoreVoid(1, 1, Fraction(1, 2), "agreed"))
    assert scores_of(world) == {1: 1 + 2 + 2, 2: 1}
    seats = [deal.seats for deal in world.tournament.rounds[1].matches[0].deals]
    places = tuple(1 if number == 2 else 2 for number in seats[0])
    world.do(RuleResult(round=2, board=1, official="olga", reason="a mistake", places=places))
    assert scores_of(world) == {1: 1 + 0 + 2, 2: 1 + 2}


def test_t_45_who_pauses_gets_no_table_until_they_return():
    world = world_of(4)
    world.do(SayAbsent("p01"))
    end(world, "p01", "p02")
    end(world, "p03", "p04")
    next_wave(world)
    assert "p01" not in [who.player for order in world.open.values() for who in order.seats]

    assert world.refusal(CheckIn("p01", "c0" * 32)) == "seed_committed", "it would delay everybody"
    world.do(CheckIn("p01"))
    returned = world.now
    assert world.refusal(SayAbsent("p01")) == "already_checked_in", "pauses in turn would hold up waves"
    world.now = returned + MIN_STAY_MS
    assert world.refusal(SayAbsent("p01")) == ""
    world.play_until(returned + MINUTE)
    waves = world.tournament.rounds[2:]
    assert any(1 in match.deals[0].seats for wave in waves for match in wave.matches)


def test_t_45_a_no_show_is_paused_and_ends_their_streak():
    world = world_of(2)
    for _ in range(2):
        end(world, "p02", "p01")
        next_wave(world)
    (table,) = world.open
    seats = [who.player for who in world.open[table].seats]
    world.end(table, outcome="last_seat", points=(0, 0), no_shows=(seats.index("p02"),))
    world.settle()

    assert scores_of(world) == {1: 2, 2: 4}
    assert {row.entrant: row.streak for row in standings_of(world.tournament).rows} == {1: 0, 2: 0}
    assert [waiting.entrant for waiting in waiting_at(world.tournament, world.now)] == [1]
    world.do(CheckIn("p02"))
    next_wave(world)
    assert len(world.open) == 1


def test_t_46_late_entrants_are_paired_until_the_bell():
    world = world_of(2)
    world.do(Enter(player="late"))
    end(world, "p01", "p02")
    next_wave(world)
    assert "late" in [who.player for order in world.open.values() for who in order.seats]
    assert scores_of(world)[3] == 0

    world.now = bell_at(world.tournament)
    assert world.refusal(Enter(player="later")) == "too_late"


def test_t_40_t_46_a_pause_stops_the_time_for_late_entries():
    world = world_of(2)
    world.now = bell_at(world.tournament) - 1_000
    world.do(Pause())
    world.now += 60_000
    world.do(Enter(player="late"))
    world.do(Resume())
    world.now = bell_at(world.tournament)
    assert world.refusal(Enter(player="later")) == "too_late"


def test_t_47_tables_in_play_count_if_they_end_in_time():
    world = world_of(4, minutes=1, finish=2)
    bell = bell_at(world.tournament)
    world.now = bell
    world.settle()
    assert isinstance(world.log[-1].event, BellRung)
    assert world.refusal(OpenRound(2)) == "no_wave_due"
    assert world.refusal(EndOvertime()) == "no_bell_due"
    end(world, "p01", "p02")
    assert work_due(world.tournament).at == bell + 2 * MINUTE

    world.wait()
    world.settle()
    assert world.tournament.phase is Phase.FINISHED
    kinds = [type(recorded.event) for recorded in world.log]
    assert kinds.count(OvertimeEnded) == kinds.count(RoundCompleted) == 1
    assert scores_of(world) == {1: 2, 2: 0, 3: 0, 4: 0}
    statuses = {
        number: score.status for number, score in round_scores(crosstable(world.tournament))[0].items()
    }
    assert statuses == {1: Status.PLAYED, 2: Status.PLAYED, 3: Status.ANNULLED, 4: Status.ANNULLED}


def test_t_47_nobody_who_becomes_free_after_the_bell_is_paired():
    world = world_of(2)
    world.now = bell_at(world.tournament) + 500  # the service is late
    end(world, "p01", "p02")

    assert world.refusal(OpenRound(2)) == "no_wave_due"
    world.settle()
    assert len(world.tournament.rounds) == 1
    assert world.tournament.phase is Phase.FINISHED


def test_t_47_the_arena_finishes_when_its_last_table_ends():
    world = world_of(2, minutes=1)
    world.now = bell_at(world.tournament)
    world.settle()
    end(world, "p01", "p02")
    world.settle()

    assert world.tournament.phase is Phase.FINISHED
    assert scores_of(world) == {1: 2, 2: 0}


def test_t_15_t_40_an_arena_ends_at_its_bell_although_nobody_is_left():
    world = world_of(3)
    for player in players(3):
        world.do(SayAbsent(player))
    world.play_until(world.now + 24 * 60 * MINUTE)

    assert world.tournament.phase is Phase.FINISHED
    assert world.tournament.is_seed_revealed


def test_t_40_an_arena_begins_at_the_time_of_its_sitting_and_pauses_move_the_bell():
    world = ArenaWorld(sittings=(Sitting(starts_at=1_500_000),))
    world.begin(*players(4))
    world.do(Pause())
    world.now += 100_000
    world.do(Resume())
    assert world.now < 1_500_000
    assert bell_at(world.tournament) == 1_500_000 + 30 * MINUTE, (
        "a pause before the beginning changes nothing"
    )
    assert world.refusal(MoveClocks(world.now - 50_000, world.now)) == "no_clock_moved"
    world.settle()
    assert not world.open
    next_wave(world)
    assert world.now == 1_500_000
    assert len(world.open) == 2

    world.do(Pause())
    world.now += 40_000
    world.do(Resume())
    assert bell_at(world.tournament) == 1_500_000 + 30 * MINUTE + 40_000
    outage = (world.now, world.now + 70_000)
    world.now += 80_000
    assert pending_move(world.tournament, [outage], world.now) == MoveClocks(*outage)
    world.do(MoveClocks(*outage))
    shown = view_tournament(world.tournament).arena
    assert shown is not None
    assert shown.bell_at == 1_500_000 + 30 * MINUTE + 110_000
    assert pending_move(world.tournament, [outage], world.now) is None


def test_t_5_t_43_bots_fill_a_short_table_only_where_wanted():
    filled = world_of(5, seats=4, fill_with_bots=True)
    assert sorted(sum(who.is_filler for who in order.seats) for order in filled.open.values()) == [1, 2]
    short = world_of(5, seats=4)
    assert sorted(len(order.seats) for order in short.open.values()) == [2, 3]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"turn_seconds": 0}, "turn_seconds"),
        ({"advance": "manual"}, "advance"),
        ({"check_in": 60}, "check-in"),
        ({"sittings": [{}, {}]}, "sitting"),
        ({"sittings": [{"rounds": 3}]}, "rounds"),
        ({"score_by": "points"}, "place or by win"),
        ({"tiebreaks": ["buchholz"]}, "tiebreaks"),
        ({"late_until": 1}, "late_until"),
        ({"deal": "same"}, "own deal"),
        ({"arena_minutes": 0}, "arena_minutes"),
        ({"arena_minutes": 181}, "arena_minutes"),
        ({"finish_minutes": 61}, "finish_minutes"),
        ({"format": "league", "arena_minutes": 30, "sittings": [{"rounds": 1}]}, "for arenas"),
    ],
)
def test_t_40_settings_that_do_not_fit_an_arena_are_refused(changes, said):
    given = {"name": "Late night", "format": "arena", "game": "blindside", "seats": 2, "sittings": [{}]}
    with pytest.raises(RuleViolation, match=said):
        open_with({**given, **changes})
    world = open_with(given)
    assert (world.tournament.arena.arena_minutes, world.tournament.arena.finish_minutes) == (45, 10)
    assert (world.tournament.setup.turn_seconds, world.tournament.setup.grace_seconds) == (30, 60)


def open_with(given) -> World:
    full = full_setup_from(given)
    return World(full.stored, compare=full.compared_by, arena=full.arena)


def test_t_40_an_arena_is_finished_early_only_with_a_reason():
    world = world_of(2)

    assert world.refusal(Finish()) == "invalid_reason"
    world.do(Finish("night falls"))
    assert world.tournament.phase is Phase.FINISHED


def test_t_40_tie_breaks_can_be_changed_until_the_bell():
    world = world_of(2, tiebreaks=(Tiebreak.WINS,), score_by=ScoreBy.WIN)
    assert world.refusal(ChangeTiebreaks((Tiebreak.PROGRESSIVE,))) == "invalid_setup"
    assert world.refusal(ChangeTiebreaks((Tiebreak.DIFFERENCE,))) == ""
    world.now = bell_at(world.tournament)
    world.settle()
    assert world.refusal(ChangeTiebreaks((Tiebreak.DIFFERENCE,))) == "last_round"


@cache
def simulated() -> TournamentSimulation:
    simulation = TournamentSimulation(
        setup=arena_setup(game="coconut"),
        entrants=plan_entrants(["steady", "random"], 6, latest=1, chance=Random(1)),
        seed="arena",
        arena=ArenaTimes(8, 60),
    )
    simulation.play()
    return simulation


def lines_of(lines: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [line for line in lines if line["type"] == f"tournament.{kind}"]


def swap_opponents(lines: list[dict[str, Any]]) -> None:
    tables = lines_of(lines, "round_opened")[0]["data"]["tables"]
    tables[0][0], tables[1][0] = tables[1][0], tables[0][0]


def pair_sooner(lines: list[dict[str, Any]]) -> None:
    opened, started = lines_of(lines, "round_opened")[1], lines_of(lines, "round_started")[1]
    opened["at"] = started["at"] = opened["at"] - 1_000


def ring_sooner(lines: list[dict[str, Any]]) -> None:
    lines_of(lines, "bell_rung")[0]["at"] -= 1_000


def last_longer(lines: list[dict[str, Any]]) -> None:
    lines_of(lines, "arena_chosen")[0]["data"]["arena_minutes"] += 1


def win_for(lines: list[dict[str, Any]]) -> None:
    places = lines_of(lines, "table_reported@2")[0]["data"]["places"]
    places.reverse()


@pytest.mark.parametrize("forge", [swap_opponents, pair_sooner, ring_sooner, last_longer, win_for])
def test_t_14_t_43_t_44_verification_proves_pairings_times_and_scores(forge):
    simulation = simulated()
    log, logs = simulation.log(), [*simulation.logs.values()]
    verdict = verify_log(log, logs)
    assert verdict.valid
    assert verdict.crosstable is not None
    assert {row.entrant: row.score for row in standings(verdict.crosstable).rows} == points_of(
        [Recorded(entry, decode_event(entry.type, entry.data)) for entry in simulation.entries]
    )

    code, *_ = finding(verify_log(forged(log, forge), logs))
    assert code in {"altered", "illegal", "wrong_result"}
