"""`hoodwink tournament simulate --deal same`: a duplicate tournament is simulated and verified."""

import re
from fractions import Fraction

import pytest
from click.testing import CliRunner

from hoodwink.domain.tournaments.standings import Row
from hoodwink.service.cli import hoodwink
from hoodwink.service.cli.tournaments.simulate import _share_in_order


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(hoodwink, list(words), catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.output


@pytest.mark.parametrize(("format_", "compare"), [("league", "difference"), ("swiss", "margin")])
def test_d_1_d_8_a_simulated_duplicate_tournament_verifies(tmp_path, format_, compare):
    seats = "3" if format_ == "league" else "2"
    words = ("--format", format_, "--seats", seats, "--compare", compare, "--entrants", "10", "--rounds", "4")
    logs = ("--logs", str(tmp_path / "logs"), "--deals-per-pairing", "2", "--team-size", "3")
    run("tournament", "simulate", "--deal", "same", *words, "--option", "rounds=1", "--absences", *logs)

    log = tmp_path / "logs" / "tournament.ndjson"
    assert run("verify", str(log), "--tables", str(tmp_path / "logs")).startswith(
        "valid: tournament simulated"
    )


def test_d_1_what_a_duplicate_tournament_cannot_have_is_refused(tmp_path):
    same = ("tournament", "simulate", "--deal", "same")
    assert "In a knockout, every table has its own deal." in run(*same, "--format", "knockout", code=1)
    assert "no place for comparisons" in run(*same, "--trf", str(tmp_path / "cup.trf"), code=2)
    for option in (("--deals-per-pairing", "2"), ("--compare", "matchpoints")):
        assert "`--deal same`" in run("tournament", "simulate", *option, code=2)


def test_d_3_a_simulation_says_when_unequal_bots_were_in_the_right_order():
    words = (
        "tournament",
        "simulate",
        "--deal",
        "same",
        "--entrants",
        "8",
        "--rounds",
        "3",
        "--option",
        "rounds=1",
    )
    printed = run(*words, "--bots", "steady,random")
    reverse = run(*words, "--bots", "random,steady")

    assert re.search(
        r"Order: \d+% of the pairs of unequal bots are in the order of --bots; 90% were", printed
    )
    assert "Order:" in reverse
    assert "Order:" not in run(*words, "--bots", "steady")


def test_d_3_the_share_in_order_counts_pairs_and_halves_of_ties():
    def rows(*ranks):
        return [
            Row(entrant=number, rank=rank, score=Fraction(), tiebreaks={})
            for number, rank in enumerate(ranks, 1)
        ]

    assert _share_in_order(rows(1, 2, 3), [0, 1, 2]) == 1
    assert _share_in_order(rows(3, 2, 1), [0, 1, 2]) == 0
    assert _share_in_order(rows(1, 1, 3), [0, 1, 1]) == Fraction(3, 4)
    assert _share_in_order(rows(None, 1, 2), [0, 1, 0]) == 0
