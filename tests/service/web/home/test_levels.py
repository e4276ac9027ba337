"""The levels of bots on the page."""

import pytest
from playwright.sync_api import expect

from tests.service.web.guests import guest

pytestmark = [pytest.mark.browser, pytest.mark.processes]


def test_the_levels_of_a_game_are_offered_by_name_with_a_sentence_each(visit, served):
    page, _ = visit("/games/coconut")
    page.get_by_text("Pace, bots and spectators").click()
    field = page.get_by_label("Bots", exact=True)
    levels = guest(served).get("/v1/games/coconut")["policies"]
    expect(field.locator("option")).to_have_text([level["name"].capitalize() for level in levels])
    for level in levels:
        field.select_option(level["name"])
        expect(page.get_by_text(level["meaning"])).to_be_visible()
