"""`hoodwink replay` in plain lines: the whole log, a seat's view, or up to a version."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from hoodwink.service.cli import hoodwink
from tests.domain.laws.speech import cards_named

GOLDEN = Path(__file__).parents[2] / "golden"
BLINDSIDE = GOLDEN / "blindside-4.log"
SECRET_SWAPS = GOLDEN / "shithead-639.log"
"""A table where seat 1 swaps cards secretly at versions 6 and 7, before all are ready."""
SUPERVISED = GOLDEN / "double_blind-2065.log"
"""A table whose host has no seat and enters five exposures."""


_EXPOSED = re.compile(" (peeked|told|showed) ")


def run_replay(*arguments):
    done = CliRunner().invoke(hoodwink, ["replay", *map(str, arguments)])
    assert done.exit_code == 0, done.output
    return done.output


def versions(output):
    return [int(line[:5]) for line in output.splitlines() if line[:5].strip().isdigit()]


def test_every_event_is_printed_with_every_card_open():
    output = run_replay(BLINDSIDE)

    assert versions(output) == list(range(1, 587))
    assert "hidden" not in output
    assert not output.rstrip().endswith("}")


@pytest.mark.parametrize("seat", range(6))
def test_a_seat_sees_only_its_own_hand(seat):
    events, seats = parted(run_replay(BLINDSIDE, "--seat", seat, "--upto", 9))

    assert ["?? ?? ?? ??" in line for line in seats] == [other != seat for other in range(6)]
    holder = f"Random bot (seat {seat})" if seat % 2 else f"Player p{seat}"
    assert (
        events[-1].count("Random bot") + events[-1].count("Player") == 2
    )  # the dealer, and the owner of the hand
    assert f"Hands: {holder} " in events[-1]


def test_the_table_is_printed_at_the_given_version():
    events, seats = parted(run_replay(BLINDSIDE, "--upto", 9))

    assert versions("\n".join(events)) == list(range(1, 10))
    assert [line.split()[-5].rstrip(")") for line in seats] == ["p0", "1", "p2", "3", "p4", "5"]
    assert "??" not in "".join(seats)


def test_sh_50_secret_actions_of_other_seats_are_omitted():
    assert versions(run_replay(SECRET_SWAPS, "--seat", 1, "--upto", 7)) == [1, 2, 3, 4, 5, 6, 7]
    assert versions(run_replay(SECRET_SWAPS, "--seat", 0, "--upto", 7)) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("seat", range(3))
def test_db_42_a_seat_sees_which_exposures_the_host_entered(seat):
    exposed = [line for line in run_replay(SUPERVISED, "--seat", seat).splitlines() if _EXPOSED.search(line)]

    entered = [int(line[:5]) for line in exposed if line.endswith("The host entered this.")]
    assert (len(exposed), entered) == (9, [7, 8, 10, 11, 12, 20, 21])


def parted(output):
    """Returns the lines of events, and the following lines of seats."""
    events, _, table = output.partition("\n\n")
    return events.splitlines(), table.partition("\n\n")[0].splitlines()[1:]


@pytest.mark.parametrize(
    ("viewer", "same"),
    [("spectator", ["--spectator"]), ("2", ["--seat", "2"]), ("everybody", [])],
)
def test_the_viewer_is_named_as_in_the_api(viewer, same):
    assert run_replay(BLINDSIDE, "--viewer", viewer) == run_replay(BLINDSIDE, *same)


def test_a_spectator_sees_only_public_information():
    events, seats = parted(run_replay(BLINDSIDE, "--spectator", "--upto", 10))

    assert "Hands" not in events[8]
    assert events[9].endswith("Random bot (seat 3) passed a card face down to Player p4.")
    assert len(seats) == 6
    assert not any(cards_named(line) for line in seats)


def test_a_log_from_standard_input_is_printed_in_lines():
    done = CliRunner().invoke(hoodwink, ["replay", "-"], input=BLINDSIDE.read_bytes())
    assert (done.exit_code, len(versions(done.output))) == (0, 586)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seat", "6"], "There is no seat 6; the table has seats 0 to 5."),
        (["--seat", "0", "--spectator"], "Choose one of --viewer, --seat and --spectator."),
        (["--seat", "0", "--viewer", "0"], "Choose one of --viewer, --seat and --spectator."),
        (["--viewer", "ada"], "'ada' is not spectator, everybody or the number of a seat."),
        (["--viewer", "-1"], "'-1' is not spectator, everybody or the number of a seat."),
    ],
)
def test_an_impossible_viewer_is_refused(arguments, message):
    done = CliRunner().invoke(hoodwink, ["replay", str(BLINDSIDE), *arguments])
    assert done.exit_code != 0
    assert message in done.output
