"""The frames of a playback show only what the viewer may see."""

from pathlib import Path

import pytest
from rich.console import Console

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import fields_by_seat
from hoodwink.domain.tables.view import view_table
from hoodwink.service.cli.playback.lines import coloured, event_line
from hoodwink.service.cli.playback.recording import read_recording
from hoodwink.service.cli.playback.scene import footer, scene
from hoodwink.service.cli.playback.stepper import HELP, Position
from tests.domain.laws.cards import cards_in
from tests.domain.laws.speech import cards_named

GOLDEN = Path(__file__).parents[3] / "golden"
LOGS = [min(GOLDEN.glob(f"{game}-[0-9]*.log")) for game in GAMES]


def recording_of(log):
    return read_recording(log, log.read_bytes())


def drawn_text(recording, **given):
    console = Console(width=500, no_color=True, highlight=False)
    with console.capture() as captured:
        console.print(scene(recording, Position(**given)))
    return captured.get()


@pytest.mark.parametrize("step", [29, pytest.param(7, marks=pytest.mark.campaign)])
@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_a_scene_shows_only_the_cards_of_its_view(log, step):
    recording = recording_of(log)
    for version in range(1, recording.last, step):
        table = recording.at(version).table
        for viewer in (0, "spectator", "everybody"):
            text = drawn_text(recording, version=version, viewer=viewer)
            words = recording.at(version).words_for(viewer) or ""
            view = set(cards_in(view_table(table, viewer).view))
            assert cards_named(text) == view | cards_named(words), (version, viewer)


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_fields_shown_by_seat_have_one_value_per_seat(log):
    recording = recording_of(log)
    view = view_table(recording.at(recording.last - 2).table, "everybody").view
    for name in fields_by_seat(type(view)):
        zone = getattr(view, name)
        assert zone is None or len(zone) == recording.seats


def test_a_scene_shows_version_event_and_player_to_move():
    lines = drawn_text(recording_of(GOLDEN / "blindside-4.log"), version=20, viewer=0).splitlines()

    assert lines[0].startswith("Blindside · table blindside-4")
    assert lines[1].strip() == "version 20 of 586 · round 1 · playing"
    assert lines[2].strip() == "seen by seat 0"
    assert lines[4].strip() == "Player p4 kept a card on the Keeper Pile."
    assert [line.split()[:3] for line in lines if line.startswith(">")] == [[">", "4", "Player"]]


def test_sh_50_others_see_only_that_something_secret_happened():
    recording = recording_of(GOLDEN / "shithead-639.log")

    assert "This event is hidden from this viewer." in drawn_text(recording, version=6, viewer=0)
    assert "exchanged" in drawn_text(recording, version=6, viewer=1)


def test_the_end_shows_the_result():
    recording = recording_of(GOLDEN / "blind_don-0.log")
    assert "result: outcome played_out, places 1 2" in drawn_text(recording, version=85)


def test_the_help_names_every_key():
    text = drawn_text(recording_of(LOGS[0]), shows_help=True)
    assert all(keys in text and meaning in text for keys, meaning in HELP)


def test_the_last_line_shows_the_state_of_the_playback():
    assert footer(Position()).plain == "stopped · ? for help, q to quit"
    assert footer(Position(is_playing=True)).plain.startswith("playing, 2 events a second")
    assert footer(Position(prompt="round", typed="12")).plain == "round: 12_"
    assert footer(Position(note="There is no round 99.")).plain == "There is no round 99."


def test_a_name_cannot_control_the_terminal():
    assert coloured("Ada\x1b[2J\nBob\u202e").plain == r"Ada\u{1b}[2J\u{a}Bob\u{202e}"
    assert "\x1b" not in event_line(3, "Ada\x1b[2J left.").plain


def test_red_cards_are_red_and_the_text_is_equal_without_colours():
    text = coloured("Ada drew 9H and JK, not 9S.")
    assert text.plain == "Ada drew 9H and JK, not 9S."
    assert [(text.plain[span.start : span.end], span.style) for span in text.spans] == [
        ("9H", "red"),
        ("JK", "magenta"),
    ]
