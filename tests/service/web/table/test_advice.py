"""Hints at tables against bots, and the review of a player's moves after the end (G-21)."""

import time

import pytest
from playwright.sync_api import expect

from tests.service.processes import await_true
from tests.service.web.replays import act, as_shown, await_moment

pytestmark = [pytest.mark.browser, pytest.mark.processes]

# The places of the button *Verify*, in the order in which it had them.
NOTE_PLACES = """() => {
    window.places = [];
    new MutationObserver(() => {
        const box = [...document.querySelectorAll('.actions button')].find(({ textContent }) => textContent === 'Verify')?.getBoundingClientRect();
        if (box && places.at(-1) !== `${box.x} ${box.y}`) places.push(`${box.x} ${box.y}`);
    }).observe(document, { subtree: true, childList: true });
}"""


def answer_late(route):
    time.sleep(0.3)
    route.continue_()


def test_g_21_a_player_steps_through_the_moves_of_a_table_next_to_experts(walk, ada):
    path = ada.table("blind_don", bots=1)
    choices = 0
    while choices < 2:  # forced moves are not reviewed
        choices += len(await_true(lambda: ada.get(f"{path}/legal-actions")["actions"])) > 1
        act(ada, path)
    ada.post(f"{path}/resign", {"confirm": True})
    shown = walk(path.removeprefix("/v1"), sign_in=ada)
    page, moves = shown.page, shown.page.locator("hw-review ol a")
    whole = ada.get(f"{path}/review")
    review = whole["moves"]
    close = review[0] | {"quality": "fine", "result": 0.402, "best_result": 0.404}
    cut = whole | {"moves": [close], "left_out": len(review) - 1}
    page.route("**/review?seat=0&after=0", lambda route: route.fulfill(json=cut))
    page.get_by_role("link", name="Review my moves").click()
    expect(moves).to_have_count(1)
    expect(moves.first).to_contain_text("Expert would")
    expect(moves.first).not_to_contain_text("rather than")
    page.get_by_role("button", name="Compare later moves").click()
    expect(moves).to_have_count(len(review))
    page.get_by_role("button", name="Previous move").click()
    await_moment(page, review[0]["version"] - 1, 0)
    played = as_shown(review[0]["played_words"])[1:]
    expect(moves.first).to_contain_text(played)
    expect(page.locator("hw-review [aria-current=step]")).to_contain_text(played)
    expect(page.locator(".told")).to_contain_text(played)
    page.get_by_role("button", name="Next move").click()
    await_moment(page, review[1]["version"] - 1, 0)
    page.get_by_role("button", name="Previous move").click()
    await_moment(page, review[0]["version"] - 1, 0)
    page.get_by_role("button", name="Review my moves").click()
    expect(page.locator("hw-moments a").first).to_be_visible()
    assert not shown.complaints


def test_a_game_without_lookahead_and_strangers_to_the_service_have_no_review(visit, ada):
    path = ada.table("blindside", bots=1)
    ada.post(f"{path}/resign", {"confirm": True})
    page, _ = visit("/docs", sign_in=ada)
    page.add_init_script(f"({NOTE_PLACES})()")
    page.route("**/v1/games/blindside", answer_late)
    page.goto(f"{path.removeprefix('/v1')}/replay")
    expect(page.get_by_role("button", name="Verify")).to_be_visible()
    assert page.get_by_role("button", name="Review my moves").count() == 0
    expect(page.get_by_text("No review: bots cannot think ahead in Blindside.")).to_be_visible()
    expect(page.locator("hw-moments a").first).to_be_visible()
    # No button moves while the room loads, just when somebody presses it.
    assert len(page.evaluate("() => places")) == 1


@pytest.mark.parametrize(("game", "level"), [("coconut", "Expert"), ("blindside", "Steady")])
def test_g_21_a_hint_says_what_the_best_bot_would_do(walk, ada, game, level):
    path = ada.table(game, bots=1, rated=False)
    # A hint vanishes when the bot acts, too.
    await_true(lambda: (ada.get(path)["view"]["waiting"] or {}).get("seats") == [0])
    shown = walk(path.removeprefix("/v1"), sign_in=ada)
    shown.page.get_by_role("button", name="Hint").click()
    hint = ada.get(f"{path}/hint")
    expect(shown.page.locator("hw-hint span").first).to_have_text(as_shown(f"{level} would {hint['words']}."))
    ada.post(f"{path}/actions", hint["action"])
    expect(shown.page.get_by_role("button", name="Hint")).to_be_visible()
    assert not shown.complaints


def test_g_21_a_hint_stays_while_others_act_at_the_same_time(walk, ada):
    path = ada.table("shithead", bots=1, rated=False)
    shown = walk(path.removeprefix("/v1"), sign_in=ada)
    late = {"code": "version_conflict", "detail": "Somebody else has acted."}
    shown.page.route("**/hint", lambda route: route.fulfill(status=409, json=late), times=1)
    with shown.page.expect_response("**/hint"):
        shown.page.get_by_role("button", name="Hint").click()
    swap = next(one for one in ada.get(f"{path}/legal-actions")["actions"] if one["type"] == "swap")
    ada.post(f"{path}/actions", swap)
    expect(shown.page.locator("hw-hint span").first).to_contain_text("Expert would")


def test_g_21_rated_tables_have_no_hints(walk, ada):
    path = ada.table("blind_don", bots=1)
    shown = walk(path.removeprefix("/v1"), sign_in=ada)
    expect(shown.page.locator(".prompt.invited")).to_be_visible()
    assert shown.page.get_by_role("button", name="Hint").count() == 0
