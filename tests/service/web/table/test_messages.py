"""What a table's page does with messages and answers at unusual moments."""

import pytest
from playwright.sync_api import expect

from tests.service.web.fed_tables import fed_messages

pytestmark = [pytest.mark.browser, pytest.mark.processes]

_REFUSE = """() => {
    const { fetch } = window;
    window.fetch = async (path, given) => (String(path).includes('/actions')
        ? new Response('{"code": "version_conflict", "detail": "Somebody was faster."}', { status: 409 })
        : fetch(path, given));
}"""
# Not `fetch` that fails, because the page would try again for some seconds.
_FAIL = """async () => {
    const module = document.querySelector('link[rel=stylesheet]').href.replace(/style\\/.*/, 'kit/api.js');
    const { api, Problem } = await import(module);
    api.post = async () => { throw new Problem(0, { detail: 'The service cannot be reached.' }); };
}"""
_CLICK_TWO = """() => {
    const cards = document.querySelectorAll('.card-holder.playable');
    cards[0].click();
    cards[1].click();
    return feed.sent;
}"""
_PREPARE = """async () => {
    const { fetch } = window;
    window.revealed = [];
    window.fetch = async (path, given) => {
        if (String(path).endsWith('/seed')) revealed.push(JSON.parse(given.body));
        return fetch(path, given);
    };
    const seeds = document.querySelector('link[rel=stylesheet]').href.replace(/style\\/.*/, 'kit/seeds.js');
    return (await import(seeds)).prepareSeed();
}"""

# The first part of the stream waits for the description of its game; the second one needs none.
_BOB_COMES = """(first) => {
    feed.send(['view', first], ['presence', { seats: [0] }]);
    feed.send(['presence', { seats: [0, 1] }]);
}"""


@pytest.fixture(scope="module")
def told():
    """The messages of a table at which the player is to act after the first one, and has acted in the second."""
    told = fed_messages("blind_don", seats=2, seed="red")
    first = next(at for at, message in enumerate(told) if message["view"]["seats"][0]["owes"])
    return told[first : first + 2]


@pytest.fixture
def fed(fed_page, told):
    fed = fed_page(reduced_motion="reduce")
    fed.begin(told[0])
    return fed


def test_the_clock_of_a_turn_is_at_its_seat(fed_page, told):
    view = told[0]["view"]
    mine, *others = view["seats"]
    timed = view | {"seats": [mine | {"deadline": 600_000}, *others]}
    fed = fed_page(reduced_motion="reduce")

    fed.begin(told[0] | {"view": timed})

    expect(fed.page.locator(".near h2 hw-clock")).to_be_visible()
    expect(fed.page.locator("hw-clock")).to_have_count(1)


def await_version(fed, message):
    fed.page.wait_for_function(
        "version => document.querySelector('hw-table').message.version === version", arg=message["version"]
    )


def test_a_late_message_does_not_replace_a_newer_one(fed, told):
    fed.push(told[1])
    await_version(fed, told[1])
    fed.push(told[0])
    fed.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

    shown = fed.page.evaluate("document.querySelector('hw-table').message.version")
    assert shown == told[1]["version"]


def test_presence_follows_the_newest_message_even_if_the_game_loads_late(fed_page, told):
    view = told[0]["view"]
    mine, other = view["seats"]
    bob = other | {"player": "bob", "name": "Bob", "policy": None, "bot_kept": False}
    fed = fed_page(reduced_motion="reduce")
    fed.open()

    fed.page.evaluate(_BOB_COMES, told[0] | {"view": view | {"seats": [mine, bob]}})

    expect(fed.page.locator(".others .dot.here")).to_have_count(1)


def test_a_table_gets_the_seed_it_waits_for(fed, told):
    prepared = fed.page.evaluate(_PREPARE)
    view = told[1]["view"]
    mine, *others = view["seats"]
    committed = {"seed_commitment": prepared["commitment"], "seed_status": "committed"}

    fed.push(told[1] | {"view": view | {"seats": [mine | committed, *others]}})

    fed.page.wait_for_function("() => revealed.length")
    assert fed.page.evaluate("() => revealed") == [{"seed": prepared["seed"]}]


def test_a_refused_action_is_explained(fed):
    fed.page.evaluate(_REFUSE)
    fed.page.locator(".card-holder.playable").first.click()

    expect(fed.page.locator(".prompt .reason")).to_contain_text("The table has changed")


def test_only_one_action_is_sent_at_a_time(fed):
    assert fed.page.evaluate(_CLICK_TWO) == 1


def test_the_focus_stays_at_the_table_when_a_played_card_disappears(fed, told):
    fed.page.locator(".card-holder.playable").first.press("Enter")
    fed.page.wait_for_function("() => feed.sent")
    fed.push(told[1])
    await_version(fed, told[1])

    assert fed.page.evaluate("document.querySelector('hw-table').contains(document.activeElement)")


def test_that_the_service_did_not_answer_is_said_until_it_answers(fed):
    said = fed.page.get_by_text("The service cannot be reached")
    fed.page.evaluate(_FAIL)
    fed.page.locator(".card-holder.playable").first.click()
    said.wait_for()

    fed.page.evaluate("() => feed.close()")

    expect(said).to_have_count(0)
