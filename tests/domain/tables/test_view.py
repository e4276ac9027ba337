"""What viewers see of a table beside the game itself, and what they may do."""

import msgspec
import pytest

from domain.games import GAMES
from domain.kernel import Stage, Viewer
from domain.tables import legal_actions_of, redact_event, view_table
from domain.tables.events import (
    ClockRanOut,
    PlayerReturned,
    PlayerSeedMissed,
    PlayerSeedRevealed,
    RoundScored,
    RoundVoided,
    SeatLeft,
    SeatResigned,
    SeatTaken,
    SeedRevealed,
    TableEnded,
    TableOpened,
    TableStarted,
)
from domain.tables.view import SeatView
from tests.domain.tables.sitting import SEED, Sitting, playing

VIEWERS: list[Viewer] = [0, 1, "spectator"]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_seed_is_seen_by_nobody_before_the_end(viewer):
    sitting = playing("ada", "bo", "bot", rounds=1)
    assert SEED not in str(msgspec.to_builtins(view_table(sitting.table, viewer)))
    ended = view_table(sitting.play_out().table, viewer)
    assert ended.server_seed == SEED


def test_the_view_before_the_start_has_the_empty_seats():
    view = view_table(Sitting().sit("ada").table, "spectator")
    assert (view.phase, view.stage, view.round, view.result) == ("open", None, 0, None)
    assert view.seats[0].player == "ada"
    assert view.seats[1] == SeatView(
        seat=1,
        player=None,
        name=None,
        policy=None,
        seed=None,
        seed_commitment=None,
        seed_status=None,
        resigned=False,
        bot_kept=False,
        owes=False,
        may_act=False,
        deadline=None,
    )


def test_the_view_tells_who_plays_and_who_is_awaited():
    sitting = playing("ada", "bo", "bot", five_card=True)
    sitting.resign(0)
    view = view_table(sitting.table, 1)
    owing = sitting.owing()
    assert (view.viewer, view.stage, view.version) == (1, Stage.IN_PLAY, sitting.table.version)
    assert [seat.owes for seat in view.seats] == [seat == owing for seat in range(3)]
    assert [seat.resigned for seat in view.seats] == [True, False, False]
    assert [seat.bot_kept for seat in view.seats] == [True, False, True]
    assert [seat.policy for seat in view.seats] == [None, None, "random"]
    assert view.view == GAMES["blindside"].view(sitting.table.state, 1)


def test_who_may_interrupt_is_shown():
    sitting = playing("ada", "bo", "cy", game="coconut")
    while not any(seat.may_act for seat in view_table(sitting.table, "spectator").seats):
        sitting.act(sitting.owing())
    shown = view_table(sitting.table, 0).seats
    assert (
        tuple(seat.seat for seat in shown if seat.may_act)
        == sitting.table.rulebook.turn(sitting.table.state).may
    )


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_opening_is_told_without_the_seed(viewer):
    opened = TableOpened("t1", "blindside", 2, {}, "holly", 0, "c" * 64, SEED, 2, "")
    shown = redact_event("blindside", opened, viewer)
    assert isinstance(shown, TableOpened)
    assert (shown.server_seed, shown.commitment) == ("??", "c" * 64)
    assert redact_event("blindside", opened, "everybody") == opened


@pytest.mark.parametrize(
    "event",
    [
        SeatTaken(0, "ada", "Ada", None, "luck", ""),
        SeatLeft(0),
        TableStarted(),
        PlayerSeedRevealed(None, "5eed"),
        PlayerSeedMissed(0),
        SeatResigned(0),
        ClockRanOut(0),
        PlayerReturned(0),
        RoundScored(1, "token", (1, -1), (1, -1)),
        RoundVoided(1),
        TableEnded("abandoned", None, None),
        SeedRevealed(SEED),
    ],
    ids=lambda event: event.wire,
)
def test_what_happens_at_the_table_is_public(event):
    assert {redact_event("blindside", event, viewer) for viewer in VIEWERS} == {event}


def test_what_happens_in_the_game_is_for_the_game_to_redact():
    sitting = playing("ada", "bo", "cy")
    (dealt,) = GAMES["blindside"].deal(GAMES["blindside"].initial(sitting.table.options, 3), _Unshuffled())
    assert redact_event("blindside", dealt, 0) == GAMES["blindside"].redact(dealt, 0) != dealt


class _Unshuffled:
    def seat(self, seats):
        return 0

    def deck(self, pack, number):
        return tuple(pack)


def test_only_who_plays_has_legal_actions():
    sitting = Sitting().sit("ada", "bo", "bot")
    assert sitting.legal(0) == ()
    sitting.start().deal()
    seat = sitting.owing()
    assert sitting.legal(seat) == sitting.table.rulebook.legal_actions(sitting.table.state, seat, sitting.now)
    assert legal_actions_of(sitting.play_out().table, seat, sitting.now) == ()
