"""Series on the page: opened with the form of a tournament, shown with dates and season table, and ended."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.service.processes import await_true

pytestmark = [pytest.mark.browser, pytest.mark.processes]


def test_s_1_s_6_an_organiser_opens_a_series_leaves_out_a_date_and_ends_it(walk, ada):
    page, complaints = walk("/series/new", sign_in=ada)

    page.get_by_label("Name", exact=True).fill("Club night")
    page.get_by_label("Tournaments", exact=True).fill("3")
    page.locator("summary", has_text="Season").click()
    page.get_by_label("Points for the places").fill("1, 2")
    page.get_by_role("button", name="Create the series").click()
    expect(page.get_by_label("Points for the places")).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Points for the places").fill("5, 3, 1")
    page.get_by_role("button", name="Create the series").click()

    expect(page.get_by_role("heading", name="Club night")).to_be_visible()
    expect(page.get_by_text("Points for the places: 5, 3, 1")).to_be_visible()
    dates = page.locator("ol.dates li")
    expect(dates).to_have_count(3)
    page.get_by_role("button", name="Leave out tournament 3").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave it out").click()
    expect(dates.nth(2)).to_contain_text("left out")
    expect(page.locator(".chronicle")).to_contain_text("The organiser left out tournament 3.")

    # The first tournament takes entries already, and names its series.
    path = f"/v1{urlsplit(page.url).path}"
    await_true(lambda: ada.get(path)["dates"][0]["tournament"])
    page.reload()
    dates.first.get_by_role("link", name="Tournament 1").click()
    expect(page.get_by_role("heading", name="Club night 1")).to_be_visible()
    page.get_by_role("link", name="Tournament 1 of Club night").click()

    page.get_by_role("button", name="End the series").click()
    page.get_by_role("dialog").get_by_role("button", name="End the series").click()
    expect(page.get_by_text("The organiser ended the series.", exact=True)).to_be_visible()
    page.get_by_role("link", name="Series", exact=True).click()
    expect(page.get_by_role("heading", name="Yours")).to_be_visible()
    assert ["422" in said for said in complaints] == [True]
