"""From opening to the start: seats taken and left, and what is refused on the way."""

import pytest
from msgspec.structs import replace

from hoodwink.domain.cards import commitment
from hoodwink.domain.due_times import IMMEDIATELY, NOTHING_DUE, WorkDue
from hoodwink.domain.games.blindside.actions import DrawCard
from hoodwink.domain.games.double_blind.actions import ExposePocket
from hoodwink.domain.kernel import RuleViolation, Stage
from hoodwink.domain.tables.allowed_actors import allowed_actors
from hoodwink.domain.tables.commands import (
    AbandonTable,
    Act,
    ClaimSeat,
    CloseTable,
    DealRound,
    ExpireClock,
    ExpireTable,
    LeaveSeat,
    MissSeed,
    Resign,
    Return,
    RevealSeed,
    ScoreRound,
    StartTable,
    TakeSeat,
)
from hoodwink.domain.tables.deciding.decide import decide
from hoodwink.domain.tables.due import work_due
from hoodwink.domain.tables.events import (
    SeatLeft,
    SeatTaken,
    SeedRevealed,
    TableEnded,
    TableOpened,
    TableStarted,
    TournamentPlace,
)
from hoodwink.domain.tables.fairness import initial_seed
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.domain.tables.state import (
    UNOPENED,
    Occupant,
    Phase,
    is_person,
    seat_of,
    stage_of,
    turn_of,
)
from tests.domain.tables.sitting import SEED, START, Sitting, opening_of, playing

DRAW = DrawCard("stock")


def test_opening_publishes_the_commitment_and_every_option():
    (opened,) = decide(UNOPENED, opening_of(rounds=2), START)
    assert isinstance(opened, TableOpened)
    assert opened.commitment == commitment(SEED)
    assert opened.options == {
        "five_card": False,
        "rounds": 2,
        "blindside_compare": "value",
        "start_tokens": 0,
    }


@pytest.mark.parametrize(
    ("opening", "code"),
    [
        ({"game": "chess"}, "unknown_game"),
        ({"seats": 1}, "invalid_options"),
        ({"seats": 11}, "invalid_options"),
        ({"rounds": 0}, "invalid_options"),
        ({"rounds": True}, "invalid_options"),
        ({"five_card": 1}, "invalid_options"),
        ({"jokers": 2}, "invalid_options"),
        ({"turn_seconds": -1}, "invalid_options"),
        ({"game": "blind_don", "seats": 2, "rounds": 3}, "invalid_options"),
    ],
)
def test_g_4_a_table_that_cannot_be_dealt_is_not_opened(opening, code):
    with pytest.raises(RuleViolation) as refused:
        decide(UNOPENED, opening_of(**opening), START)
    assert refused.value.code == code


def test_a_table_opens_once():
    assert Sitting().refusal(opening_of()) == "table_exists"


def test_nothing_is_due_at_an_open_table():
    table = Sitting().table
    assert (table.phase, stage_of(table), turn_of(table).owes, work_due(table)) == (
        Phase.OPEN,
        None,
        (),
        NOTHING_DUE,
    )


def test_players_and_bots_take_the_first_free_seat_or_the_one_they_name():
    sitting = Sitting()
    assert sitting.do(TakeSeat(player="bo", seat=1, seed="luck")) == (SeatTaken(1, "bo", None, "luck", ""),)
    assert sitting.do(TakeSeat(player="bot:random", policy="random")) == (
        SeatTaken(0, "bot:random", "random", "", ""),
    )
    assert sitting.table.seats == (
        Occupant("bot:random", "random"),
        Occupant("bo", None, initial_seed(plain="luck", committed="")),
        None,
    )
    assert (seat_of(sitting.table, "bo"), seat_of(sitting.table, "bot:random")) == (1, None)
    assert [is_person(sitting.table, seat) for seat in range(3)] == [False, True, False]


def test_one_bot_may_sit_twice_but_a_player_only_once():
    sitting = Sitting().sit("ada", "bot", "bot")
    assert sitting.table.seats[1] == sitting.table.seats[2]
    assert Sitting().sit("ada").refusal(TakeSeat(player="ada")) == "already_seated"


@pytest.mark.parametrize(
    ("seat", "code"),
    [(0, "seat_taken"), (3, "no_such_seat"), (-1, "no_such_seat")],
)
def test_a_seat_that_is_taken_or_missing_is_refused(seat, code):
    assert Sitting().sit("ada").refusal(TakeSeat(player="bo", seat=seat)) == code


def test_nobody_can_sit_down_at_a_full_table():
    sitting = Sitting().sit("ada", "bo", "bot")
    assert sitting.refusal(TakeSeat(player="cy")) == "table_full"


def test_a_seat_that_was_left_is_free():
    sitting = Sitting().sit("ada", "bo")
    assert sitting.do(LeaveSeat(0)) == (SeatLeft(0),)
    assert sitting.sit("cy").table.seats[0] == Occupant("cy", None)


@pytest.mark.parametrize(("seat", "code"), [(1, "seat_empty"), (3, "no_such_seat"), (-1, "no_such_seat")])
def test_nobody_leaves_an_empty_seat(seat, code):
    assert Sitting().sit("ada").refusal(LeaveSeat(seat)) == code


def test_a_table_starts_when_every_seat_is_taken():
    sitting = Sitting().sit("ada", "bo")
    assert sitting.refusal(StartTable()) == "seats_empty"
    assert sitting.sit("bot").do(StartTable()) == (TableStarted(None, None, None),)
    assert stage_of(sitting.table) is Stage.TO_DEAL
    assert work_due(sitting.table) == WorkDue(IMMEDIATELY)


@pytest.mark.parametrize(
    "command",
    [TakeSeat(player="cy"), LeaveSeat(0), StartTable(), CloseTable()],
)
def test_seats_cannot_change_after_the_start(command):
    assert Sitting().sit("ada", "bo", "bot").start().refusal(command) == "table_started"


@pytest.mark.parametrize(
    "command",
    [
        Act(0, DRAW),
        Resign(0),
        Return(0),
        ClaimSeat(0),
        ExpireClock(0, DRAW),
        AbandonTable(),
        RevealSeed(0, "a" * 32),
        MissSeed(0),
    ],
)
def test_nobody_plays_before_the_start(command):
    assert Sitting().sit("ada", "bo", "bot").refusal(command) == "table_not_started"


def test_only_what_is_due_is_dealt_and_scored():
    sitting = Sitting().sit("ada", "bo", "bot")
    assert sitting.refusal(DealRound()) == "no_deal_due"
    sitting.start().deal()
    assert sitting.refusal(DealRound()) == "no_deal_due"
    assert sitting.refusal(ScoreRound()) == "no_score_due"
    sitting.play_to(Stage.TO_SCORE)
    assert sitting.refusal(DealRound()) == "no_deal_due"


def test_g_14_an_open_table_can_be_closed_without_result():
    sitting = Sitting().sit("ada")
    assert sitting.do(CloseTable()) == (TableEnded("closed", None, None), SeedRevealed(SEED))
    assert (sitting.table.phase, work_due(sitting.table)) == (Phase.ENDED, NOTHING_DUE)


def test_g_17_a_table_that_nobody_starts_ends_without_result():
    sitting = Sitting().sit("ada")
    assert allowed_actors(sitting.table, ExpireTable()) == ("worker",)
    assert sitting.do(ExpireTable(), by="worker") == (TableEnded("expired", None, None), SeedRevealed(SEED))
    assert verify_log(sitting.log()).valid


def test_g_17_a_table_that_has_started_does_not_expire():
    assert Sitting().sit("ada", "bot", "bot").start().refusal(ExpireTable()) == "table_started"


@pytest.mark.parametrize("by", ["host", "admin"])
def test_g_17_the_host_or_an_administrator_ends_a_table_of_bots_alone_without_result(by):
    sitting = Sitting().sit("bot", "bot", "bot").start().deal()
    assert allowed_actors(sitting.table, CloseTable()) == ("host", "admin")
    assert sitting.do(CloseTable(), by=by) == (TableEnded("stopped", None, None), SeedRevealed(SEED))
    assert (sitting.table.phase, work_due(sitting.table)) == (Phase.ENDED, NOTHING_DUE)
    assert verify_log(sitting.log()).valid


def test_g_17_the_finished_rounds_of_an_ended_table_of_bots_count():
    sitting = Sitting(rounds=2).sit("bot", "bot", "bot").start().deal().play_to(Stage.TO_SCORE)
    sitting.do(ScoreRound())
    sitting.do(CloseTable(), by="host")
    assert sitting.table.rounds_scored == 1
    assert verify_log(sitting.log()).valid


def test_g_17_a_table_where_a_person_has_played_is_not_of_bots_alone():
    """A player who resigned, or a friend of theirs, could otherwise end the table to avoid its result."""
    sitting = Sitting().sit("ada", "bot", "bot").start().deal()
    assert sitting.refusal(CloseTable()) == "table_started"
    sitting.do(Resign(0), by="player:0")
    assert allowed_actors(sitting.table, CloseTable()) == ("admin",)
    sitting.do(CloseTable(), by="host")
    assert not verify_log(sitting.log()).valid


def test_g_17_an_administrator_ends_a_table_that_all_people_have_resigned():
    sitting = Sitting(seats=4).sit("ada", "bo", "bot", "bot").start().deal()
    sitting.do(Resign(0), by="player:0")
    assert sitting.refusal(CloseTable()) == "table_started"
    sitting.do(Resign(1), by="player:1")
    assert sitting.do(CloseTable(), by="admin") == (TableEnded("stopped", None, None), SeedRevealed(SEED))
    assert verify_log(sitting.log()).valid


def test_g_17_only_its_tournament_ends_a_tournaments_table_of_bots():
    place = TournamentPlace(tournament="cup", round=1, board=1, deal=1, grace_seconds=60, fillers=())
    bots = replace(Sitting().sit("bot", "bot", "bot").start().table, tournament=place)
    with pytest.raises(RuleViolation) as refused:
        decide(bots, CloseTable(), START)
    assert refused.value.code == "table_started"


def test_g_17_an_administrator_closes_no_table_before_its_start():
    assert allowed_actors(Sitting().sit("bot", "bot", "bot").table, CloseTable()) == ("host",)


def test_g_14_acts_of_players_and_host_count_but_not_of_bots():
    sitting = playing("ada", "bo", "bot", game="double_blind", exposure_actions=True)
    sitting.act(0, ExposePocket(1, 0), by="host", after_ms=1_000)
    assert sitting.table.person_acted_at == sitting.now
    entered = sitting.now
    sitting.act(2, ExposePocket(0, 0), after_ms=1_000)
    assert sitting.table.person_acted_at == entered
    sitting.act(0, ExposePocket(1, 0), after_ms=1_000)
    assert sitting.table.person_acted_at == sitting.now


@pytest.mark.parametrize(
    "command",
    [
        TakeSeat(player="cy"),
        LeaveSeat(0),
        StartTable(),
        CloseTable(),
        ExpireTable(),
        AbandonTable(),
        Act(0, DRAW),
        Resign(0),
        Return(0),
        ClaimSeat(0),
        ExpireClock(0, DRAW),
        RevealSeed(0, "a" * 32),
        MissSeed(0),
    ],
)
def test_g_10_a_table_that_is_over_accepts_no_command(command):
    sitting = playing("ada", "bot", rounds=1).play_out()
    assert sitting.refusal(command) == "table_over"


@pytest.mark.parametrize("command", [DealRound(), ScoreRound()])
def test_a_table_that_is_over_is_not_dealt_or_scored(command):
    assert playing("bot", "bot", rounds=1).play_out().refusal(command).startswith("no_")


@pytest.mark.parametrize("seat", [-1, 3])
def test_a_seat_that_does_not_exist_cannot_act(seat):
    sitting = playing("ada", "bo", "cy", turn_seconds=1)
    commands = (
        Act(seat, DRAW),
        Resign(seat),
        Return(seat),
        ClaimSeat(seat),
        ExpireClock(seat, DRAW),
        RevealSeed(seat, "a" * 32),
        MissSeed(seat),
    )
    assert {sitting.refusal(command) for command in commands} == {"no_such_seat"}
