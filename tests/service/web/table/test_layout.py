"""Every table fits its screen: the player to act sees prompt, own cards and the pile without scrolling."""

import pytest
from playwright.sync_api import expect

from tests.service.web.browser import axe_findings
from tests.service.web.hands import EDGE
from tests.service.web.table.laid_tables import LaidPage, waiting

pytestmark = pytest.mark.browser

PHONES = [(390, 664), (360, 640), (844, 390), (640, 360)]
"""A width of 640 and a height of 360 are also those of a screen of 1,280 by 720 at 200 %."""

LOW_PHONES = [PHONES[1], PHONES[3]]
DESKS = [(1280, 800), (768, 1024)]
FEW_SEATS = {"blindside4", "coconut4", "blind_don2", "double_blind3"}
MANY_SEATS = {"blindside10", "double_blind9", "coconut2long", "shithead10long"}
TOUCH_PX = 44
MIN_SEEN_PX = 24

# The parts that a player needs are on the screen, and what can be clicked is not covered.
FAULTS = """({ touch, seen }) => {
    const found = [];
    const { clientWidth: width, scrollWidth } = document.documentElement;
    if (scrollWidth > width) found.push(`is ${scrollWidth} px wide`);
    const named = (element) => element.dataset.zone ?? element.dataset.place ?? element.textContent.trim();
    const check = (element, what) => {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        if (left < -1 || top < -1 || right > width + 1 || bottom > innerHeight + 1) {
            found.push(`${what} ${named(element)} is not on the screen: ${[left, top, right, bottom].map(Math.round)}`);
        }
    };
    const isUncovered = (element, x, y) => element.contains(document.elementFromPoint(x, y));
    for (const part of document.querySelectorAll('.prompt, .near .who')) check(part, 'part');
    const played = document.querySelectorAll('.centre :is([data-zone=pile], [data-zone=last], [data-zone=discard], .trick) .card');
    for (const card of played) {
        check(card, 'played card');
        const { left, bottom } = card.getBoundingClientRect();
        const over = document.elementFromPoint(left + 3, bottom - 5);
        if (over?.closest('.dock')) found.push('the dock covers a played card');
    }
    for (const score of document.querySelectorAll('.others .score')) {
        const seat = score.closest('.seat');
        const beyond = score.getBoundingClientRect().right - seat.getBoundingClientRect().right;
        if (beyond > 1) found.push(`the score ${named(score)} reaches ${beyond} px beyond its seat`);
    }
    for (const button of document.querySelectorAll('.prompt .buttons button')) check(button, 'button');
    const cards = [...document.querySelectorAll('.near .zone:not(.aside) .card-holder')];
    for (const holder of cards) {
        check(holder, 'own card');
        if (!holder.matches('button')) continue;
        const { left, top, width: size } = holder.getBoundingClientRect();
        if (!isUncovered(holder, left + 4, top + 10)) found.push(`${named(holder)} is covered`);
        if (size < touch - .5) found.push(`${named(holder)} is ${size} px wide`);
        const next = cards.filter((other) => other !== holder && other.parentElement === holder.parentElement)
            .map((other) => other.getBoundingClientRect()).filter((other) => Math.abs(other.top - top) < 12 && other.left > left)
            .map((other) => other.left - left);
        if (Math.min(...next) < touch - .5) found.push(`only ${Math.min(...next)} px of ${named(holder)} are seen`);
    }
    for (const card of document.querySelectorAll('.others .card-holder[data-face]:not([data-face="??"])')) {
        const { width: size } = card.getBoundingClientRect();
        if (size && size < seen) found.push(`the public card ${named(card)} is ${size} px wide`);
    }
    return [...new Set(found)];
}"""


DIMMED = """() => [...document.querySelectorAll('.near .unplayable')].map((holder) => {
    const veil = parseFloat(getComputedStyle(holder, '::after').height); // NaN without a veil
    return Math.abs(veil - holder.querySelector('.card').getBoundingClientRect().height) <= 1;
})"""


@pytest.fixture(scope="module")
def laid(chromium):
    context = chromium.new_context(reduced_motion="reduce")
    yield LaidPage(context)
    context.close()


@pytest.mark.parametrize(
    "tables",
    [
        pytest.param(FEW_SEATS | MANY_SEATS, id="some"),
        pytest.param(None, id="all", marks=pytest.mark.campaign),
    ],
)
def test_every_table_fits_every_screen(laid, tables):
    faults = {}

    for name in tables or laid.tables.names:
        laid.show(name)
        sizes = (*LOW_PHONES, DESKS[0]) if tables and name in FEW_SEATS else (*PHONES, *DESKS)
        for width, height in sizes:
            laid.resize(width, height)
            found = laid.page.evaluate(FAULTS, {"touch": TOUCH_PX, "seen": MIN_SEEN_PX})
            if found:
                faults[f"{name} at {width} by {height}"] = found

    assert faults == {}
    assert laid.complaints == []


def test_large_text_leaves_the_cards_of_a_zoomed_phone_on_the_screen(laid):
    laid.resize(240, 480)  # 360 by 720 at 150 %

    faults = {}
    for name in FEW_SEATS:
        laid.show(name)
        faults[name] = laid.page.evaluate(FAULTS, {"touch": TOUCH_PX / 1.5, "seen": MIN_SEEN_PX / 1.5})

    assert not any(faults.values()), faults


def test_a_joker_can_be_sent_to_any_of_nine_players_on_a_phone(laid):
    for width, height in LOW_PHONES:
        laid.resize(width, height)
        laid.show("shithead2")  # otherwise the Joker would stay picked
        laid.show("shithead10long")

        laid.page.locator(".near [data-face=JK].playable").last.click(position=EDGE)
        laid.page.get_by_role("button", name="Send the pile to Ben", exact=True).wait_for()

        assert laid.page.locator(".near [aria-pressed=true]").get_attribute("data-face") == "JK"
        assert laid.page.locator(".prompt .buttons button").count() == 10
        assert laid.page.evaluate(FAULTS, {"touch": TOUCH_PX, "seen": MIN_SEEN_PX}) == [], (width, height)


@pytest.mark.parametrize(("width", "height"), [(360, 640), (844, 390)])
def test_a_chip_shows_its_seats_cards_until_it_is_tapped_again(laid, width, height):
    laid.resize(width, height)
    laid.show("shithead10long")
    chip = laid.page.locator(".others button.who").first
    cards = laid.page.locator("[data-zone='face_up.1'] .card")
    assert not cards.first.is_visible()

    chip.click()
    assert cards.first.bounding_box()["width"] >= TOUCH_PX
    chip.click()

    assert not cards.first.is_visible()


def test_cards_are_dimmed_only_on_the_players_own_turn(laid):
    laid.tables["waiting"] = waiting(laid.tables["coconut4long"])
    dimmed = []
    for name in ("coconut4long", "waiting"):
        laid.show(name)
        dimmed.append({*laid.page.evaluate(DIMMED)})

    assert dimmed == [{True}, {False}]


def test_arrow_keys_walk_along_the_playable_cards(laid):
    laid.resize(1280, 800)
    laid.show("shithead10long")
    cards = laid.page.locator(".card-holder.playable")
    expect(cards).to_have_count(2)

    cards.first.focus()
    for key, number in (("ArrowRight", 1), ("ArrowRight", 0), ("ArrowLeft", 1)):
        laid.page.keyboard.press(key)
        expect(cards.nth(number)).to_be_focused()


def test_axe_finds_nothing_at_a_table_on_a_phone(laid):
    laid.resize(360, 640)
    laid.show("shithead10long")

    assert axe_findings(laid.page) == []
