"""An organiser invites players to a private tournament, and decides who enters."""

import re

import pytest
from playwright.sync_api import expect

from tests.service.web.guests import guest
from tests.service.web.tournaments.cups import Held, press, unfold

pytestmark = [pytest.mark.browser, pytest.mark.processes]

PHONE = {"width": 390, "height": 664}


def refuse_to_read(page, part):
    """Lets requests for a part of the desk fail; returns those that have been sent."""
    sent = []

    def answer(route):
        if route.request.method != "GET":
            route.continue_()
            return
        sent.append(route.request)
        route.fulfill(status=403, json={"detail": "Not now."})

    page.route(f"**/{part}", answer)
    return sent


def test_t_24_t_25_t_26_players_are_invited_ask_and_are_accepted(walk, served):
    held = Held(served, bots=1, visibility="private", approval=True, advance="manual")
    desk = walk(f"/tournaments/{held.id}/desk", sign_in=held.organiser).page
    expect(desk.get_by_label("Link for players")).to_have_value(re.compile("#invitation="))
    expect(desk.get_by_role("img", name="QR code of the link")).to_have_attribute(
        "viewBox", re.compile("^0 0 ")
    )
    old = desk.get_by_label("Link for players").input_value()
    refused = refuse_to_read(desk, "invitation")
    press(desk, "Replace the code …")
    press(desk, "Replace it")
    expect(desk.get_by_text("Not now.")).to_be_visible()
    assert len(refused) == 2, "after the command, and once more for the desk"
    desk.unroute("**/invitation")
    press(desk, "Try again")
    expect(desk.get_by_label("Link for players")).not_to_have_value(old)
    link = desk.get_by_label("Link for players").input_value()

    page = walk(old.removeprefix(served), sign_in=guest(served, "Ada"), viewport=PHONE).page
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


def test_t_25_a_public_tournament_may_ask_for_the_code(walk, served):
    held = Held(served, invited_only=True)
    code = held.organiser.get(f"{held.path}/invitation")["invitation"]
    page = walk(f"/tournaments/{held.id}", sign_in=guest(served, "Bob"), viewport=PHONE).page

    page.get_by_label("Invitation code").fill("AAAA-AAAA-AAAA")
    press(page, "Enter")
    expect(page.get_by_role("alert")).to_contain_text("Only invited players enter this tournament")
    page.get_by_label("Invitation code").fill(code.lower())
    press(page, "Enter")

    expect(page.get_by_text("You have entered.")).to_be_visible()


def test_t_28_t_29_an_organiser_offers_entries_to_the_players_of_a_list(walk, served):
    held = Held(served, visibility="private", approval=True, advance="manual")
    ada, bob = guest(served, "Ada"), guest(served, "Bob")
    page = walk(f"/tournaments/{held.id}", sign_in=ada, viewport=PHONE).page
    expect(page.get_by_role("heading", name="There is no such tournament")).to_be_visible()
    desk = walk(f"/tournaments/{held.id}/desk", sign_in=held.organiser, viewport=PHONE).page
    unfold(desk, "Offer entries")
    listed = f"name,id\nAda,{ada.id}\nBob,{bob.id}\nCy,nobody00\n"
    desk.get_by_label("A file").set_input_files(
        {"name": "club.csv", "mimeType": "text/csv", "buffer": listed.encode()}
    )
    expect(desk.get_by_label("List of players")).to_have_value(listed)  # the file has been read
    press(desk, "Find the players")
    expect(desk.get_by_role("region", name="Other lines")).to_contain_text("There is no such player.")
    press(desk, "Offer an entry to 2 players")
    offers = desk.get_by_role("region", name="Offers")
    expect(offers.get_by_role("row")).to_have_count(3)
    press(desk, "Take back the offer to Bob")
    expect(offers).to_contain_text("taken back")

    page.reload()
    expect(page.get_by_text("The organiser offers you an entry.")).to_be_visible()
    press(page, "Enter")
    expect(page.get_by_text("You have entered.")).to_be_visible()
    expect(offers).to_contain_text("entered")
    assert [entrant["name"] for entrant in held.view["entrants"]] == ["Ada"]
    for each in (page, desk):
        assert each.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
