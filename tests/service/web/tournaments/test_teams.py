"""Entrants play for teams: found, joined and ranked on the page (T-30, T-31, T-33)."""

import pytest
from playwright.sync_api import expect

from tests.service.web.guests import guest
from tests.service.web.tournaments.cups import Held, press

pytestmark = [pytest.mark.browser, pytest.mark.processes]

PHONE = {"width": 390, "height": 664}


def test_t_31_t_33_entrants_found_and_join_teams_that_are_ranked(walk, served):
    held = Held(served, bots=3, team_size=2, sittings=[{"rounds": 2}])
    ada, bob = guest(served, "Ada"), guest(served, "Bob")
    page = walk(f"/tournaments/{held.id}", sign_in=ada, viewport=PHONE).page
    press(page, "Enter")
    page.get_by_label("Name of a new team").fill("Foxes of the Northern Woods")
    press(page, "Create")
    code = page.locator(".yours code").inner_text()

    other = walk(f"/tournaments/{held.id}", sign_in=bob, viewport=PHONE).page
    press(other, "Enter")
    other.get_by_label("Code of your team").fill(code.lower())
    press(other, "Join")
    expect(other.get_by_text("You play for Foxes of the Northern Woods.")).to_be_visible()
    press(other, "Leave the team")
    other.get_by_label("Code of your team").fill(code)
    press(other, "Join")

    press(page, "Replace the code … of Foxes of the Northern Woods")
    page.get_by_role("dialog").get_by_role("button", name="Replace it").click()
    expect(page.locator(".yours code")).not_to_have_text(code)
    expect(other.locator(".yours code")).to_have_text(page.locator(".yours code").inner_text())

    desk = walk(f"/tournaments/{held.id}/desk", sign_in=held.organiser, viewport=PHONE).page
    row = desk.locator('tr[data-entrant="bot:1"]')
    row.get_by_text("Team …").click()
    row.get_by_label("Or a new team with the name").fill("Owls")
    press(row, "Change the team")
    expect(row).to_contain_text("bot, Owls")

    page.get_by_role("tab", name="Teams").click()
    expect(page.locator("table.teams")).to_contain_text("Owls")
    expect(page.locator("table.teams code")).to_have_count(1)
    expect(page.get_by_text("Without a team: Steady bot")).to_be_visible()
    for who in (ada, bob):
        who.post(f"{held.path}/entrants/{who.id}/withdrawal", {"confirm": True})
    expect(page.locator("table.teams tbody tr")).to_have_count(1)
    held.played()
    expect(page.locator("table.teams td.place")).to_have_text("1")
    expect(page.get_by_text("The best team is Owls.")).to_be_visible()
    page.get_by_role("tab", name="History").click()
    expect(page.locator(".chronicle")).to_contain_text("Ada founded team 1. Foxes of the Northern Woods")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_t_8_t_31_a_late_entrant_joins_a_team_with_its_code(walk, served):
    held = Held(served, bots=3, team_size=2, late_until=2, advance="manual", sittings=[{"rounds": 2}])
    held.order("/teams", {"name": "Owls", "entrant": "bot:1"})
    held.order("/start")
    (team,) = held.organiser.get(f"{held.path}/teams")["teams"]
    cy = guest(served, "Cy")
    page = walk(f"/tournaments/{held.id}", sign_in=cy, viewport=PHONE).page
    page.get_by_label("Code of your team (optional)").fill("AAAA-AAAA-AAAA")
    press(page, "Enter late")
    expect(page.get_by_text("No team has this code.")).to_be_visible()
    page.get_by_label("Code of your team").fill(team["code"])
    press(page, "Join")
    expect(page.get_by_text("You play for Owls.")).to_be_visible()

    dee = guest(served, "Dee")
    held.order("/teams", {"name": "Cats", "entrant": "bot:2"})
    code = held.organiser.get(f"{held.path}/teams")["teams"][1]["code"]
    page = walk(f"/tournaments/{held.id}", sign_in=dee, viewport=PHONE).page
    page.get_by_label("Code of your team (optional)").fill(code)
    press(page, "Enter late")
    expect(page.get_by_text("You play for Cats.")).to_be_visible()
    teams = {each["id"]: each["team"] for each in held.view["entrants"]}
    assert (teams[cy.id], teams[dee.id]) == (1, 2)
