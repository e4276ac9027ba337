"""A duplicate tournament on the page: from the form to the results of each deal and two tables side by side."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tests.service.processes import await_true
from tests.service.web.browser import axe_findings, enter
from tests.service.web.tournaments.cups import player_of, press, unfold

pytestmark = [pytest.mark.browser, pytest.mark.processes]

PHONE = {"width": 390, "height": 664}


def open_and_play(page: Any, served: str) -> Any:
    """Opens a tournament with the form, and lets six bots play it; returns its view."""
    page.get_by_label("Name", exact=True).fill("The Cup")
    page.get_by_label("Game", exact=True).select_option(label="Blindside")
    page.get_by_label("Seats at a table").fill("2")
    page.get_by_label("Deals", exact=True).select_option("same")
    expect(page.get_by_text("Every table of a round plays the same deal.")).to_be_visible()
    unfold(page, "Points and places")
    page.get_by_label("Score by").select_option("margin")
    unfold(page, "Sittings and times")
    page.get_by_label("Rounds", exact=True).first.fill("2")
    page.get_by_label("Deals against the same opponents").fill("2")
    page.get_by_label("Bots wait").fill("0")
    page.get_by_label("Pause after a deal").fill("0")
    unfold(page, "Options of the game")
    page.locator("details", has_text="Options of the game").get_by_label("Rounds").fill("2")
    press(page, "Create the tournament")
    # D-5: two tables are too few, because each seat is compared with one other.
    warning = page.get_by_text("No seat can be compared with the same seat at two other tables")
    for more, entered in ((4, 4), (2, 6)):
        page.get_by_label("How many").fill(str(more))
        press(page, "Enter bots")
        expect(page.locator("tr[data-entrant]")).to_have_count(entered)
        expect(warning).to_have_count(int(entered == 4))
    press(page, "Start the tournament")
    path, organiser = urlsplit(page.url).path.removesuffix("/desk"), player_of(page, served)
    await_true(lambda: organiser.get(f"/v1{path}")["tournament"]["phase"] == "finished")
    return organiser.get(f"/v1{path}")["tournament"]


def shown_deal(page: Any) -> list[list[tuple[str, str, str]]]:
    """Returns the entrant, the points and the score of each line, by seat."""
    return [
        [
            (
                row.get_attribute("data-entrant"),
                row.locator("td").nth(0).inner_text().replace("\N{MINUS SIGN}", "-"),
                row.locator("td").last.get_attribute("title"),
            )
            for row in seat.locator("tbody tr").all()
        ]
        for seat in page.locator("table.deal").all()
    ]


def steps_of(page: Any) -> list[int]:
    return [int(board.get_attribute("data-version")) for board in page.locator(".comparison .board").all()]


def test_d_3_d_7_a_duplicate_tournament_runs_from_the_form_to_tables_side_by_side(walk, served):
    visited = walk("/tournaments/new")
    page = visited.page
    view = open_and_play(page, served)
    assert (view["setup"]["deal"], view["setup"]["bye_score"]) == ("same", "1/2")
    first, second = [[each["tables"][0]["seats"] for each in round_["boards"]] for round_ in view["rounds"]]
    assert second == [[*reversed(seats)] for seats in first]

    enter(page, f"/tournaments/{view['id']}?tab=files")
    with page.expect_download():
        page.get_by_role("tabpanel").get_by_role("link", name="Cross-table").click()
    enter(page, f"/tournaments/{view['id']}?tab=deals&deal=1")
    expect(page.locator("table.deal")).to_have_count(2)
    expect(page.get_by_text("The mean lead of 2 others counts 2/6.")).to_have_count(2)
    deal = player_of(page, served).get(f"/v1/tournaments/{view['id']}/deals/1")["deal"]
    assert shown_deal(page) == [
        [(str(one["entrant"]), str(one["points"]), one["score"]) for one in seat["results"]]
        for seat in deal["seats"]
    ]
    assert axe_findings(page) == []
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    page.get_by_role("link", name="Compare", exact=True).click()
    page.locator(".comparison .board").first.wait_for()
    expect(page.locator(".comparison .side:visible")).to_have_count(1)
    expect(page.locator(".comparison .side:visible .seat h2").first).to_be_visible()
    press(page, "Board 2")
    expect(page.locator(".comparison .side:visible")).to_have_attribute("aria-label", "Board 2")
    assert axe_findings(page) == []

    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator(".comparison .side:visible")).to_have_count(2)
    await_true(lambda: len(set(steps_of(page))) == 1)  # the deal, before anybody has moved
    told = page.locator(".comparison .told")
    expect(told).to_contain_text(["dealt round 1"] * 2)
    press(page, "Next round")
    expect(told).to_contain_text(["dealt round 2"] * 2)
    await_true(lambda: "move" in parse_qs(urlsplit(page.url).query))
    assert axe_findings(page) == []
    assert visited.complaints == []
