"""The room `/docs` shows the description of the API, whose operations it draws when they are opened."""

import pytest

from hoodwink.service.http.description import API
from hoodwink.service.http.description.openapi import document
from tests.service.web.browser import axe_findings

pytestmark = [pytest.mark.browser, pytest.mark.processes]

_INSIDE = """async (ids) => {
  const found = {};
  for (const id of ids) {
    const operation = document.getElementById(id);
    await new Promise(resolve => {
      operation.addEventListener('toggle', () => setTimeout(resolve));
      operation.open = true;
    });
    const inside = operation.querySelector('.inside');
    found[id] = [inside.querySelectorAll('pre').length, inside.textContent];
    operation.open = false; // otherwise the browser lays out all of them again for each
  }
  return found;
}"""


def operations():
    """Returns the operations in the description by name."""
    return {
        operation["operationId"]: operation
        for methods in document(API)["paths"].values()
        for operation in methods.values()
    }


def shown_ids(page):
    return page.locator(".operation").evaluate_all("all => all.map(one => one.id)")


@pytest.mark.parametrize("distance", [8, pytest.param(1, marks=pytest.mark.campaign)])
def test_every_operation_is_shown_and_opens_and_can_be_filtered(visit, served, distance):
    shown = visit("/docs")
    shown.page.wait_for_selector(".operation")

    described = operations()
    assert {*shown_ids(shown.page)} == {*described}
    for name, (examples, text) in shown.page.evaluate(_INSIDE, [*described][::distance]).items():
        operation = described[name]
        assert examples >= ("requestBody" in operation) + 1, name
        assert "undefined" not in text, name
        assert "[object Object]" not in text, name
        assert all(code in text for code in operation.get("x-refusals", ())), name
    assert shown.complaints == []

    # The filter keeps operations with all words.
    page = shown.page
    page.get_by_label("Filter").fill("get STANDINGS")

    page.get_by_text("3 operations").wait_for()
    assert shown_ids(page) == ["download_team_standings", "get_standings", "explain_standing"]
    page.locator("#get_standings summary").first.click()
    page.locator("#get_standings .inside").wait_for()
    assert axe_findings(page) == []

    # The room links to the guide, and has loaded nothing from other hosts.
    guide = page.get_by_role("link", name="Write a client").get_attribute("href")
    fetched = page.evaluate("performance.getEntriesByType('resource').map(one => one.name)")
    assert guide == document(API)["externalDocs"]["url"]
    assert [address for address in fetched if not address.startswith((served, "data:"))] == []


def test_an_address_opens_its_operation_and_schemas_open_in_it(walk):
    page, complaints = walk("/docs#get_table")
    table = page.locator("#get_table")
    table.get_by_text("TableAnswer", exact=True).click()
    table.get_by_text("TableView", exact=True).click()
    table.get_by_text("BlindDonTableView", exact=True).click()

    table.get_by_text("BlindDonView", exact=True).wait_for()
    assert complaints == []
