"""An exported log told again: whole, as one seat could know it, or up to a version."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from service.cli import hoodwink

GOLDEN = Path(__file__).parents[2] / "golden"
BLINDSIDE = GOLDEN / "blindside-4.log"
SECRET_SWAPS = GOLDEN / "shithead-72.log"
"""A table where seat 1 swaps cards secretly at versions 6 and 7, before all are ready."""
SUPERVISED = GOLDEN / "double_blind-2065.log"
"""A table whose host has no seat and enters five exposures."""


_EXPOSED = re.compile(" (peeked|told|showed) ")


def told(*arguments):
    done = CliRunner().invoke(hoodwink, ["replay", *map(str, arguments)])
    assert done.exit_code == 0, done.output
    return done.output


def versions(output):
    return [int(line[:5]) for line in output.splitlines() if line[:5].strip().isdigit()]


def test_every_event_is_told_with_every_card_open():
    output = told(BLINDSIDE)

    assert versions(output) == list(range(1, 587))
    assert "hidden" not in output
    assert not output.rstrip().endswith("}")


@pytest.mark.parametrize("seat", range(6))
def test_a_seat_is_told_no_others_cards(seat):
    events, view = parted(told(BLINDSIDE, "--seat", seat, "--upto", 9))

    hands = view["view"]["hands"]
    assert [hand == ["??"] * 4 for hand in hands] == [other != seat for other in range(6)]
    assert events[-1].count("Player") == 2  # who deals, and whose hand is told
    assert f"Hands: Player {seat} " in events[-1]
    assert (view["viewer"], view["version"], view["server_seed"]) == (seat, 9, None)


def test_the_table_is_shown_as_it_was_at_the_version():
    events, view = parted(told(BLINDSIDE, "--upto", 9))

    assert versions("\n".join(events)) == list(range(1, 10))
    assert (view["viewer"], view["version"]) == ("everybody", 9)
    assert "??" not in str(view["view"])


def test_sh_50_what_another_seat_did_secretly_is_left_out():
    assert versions(told(SECRET_SWAPS, "--seat", 1, "--upto", 7)) == [1, 2, 3, 4, 5, 6, 7]
    assert versions(told(SECRET_SWAPS, "--seat", 0, "--upto", 7)) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("seat", range(3))
def test_db_42_a_seat_is_told_what_the_host_entered_in_its_name(seat):
    exposed = [line for line in told(SUPERVISED, "--seat", seat).splitlines() if _EXPOSED.search(line)]

    entered = [int(line[:5]) for line in exposed if line.endswith("The host entered this.")]
    assert (len(exposed), entered) == (9, [7, 8, 10, 11, 12, 20, 21])


def parted(output):
    """Returns the lines of the events, and the view behind them."""
    events, brace, view = output.partition("\n{")
    return events.splitlines(), json.loads(brace + view)


def test_a_spectator_is_told_what_everybody_could_see():
    events, view = parted(told(BLINDSIDE, "--spectator", "--upto", 10))

    assert "Hands" not in events[8]
    assert events[9].endswith("Player 3 passed a card face down to Player 4.")
    assert view["viewer"] == "spectator"


def test_a_file_from_the_standard_input_is_told_in_lines():
    done = CliRunner().invoke(hoodwink, ["replay", "-"], input=BLINDSIDE.read_bytes())
    assert (done.exit_code, len(versions(done.output))) == (0, 586)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--seat", "6"], "The table has seats 0 to 5."),
        (["--seat", "0", "--spectator"], "Choose either --seat or --spectator."),
    ],
)
def test_a_viewer_that_cannot_be_is_refused(arguments, said):
    done = CliRunner().invoke(hoodwink, ["replay", str(BLINDSIDE), *arguments])
    assert done.exit_code != 0
    assert said in done.output
