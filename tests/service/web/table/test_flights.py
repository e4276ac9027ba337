"""Only cards moved by an event fly, each from its previous place."""

import pytest

from hoodwink.service.web.files import page as page_files
from tests.service.processes import await_true
from tests.service.web.guests import guest

pytestmark = [pytest.mark.browser, pytest.mark.processes]

MAX_ACTIONS = 14
ACTIONS_OF_TWO_TRICKS = 4
NOTE = """() => {
    window.flights = [];
    window.zones = {};
    const { animate } = Element.prototype;
    const note = () => {
        for (const zone of document.querySelectorAll('[data-zone]')) {
            const { left, right, top, bottom } = zone.getBoundingClientRect();
            zones[zone.dataset.zone] = { left, right, top: top + scrollY, bottom: bottom + scrollY };
        }
    };
    Element.prototype.animate = function (frames, options) {
        if (this.dataset.place) { // not a picture of a card that turns over or leaves
            const [x, y] = frames[0].transform.match(/-?[\\d.]+/g).map(Number);
            const box = this.getBoundingClientRect();
            const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 + scrollY };
            flights.push({ place: this.dataset.place, x: middle.x + x, y: middle.y + y });
        }
        return animate.call(this, frames, options);
    };
    note();
}"""

# A hidden card is in the hand of seat 1, and then in that of seat 2.
FLY = """async ([root, acting]) => {
    const { fly, measured } = await import(`${root}/table/scene/flights.js`);
    const add = (parent, className = '') => (
        parent.appendChild(Object.assign(document.createElement('div'), { className })));
    const felt = add(document.body, 'felt');
    const others = add(felt, 'others');
    const hands = [1, 2].map(() => add(others));
    const deal = (seat) => {
        const card = add(hands[seat - 1]);
        card.textContent = '??';
        Object.assign(card.dataset, { face: '??', place: `hand.${seat}/0` });
        return card;
    };
    const card = deal(1);
    const before = measured(document.body);
    card.remove();
    deal(2);
    let flights = 0;
    Element.prototype.animate = () => { flights += 1; return { finished: Promise.resolve() }; };
    fly(document.body, before, [{ data: { seat: acting } }]);
    return flights;
}"""

# While a card flies to the middle, its element begins to show the next one, which was in a hand on the other side.
FLY_AGAIN = """async (root) => {
    const { fly, measured } = await import(`${root}/table/scene/flights.js`);
    const [felt, others] = ['felt', 'others'].map((className) => Object.assign(document.createElement('div'), { className }));
    document.body.append(felt);
    felt.append(others);
    const lay = (face, place, left) => {
        const card = document.createElement('div');
        card.style.cssText = `position: absolute; left: ${left}px; top: 0; width: 60px; height: 84px`;
        Object.assign(card.dataset, { face, place });
        return others.appendChild(card);
    };
    const first = lay('3H', 'hand.1/0', 100);
    let before = measured(document.body);
    first.remove();
    const card = lay('3H', 'middle/0', 300);
    fly(document.body, before, []);
    const next = lay('8D', 'hand.2/0', 600);
    before = measured(document.body);
    next.remove();
    card.dataset.face = '8D';
    fly(document.body, before, []);
    return card.getAnimations().map(({ effect }) => effect.getKeyframes()[0].transform);
}"""

AT_REST = """() => document.getAnimations().every(({ effect, playState }) =>
    playState !== 'running' || effect.getComputedTiming().endTime === Infinity)"""


@pytest.fixture
def people(served):
    return guest(served), guest(served, "Bob")


def open_table_page(visit, path, ada):
    """Opens Ada's page of the table, once the cards are dealt, and records all flights."""
    await_true(lambda: ada.get(path)["view"]["stage"] == "in_play")
    page, _ = visit(path.removeprefix("/v1"), sign_in=ada, reduced_motion="no-preference")
    # It may move what is drawn before it has arrived.
    page.wait_for_function("() => document.querySelector('hw-table')?.info")
    page.evaluate(NOTE)
    return page


def acts(path, people):
    """Takes the first legal action of any seat; returns seat and action, or `None` at the end of the round."""
    for seat, who in enumerate(people):
        for action in who.get(f"{path}/legal-actions")["actions"]:
            who.post(f"{path}/actions", action)
            return seat, action
    return None


def flown(page, path, ada):
    """Returns the flights of the latest event: the possible zones of origin by the card's new place."""
    page.wait_for_function(
        "version => document.querySelector('hw-table').message.version >= version",
        arg=ada.get(path)["view"]["version"],
    )
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.wait_for_function(AT_REST)
    flights, zones = page.evaluate("() => [flights.splice(0), zones]")
    return {
        flight["place"]: {
            zone
            for zone, box in zones.items()
            if box["left"] - 2 <= flight["x"] <= box["right"]
            and box["top"] - 12 <= flight["y"] <= box["bottom"]
        }
        for flight in flights
    }


def test_in_blindside_one_card_at_a_time_flies_from_its_place(visit, people):
    path = people[0].table("blindside", people[1], options={"rounds": 1})
    page = open_table_page(visit, path, people[0])
    seen = set[str]()

    for _ in range(MAX_ACTIONS):
        if seen == {"draw", "keep", "discard"}:
            break
        done = acts(path, people)
        if done is None:
            break
        seat, action = done
        flights = flown(page, path, people[0])
        if people[0].get(path)["view"]["stage"] != "in_play" or action["type"] == "pass_blindside":
            continue
        seen.add(action["type"])
        source = action["source"] if action["type"] == "draw" else f"hand.{seat}"
        target = {"draw": f"hand.{seat}", "keep": f"keepers.{seat}", "discard": "discard"}[action["type"]]
        # Within a zone, cards only close gaps.
        away = {place: zones for place, zones in flights.items() if place.split("/")[0] not in zones}
        ((place, sources),) = away.items()
        assert place.startswith(f"{target}/")
        assert source in sources

    assert seen == {"draw", "keep", "discard"}


def test_in_blind_don_only_the_played_card_flies_from_its_row(visit, people):
    path = people[0].table("blind_don", people[1])
    page = open_table_page(visit, path, people[0])

    for _ in range(ACTIONS_OF_TWO_TRICKS):
        seat, _ = acts(path, people)
        flights = flown(page, path, people[0])
        assert f"row.{seat}" in set().union(*flights.values())
        # In the rows, cards are only turned up where they lie.
        assert not [
            place
            for place, zones in flights.items()
            if place.startswith("row.") and place.split("/")[0] not in zones
        ]


@pytest.mark.parametrize(("acting", "flights"), [(1, 1), (2, 0)])
def test_a_hidden_card_flies_only_from_the_player_who_acted(visit, acting, flights):
    page = visit("/nowhere", reduced_motion="no-preference").page

    assert page.evaluate(FLY, [page_files().root, acting]) == flights


def test_a_card_flies_to_its_place_although_its_element_still_flies(visit):
    page = visit("/nowhere", reduced_motion="no-preference").page

    assert page.evaluate(FLY_AGAIN, page_files().root) == ["translate(300px, 0px) scale(1)"]
