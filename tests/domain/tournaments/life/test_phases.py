"""The phases of a tournament, from draft to the end."""

from random import Random

import pytest
from msgspec.structs import replace

from hoodwink.domain.due_times import IMMEDIATELY, NOTHING_DUE, WorkDue
from hoodwink.domain.tournaments.life import (
    UNOPENED,
    Advance,
    Cancel,
    ChangeTiebreaks,
    Enter,
    Finish,
    OpenRegistration,
    OpenRound,
    OpenTournament,
    Pause,
    Phase,
    Reschedule,
    Resume,
    Sitting,
    StartTournament,
    Withdraw,
    crosstable,
    grace_ends,
    is_played_out,
    tables_awaited,
    tables_to_close,
    tables_to_open,
    work_due,
)
from hoodwink.domain.tournaments.standings import standings
from hoodwink.domain.tournaments.terms import Format, ScoreBy, Tiebreak
from tests.tournaments.world import SEED, World, setup

LEFT_OPEN = ["tournament.finished"]


def started(*players, bots=0, **changes):
    world = World(setup(**changes))
    world.begin(*players, bots=bots)
    return world


def event_types(events) -> list[str]:
    return [event.wire.removeprefix("tournament.") for event in events]


def test_a_tournament_is_opened_once_by_an_edition_that_exists():
    world = World(setup())
    again = OpenTournament(tournament="spring", organiser="olga", setup=setup(), server_seed=SEED)
    assert world.refusal(again) == "tournament_exists"
    world.tournament = UNOPENED
    for edition in (0, 1, 4):
        assert world.refusal(replace(again, edition=edition)) == "unknown_edition"
    assert world.refusal(OpenRegistration()) == "no_tournament"


def test_t_2_a_tournament_goes_from_draft_to_finished():
    world = World(setup(sittings=(Sitting(rounds=1),)))
    phases = [world.tournament.phase]
    world.register("ada", "bo")
    phases.append(world.tournament.phase)
    world.do(StartTournament({}))
    phases.append(world.tournament.phase)
    world.do(Pause())
    phases.append(world.tournament.phase)
    world.do(Resume())
    world.play()
    phases.append(world.tournament.phase)
    assert phases == [Phase.DRAFT, Phase.REGISTRATION, Phase.RUNNING, Phase.PAUSED, Phase.FINISHED]


def test_t_2_a_draft_and_a_registration_can_only_be_cancelled():
    world = World(setup())
    for command in (Pause(), Resume(), Finish("late"), OpenRound(1)):
        assert world.refusal(command) == "tournament_not_started"
    assert world.refusal(Cancel("")) == "invalid_reason"
    assert event_types(world.do(Cancel("no hall"))) == ["cancelled", "seed_revealed"]
    for late in (Cancel("again"), Finish(""), Pause(), OpenRegistration()):
        assert world.refusal(late) == "tournament_over"


def test_t_2_a_pause_begins_and_ends_once():
    world = started("ada", "bo")
    assert world.refusal(Resume()) == "not_paused"
    world.do(Pause("lunch"))
    assert world.refusal(Pause()) == "already_paused"
    world.do(Resume())
    assert world.refusal(Pause("x" * 501)) == "invalid_reason"


def test_t_2_a_pause_stops_tables_that_are_not_open_and_leaves_those_in_play():
    world = started("ada", "bo")
    while not tables_to_open(world.tournament):
        world.serve()
    world.do(Pause())
    assert not tables_to_open(world.tournament)
    assert tables_awaited(world.tournament)
    world.do(Resume())
    world.settle()
    world.do(Pause())
    world.end_all()
    assert world.tournament.rounds[0].is_complete


def test_t_2_a_pause_puts_off_the_end_of_the_grace_time():
    world = started("ada", "bo", advance=Advance.MANUAL)
    opened = world.now
    assert grace_ends(world.tournament, opened) == opened + 300_000
    world.now += 100_000
    world.do(Pause())
    assert grace_ends(world.tournament, opened) is None
    world.now += 50_000
    world.do(Resume())
    assert grace_ends(world.tournament, opened) == opened + 350_000
    assert grace_ends(world.tournament, opened + 120_000) == opened + 450_000, "opened in the pause"
    assert grace_ends(world.tournament, opened + 150_000) == opened + 450_000, "opened after it"
    world.now = opened + 400_000
    world.do(Pause())
    assert grace_ends(world.tournament, opened) == opened + 350_000, "the time was over before"


@pytest.mark.parametrize("end", [Finish("It rains."), Cancel("It rains.")])
def test_t_6_the_grace_time_ends_at_tables_that_outlast_a_paused_tournament(end):
    world = started("ada", "bo", advance=Advance.MANUAL)
    opened = world.now
    world.now += 100_000
    world.do(Pause())
    world.now += 50_000
    world.do(end)
    assert grace_ends(world.tournament, opened) == opened + 350_000


def test_t_2_an_early_end_needs_a_reason_and_drops_what_has_not_started():
    world = started("ada", "bo", advance=Advance.MANUAL)
    assert world.refusal(Finish()) == "invalid_reason"
    world.do(OpenRound(1))
    world.do(Pause())
    assert event_types(world.do(Finish("the hall closes"))) == [
        "finished",
        "pairing_dropped",
        "seed_revealed",
    ]
    assert not world.tournament.rounds


def test_t_2_after_the_last_round_no_reason_is_needed():
    world = started("ada", "bo", sittings=(Sitting(rounds=1),))
    world.settle()
    assert not is_played_out(world.tournament)
    world.end_all()
    assert is_played_out(world.tournament)
    assert event_types(world.do(Finish(), by="worker")) == ["finished", "seed_revealed"]
    assert work_due(world.tournament) == NOTHING_DUE


def test_t_2_finished_early_the_seed_stays_secret_while_a_table_is_in_play():
    world = started("ada", "bo")
    world.settle()
    assert event_types(world.do(Finish("night falls"))) == ["finished"]
    assert not world.tournament.is_seed_revealed
    (table,) = world.open
    world.end(table, points=(2, 1))
    assert world.tournament.is_seed_revealed
    assert world.tournament.rounds[0].is_complete, "no result is lost"


def test_t_2_cancelling_closes_open_tables_without_result():
    world = started("ada", "bo")
    while not tables_to_open(world.tournament):
        world.serve()
    world.do(Cancel("no hall"))
    assert tables_to_open(world.tournament), "a table that had started is opened, and closed immediately"
    assert not tables_to_close(world.tournament)
    assert work_due(world.tournament) == WorkDue(IMMEDIATELY)
    world.serve()
    assert tables_to_close(world.tournament) == tables_awaited(world.tournament)
    world.settle()
    assert world.tournament.is_seed_revealed
    assert not tables_to_close(world.tournament)


def test_t_13_tie_breaks_change_until_the_last_round_is_paired():
    world = World(setup(sittings=(Sitting(rounds=1),), advance=Advance.MANUAL))
    world.do(ChangeTiebreaks((Tiebreak.WINS,)))
    world.begin("ada", "bo")
    assert world.tournament.terms.tiebreaks == (Tiebreak.WINS,)
    world.do(ChangeTiebreaks((Tiebreak.BUCHHOLZ, Tiebreak.LOT), "as agreed"))
    assert world.tournament.terms.tiebreaks == (Tiebreak.BUCHHOLZ, Tiebreak.LOT)
    assert world.refusal(ChangeTiebreaks((Tiebreak.BUCHHOLZ, Tiebreak.LOT))) == "tiebreaks_unchanged"
    assert world.refusal(ChangeTiebreaks((Tiebreak.LOT, Tiebreak.LOT))) == "invalid_setup"
    world.do(OpenRound(1))
    assert world.refusal(ChangeTiebreaks(())) == "last_round"


def test_t_5_sittings_are_rescheduled_until_they_begin():
    sittings = tuple(Sitting(rounds=1, starts_at=number * 2_000_000) for number in (1, 2, 3))
    world = World(setup(sittings=sittings, advance=Advance.SCHEDULE))
    assert world.refusal(Reschedule(4, 1)) == "no_such_sitting"
    assert world.refusal(Reschedule(2, 6_000_000)) == "invalid_setup"
    assert world.refusal(Reschedule(2, None)) == "no_start"
    world.do(Reschedule(1, 3_000_000, "the train is late"))
    world.begin("ada", "bo")
    assert work_due(world.tournament) == WorkDue(3_000_000)
    world.do(Reschedule(1, 2_500_000))
    world.now = 2_500_000
    world.settle()
    assert world.refusal(Reschedule(1, 2_600_000)) == "sitting_begun"
    world.do(Reschedule(2, 5_000_000))
    world.end_all()
    assert work_due(world.tournament) == WorkDue(5_000_000)


def unopened(**changes) -> str:
    """Returns the code with which a tournament of these settings is refused."""
    settings = setup(**changes)
    world = World(setup())
    world.tournament = UNOPENED
    again = OpenTournament(tournament="spring", organiser="olga", setup=settings, server_seed=SEED)
    return world.refusal(again)


@pytest.mark.parametrize(("at", "code"), [(999_999, "invalid_setup"), (1_000_000, "")])
def test_t_5_no_schedule_begins_in_the_past(at, code):
    timed, later = Sitting(rounds=1, starts_at=at), Sitting(rounds=1, starts_at=2_000_000)
    assert unopened(sittings=(timed, later), advance=Advance.SCHEDULE) == code
    assert unopened(sittings=(timed, later), advance=Advance.AUTOMATIC) == ""


def test_t_5_no_sitting_of_a_schedule_is_put_into_the_past():
    sittings = (Sitting(rounds=1, starts_at=2_000_000),)
    world = World(setup(sittings=sittings, advance=Advance.SCHEDULE))
    assert world.refusal(Reschedule(1, 999_999)) == "invalid_setup"
    world.do(Reschedule(1, 1_000_000, "everybody is here"))
    by_hand = World(setup(sittings=sittings, advance=Advance.MANUAL))
    assert by_hand.refusal(Reschedule(1, 999_999)) == ""


def test_k_2_a_knockout_refuses_tie_breaks_that_never_separate_anybody():
    form = {"format": Format.KNOCKOUT, "sittings": (Sitting(),)}
    direct, after_the_lot = (Tiebreak.WINS, Tiebreak.DIRECT), (Tiebreak.LOT, Tiebreak.WINS)
    assert unopened(tiebreaks=direct, seats=2, **form) == "invalid_setup"
    assert unopened(tiebreaks=direct, seats=3, **form) == ""
    assert unopened(tiebreaks=after_the_lot, seats=3, **form) == "invalid_setup"
    assert unopened(tiebreaks=after_the_lot[::-1], seats=2, **form) == ""
    assert unopened(tiebreaks=after_the_lot, seats=3) == ""
    world = World(setup(seats=2, **form))
    assert world.refusal(ChangeTiebreaks(direct)) == "invalid_setup"
    assert world.refusal(ChangeTiebreaks(after_the_lot)) == "invalid_setup"


@pytest.mark.parametrize("entrants", [5, 8])
def test_k_2_in_a_knockout_of_two_equals_have_never_met(entrants):
    for seed in range(5):
        world = World(setup(format=Format.KNOCKOUT, seats=2, sittings=(Sitting(),)))
        world.begin(*[f"player{number}" for number in range(entrants)])
        world.play(Random(seed))
        ranks = [ranked(world, tiebreaks) for tiebreaks in ((), (Tiebreak.DIRECT,), (Tiebreak.WINS,))]
        assert ranks[0] == ranks[1]


def ranked(world, tiebreaks) -> dict[int, int | None]:
    table = crosstable(world.tournament)
    rows = standings(replace(table, terms=replace(table.terms, tiebreaks=tiebreaks))).rows
    return {row.entrant: row.rank for row in rows}


def test_t_5_without_a_schedule_a_time_may_be_left_open():
    world = World(setup(sittings=(Sitting(rounds=1, starts_at=9), Sitting(rounds=1))))
    world.do(Reschedule(1, None))
    world.do(Reschedule(2, 10))
    assert [sitting.starts_at for sitting in world.tournament.setup.sittings] == [None, 10]


def test_t_20_points_need_a_schedule_with_tables_of_one_size():
    world = World(setup(format=Format.ROUND_ROBIN, score_by=ScoreBy.POINTS))
    world.register(bots=5)
    assert world.refusal(StartTournament({})) == "uneven_tables"
    world.do(Enter(player="", policy="steady"))
    world.do(StartTournament({}))


def test_t_1_rounds_that_follow_from_the_entrants_fill_the_sittings():
    form = {"format": Format.ROUND_ROBIN, "seats": 2}
    sittings = (Sitting(rounds=2), Sitting(rounds=2), Sitting())
    world = started("ada", "bo", "cy", sittings=sittings, **form)
    assert (world.tournament.terms.rounds, world.tournament.terms.rounds_by_sitting) == (3, (2, 1))
    world = started("ada", "bo", sittings=sittings, **form)
    assert world.tournament.terms.rounds_by_sitting == (1,)


def test_t_7_an_entrant_who_left_before_the_start_is_removed_from_the_order_too():
    world = World(setup(rank_by="organiser"))
    world.register("ada", "bo", "cy")
    world.do(Withdraw("ada"))
    world.do(StartTournament({}))
    assert [entrant.id for entrant in world.tournament.entrants] == ["bo", "cy"]


@pytest.mark.parametrize(("seats", "rounds", "entrants"), [(2, None, 503), (10, 500, 21)])
def test_p_1_a_schedule_too_long_to_compute_is_refused(seats, rounds, entrants):
    world = World(setup(format=Format.ROUND_ROBIN, seats=seats, sittings=(Sitting(rounds=rounds),)))
    world.register(*[f"p{number}" for number in range(entrants)])
    assert world.refusal(StartTournament({})) == "schedule_too_long"
