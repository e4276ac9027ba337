"""Other people at a table: who is there, and what they say."""

import pytest
from playwright.sync_api import expect

from tests.service.web.browser import pause_clock

pytestmark = pytest.mark.browser

PATIENCE_MS = 60_000
SHOWN_MS = 5_000


def seat_of(page, name):
    return page.get_by_role("region", name=name, exact=True)


def say(page, text):
    page.get_by_role("button", name="Say …").click()
    page.get_by_role("dialog").get_by_role("button", name=text).click()
    expect(page.get_by_role("dialog")).to_have_count(0, timeout=PATIENCE_MS)


def test_players_see_who_is_there_and_hear_what_they_say(visit, ada, bob):
    path = ada.table("blindside", bob, rated=False).removeprefix("/v1")
    page, complaints = visit(path, sign_in=ada, skips_time=True)
    others, _ = visit(path, sign_in=bob)
    expect(seat_of(page, "Bob").get_by_role("img", name="here")).to_be_visible(timeout=PATIENCE_MS)

    # Otherwise a busy machine might look at a bubble only after it has disappeared.
    pause_clock(page)
    say(others, "Blindsided!")
    expect(seat_of(page, "Bob").locator(".bubble")).to_have_text("Blindsided! 🙈", timeout=PATIENCE_MS)
    expect(page.locator("[data-spoken]")).to_have_text("Bob says: Blindsided! 🙈", timeout=PATIENCE_MS)

    page.get_by_role("button", name="Say …").click()
    page.get_by_role("dialog").get_by_label("Bob").check()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.clock.run_for(SHOWN_MS)
    expect(seat_of(page, "Bob").locator(".bubble")).to_have_count(0, timeout=PATIENCE_MS)
    say(others, "Hello!")
    say(page, "Good game!")  # arrives after what Bob has said
    expect(seat_of(page, "Ada").locator(".bubble")).to_have_text("Good game! 🙂", timeout=PATIENCE_MS)
    expect(seat_of(page, "Bob").locator(".bubble")).to_have_count(0)
    assert complaints == []
