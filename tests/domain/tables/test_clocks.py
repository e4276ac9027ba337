"""Turn clocks: deadlines, moves after a missed turn, and bots that keep the seats of absent players."""

import pytest
from msgspec.structs import replace

from hoodwink.domain.cards import Card
from hoodwink.domain.due_times import IMMEDIATELY, NOTHING_DUE, WorkDue
from hoodwink.domain.games.blindside.actions import PassBlindside
from hoodwink.domain.games.double_blind.actions import ExposePocket
from hoodwink.domain.games.shithead.actions import DeclareReady, SwapCards
from hoodwink.domain.games.shithead.events import CardsSwapped, SeatReady
from hoodwink.domain.kernel import Stage
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.allowed_actors import allowed_actors
from hoodwink.domain.tables.due import work_due
from hoodwink.domain.tables.events import ClockRanOut, PlayerReturned, SeatClaimed
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.domain.tables.state import (
    deadline_of,
    is_played_by_bot,
    turn_of,
)
from hoodwink.domain.tables.view import SeatView, view_table
from tests.domain.games import coconut_table, shithead_table
from tests.domain.tables.sitting import Sitting, playing
from tests.domain.tables.test_tournament_table import sitting_of

TURN_MS = 5_000


def clocked(*players: str, **opening: object) -> Sitting:
    return playing(*players, turn_seconds=TURN_MS // 1000, **opening)


def run_out(sitting: Sitting, seat: int, *, after_ms: int = TURN_MS) -> None:
    """Lets the seat's clock run out and makes its move."""
    table = sitting.table
    forced = table.rulebook.overdue(table.state, seat) or sitting.choice(seat)
    ran_out, *_ = sitting.do(commands.ExpireClock(seat, forced), by=f"bot:{seat}", after_ms=after_ms)
    assert ran_out == ClockRanOut(seat)


def run_out_in_a_row(sitting: Sitting, times: int) -> int:
    """Lets one seat miss this many turns while the others play immediately; returns the seat."""
    lazy = sitting.owing()
    while sitting.table.missed_turns[lazy] < times:
        if lazy in turn_of(sitting.table).owes:
            run_out(sitting, lazy)
        else:
            sitting.step()
    return lazy


# ------------------------------------------------------------------------------- when it runs out


def test_without_a_clock_no_action_is_ever_late():
    sitting = playing("ada", "bo", "cy")
    assert [deadline_of(sitting.table, seat) for seat in range(3)] == [None, None, None]
    assert work_due(sitting.table) == NOTHING_DUE
    assert sitting.refusal(commands.ExpireClock(0, sitting.choice(sitting.owing()))) == "clock_running"


def test_a_clock_starts_when_a_seat_owes_and_ends_at_the_deadline():
    sitting = clocked("ada", "bo", "cy", five_card=False)
    seat = sitting.owing()
    deadline = sitting.now + TURN_MS
    assert deadline_of(sitting.table, seat) == deadline
    assert work_due(sitting.table) == WorkDue(deadline)
    command = commands.ExpireClock(seat, sitting.choice(seat))
    sitting.now = deadline - 1
    assert sitting.refusal(command) == "clock_running"
    sitting.now = deadline
    assert sitting.do(command, by=f"bot:{seat}")[0] == ClockRanOut(seat)


def test_only_seats_that_owe_have_a_clock():
    sitting = clocked("ada", "bo", "cy", five_card=True)
    owing = turn_of(sitting.table).owes
    assert [deadline_of(sitting.table, seat) is not None for seat in range(3)] == [
        seat in owing for seat in range(3)
    ]
    idle = next(seat for seat in range(3) if seat not in owing)
    assert sitting.refusal(commands.ExpireClock(idle, sitting.choice(owing[0]))) == "clock_running"


def test_a_bot_has_no_clock_and_is_due_immediately():
    sitting = clocked("bot", "bot")
    assert [deadline_of(sitting.table, seat) for seat in range(2)] == [None, None]
    assert work_due(sitting.table) == WorkDue(IMMEDIATELY, is_for_bots=True)


def test_a_timeout_and_its_move_are_one_commit():
    sitting = clocked("ada", "bo", "cy")
    seat = sitting.owing()
    sitting.now += TURN_MS
    assert sitting.refusal(commands.ExpireClock(seat, PassBlindside(Card("JK")))) == "card_not_held"
    version = sitting.table.version
    run_out(sitting, seat, after_ms=0)
    assert sitting.table.version == version + 2


def test_the_next_step_of_the_turn_has_the_whole_time_again():
    sitting = clocked("ada", "bo", "cy", five_card=True)
    seat = sitting.owing()
    sitting.act(seat, after_ms=TURN_MS - 1)
    assert sitting.owing() == seat
    assert deadline_of(sitting.table, seat) == sitting.now + TURN_MS


# -------------------------------------------------------------------------- simultaneous phases


def test_in_a_simultaneous_phase_each_seat_has_its_own_clock():
    sitting = clocked("ada", "bo", "cy", game="coconut")
    assert turn_of(sitting.table).owes == (0, 1, 2)
    dealt = sitting.now
    sitting.act(1, after_ms=2_000)
    assert [deadline_of(sitting.table, seat) for seat in range(3)] == [
        dealt + TURN_MS,
        None,
        dealt + TURN_MS,
    ]
    sitting.now = dealt + TURN_MS
    run_out(sitting, 0, after_ms=0)
    run_out(sitting, 2, after_ms=0)
    assert turn_of(sitting.table).owes == (sitting.owing(),)
    assert deadline_of(sitting.table, sitting.owing()) == sitting.now + TURN_MS


def test_the_earliest_deadline_is_due():
    sitting = clocked("ada", "bo", "cy", game="shithead")
    first = deadline_of(sitting.table, 0)
    sitting.act(1, DeclareReady(), after_ms=1_000)
    assert work_due(sitting.table) == WorkDue(first)


def test_g_15_in_the_swap_phase_a_clock_makes_the_player_ready():
    sitting = clocked("ada", "bo", "cy", game="shithead")
    swap = swap_of(sitting, 0)
    sitting.now += TURN_MS
    assert sitting.refusal(commands.ExpireClock(0, swap)) == "wrong_phase"
    _, *moved = sitting.do(commands.ExpireClock(0, DeclareReady()), by="bot:0")
    assert isinstance(moved[0], SeatReady)


def test_interrupts_give_no_extra_time():
    sitting = clocked("ada", "bo", "cy", game="double_blind", exposure_actions=True)
    late = sitting.owing()
    before = deadline_of(sitting.table, late)
    other = (late + 1) % 3
    sitting.act(other, ExposePocket(late, 0), after_ms=1_000)
    assert turn_of(sitting.table).owes == (late,)
    assert deadline_of(sitting.table, late) == before


@pytest.mark.parametrize(
    ("state", "action"),
    [
        (
            shithead_table.table(
                "9H", "KC QC", "6C", "4C 4D", pile="9S 9D 9C", last_layer=3, to_move=1,
                options={"out_of_turn_burn": True},
            ),
            shithead_table.burn("9H"),
        ),
        (
            coconut_table.table(
                "9H", "KC QC", "6C", "4C 4D", face_up=("", "KH", "KH", "KH"), face_down=("-- -- --",) * 4,
                pile="9S 9D 9C", laid_by=3, to_move=1, play_for_places=True,
            ),
            coconut_table.sneak("9H"),
        ),
    ],
)  # fmt: skip
def test_co_39_sh_55_after_a_last_card_laid_out_of_turn_the_next_turn_is_a_new_one(state, action):
    """Seat 0 is out, so the lead goes to seat 1, which was to move before the pile was cleared."""
    game = type(state).__module__.split(".")[3]
    sitting = clocked("ada", "bo", "cy", "dee", game=game)
    since = (None, sitting.now, None, None)
    sitting.table = replace(sitting.table, options=state.options, state=state, owing_since=since)
    sitting.act(0, action, after_ms=TURN_MS - 1)
    assert turn_of(sitting.table).owes == (1,)
    assert deadline_of(sitting.table, 1) == sitting.now + TURN_MS


def test_swapping_gives_no_extra_time():
    sitting = clocked("ada", "bo", "cy", game="shithead")
    before = deadline_of(sitting.table, 0)
    (swapped,) = sitting.act(0, swap_of(sitting, 0), after_ms=1_000)
    assert isinstance(swapped, CardsSwapped)
    assert deadline_of(sitting.table, 0) == before


def swap_of(sitting: Sitting, seat: int) -> SwapCards:
    state = sitting.table.state
    return SwapCards(state.hands[seat][0], state.face_up[seat][0])


# ------------------------------------------------------------------------------ absent players


def test_after_three_in_a_row_a_bot_keeps_the_seat():
    sitting = clocked("ada", "bo", "cy", rounds=5)
    seat = run_out_in_a_row(sitting, 2)
    assert not is_played_by_bot(sitting.table, seat)
    run_out_in_a_row(sitting, 3)
    assert is_played_by_bot(sitting.table, seat)
    while sitting.owing() != seat:
        sitting.act(sitting.owing())
    assert deadline_of(sitting.table, seat) is None
    assert work_due(sitting.table) == WorkDue(IMMEDIATELY)


def test_missed_turns_are_counted_for_each_seat_separately():
    sitting = clocked("ada", "bo", game="blind_don", rounds=2).play_to(Stage.IN_PLAY)
    for _ in range(4):
        run_out(sitting, sitting.owing())
    assert sitting.table.missed_turns == (2, 2)


def test_a_players_own_action_resets_the_missed_turns():
    sitting = clocked("ada", "bo", "cy", rounds=5)
    seat = run_out_in_a_row(sitting, 2)
    sitting.play_to_turn_of(seat).act(seat)
    assert sitting.table.missed_turns[seat] == 0


def test_moves_of_a_stand_in_do_not_bring_the_player_back():
    sitting = clocked("ada", "bo", "cy", rounds=5)
    seat = run_out_in_a_row(sitting, 3)
    sitting.play_to_turn_of(seat).act(seat, by=f"bot:{seat}")
    assert is_played_by_bot(sitting.table, seat)
    assert sitting.table.missed_turns[seat] == 3


def test_an_absent_player_who_acts_has_the_seat_again():
    sitting = clocked("ada", "bo", "cy", rounds=5)
    seat = run_out_in_a_row(sitting, 3)
    sitting.play_to_turn_of(seat).act(seat, by=f"player:{seat}", after_ms=77)
    assert not is_played_by_bot(sitting.table, seat)
    assert verify_log(sitting.play_out().log()).valid


def test_an_absent_player_who_swaps_has_the_seat_and_the_whole_time_again():
    sitting = clocked("ada", "bo", "cy", game="shithead", rounds=10)
    seat = run_out_in_a_row(sitting, 3)
    while turn_of(sitting.table).owes != (0, 1, 2):
        sitting.step()
    assert is_played_by_bot(sitting.table, seat)
    sitting.act(seat, swap_of(sitting, seat), by=f"player:{seat}", after_ms=99_000)
    assert deadline_of(sitting.table, seat) == sitting.now + TURN_MS


def test_an_absent_player_may_return_before_acting():
    sitting = clocked("ada", "bo", "cy", rounds=5)
    seat = run_out_in_a_row(sitting, 3)
    sitting.play_to_turn_of(seat)
    assert sitting.do(commands.Return(seat), by=f"player:{seat}", after_ms=60_000) == (PlayerReturned(seat),)
    assert deadline_of(sitting.table, seat) == sitting.now + TURN_MS
    assert sitting.refusal(commands.Return(seat)) == "not_away"
    assert sitting.table.missed_turns[seat] == 0


def test_a_player_who_is_present_cannot_return():
    sitting = clocked("ada", "bo", "cy")
    assert sitting.refusal(commands.Return(0)) == "not_away"


def shown(sitting: Sitting, seat: int) -> SeatView:
    return view_table(sitting.table, "spectator").seats[seat]


def test_g_14_a_player_is_away_from_the_first_missed_turn_until_they_act():
    sitting = clocked("ada", "bo", "cy", rounds=5)
    seat = run_out_in_a_row(sitting, 1)
    missed = sitting.now
    assert shown(sitting, seat).away_since == missed
    run_out(sitting.play_to_turn_of(seat), seat)
    assert (sitting.table.missed_turns[seat], shown(sitting, seat).away_since) == (2, missed)
    sitting.play_to_turn_of(seat).act(seat)
    assert shown(sitting, seat).away_since is None


def test_a_seat_that_owes_shows_since_when():
    sitting = playing("ada", "bo", "cy", five_card=True)
    seat = sitting.owing()
    assert [shown(sitting, other).owes_since for other in range(3)] == [
        sitting.now if other == seat else None for other in range(3)
    ]


def test_g_14_a_bot_plays_for_a_claimed_seat_immediately():
    sitting = clocked("ada", "bo", "cy", rounds=5)
    seat = run_out_in_a_row(sitting, 1)
    sitting.play_to_turn_of(seat)
    assert deadline_of(sitting.table, seat) is not None
    other = (seat + 1) % 3
    assert sitting.do(commands.ClaimSeat(seat), by=f"player:{other}", after_ms=9) == (SeatClaimed(seat),)
    assert sitting.table.person_acted_at == sitting.now
    assert (shown(sitting, seat).bot_kept, deadline_of(sitting.table, seat)) == (True, None)
    assert work_due(sitting.table) == WorkDue(IMMEDIATELY)
    assert sitting.refusal(commands.ClaimSeat(seat)) == "already_kept"
    sitting.act(seat, by=f"bot:{seat}")
    assert verify_log(sitting.play_out().log()).valid


def test_g_14_a_player_who_says_ready_in_a_pause_is_present():
    sitting = clocked("ada", "bo", "cy", rounds=9, round_pause=8_000)
    sitting.play_to(Stage.TO_SCORE).do(commands.ScoreRound())
    sitting.table = replace(sitting.table, missed_turns=(2, 0, 0), away_since=(sitting.now, None, None))
    sitting.do(commands.SayReady(0), by="player:0")
    assert (sitting.table.missed_turns[0], sitting.table.away_since[0]) == (0, None)
    assert sitting.refusal(commands.ClaimSeat(0)) == "not_claimable"


def test_g_14_a_ready_entrant_is_present_and_missed_turns_still_count():
    sitting = sitting_of("ada", "bo", "cy")
    sitting.table = replace(sitting.table, missed_turns=(2, 0, 0), away_since=(sitting.now, None, None))
    sitting.do(commands.SayReady(0), by="player:0")
    assert sitting.table.missed_turns[0] == 2
    assert sitting.refusal(commands.ClaimSeat(0)) == "not_claimable"


@pytest.mark.parametrize("is_acting", [True, False])
def test_g_14_the_player_of_a_claimed_seat_may_come_back(is_acting):
    sitting = clocked("ada", "bo", "cy", rounds=5)
    seat = run_out_in_a_row(sitting, 1)
    sitting.do(commands.ClaimSeat(seat), by=f"player:{(seat + 1) % 3}")
    sitting.play_to_turn_of(seat)
    if is_acting:
        sitting.act(seat, by=f"player:{seat}")
    else:
        sitting.do(commands.Return(seat), by=f"player:{seat}")
        assert deadline_of(sitting.table, seat) == sitting.now + TURN_MS
    assert (shown(sitting, seat).bot_kept, shown(sitting, seat).away_since) == (False, None)
    assert sitting.refusal(commands.ClaimSeat(seat)) == "not_claimable"


def test_g_14_a_claimed_seat_is_ranked_as_if_its_player_were_present():
    sitting = clocked("ada", "bo", "cy", rounds=1)
    seat = run_out_in_a_row(sitting, 1)
    sitting.do(commands.ClaimSeat(seat), by=f"player:{(seat + 1) % 3}")
    result = sitting.play_out().table.result
    assert result is not None
    assert result.places is not None
    assert result.scores is not None
    assert sitting.table.resigned == ()
    assert result.places[seat] == 1 + sum(score > result.scores[seat] for score in result.scores)


def test_g_14_only_the_seat_of_a_person_who_is_away_can_be_claimed():
    sitting = clocked("ada", "bo", "bot", rounds=5)
    assert sitting.refusal(commands.ClaimSeat(0)) == "not_claimable"
    assert sitting.refusal(commands.ClaimSeat(2)) == "not_a_person"
    sitting = clocked("ada", "bo", "cy", rounds=5)
    seat = run_out_in_a_row(sitting, 1)
    sitting.resign(seat)
    assert sitting.refusal(commands.ClaimSeat(seat)) == "already_kept"


def test_g_14_every_other_player_who_has_not_resigned_may_claim():
    sitting = clocked("ada", "bo", "cy", "bot", rounds=5)
    seat = run_out_in_a_row(sitting, 1)
    first, second = [other for other in range(3) if other != seat]
    assert allowed_actors(sitting.table, commands.ClaimSeat(seat)) == (f"player:{first}", f"player:{second}")
    sitting.resign(second)
    assert allowed_actors(sitting.table, commands.ClaimSeat(seat)) == (f"player:{first}",)


def test_without_a_clock_no_missed_turns_are_counted():
    sitting = playing("ada", "bo", "cy")
    sitting.act(sitting.owing())
    assert sitting.table.missed_turns == (0, 0, 0)
    assert [deadline_of(sitting.table, seat) for seat in range(3)] == [None, None, None]


def test_everybody_sees_the_clocks():
    sitting = clocked("ada", "bo", "bot", rounds=5)
    seat = sitting.owing()
    seen = shown(sitting, seat)
    assert (seen.owes, seen.deadline, seen.bot_kept) == (
        True,
        deadline_of(sitting.table, seat),
        is_played_by_bot(sitting.table, seat),
    )


# -------------------------------------------------------------------------------- rules that wait

GRACE_MS = 20_000


def graced(*players: str, turn_seconds: int = 0) -> Sitting:
    """Returns a table of Coconut where the player to move leaves time for a sneak."""
    sitting = playing(*players, game="coconut", turn_seconds=turn_seconds, sneak_grace_ms=GRACE_MS)
    while sitting.table.rulebook.waits_until(sitting.table.state) is None:
        sitting.act(sitting.owing())
    return sitting


def test_co_37_a_bot_is_due_when_its_wait_is_over():
    sitting = graced("bot", "bot", "bot")
    laid = sitting.table.state.laid_at
    assert work_due(sitting.table, asked_until=sitting.now) == WorkDue(laid + GRACE_MS, is_for_bots=True)
    seat = sitting.owing()
    action = sitting.choice(seat)
    assert sitting.now >= laid + GRACE_MS
    sitting.now = laid + GRACE_MS - 1
    assert sitting.refusal(commands.Act(seat, action)) == "sneak_grace"


def test_co_37_a_clock_begins_when_the_wait_is_over():
    sitting = graced("ada", "bo", "cy", turn_seconds=1)
    deadline = sitting.table.state.laid_at + GRACE_MS + 1_000
    assert deadline_of(sitting.table, sitting.owing()) == deadline
    assert work_due(sitting.table) == WorkDue(deadline)
