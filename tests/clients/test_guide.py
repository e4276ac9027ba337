"""docs/CLIENT.md and the pages of the clients are correct: their programs play, operations and codes exist."""

import re

import pytest

from hoodwink.domain.games import GAMES
from hoodwink.service.http.description import API
from hoodwink.service.http.description.openapi import codes_of
from tests.clients.node import ROOT
from tests.service.http.examples import transcript
from tests.service.http.refused.listed import operation_at

PAGES = [ROOT / "docs/CLIENT.md", ROOT / "clients/python/README.md"]
GUIDE = PAGES[0].read_text(encoding="utf-8")


@pytest.mark.processes
def test_the_first_program_of_each_page_plays_a_table(served, capsys):
    programs = {
        re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)[0]
        for page in PAGES
    }
    (program,) = programs
    unhurried = '"seats": 2}'
    assert program.count(unhurried) == 1

    hurried = program.replace(unhurried, '"seats": 2, "bot_delay": 0, "round_pause": 0}')
    exec(hurried.replace("http://127.0.0.1:8000", served), {})

    assert capsys.readouterr().out.startswith("{'outcome': 'played_out'")


def test_the_transcript_matches_requests_and_answers():
    """To update the transcript, run `python -m tests.service.http.examples` and review the difference."""
    assert transcript.PAGE.read_text(encoding="utf-8") == transcript.page_with_transcript()


def test_every_mentioned_operation_exists():
    named = re.findall(r"\b(GET|POST|PATCH|PUT|DELETE) (/v1/[^\s`?,]+)", GUIDE)

    assert len(named) > 20
    assert [request for request in named if operation_at(*request) is None] == []


def test_every_mentioned_code_exists():
    named = re.findall(r"\b[45]\d\d `([a-z_]+)`", GUIDE)

    assert named
    assert set(named) <= set(map(str, codes_of(API)))


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_the_guide_covers_the_peculiarities_of_each_game(game):
    assert f"\n| {game.title} | " in GUIDE
