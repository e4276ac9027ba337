"""A sixth game costs one registration and no line in `service`: one that only the tests know is played over HTTP."""

import subprocess
import sys
from pathlib import Path

import pytest

from hoodwink.domain.games import GAMES, register

ROOT = Path(__file__).parents[2]


def test_a_registered_game_is_served_like_any_other():
    """In a process of its own, since the list of games is read when the service is imported."""
    played = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "tests.sixth_game.registered",
            "tests/sixth_game/played.py",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert played.returncode == 0, played.stdout + played.stderr


def test_a_name_that_is_taken_is_refused():
    with pytest.raises(AssertionError, match="two games are called blindside"):
        register(GAMES["blindside"])
