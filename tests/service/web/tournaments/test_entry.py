"""An organiser invites players to a private tournament, and decides who enters."""

import re

import pytest
from playwright.sync_api import expect

from tests.service.web.guests import guest
from tests.service.web.tournaments.cups import Held, press

pytestmark = [pytest.mark.browser, pytest.mark.processes]

PHONE = {"width": 390, "height": 664}


def test_t_24_t_25_t_26_players_are_invited_ask_and_are_accepted(visit, served):
    held = Held(served, bots=1, visibility="private", approval=True, advance="manual")
    desk = visit(f"/tournaments/{held.id}/desk", sign_in=held.organiser).page
    expect(desk.get_by_label("Link for players")).to_have_value(re.compile("#invitation="))
    expect(desk.get_by_role("img", name="QR code of the link")).to_have_attribute(
        "viewBox", re.compile("^0 0 ")
    )
    old = desk.get_by_label("Link for players").input_value()
    press(desk, "Replace the code …")
    press(desk, "Replace it")
    expect(desk.get_by_label("Link for players")).not_to_have_value(old)
    link = desk.get_by_label("Link for players").input_value()

    page = visit(old.removeprefix(served), sign_in=guest(served, "Ada"), viewport=PHONE).page
    expect(page.get_by_role("heading", name="There is no such tournament")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="does not open it")).to_be_visible()
    page.get_by_label("Invitation code").fill(link)
    press(page, "Use the code")
    expect(page.get_by_role("heading", name="The Cup")).to_be_visible()
    press(page, "Ask to enter")
    expect(page.get_by_text("You have asked to enter.")).to_be_visible()

    press(desk, "Accept Ada")
    expect(page.get_by_text("You have entered.")).to_be_visible()
    assert [entrant["name"] for entrant in held.view["entrants"]] == ["Steady bot", "Ada"]
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"]


def test_t_25_a_public_tournament_may_ask_for_the_code(visit, served):
    held = Held(served, invited_only=True)
    code = held.organiser.get(f"{held.path}/invitation")["invitation"]
    page = visit(f"/tournaments/{held.id}", sign_in=guest(served, "Bob"), viewport=PHONE).page

    page.get_by_label("Invitation code").fill("AAAA-AAAA-AAAA")
    press(page, "Enter")
    expect(page.get_by_role("alert")).to_contain_text("Only invited players enter this tournament")
    page.get_by_label("Invitation code").fill(code.lower())
    press(page, "Enter")

    expect(page.get_by_text("You have entered.")).to_be_visible()
