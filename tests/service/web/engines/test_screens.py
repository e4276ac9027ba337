"""In Firefox and WebKit, every table fits its screen, and its seats are around it."""

from itertools import pairwise

import pytest

from tests.service.processes import await_true
from tests.service.web.engines.parts import complaints
from tests.service.web.table.laid_tables import waiting
from tests.service.web.table.test_layout import (
    DIMMED,
    FAULTS,
    FEW_SEATS,
    MANY_SEATS,
    MIN_SEEN_PX,
    TOUCH_PX,
)

pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.campaign, pytest.mark.timeout(900)]

SCREENS = [(360, 640), (844, 390), (1280, 800)]
# The middles of the other seats, clockwise from the left of the near one.
AROUND = """() => [...document.querySelectorAll('.others .seat')].map((seat) => {
    const { x, y, width, height } = seat.getBoundingClientRect();
    return [x + width / 2 - innerWidth / 2, y + height / 2];
})"""
WIDTH = """(selector) => {
    const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
    return { width, middle: [x + width / 2, y + height / 2] };
}"""
PUBLIC = ".others [data-seat='1'] [data-face]:not([data-face='??'])"


def fits(fed, message, size):
    fed.remote.resize(*size)
    fed.begin(message)
    return fed.remote.run(FAULTS, {"touch": TOUCH_PX, "seen": MIN_SEEN_PX})


@pytest.mark.parametrize("size", SCREENS, ids=str)
def test_every_table_fits_every_screen(fed, tables, size):
    faults = {name: fits(fed, tables[name] | {"events": []}, size) for name in sorted(FEW_SEATS | MANY_SEATS)}

    assert {name: found for name, found in faults.items() if found} == {}
    assert complaints(fed.remote) == []


def test_on_a_wide_screen_the_seats_form_an_oval(fed, tables):
    fed.remote.resize(1280, 800)
    fed.begin(tables["blindside10"] | {"events": []})

    around = fed.remote.run(AROUND)

    assert len(around) == 9
    left, top, right = around[:2], around[2:7], around[7:]
    assert all(one[1] > other[1] for one, other in pairwise([*left, top[0]]))  # up the left side
    assert all(one[0] < other[0] for one, other in pairwise(top))  # along the top
    assert all(one[1] < other[1] for one, other in pairwise([top[-1], *right]))  # down the right side
    assert max(x for x, _ in left) < 0 < min(x for x, _ in right)


def test_public_cards_of_others_are_enlarged_by_mouse_keyboard_and_tap(fed, tables):
    remote = fed.remote
    remote.resize(1280, 800)
    fed.begin(tables["shithead10long"] | {"events": []})
    remote.hover(640, 790)
    usual = remote.run(WIDTH, PUBLIC)["width"]

    def is_enlarged():
        return remote.run(WIDTH, PUBLIC)["width"] > 1.5 * usual

    remote.hover(*remote.run(WIDTH, PUBLIC)["middle"])
    await_true(is_enlarged)
    remote.hover(640, 790)
    await_true(lambda: not is_enlarged())
    remote.run("() => document.querySelector('.others [data-seat=\"1\"] button.who').focus()")
    await_true(is_enlarged)

    remote.resize(360, 640)
    assert remote.run(WIDTH, PUBLIC)["width"] == 0
    remote.click(*remote.run(WIDTH, ".others [data-seat='1'] button.who")["middle"])
    assert remote.run(WIDTH, PUBLIC)["width"] >= TOUCH_PX


def test_cards_are_dimmed_only_on_the_players_own_turn(fed, tables):
    message = tables["coconut4long"] | {"events": []}
    dimmed = []
    for each in (message, waiting(message)):
        fed.begin(each)
        dimmed.append({*fed.remote.run(DIMMED)})

    assert dimmed == [{True}, {False}]
