"""The effect of each key on the position in a recording."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from hoodwink.service.cli.playback.recording import read_recording
from hoodwink.service.cli.playback.stepper import SPEEDS, Position, pause_seconds, played, pressed

LOG = Path(__file__).parents[3] / "golden" / "blindside-4.log"
RECORDING = read_recording(LOG, LOG.read_bytes())
ROUNDS = [RECORDING.round_start(number) or 0 for number in range(1, 6)]


def after(keys, **given):
    position = Position(**given)
    for key in keys:
        position = pressed(position, key, RECORDING)
    return position


def version_after(keys, **given):
    return after(keys, **given).version


@pytest.mark.parametrize("key", ["right", "n", "enter"])
def test_a_key_steps_forward_and_stops_at_the_end(key):
    assert version_after([key], version=9) == 10
    assert version_after([key], version=RECORDING.last) == RECORDING.last


@pytest.mark.parametrize("key", ["left", "p", "backspace"])
def test_a_key_steps_back_and_stops_at_the_beginning(key):
    assert version_after([key], version=9) == 8
    assert version_after([key]) == 1


def test_keys_go_to_the_first_and_the_last_event():
    assert version_after(["home"], version=9) == version_after(["g"], version=9) == 1
    assert version_after(["end"]) == version_after(["G"]) == RECORDING.last == 586


def test_typed_numbers_go_to_a_version():
    assert version_after("v12") == 1
    assert version_after([*"v129", "backspace", "enter"]) == 12


def test_typed_numbers_go_to_a_round():
    assert version_after([*"r2", "enter"]) == ROUNDS[1]
    assert RECORDING.at(ROUNDS[1]).recorded.event.wire == "blindside.round_dealt"


def test_a_missing_version_or_round_is_reported_and_changes_nothing():
    position = after([*"v587", "enter"], version=5)

    assert (position.version, position.note) == (5, "There is no version 587; the log has versions 1 to 586.")
    assert after([*"v0", "enter"]).note
    assert after([*"r99", "enter"]).note == "There is no round 99."
    assert pressed(position, "n", RECORDING).note == ""


def test_letters_typed_into_a_prompt_are_ignored():
    assert after("vabc", version=5) == after("v", version=5)
    assert after([*"vabc", "enter"], version=5) == Position(version=5)
    assert version_after([*"v1a2", "enter"], version=5) == 12


@pytest.mark.parametrize("key", ["escape", "q", "left", "end of input"])
def test_other_keys_close_the_prompt(key):
    assert after([*"v12", key]).prompt == ""


def test_a_prompt_can_be_cancelled():
    assert after([*"v12", "escape"]) == after([*"v12", "q"]) == Position()
    assert after(["v", "enter"]) == Position()
    assert len(after("v" + "9" * 30).typed) < 10


def test_keys_move_from_round_to_round():
    assert version_after(["down"]) == ROUNDS[0]
    assert version_after(["]", "page down"]) == ROUNDS[1]
    assert version_after(["up"], version=ROUNDS[1] + 3) == ROUNDS[1]
    assert version_after(["["], version=ROUNDS[1]) == ROUNDS[0]
    assert version_after(["page up"], version=ROUNDS[0]) == 1
    assert version_after(["down"], version=RECORDING.last - 3) == RECORDING.last


def test_automatic_play_stops_at_the_end():
    position = after([" "], version=RECORDING.last - 2)
    assert position.is_playing

    position = played(position, RECORDING)
    assert (position.version, position.is_playing) == (RECORDING.last - 1, True)
    position = played(position, RECORDING)
    assert (position.version, position.is_playing) == (RECORDING.last, False)
    assert after([" "], version=RECORDING.last) == Position(is_playing=True)


@pytest.mark.parametrize("key", [" ", "n", "p", "home", "end", "v", "?"])
def test_navigation_keys_stop_automatic_play(key):
    assert not after([key], version=20, is_playing=True).is_playing


def test_the_speed_is_limited():
    assert pause_seconds(after("+")) == pause_seconds(Position()) / 2
    assert pause_seconds(after("+" * 20)) == 1 / SPEEDS[-1]
    assert pause_seconds(after("-" * 20)) == 1 / SPEEDS[0]


def test_any_viewer_can_be_chosen():
    assert [after(key).viewer for key in "05se"] == [0, 5, "spectator", "everybody"]
    assert after("7").note == "There is no seat 7; the table has seats 0 to 5."
    assert after("7").viewer == "everybody"


def test_tab_cycles_through_all_viewers():
    position, viewers = Position(), []
    for _ in range(8):
        position = pressed(position, "tab", RECORDING)
        viewers.append(position.viewer)

    assert viewers == ["spectator", 0, 1, 2, 3, 4, 5, "everybody"]


def test_any_key_closes_the_help():
    assert after("?").shows_help
    assert after("hn") == Position()
    assert after("hq").has_quit


def test_playback_ends_on_q_or_at_the_end_of_input():
    assert after("q").has_quit
    assert after(["end of input"]).has_quit


@pytest.mark.parametrize("key", ["escape", "unknown", "x", "²", "é"])
def test_unknown_keys_have_no_effect(key):
    position = replace(Position(), version=7)
    assert pressed(position, key, RECORDING) == position
