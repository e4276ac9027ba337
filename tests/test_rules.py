"""The register of rules, and the options in docs/RULES.md compared with the code."""

import re

import pytest

from hoodwink.domain.games import GAMES
from tests.rules import ROOT, RULES, TESTS, TOURNAMENTS, known_ids, proofs, report

RULES_TEXT = RULES.read_text("utf-8")


def test_every_id_has_a_test_and_every_test_names_a_rule():
    ids = known_ids()

    assert report(ids, proofs(TESTS, ids)) == 0


def test_every_mentioned_rule_id_has_one_row():
    text = RULES_TEXT + TOURNAMENTS.read_text("utf-8")
    mentioned = set(re.findall(r"\b[A-Z]+-\d+[a-z]?\b", text)) - {"SHA-256", "TRF-2026", "UTF-8"}

    assert sorted(known_ids()) == sorted(mentioned)


def test_an_id_without_a_test_fails(capsys):
    assert report(("XX-1", "XX-2"), {"XX-2": ["test_x.py::test_xx_2_stands"]}) == 1
    assert "XX-1   NO TEST" in capsys.readouterr().out


def test_a_test_with_an_unknown_id_fails(capsys):
    assert report(("XX-1",), {"XX-1": ["one"], "XX-2": ["other"]}) == 1
    assert "XX-2   NO RULE" in capsys.readouterr().out


def test_tests_in_any_folder_prove_the_ids_in_their_names(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "test_it.py").write_text("async def test_bs_8_co_31_and_db_x(): ...")

    assert set(proofs(tmp_path, ("BS-1", "CO-1", "DB-1"))) == {"BS-8", "CO-31"}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_readme_lists_the_game_with_its_seats(game):
    fewest, most = game.seats
    seats = f"{fewest}" if fewest == most else f"{fewest}\N{EN DASH}{most}"

    assert f"| {game.title} | {seats} | " in (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_section_6_lists_the_options_of_the_game(game):
    assert set(_options_in_section_6(game.title)) == set(game.options.__struct_fields__)


def _options_in_section_6(title: str) -> list[str]:
    """Returns the names in the second column of the game's rows."""
    section = RULES_TEXT.partition("## 6. ")[2].partition("## 7. ")[0]
    names: dict[str, list[str]] = {}
    game = ""
    for first, second in re.findall(r"^\| ([^|]*?) ?\| (`[^|]*) \|", section, re.MULTILINE):
        game = first or game
        names.setdefault(game, []).extend(re.findall(r"`(\w+)`", second))
    return names.get(title.removeprefix("The "), [])
