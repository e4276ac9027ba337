"""What Chromium prints of a tournament: the tables with their names, cards for the boards, and no controls."""

import io
import re
from typing import Any
from unicodedata import normalize

import pytest

from tests.service.web.browser import PATIENCE_MS
from tests.service.web.tournaments.cups import Held, called, press

pytestmark = [pytest.mark.browser, pytest.mark.processes]

_CONTROLS = re.compile(r"\b(Print|Watch|Enter|Explain|Why this|Select a|Skip to|Sign in|Entrants|Files)\b")


def pages_of(page: Any) -> list[str]:
    """Returns the text of each printed page, with single spaces and without ligatures."""
    from pypdf import PdfReader

    read = PdfReader(io.BytesIO(page.pdf(format="A4")))
    return [" ".join(normalize("NFKC", sheet.extract_text()).split()) for sheet in read.pages]


def test_pairings_table_cards_and_standings_print_without_controls(visit, served):
    held = Held(served, bots=18, seats=3, advance="manual", name="Club night")
    held.order("/start")
    held.order("/rounds")
    shown, complaints = visit(f"/tournaments/{held.id}?tab=rounds", color_scheme="dark")
    shown.evaluate("window.print = () => { document.body.dataset.printed = location.search; }")
    names = called({entrant["number"]: entrant["name"] for entrant in held.view["entrants"]})
    boards = held.boards()

    press(shown, "Print pairings and table cards")
    shown.locator("body[data-printed='?tab=rounds']").wait_for(timeout=PATIENCE_MS)

    pairings, *cards = pages_of(shown)
    assert len(boards) == 6
    assert len(cards) == 1
    for text in (pairings, *cards):
        for board, seats in enumerate(boards, 1):
            listed = " ".join(names[number] for number in seats)
            assert f"Board {board} {listed}" in re.sub(r"\b\d\. ", "", text)
        assert not _CONTROLS.search(text)
    assert f"{shown.evaluate('location.host')}/tournaments/{held.id}" in pairings.replace(" ", "")
    assert shown.locator(".cards-of-tables .qr path[d^=M]").count() == 6

    shown.get_by_role("tab", name="Standings").click()
    press(shown, "Print")
    shown.locator("body[data-printed='']").wait_for(timeout=PATIENCE_MS)
    (standings,) = pages_of(shown)
    assert all(f"{names[row['entrant']]} 0" in standings for row in held.standings)
    assert not _CONTROLS.search(standings)
    assert complaints == []
