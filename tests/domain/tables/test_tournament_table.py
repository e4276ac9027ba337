"""The tables of a tournament: opened, seated and started in one commit, with no-shows of absent entrants."""

import pytest
from msgspec.structs import replace

from hoodwink.domain.due_times import IMMEDIATELY, WorkDue
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import RuleViolation, Stage
from hoodwink.domain.tables.commands import (
    CancelTable,
    DealRound,
    ExpireClock,
    LeaveSeat,
    MissStart,
    OpenTournamentTable,
    Resign,
    SayReady,
    ScoreRound,
    TakeSeat,
)
from hoodwink.domain.tables.deciding.decide import decide
from hoodwink.domain.tables.due import work_due
from hoodwink.domain.tables.events import (
    NoShow,
    PlayerReady,
    RoundScored,
    SeatTaken,
    TableEnded,
    TableOpened,
    TableStarted,
    TournamentPlace,
)
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.domain.tables.state import (
    UNOPENED,
    Phase,
    is_played_by_bot,
    is_supervised,
    stage_of,
    turn_of,
)
from hoodwink.domain.tables.view import view_table
from hoodwink.domain.tables.waiting import Waiting, waiting_of
from tests.domain.laws.entitlements import ENTITLEMENTS
from tests.domain.tables.forger import changed
from tests.domain.tables.sitting import START, Sitting, opening_of

GRACE = 300_000
EVERY_GAME = sorted(GAMES)


def place(*, fillers: tuple[int, ...] = ()) -> TournamentPlace:
    return TournamentPlace(
        tournament="t9", round=2, board=3, deal=1, grace_seconds=GRACE // 1000, fillers=fillers
    )


def opening(
    *names: str, absent: tuple[int, ...] = (), fillers: tuple[int, ...] = (), game: str = "blindside"
) -> OpenTournamentTable:
    """A table for people, or bots by their policy's name."""
    return OpenTournamentTable(
        opening=opening_of(seats=len(names), game=game),
        tournament=place(fillers=fillers),
        occupants=tuple(
            TakeSeat(
                player=name,
                policy=name if name in {"steady", "random"} else None,
                seed="" if name in {"steady", "random"} else f"{name}'s luck",
            )
            for name in names
        ),
        absent=absent,
    )


def sitting_of(*names: str, **more) -> Sitting:
    """Returns a tournament's table on which play has begun."""
    return Sitting(opening(*names, **more))


def test_t_5_a_table_opens_seats_everybody_and_starts_in_one_commit():
    events = decide(UNOPENED, opening("ada", "bo", "steady"), START)
    assert [type(event) for event in events] == [TableOpened, SeatTaken, SeatTaken, SeatTaken, TableStarted]
    opened = events[0]
    assert isinstance(opened, TableOpened)
    assert (opened.tournament, opened.first_dealer, opened.rated) == (place(), 0, True)


def test_t_5_nobody_leaves_or_takes_a_seat():
    table = sitting_of("ada", "bo", "steady").table
    assert table.phase is Phase.PLAYING
    for command in (LeaveSeat(0), TakeSeat(player="eve")):
        with pytest.raises(RuleViolation, match="table_started"):
            decide(table, command, START)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_t_14_g_12_seat_0_deals_first_without_a_lot(game):
    first = sitting_of(*("steady",) * GAMES[game].seats[0], game=game).do(DealRound())[0]
    dealer = ENTITLEMENTS[game].dealer
    assert dealer is None or getattr(first, dealer) == 0
    assert first.wire != "blind_don.dealer_cut"


@pytest.mark.parametrize("game", EVERY_GAME)
def test_t_14_a_log_that_names_another_first_dealer_does_not_verify(game):
    log = sitting_of(*("steady",) * GAMES[game].seats[0], game=game).play_out().log()
    assert verify_log(log).finding is None
    finding = verify_log(changed(log, 1, lambda fields: fields.update(first_dealer=1))).finding
    assert finding is not None
    assert (finding.code, finding.version) == ("altered", 1)


def test_t_6_a_player_who_acts_says_ready_or_resigns_has_appeared():
    sitting = sitting_of("ada", "bo", "cy", "dee", "steady")
    assert sitting.table.awaited == (0, 1, 2, 3)
    assert sitting.do(SayReady(1), by="player:1") == (PlayerReady(1),)
    sitting.do(Resign(2), by="player:2")
    sitting.do(DealRound(), by="worker")
    assert list(sitting.table.awaited) == [0, 3]
    sitting.play_to_turn_of(0).act(0)
    assert 0 not in sitting.table.awaited
    view = view_table(sitting.table, "spectator")
    assert [seat.awaited for seat in view.seats] == [seat in sitting.table.awaited for seat in range(5)]


def test_t_6_nobody_appears_twice():
    sitting = sitting_of("ada", "bo", "cy")
    sitting.do(SayReady(1), by="player:1")
    for command in (SayReady(1), MissStart((1,)), MissStart((0, 1))):
        with pytest.raises(RuleViolation, match="not_awaited"):
            decide(sitting.table, command, START + GRACE)


def test_t_6_the_tournament_checks_a_table_after_the_grace_period_and_at_its_end():
    sitting = sitting_of("ada", "bo")
    assert work_due(sitting.table) == WorkDue(IMMEDIATELY, report_at=START + GRACE)
    for seat in (0, 1):
        sitting.do(SayReady(seat), by=f"player:{seat}")
    assert work_due(sitting.table) == WorkDue(IMMEDIATELY)
    sitting.do(CancelTable())
    assert work_due(sitting.table) == WorkDue(report_at=IMMEDIATELY)


def test_t_6_a_no_shows_seat_is_played_by_a_bot_and_comes_last():
    sitting = sitting_of("ada", "bo", "cy")
    sitting.do(SayReady(1), by="player:1")
    sitting.do(SayReady(2), by="player:2")
    with pytest.raises(RuleViolation, match="grace_running"):
        decide(sitting.table, MissStart((0,)), START + GRACE - 1)
    sitting.now = START + GRACE
    assert sitting.do(MissStart((0,)), by="worker") == (NoShow(0),)
    assert (sitting.table.resigned, sitting.table.no_shows, sitting.table.awaited) == ((0,), (0,), ())
    assert work_due(sitting.table) == WorkDue(IMMEDIATELY)
    sitting.play_out()
    assert sitting.table.result is not None
    assert sitting.table.result.places is not None
    assert sitting.table.result.places[0] == 3


def test_t_6_g_13_the_only_entrant_who_appears_wins_immediately():
    sitting = sitting_of("ada", "bo", "cy")
    sitting.do(SayReady(1), by="player:1")
    sitting.now = START + GRACE
    events = sitting.do(MissStart((0, 2)), by="worker")
    assert [type(event).__name__ for event in events] == ["NoShow", "NoShow", "TableEnded", "SeedRevealed"]
    ended = events[2]
    assert isinstance(ended, TableEnded)
    assert (ended.outcome, ended.places) == ("last_seat", (3, 1, 2))


def test_t_6_a_bot_that_fills_the_table_does_not_keep_it_open():
    sitting = sitting_of("ada", "bo", "random", fillers=(2,))
    sitting.do(SayReady(0), by="player:0")
    sitting.now = START + GRACE
    ended = sitting.do(MissStart((1,)), by="worker")[1]
    assert isinstance(ended, TableEnded)
    assert (ended.outcome, ended.places) == ("last_seat", (1, 3, 2))


def test_t_6_a_table_where_nobody_appears_ends_without_a_result():
    sitting = sitting_of("ada", "bo", "random", fillers=(2,))
    sitting.now = START + GRACE
    ended = sitting.do(MissStart((0, 1)), by="worker")[2]
    assert isinstance(ended, TableEnded)
    assert (ended.outcome, ended.places) == ("no_result", None)


def test_t_6_g_13_the_last_seat_left_wins_although_others_resigned():
    sitting = sitting_of("ada", "bo", "cy")
    sitting.do(SayReady(0), by="player:0")
    sitting.do(Resign(2), by="player:2")
    sitting.now = START + GRACE
    ended = sitting.do(MissStart((1,)), by="worker")[1]
    assert isinstance(ended, TableEnded)
    assert (ended.outcome, ended.places) == ("last_seat", (1, 2, 3))


def test_t_4_an_entrant_known_to_be_absent_is_no_show_from_the_start():
    sitting = sitting_of("ada", "bo", "cy", absent=(1,))
    assert sitting.table.no_shows == (1,)
    assert sitting.table.phase is Phase.PLAYING
    log = sitting.play_out().log()
    assert verify_log(log).finding is None


def test_t_2_a_table_whose_tournament_is_cancelled_ends_without_a_result():
    sitting = sitting_of("ada", "bo", "cy")
    ended = sitting.do(CancelTable(), by="worker")[0]
    assert isinstance(ended, TableEnded)
    assert (ended.outcome, ended.places) == ("cancelled", None)
    assert verify_log(sitting.log()).finding is None
    with pytest.raises(RuleViolation, match="no_tournament"):
        decide(Sitting().table, CancelTable(), START)


def test_t_7_the_service_resigns_only_the_seat_of_an_expelled_entrant():
    expelled = sitting_of("steady", "bo", "steady")
    expelled.do(Resign(1), by="worker")
    assert verify_log(expelled.play_out().log()).finding is None
    usual = Sitting(seats=3).sit("bot", "bo", "bot").start()
    usual.do(Resign(1), by="worker")
    finding = verify_log(usual.play_out().log()).finding
    assert finding is not None
    assert finding.code == "illegal"


@pytest.mark.parametrize(
    "commands",
    [
        [(SayReady(0), "player:0"), (SayReady(1), "player:1"), (MissStart((2,)), "worker")],
        [(SayReady(0), "player:0"), (MissStart((1, 2)), "worker")],
        [(MissStart((0, 1, 2)), "worker")],
    ],
)
def test_t_6_logs_with_no_shows_verify(commands):
    sitting = sitting_of("ada", "bo", "cy")
    sitting.now = START + GRACE
    for command, by in commands:
        sitting.do(command, by=by)
    assert verify_log(sitting.play_out().log()).finding is None


def test_g_13_a_round_that_is_over_is_scored_before_no_shows_end_the_table():
    sitting = sitting_of("ada", "bo", game="blindside").deal()
    sitting.play_to(Stage.TO_SCORE)
    assert sitting.table.awaited == ()
    sitting.resign(0)
    assert sitting.table.rounds_scored == 0
    sitting.do(ScoreRound())
    assert (sitting.table.rounds_scored, sitting.table.phase) == (1, Phase.ENDED)


def test_db_34_no_organiser_enters_an_offence_at_a_tournaments_table():
    """The organiser may have entered, too, and play at another board."""
    usual = Sitting(seats=3, game="double_blind", exposure_actions=True)
    command = opening("ada", "bo", "cy", game="double_blind")
    allowed = replace(command, opening=replace(command.opening, options={"exposure_actions": True}))
    assert [is_supervised(table) for table in (usual.table, Sitting(allowed).table)] == [True, False]


def test_t_6_a_table_waits_for_entrants_who_have_not_appeared():
    sitting = sitting_of("ada", "bo", "steady")
    sitting.do(DealRound())
    sitting.act(2)
    waiting = waiting_of(sitting.table, stage_of(sitting.table), turn_of(sitting.table), sitting.now)
    assert waiting == Waiting(for_="entrants", until=START + GRACE, seats=(0, 1))
    sitting.do(SayReady(1), by="player:1")
    assert waiting_of(sitting.table, stage_of(sitting.table), turn_of(sitting.table), sitting.now) == Waiting(
        for_="players", until=None, seats=(0, 1)
    )


def test_t_6_g_13_a_round_that_was_over_before_the_last_no_show_is_scored():
    clocked = opening("ada", "bo")
    clocked = replace(clocked, opening=replace(clocked.opening, turn_seconds=5))
    sitting = Sitting(clocked)
    sitting.do(SayReady(0), by="player:0")
    sitting.deal()
    while stage_of(sitting.table) is not Stage.TO_SCORE:
        if sitting.owing() == 1 and not is_played_by_bot(sitting.table, 1):
            sitting.do(ExpireClock(1, sitting.choice(1)), by="bot:1", after_ms=5_000)
        else:
            sitting.step()
    assert sitting.table.awaited == (1,)
    sitting.now = START + GRACE

    *_, scored, ended, _ = sitting.do(MissStart((1,)), by="worker")

    assert isinstance(scored, RoundScored)
    assert ended == TableEnded("last_seat", (1, 2), scored.totals)
    assert verify_log(sitting.log()).valid
