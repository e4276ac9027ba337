"""Rooms other than tables on phones: nothing covers what one came to see."""

import pytest

from tests.service.web.browser import enter
from tests.service.web.guests import guest
from tests.service.web.replays import await_moment, look
from tests.service.web.table.laid_tables import LONG_NAME

pytestmark = [pytest.mark.browser, pytest.mark.processes]

PHONES = [(390, 664), (360, 640)]

COVERED = """() => {
    const top = document.querySelector('.controls').getBoundingClientRect().top;
    const found = [...document.querySelectorAll('.near .card')].filter((card) => card.getBoundingClientRect().bottom > top + 1);
    const covered = [...document.querySelectorAll('.centre .card')].filter((card) => {
        const { left, bottom } = card.getBoundingClientRect();
        return document.elementFromPoint(left + 3, bottom - 5)?.closest('.dock, .controls');
    });
    return [...found, ...covered].length;
}"""

WIDTH = "document.documentElement.scrollWidth"

OVERLAP = """() => {
    const bottom = document.querySelector('.told').getBoundingClientRect().bottom;
    return bottom - document.querySelector('.controls').getBoundingClientRect().top;
}"""


@pytest.mark.parametrize("game", ["coconut", "double_blind"])
def test_the_replays_controls_cover_no_card_on_a_phone_and_no_caption(walk, ended, game):
    path = ended(game)
    page, complaints = look(walk, f"{path}?viewer=0&version=20")
    await_moment(page, 20, "0")

    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(COVERED) == 0, (width, height)
        play = page.get_by_role("button", name="Play automatically").bounding_box()
        assert play["y"] + play["height"] <= height
    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.evaluate(OVERLAP) <= 1
    assert complaints == []


def test_a_long_name_and_large_text_do_not_widen_a_room_on_a_phone(visit, served):
    viewer = guest(served, LONG_NAME.replace(" ", "").replace("-", ""))
    page, _ = visit("/me", sign_in=viewer, viewport={"width": 360, "height": 640})
    page.get_by_role("heading", level=1, name=viewer.name).wait_for()
    widths = {"/me": page.evaluate(WIDTH)}

    page.evaluate("document.documentElement.style.fontSize = '200%'")
    for path, shown in (("/games/shithead", "form"), ("/tables", ".filters"), ("/tournaments", ".filters")):
        enter(page, path)
        page.wait_for_selector(f"main {shown}")
        widths[path] = page.evaluate(WIDTH)

    assert all(width <= 360 for width in widths.values()), widths


def test_settings_are_folded_on_a_phone(walk, ada):
    page, complaints = walk("/me", sign_in=ada, viewport={"width": 390, "height": 664})
    page.get_by_role("button", name="Change the name").wait_for()
    assert page.evaluate("document.documentElement.scrollHeight") < 1_000

    page.get_by_text("How the page looks and plays").click()
    page.get_by_label("Mute everybody").check()
    page.get_by_text("Devices and signing in").click()
    page.get_by_role("button", name="Add a device").wait_for()

    assert page.evaluate("JSON.parse(localStorage['hoodwink.preferences'])") == {"muted": "all"}
    assert complaints == []
