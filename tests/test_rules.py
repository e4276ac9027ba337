"""The register of rules, and what docs/RULES.md says about options, against the code."""

import re

import pytest

from domain.games import GAMES
from tests.rules import RULES, TESTS, TOURNAMENTS, ids_in_rules, known_ids, proofs, report

RULES_TEXT = RULES.read_text("utf-8")


def test_every_id_has_a_test_and_every_test_names_a_rule():
    ids = known_ids()

    assert report(ids, proofs(TESTS, ids)) == 0


def test_every_table_of_rules_is_read():
    assert len(ids_in_rules(RULES_TEXT)) == 216
    assert len(ids_in_rules(TOURNAMENTS.read_text("utf-8"))) == 38
    assert len(set(known_ids())) == 216 + 38


def test_an_id_without_a_test_fails(capsys):
    assert report(("XX-1", "XX-2"), {"XX-2": ["test_x.py::test_xx_2_stands"]}) == 1
    assert "XX-1   NO TEST" in capsys.readouterr().out


def test_a_test_of_no_rule_fails(capsys):
    assert report(("XX-1",), {"XX-1": ["one"], "XX-2": ["other"]}) == 1
    assert "XX-2   NO RULE" in capsys.readouterr().out


def test_a_test_in_any_folder_proves_what_its_name_carries(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "test_it.py").write_text("async def test_bs_8_co_31_and_db_x(): ...")

    assert set(proofs(tmp_path, ("BS-1", "CO-1", "DB-1"))) == {"BS-8", "CO-31"}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_section_6_names_the_options_of_the_game(game):
    assert set(_options_in_section_6(game.title)) == set(game.options.__struct_fields__)


def _options_in_section_6(title: str) -> list[str]:
    """Returns the names in the second column of the game's rows."""
    section = RULES_TEXT.partition("## 6. ")[2].partition("## 7. ")[0]
    names: dict[str, list[str]] = {}
    game = ""
    for first, second in re.findall(r"^\| ([^|]*?) ?\| (`[^|]*) \|", section, re.MULTILINE):
        game = first or game
        names.setdefault(game, []).extend(re.findall(r"`(\w+)`", second))
    return names[title.removeprefix("The ")]
