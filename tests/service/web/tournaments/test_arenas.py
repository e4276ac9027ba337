"""An arena on the page: opened with the form, with tables that open by themselves, a pause and the time left."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.service.web.tournaments.cups import DESK, player_of, press, unfold
from tests.service.web.tournaments.test_tournaments import enter_as

pytestmark = [pytest.mark.browser, pytest.mark.processes]

FULL = {"title": "Unprocessable", "status": 422, "code": "too_many_descriptions", "detail": "No more room."}
AT_TABLE = re.compile(r"/tables/\w+$")


def fill_in(page: Any) -> None:
    page.get_by_label("Name", exact=True).fill("Late night")
    page.get_by_label("Game", exact=True).select_option(label="Blindside")
    page.get_by_label("System").select_option(label="Arena")
    page.get_by_label("Seats at a table").fill("2")
    unfold(page, "Sittings and times")
    expect(page.get_by_label("Turn clock")).to_have_value("30")
    expect(page.get_by_label("The next round starts")).to_have_count(0)
    page.get_by_label("The arena lasts").fill("30")
    unfold(page, "Points and places")
    expect(page.get_by_label("Score by").locator("option")).to_have_text(["Place", "Win"])
    expect(page.get_by_label("Add", exact=True).locator("option")).to_have_text(["choose one …", "Lot"])
    unfold(page, "Description")
    page.get_by_label("Description and rules").fill("Bring tea.")
    page.route("**/description", lambda route: route.fulfill(status=422, json=FULL), times=1)
    press(page, "Create the tournament")
    expect(page.get_by_role("alert")).to_contain_text("No more room.")
    expect(page.get_by_label("Description and rules")).to_have_value("Bring tea.")
    press(page, "Save the description")


def test_t_41_t_45_each_next_table_of_an_arena_opens_by_itself(walk, served):
    organiser = walk("/tournaments/new")
    fill_in(organiser.page)
    expect(organiser.page.get_by_role("heading", name=DESK)).to_be_visible()
    path = organiser.page.url.removeprefix(served).removesuffix("/desk")
    ada, bob = (enter_as(walk, path, name) for name in ("Ada", "Bob"))
    ada.page.set_viewport_size({"width": 390, "height": 664})
    press(organiser.page, "Start the tournament")

    expect(ada.page).to_have_url(AT_TABLE)
    expect(bob.page).to_have_url(AT_TABLE)
    first = ada.page.url
    player_of(bob.page, served).post(f"/v1{first.removeprefix(served)}/resign", {"confirm": True})
    ada.page.get_by_role("link", name="Back to the tournament").click()
    expect(ada.page).not_to_have_url(first)
    expect(ada.page).to_have_url(AT_TABLE)

    ada.page.go_back()
    expect(ada.page.get_by_role("heading", name="Your table is open")).to_be_visible()
    expect(ada.page.get_by_text("The bell rings")).to_contain_text("min)")
    row = ada.page.locator("table.standings tbody tr").first
    expect(row).to_contain_text("Ada")
    expect(row.locator("[data-number=score]")).to_have_text("2")
    press(ada.page, "Pause")
    press(ada.page, "Play on")
    expect(ada.page.get_by_role("button", name="Pause")).to_be_visible()
    ada.page.get_by_role("tab", name="About").click()
    expect(ada.page.get_by_text("Bring tea.")).to_be_visible()
    unfold(organiser.page, "Tie-breaks")
    expect(organiser.page.get_by_text("until the bell rings")).to_be_visible()
    width = ada.page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390, "nothing is cut off on a phone"
    assert ["422" in said for said in organiser.complaints] == [True], "the description failed once"
    assert [said for person in (ada, bob) for said in person.complaints] == []
