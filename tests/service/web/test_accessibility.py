"""axe-core finds nothing on any page, in both themes."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from hoodwink.domain.games import GAMES
from tests.service.web.guests import guest
from tests.service.web.hands import play_until_it_is_over, with_the_mouse

pytestmark = [pytest.mark.browser, pytest.mark.processes]

ROOMS = [
    "/",
    "/games/blindside",
    "/games/shithead",
    "/learn/coconut",
    "/tables",
    "/rules",
    "/rules/double_blind",
    "/replay",
    "/me",
    "/me/tables",
    "/leaderboards",
    "/leaderboards/coconut",
    "/players/{player}",
    "/players/{player}/statement",
    "/players/{player}/ratings/blind_don",
    "/tournaments",
    "/tournaments/new",
    "/nowhere",
]


@pytest.fixture(scope="module")
def ada(served):
    return guest(served)


def findings_of(page):
    """Returns axe-core's findings in both themes with their elements."""
    page.wait_for_selector("main .loading", state="detached")
    violations = []
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)
        # If the policy blocks additions by axe, only axe's own probes fail, not the page.
        violations += Axe().run(page).response["violations"]
    return [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in violations]


@pytest.mark.parametrize("room", ROOMS)
def test_axe_finds_nothing_in_a_room(visit, ada, room):
    page, _ = visit(room.format(player=ada.id), sign_in=ada)

    assert findings_of(page) == []


@pytest.mark.parametrize("game", GAMES)
def test_axe_finds_nothing_at_a_table_in_play(visit, ada, game):
    path = ada.table(game, bots=1).removeprefix("/v1")
    page, _ = visit(path, sign_in=ada)
    page.wait_for_selector(".felt")

    assert findings_of(page) == []


def test_axe_finds_nothing_on_the_page_for_the_uninvited(visit, ada):
    table = ada.post("/v1/tables", {"game": "blindside", "seats": 3, "private": True})["view"]["id"]
    page, _ = visit(f"/tables/{table}")
    page.get_by_role("heading", name="This table is private").wait_for()

    assert findings_of(page) == []


def test_axe_finds_nothing_before_the_start_and_after_the_end(visit, ada):
    opened = ada.post("/v1/tables", {"game": "blindside", "seats": 3})["view"]["id"]
    page, _ = visit(f"/tables/{opened}", sign_in=ada)
    assert findings_of(page) == []

    path = ada.table("blindside", bots=1).removeprefix("/v1")
    page, _ = visit(path, sign_in=ada)
    play_until_it_is_over(page, with_the_mouse)
    count = page.get_by_role("button", name="Close the count")
    count.wait_for()
    assert findings_of(page) == []
    count.click()
    assert findings_of(page) == []
    page.goto(f"{path}/replay")
    assert findings_of(page) == []
