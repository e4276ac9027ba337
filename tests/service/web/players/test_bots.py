"""Owners register and erase their bots in the settings."""

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.processes]


def test_an_owner_registers_a_bot_after_a_refused_name_sees_its_token_once_and_erases_it(walk, ada):
    shown, complaints = walk("/me", sign_in=ada)
    shown.get_by_label("A new bot").fill("Ad\N{CYRILLIC SMALL LETTER A}")
    shown.get_by_role("button", name="Register the bot").click()
    assert "must be of one script" in shown.get_by_role("alert").inner_text()
    assert shown.get_by_label("A new bot").get_attribute("aria-invalid") == "true"
    complaints.clear()  # Chromium notes each refusal

    shown.get_by_label("A new bot").fill("  Maia ")
    shown.get_by_role("button", name="Register the bot").click()

    token = shown.locator("hw-bots .secret").inner_text()
    shown.get_by_role("link", name="BOT Maia").wait_for()
    assert ada._replace(token=token).get("/v1/players/me")["name"] == "BOT Maia"
    assert "hoodwink bot ./bot.py" in shown.locator("hw-bots").inner_text()

    shown.reload()
    shown.get_by_role("button", name="Erase BOT Maia").click()
    assert token not in shown.content()
    assert token not in shown.evaluate("Object.values(localStorage).join()")
    shown.get_by_role("dialog").get_by_role("button", name="Erase BOT Maia").click()

    shown.get_by_role("link", name="BOT Maia").wait_for(state="detached")
    assert ada.get("/v1/me/bots") == {"bots": []}
    assert not complaints
