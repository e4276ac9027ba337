"""On the table, nothing but cards moves while it is played to its end."""

import math

import pytest

from tests.service.web.fed_tables import fed_messages, in_bursts

pytestmark = [pytest.mark.browser, pytest.mark.processes]

MAX_SHIFT = 0.001
MAX_SPREAD_PX = 2
"""Browsers do not count a smaller movement as a shift, either."""

SEATS = {"blind_don": 2}
SINGLE = 8
"""The number of messages that are sent one by one before the bursts. The campaign sends all of them one by one."""

NOTE_PLACES = """() => {
    window.places = {};
    const note = () => {
        for (const part of document.querySelectorAll('.felt .seat, .felt .zone, .felt .prompt')) {
            const zones = part.closest('.others .zones');
            if (zones && !['none', '1'].includes(getComputedStyle(zones).scale)) continue; // enlarged under the mouse
            const what = part.dataset.zone ?? part.getAttribute('aria-label') ?? part.className.split(' ')[0];
            const { x, y } = part.getBoundingClientRect();
            (places[what] ??= []).push([x, y + scrollY]);
        }
    };
    new MutationObserver(() => requestAnimationFrame(note)).observe(document, { subtree: true, childList: true });
    note();
}"""


def spread(found):
    """Returns how far apart the places of a part are, horizontally or vertically."""
    return max(max(along) - min(along) for along in zip(*found, strict=True))


@pytest.mark.parametrize("burst", [16, pytest.param(1, marks=pytest.mark.campaign)])
@pytest.mark.parametrize(
    ("game", "width", "height"),
    [
        ("blindside", 360, 640),
        ("coconut", 1280, 800),  # the history is next to the table
        ("blind_don", 390, 664),
        ("double_blind", 360, 640),
        ("shithead", 390, 664),
        pytest.param("blindside", 1280, 900, marks=pytest.mark.campaign),
        pytest.param("double_blind", 1280, 900, marks=pytest.mark.campaign),
        pytest.param("blind_don", 664, 390, marks=pytest.mark.campaign),
        pytest.param("double_blind", 664, 390, marks=pytest.mark.campaign),
    ],
)
def test_a_table_played_to_its_end_does_not_shift(fed_page, game, width, height, burst):
    told = fed_messages(game, seats=SEATS.get(game, 4), seed="red")
    fed = fed_page(reduced_motion="no-preference")
    fed.page.set_viewport_size({"width": width, "height": height})
    fed.begin(told[0])
    fed.page.evaluate(NOTE_PLACES)

    fed.play([*told[:SINGLE], *in_bursts(told[SINGLE:], burst)])

    shifts, places = fed.page.evaluate("() => [feed.shifts, places]")
    shifts = [(value, parts) for value, parts in shifts if set(parts) != {"from in card-holder"}]
    assert math.fsum(value for value, _ in shifts) <= MAX_SHIFT, sorted(shifts)[-3:]
    assert {what: found for what, found in places.items() if spread(found) > MAX_SPREAD_PX} == {}
    assert fed.complaints == []


_AFTER_FRAME = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"


def test_a_long_history_drops_its_oldest_lines_without_a_shift(fed_page):
    first = fed_messages("blindside", seats=4, seed="red")[0]
    fed = fed_page(reduced_motion="no-preference")
    fed.page.set_viewport_size({"width": 1280, "height": 800})
    fed.begin(first)

    def say(since, until):
        events = [
            {"version": version, "type": "told", "by": "player", "data": {}, "words": f"Line {version}."}
            for version in range(since, until)
        ]
        fed.push(first | {"version": until - 1, "events": events})
        fed.page.evaluate(_AFTER_FRAME)

    say(1000, 1290)
    counts = set()
    for version in range(1290, 1310):
        say(version, version + 1)
        lines = fed.page.locator(".history").first.locator("li")
        counts.add(lines.count())
        assert lines.first.inner_text() == f"Line {version}."

    assert min(counts) == 200
    assert max(counts) < 300
    assert math.fsum(value for value, _ in fed.page.evaluate("() => feed.shifts")) <= MAX_SHIFT
