"""Misclicks: a second click in a hurry does nothing, moves can be confirmed, and the last one can be taken back."""

import re
import time

import pytest
from playwright.sync_api import expect

from tests.service.web.browser import enter, pause_clock
from tests.service.web.hands import EDGE
from tests.service.web.table.test_table import room

pytestmark = [pytest.mark.browser, pytest.mark.processes]

REPEATED_MS = 1_000
# The first button may be that for the card that was kept.
TAKE_BACK = """() => new MutationObserver((_, seen) => {
    const button = document.querySelector('.take-back');
    if (!button || document.querySelector('hw-table').message.view.view.step === 'discard') return;
    seen.disconnect();
    requestAnimationFrame(() => {
        window.pressed = button.textContent.trim();
        button.click();
    });
}).observe(document.body, { childList: true, subtree: true })"""
FIVE_CARD = {"options": {"rounds": 1, "five_card": True}, "rated": False}


def at_turn(path, *guests):
    """Returns the player whose turn it is after the deal, and the other one."""
    while not (waiting := guests[0].get(path)["view"]["waiting"]) or waiting["for"] != "players":
        time.sleep(0.05)
    owing = waiting["seats"][0]
    return guests[owing], guests[1 - owing]


def step(page):
    return page.evaluate("document.querySelector('hw-table').message.view.view.step")


def await_step(page, name):
    page.wait_for_function(
        "name => document.querySelector('hw-table').message?.view.view.step === name", arg=name
    )


def stock(page):
    return page.locator("[data-zone='stock'] .playable")


def test_a_slow_double_click_moves_once(visit, ada, bob):
    path = ada.table("blindside", bob, **FIVE_CARD)
    page, complaints = visit(room(path), sign_in=at_turn(path, ada, bob)[0], skips_time=True)
    stock(page).click()
    await_step(page, "keep")
    # Otherwise the second click might be too late to count as one, because the answer to the first took a while.
    pause_clock(page)
    card = page.locator(".near .held .playable, .near .playable").last
    box = card.bounding_box()
    spot = (box["x"] + EDGE["x"], box["y"] + EDGE["y"])
    page.mouse.click(*spot)
    await_step(page, "discard")
    page.wait_for_function("() => !document.querySelector('hw-table').sending")
    page.mouse.click(*spot)
    assert not page.evaluate("document.querySelector('hw-table').sending")
    assert step(page) == "discard"
    # After a while the same spot may be clicked again.
    page.clock.run_for(REPEATED_MS)
    hand = page.locator(".near .playable").count()
    page.locator(".near .playable").last.click(position=EDGE)
    await_step(page, "draw")
    assert hand == 4
    assert not complaints


def test_g_20_a_discard_can_be_taken_back(visit, ada, bob):
    path = ada.table("blindside", bob, **FIVE_CARD)
    mover, other = at_turn(path, ada, bob)
    page, complaints = visit(room(path), sign_in=mover)
    stock(page).click()
    await_step(page, "keep")
    assert not page.locator(".take-back").count()
    mover.post(f"{path}/actions", mover.get(f"{path}/legal-actions")["actions"][0])
    discard = mover.get(f"{path}/legal-actions")["actions"][0]
    await_step(page, "discard")
    # From within the page: on a busy machine, a click from here may come after the ten seconds.
    page.evaluate(TAKE_BACK)
    mover.post(f"{path}/actions", discard)
    page.wait_for_function("() => window.pressed")
    assert re.search("[0-9]+ s$", page.evaluate("() => window.pressed"))
    await_step(page, "discard")
    expect(page.get_by_role("button", name="Take back")).to_have_count(0)
    expect(page.locator(".history").first).to_contain_text(f"{mover.name} took back their last action.")
    # The other player has seen the card.
    others, _ = visit(room(path), sign_in=other)
    others.get_by_text("Seen so far").click()
    expect(others.locator(".seen td.yes")).to_have_count(6)
    mover.post(f"{path}/actions", discard)
    other.post(f"{path}/actions", {"type": "draw", "source": "discard"})
    await_step(page, "keep")
    assert not page.locator(".take-back").count()
    assert not complaints


def test_moves_are_confirmed_on_request(walk, ada, bob):
    path = ada.table("blindside", bob, **FIVE_CARD)
    page, complaints = walk("/me", sign_in=at_turn(path, ada, bob)[0])
    page.get_by_label("Confirm moves").check()
    enter(page, room(path))
    expect(page.locator(".crib")).to_contain_text("At this table: Five card: yes")
    stock(page).dblclick()
    page.wait_for_timeout(300)
    assert step(page) == "draw"
    page.locator(".prompt .buttons button.main").click()
    await_step(page, "keep")
    assert not complaints
