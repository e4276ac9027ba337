"""Webhooks at the organiser's desk: added with a secret that is shown once, tested and removed."""

import pytest
from playwright.sync_api import expect

from tests.service.web.tournaments.cups import Held, press, unfold

pytestmark = [pytest.mark.browser, pytest.mark.processes]


def test_the_organiser_adds_tests_and_removes_a_webhook(walk, served):
    held = Held(served)
    desk, complaints = walk(f"/tournaments/{held.id}/desk", sign_in=held.organiser)
    unfold(desk, "Webhooks")
    desk.get_by_label("Address").fill("https://example.org/hook")
    desk.get_by_label("starts of rounds").uncheck()
    press(desk, "Add the webhook")

    secret = desk.get_by_label("Secret for the receiver")
    expect(secret).to_be_visible()
    first = secret.input_value()
    assert first.startswith("whsec_")
    shown = desk.locator(".webhooks li")
    expect(shown).to_contain_text("https://example.org/hook")
    expect(shown).to_contain_text("No message so far")
    (stored,) = held.organiser.get(f"{held.path}/webhooks")["webhooks"]
    assert "round.paired" in stored["types"]
    assert "round.started" not in stored["types"]

    press(desk, "Test example.org")
    expect(shown).to_contain_text("being tested")
    press(desk, "New secret … example.org")
    press(desk, "Replace it")
    expect(secret).not_to_have_value(first)
    desk.reload()
    unfold(desk, "Webhooks")
    expect(shown).to_contain_text("https://example.org/hook")
    expect(secret).to_have_count(0)
    press(desk, "Remove … example.org")
    press(desk, "Remove it")
    expect(shown).to_have_count(0)
    assert held.organiser.get(f"{held.path}/webhooks")["webhooks"] == []
    assert complaints == []
