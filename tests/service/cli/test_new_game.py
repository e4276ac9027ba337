"""`hoodwink new-game` writes a game that bots can play and that keeps the laws without further changes."""

import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest
from click.testing import CliRunner

from hoodwink.service.cli import hoodwink

ROOT = Path(__file__).parents[3]
NAME = "three_blind_mice"


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """The current folder: a checkout with everything read by the command, the laws and ruff."""
    for folder in ("domain", "hoodwink", "tests/domain/laws", "tests/sixth_game"):
        copytree(ROOT / folder, tmp_path / folder, symlinks=True)
    for name in ("service", "workers", "pyproject.toml", "openapi.yaml", "tests/__init__.py"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return tmp_path


def new_game(name):
    return CliRunner().invoke(hoodwink, ["new-game", name])


def output_of(*arguments):
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def files_in(checkout):
    return {path.relative_to(checkout) for path in checkout.rglob("*") if path.suffix in {".py", ".md"}}


def test_new_game_is_played_by_bots_and_keeps_the_laws(checkout):
    assert new_game(NAME).exit_code == 0
    games = checkout / "domain/games/__init__.py"
    registered = games.read_text().replace(" import blind_don,", f" import {NAME}, blind_don,")
    games.write_text(registered.replace("(blindside.GAME,", f"({NAME}.GAME, blindside.GAME,"))

    assert "3 tables, every law holds." in output_of("-m", "tests.domain.laws", NAME, "0", "1", "2")
    assert "3 tables" in output_of("-m", "hoodwink.service.cli", "simulate", NAME, "--tables", "3")


def test_new_game_names_its_files_and_the_next_steps(checkout):
    before = files_in(checkout)

    told = new_game(NAME).output

    new = {str(path) for path in files_in(checkout) - before}
    assert new == set(told.splitlines()[: len(new)])
    assert f"add {NAME}.GAME" in told
    assert f"simulate {NAME}" in told


@pytest.mark.parametrize("name", ["elf", "abominable_snowmen_of_the_himalayas"])
def test_new_game_is_formatted_for_any_name(checkout, name):
    new_game(name)

    output_of("-m", "ruff", "check")
    output_of("-m", "ruff", "format", "--check")


def test_new_game_does_not_mention_the_template(checkout):
    new_game(NAME)

    folder = checkout / "domain/games" / NAME
    for path in (*folder.iterdir(), checkout / f"tests/domain/laws/entitlements/{NAME}.py"):
        assert "lantern" not in path.read_text().lower()
    assert (folder / "how_to_play.md").read_text().startswith("# Three Blind Mice\n")
    assert "class ThreeBlindMiceCode(RuleCode)" in (folder / "actions.py").read_text()


def test_new_game_refuses_a_name_and_writes_nothing(checkout):
    new_game(NAME)
    before = files_in(checkout)

    malformed = ("", "Elf", "9s", "elf-9", "a__b", "a_", "class", "../elf")
    taken = ("blindside", "shedding", "lantern", NAME)
    in_the_api = ("game", "player", "table", "tournament", "deal", "my")
    for name in (*malformed, *taken, *in_the_api):
        done = new_game(name)
        assert done.exit_code == 2, name
        assert "Invalid value for NAME: " in done.output, name
        reason = "would begin with" if name in in_the_api else "is taken"
        assert ("use lower-case letters" if name in malformed else reason) in done.output, name
        assert files_in(checkout) == before, name


def test_new_game_outside_a_checkout_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    done = new_game(NAME)

    assert done.exit_code == 1
    assert (
        done.output
        == "Error: This folder is not a checkout of Hoodwink; run the command in the top folder of one.\n"
    )
    assert list(tmp_path.iterdir()) == []
