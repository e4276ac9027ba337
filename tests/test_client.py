"""docs/CLIENT.md is true: its client plays every game, it names operations and codes that exist, and its transcript is real."""

import re
from typing import Any

import pytest

from domain.games import GAMES
from service.http.description import API
from service.http.description.openapi import codes_of
from service.settings import Settings
from service.supervisor import isolated_service
from service.supervisor.roster import address
from tests.service.http.examples import transcript
from tests.service.http.refused.listed import operation_at

TEXT = transcript.CLIENT.read_text(encoding="utf-8")
PROSE, _, _ = TEXT.partition("<!-- transcript -->")
(SOURCE,) = re.findall(r"^```python\n(.*?)^```", PROSE, flags=re.DOTALL | re.MULTILINE)


@pytest.mark.processes
def test_the_client_plays_every_game_to_its_end(tmp_path):
    client: dict[str, Any] = {"__name__": "client"}
    exec(compile(SOURCE, "client.py", "exec"), client)
    with isolated_service(Settings(port=0, data=str(tmp_path))) as running:
        results = {game: client["play"](address(running), game, bot_delay=0, round_pause=0) for game in GAMES}
    assert {game: result["outcome"] for game, result in results.items()} == dict.fromkeys(GAMES, "played_out")


def test_the_transcript_is_what_is_sent_and_answered():
    """Record it again with `python -m tests.service.http.examples`, and look at the difference."""
    assert transcript.written() == TEXT


def test_every_operation_that_is_named_exists():
    named = re.findall(r"\b(GET|POST|PATCH|DELETE) (/v1/[^\s`?,]+)", PROSE)

    assert len(named) > 20
    assert [request for request in named if operation_at(*request) is None] == []


def test_every_code_that_is_named_exists():
    named = re.findall(r"\b[45]\d\d `([a-z_]+)`", PROSE)

    assert named
    assert set(named) <= set(map(str, codes_of(API)))


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_what_is_special_in_each_game_is_said(game):
    assert f"\n| {game.title} | " in PROSE
