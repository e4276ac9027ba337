"""axe-core finds nothing on any page, in both themes."""

from random import Random

import pytest

from hoodwink.domain.games import GAMES
from tests.service.web.browser import axe_findings, enter
from tests.service.web.guests import guest
from tests.service.web.life import played

pytestmark = [pytest.mark.browser, pytest.mark.processes]

ROOMS = {
    "of games": ["/", "/games/blindside", "/learn/coconut", "/tables", "/nowhere"],
    "of rules and logs": ["/rules", "/rules/double_blind", "/replay", "/tournaments", "/tournaments/new"],
    "of players": [
        "/me",
        "/signin",
        "/me/tables",
        "/leaderboards",
        "/leaderboards/coconut",
        "/players/{player}",
        "/players/{player}/statement",
        "/players/{player}/ratings/blind_don",
    ],
}
"""The addresses of each group are opened in one page. `/docs` is long, so `test_docs.py` checks a part of it."""

ONCE_MORE = {
    "of games": [f"/games/{game}" for game in GAMES],
    "of rules": [f"/rules/{game}" for game in GAMES],
}
"""Rooms with the texts of other games."""

AT_TABLES = ("blind_don",)
"""`test_layout.py` looks at a shedding game, and the campaign at the other tables."""


@pytest.fixture(scope="module")
def ada(served):
    return guest(served)


def findings_of(page):
    page.wait_for_selector("main .loading", state="detached")
    return axe_findings(page)


@pytest.mark.parametrize(
    "rooms",
    [
        *(pytest.param(rooms, id=name) for name, rooms in ROOMS.items()),
        *(
            pytest.param(rooms, id=f"{name} once more", marks=pytest.mark.campaign)
            for name, rooms in ONCE_MORE.items()
        ),
    ],
)
def test_axe_finds_nothing_in_a_room(walk, ada, rooms):
    addresses = [room.format(player=ada.id) for room in rooms]
    page, _ = walk(addresses[0], sign_in=ada)
    found = {}

    for room in addresses:
        enter(page, room)
        found[room] = findings_of(page)

    assert {room: faults for room, faults in found.items() if faults} == {}


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game in AT_TABLES else pytest.mark.campaign) for game in GAMES]
)
def test_axe_finds_nothing_at_a_table_in_play(walk, ada, game):
    path = ada.table(game, bots=1).removeprefix("/v1")
    page, _ = walk(path, sign_in=ada)
    page.wait_for_selector(".felt")

    assert findings_of(page) == []


def test_axe_finds_nothing_before_the_start_for_the_uninvited_and_after_the_end(walk, ada, bob):
    opened = ada.post("/v1/tables", {"game": "blindside", "seats": 3})["view"]["id"]
    page, _ = walk(f"/tables/{opened}", sign_in=ada)
    assert findings_of(page) == []

    private = bob.post("/v1/tables", {"game": "blindside", "seats": 3, "private": True})["view"]["id"]
    enter(page, f"/tables/{private}")
    page.get_by_role("heading", name="This table is private").wait_for()
    assert findings_of(page) == []

    table = ada.table("blindside", bots=1, options={"rounds": 1})
    path = table.removeprefix("/v1")
    enter(page, path)
    page.wait_for_selector(".felt")
    played(table, [ada], Random(1))
    count = page.get_by_role("button", name="Close the count")
    count.wait_for()
    assert findings_of(page) == []
    count.click()
    assert findings_of(page) == []
    enter(page, f"{path}/replay")
    assert findings_of(page) == []
