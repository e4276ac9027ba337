"""In a real browser, nobody receives or sees information hidden by the rules.

Everything on a page is checked: document, objects, accessibility tree, storage, console and network. At a table of
people, with each viewer in a separate browser, nothing may name a card that its viewer cannot know by the rules.

`test_twin_pages.py` compares two pages; `python -m tests.service.web.secrecy` does both for every game, and for longer.
"""

import pytest

from hoodwink.domain.games import GAMES
from hoodwink.service.web.files import page
from tests.service.web.guests import guest
from tests.service.web.secrecy.entitled import faults, prose_of
from tests.service.web.secrecy.shared_table import TELLING_OPTIONS, Onlooker, play, story_at, take_step

pytestmark = [pytest.mark.browser, pytest.mark.processes]

STEPS = 4
GAME = "shithead"
"""The game with two rows of cards, one of them hidden from everybody. The campaign plays all games."""


@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=() if game == GAME else pytest.mark.campaign) for game in GAMES],
)
def test_pages_contain_no_card_hidden_from_their_viewer(chromium, served, game):
    table = play(chromium, served, game, steps=STEPS, options=TELLING_OPTIONS.get(game, {}))

    assert list(table.faults()) == []
    for onlooker in table.onlookers:
        assert len({held.version for held in onlooker.held}) > STEPS / 4


def test_signing_out_removes_the_players_cards(chromium, served):
    ada = guest(served)
    path = ada.table("blindside", bots=1)
    watched = Onlooker(chromium, 0, ada)
    watched.page.goto(path.removeprefix("/v1"))
    for _ in range(4):
        take_step([watched])
    other_tab = watched.page.context.new_page()
    other_tab.goto(f"{page().root}/icon.svg")
    for room in ("", "/replay"):
        watched.page.goto(path.removeprefix("/v1") + room)  # signed in again
        watched.page.wait_for_selector("[data-face]")

        other_tab.evaluate("localStorage.removeItem('hoodwink.player')")
        watched.page.wait_for_function(SEES_AS_SPECTATOR)
        watched.look()
    watched.finish()
    ada.post(f"{path}/resign", {"confirm": True})

    story, rules = story_at(ada, path), prose_of(ada.get("/v1/games/blindside"))
    assert [list(faults(story, "spectator", held, rules)) for held in watched.held] == [[]] * 3


SEES_AS_SPECTATOR = """() => !window.__witness.noted.underway
    && (document.querySelector('hw-table')?.message?.view.viewer === 'spectator'
        || document.querySelector('hw-replay')?.playback.viewer === 'spectator')"""
