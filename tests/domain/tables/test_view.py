"""The view of a table, without that of its game, and the legal actions of viewers."""

import msgspec
import pytest
from msgspec.structs import replace

from hoodwink.domain.games import GAMES
from hoodwink.domain.games.double_blind.actions import Bribe, ExposePocket, ExposeSleeve, PlayPocket
from hoodwink.domain.kernel import Stage, Viewer, redact
from hoodwink.domain.tables.commands import LeaveSeat
from hoodwink.domain.tables.events import (
    ActionTakenBack,
    ClockRanOut,
    PlayerReturned,
    PlayerSeedMissed,
    PlayerSeedRevealed,
    RoundScored,
    RoundVoided,
    SeatClaimed,
    SeatLeft,
    SeatResigned,
    SeatTaken,
    SeedRevealed,
    TableEnded,
    TableOpened,
    TableStarted,
    TableVoided,
)
from hoodwink.domain.tables.state import Voided
from hoodwink.domain.tables.view import (
    SeatView,
    legal_actions_of,
    plays_of,
    view_table,
)
from tests.domain.tables.sitting import SEED, Sitting, playing

VIEWERS: list[Viewer] = [0, 1, "spectator"]


def test_each_field_equals_the_tables_field_of_the_same_name():
    sitting = playing("ada", "bo", "bot", rounds=1)
    told = {"id": "t7", "version": 70, "edition": 2, "round": 1, "host": "olga", "commitment": "c0ffee"}
    pace = {"turn_seconds": 11, "bot_delay": 12, "round_pause": 13}
    room = {"watch": "invited", "rematch_of": "t5", "rematch": "t9"}
    voided = Voided("admin", "A joke.", 5)
    for flags in ({"private": True, "rated": False}, {"private": False, "rated": True}):
        table = replace(sitting.table, **told, **pace, **room, **flags, voided=voided)
        view = view_table(table, 0)
        shared = {"game", "phase", "tournament", "parent", "result", "voided", *told, *pace, *room, *flags}
        assert {field: getattr(view, field) for field in shared} == {
            field: getattr(table, field) for field in shared
        }
        assert (view.supervised, view.known_deck, view.viewer) == (False, False, 0)


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
        offered_to=None,
        seed=None,
        seed_commitment=None,
        seed_status=None,
        resigned=False,
        bot_kept=False,
        awaited=False,
        no_show=False,
        entered_by_host=0,
        owes=False,
        may_act=False,
        owes_since=None,
        deadline=None,
        away_since=None,
    )


def test_the_view_shows_players_and_awaited_seats():
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


def test_seats_that_may_interrupt_are_shown():
    sitting = playing("ada", "bo", "cy", game="coconut")
    while not any(seat.may_act for seat in view_table(sitting.table, "spectator").seats):
        sitting.act(sitting.owing())
    shown = view_table(sitting.table, 0).seats
    assert (
        tuple(seat.seat for seat in shown if seat.may_act)
        == sitting.table.rulebook.turn(sitting.table.state).may
    )


def supervised(sitting: Sitting) -> bool:
    (answer,) = {view_table(sitting.table, viewer).supervised for viewer in VIEWERS}
    return answer


def test_db_34_db_42_an_empty_table_shows_that_its_host_may_enter_offences():
    assert supervised(Sitting(game="double_blind", exposure_actions=True))


@pytest.mark.parametrize(
    "opening",
    [
        {"game": "double_blind"},
        {"game": "double_blind", "exposure_actions": True, "exposure_limit": 0},
        {"game": "blindside"},
    ],
)
def test_db_34_without_exposures_a_host_does_not_supervise(opening):
    assert not supervised(Sitting(**opening))


def test_db_34_a_host_who_sits_down_stops_supervising_for_good():
    sitting = Sitting(game="double_blind", exposure_actions=True).sit("ada")
    assert supervised(sitting)
    sitting.sit("holly")
    assert not supervised(sitting)
    sitting.do(LeaveSeat(1), by="player:1")
    assert not supervised(sitting)


def test_db_34_a_host_who_has_resigned_does_not_supervise():
    sitting = playing("ada", "holly", "bo", game="double_blind", exposure_actions=True)
    sitting.resign(1)
    assert not supervised(sitting)


def test_db_42_a_view_counts_the_offences_entered_in_each_seats_name():
    sitting = playing("ada", "bo", "cy", game="double_blind", exposure_actions=True)
    sitting.act(1, ExposePocket(1, 0), by="host")
    sitting.act(1, ExposePocket(1, 1))
    sitting.act(1, ExposePocket(1, 2), by="host")
    for viewer in VIEWERS:
        shown = view_table(sitting.table, viewer)
        assert [seat.entered_by_host for seat in shown.seats] == [0, 2, 0]
        assert shown.view.exposures == (0, 3, 0)  # type: ignore[attr-defined]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_viewers_receive_the_opening_without_the_seed(viewer):
    opened = TableOpened(
        "t1",
        "blindside",
        2,
        {},
        "holly",
        0,
        "c" * 64,
        SEED,
        3,
        "",
        True,
        None,
        None,
        None,
        0,
        0,
        False,
        "everyone",
        None,
        False,
    )
    shown = redact(opened, viewer)
    assert isinstance(shown, TableOpened)
    assert (shown.server_seed, shown.commitment) == ("??", "c" * 64)
    assert redact(opened, "everybody") == opened


@pytest.mark.parametrize(
    "event",
    [
        SeatTaken(0, "ada", None, "luck", ""),
        SeatLeft(0),
        TableStarted(None, None, None),
        PlayerSeedRevealed(None, "5eed"),
        PlayerSeedMissed(0),
        SeatResigned(0),
        ActionTakenBack(0, 7),
        ClockRanOut(0),
        SeatClaimed(0),
        PlayerReturned(0),
        RoundScored(1, "token", (1, -1), (1, -1)),
        RoundVoided(1),
        TableEnded("abandoned", None, None),
        SeedRevealed(SEED),
        TableVoided("olga", "Two players shared a screen."),
    ],
    ids=lambda event: event.wire,
)
def test_events_of_the_table_are_public(event):
    assert {redact(event, viewer) for viewer in VIEWERS} == {event}


def test_events_of_the_game_are_redacted_as_the_game_declares():
    sitting = playing("ada", "bo", "cy")
    (dealt,) = GAMES["blindside"].deal(GAMES["blindside"].initial(sitting.table.options, 3), _Unshuffled())
    assert redact(dealt, 0) == redact(dealt, 0) != dealt


class _Unshuffled:
    first_dealer = None

    def seat(self, seats):
        return 0

    def deck(self, pack, number):
        return tuple(pack)


def test_db_34_a_bot_chooses_among_plays_and_never_among_offences():
    sitting = playing("ada", "bo", "bot", game="double_blind", exposure_actions=True)
    seat = sitting.owing()
    assert {type(play) for play in plays_of(sitting.table, seat, sitting.now)} == {PlayPocket, Bribe}
    assert {type(action) for action in sitting.legal(seat)} == {PlayPocket, Bribe, ExposePocket, ExposeSleeve}
    assert plays_of(sitting.table, (seat + 1) % 3, sitting.now) == ()


def test_there_are_legal_actions_only_while_the_table_is_playing():
    sitting = Sitting().sit("ada", "bo", "bot")
    assert sitting.legal(0) == ()
    sitting.start().deal()
    seat = sitting.owing()
    assert sitting.legal(seat) == sitting.table.rulebook.legal_actions(sitting.table.state, seat, sitting.now)
    assert legal_actions_of(sitting.play_out().table, seat, sitting.now) == ()
