"""Three ways to play on the page: with a mouse, with the keyboard, and with a screen reader."""

import re
from collections.abc import Callable
from itertools import cycle
from typing import Any, Final

from playwright.sync_api import TimeoutError  # noqa: A004

MAX_TURNS: Final = 600
PATIENCE_MS: Final = 60_000
CLICK_MS: Final = 20_000
"""How long a click may take on a busy machine."""

_READY: Final = ".count .row-of-buttons button.main"
_PICKABLE: Final = ".card-holder.playable:not(.selected)"
_CAN_ACT: Final = f"""() => document.querySelector('hw-outcome .places') ||
    document.querySelector('{_READY}') || document.querySelector('{_PICKABLE}') || document.querySelector('.prompt .buttons button.main')"""

EDGE: Final = {"x": 5, "y": 12}
"""A point of a card that is visible in any fan."""

_HEIGHTS: Final = cycle((8, 32))
"""Where a hand clicks, alternately: the page ignores a second click on the same spot for a while."""

_REPEATED_MS: Final = 1_000
"""After this time, a click on the same spot is no second click."""

_IS_ON_TOP: Final = """(card, { x, y }) => {
    const box = card.getBoundingClientRect();
    return card.contains(document.elementFromPoint(box.x + x, box.y + y));
}"""

Play = Callable[[Any], None]


def play_to_the_end(page: Any, play: Play) -> None:
    """Plays until the table has ended, and closes the last round's count, which covers the outcome.

    Args:
        play: takes one step at a table that waits for the player.
    """
    play_until_it_is_over(page, play)
    page.get_by_role("button", name="Close the count").click(timeout=PATIENCE_MS)


def play_until_it_is_over(page: Any, play: Play) -> None:
    """Plays until the table has ended."""
    for _ in range(MAX_TURNS):
        page.wait_for_function(_CAN_ACT, timeout=PATIENCE_MS)
        if page.locator("hw-outcome .places").count():
            return
        if page.locator(_READY).count():
            page.locator(_READY).click(timeout=PATIENCE_MS)
            page.wait_for_selector(_READY, state="detached", timeout=PATIENCE_MS)
            continue
        before = stage(page)
        try:
            play(page)
        except (AssertionError, TimeoutError):
            if stage(page) == before:
                raise
            continue  # somebody else acted first, and what was to be clicked is gone
        page.wait_for_function(f"before => ({_STAGE})() !== before", arg=before, timeout=PATIENCE_MS)
    raise AssertionError(f"the table has not ended after {MAX_TURNS} turns")


_STAGE: Final = """() => [document.querySelector('[data-spoken]')?.textContent,
    // Several events may end with the same sentence as before, such as that a bot picked up the pile.
    document.querySelector('hw-table')?.message?.version, document.querySelectorAll('.selected').length, Boolean(document.querySelector('hw-outcome .places'))].join('|')"""


def stage(page: Any) -> str:
    """Returns a text that changes with every event."""
    stage: str = page.evaluate(_STAGE)
    return stage


def with_the_mouse(page: Any) -> None:
    """Presses the button enabled by the picked cards, or picks the first highlighted card."""
    button = page.locator(".prompt .buttons button.main").first
    if button.count():
        _click(button)
    else:
        _click(page.locator(_PICKABLE).first)


def _click(what: Any) -> None:
    spot = {**EDGE, "y": next(_HEIGHTS)}
    if not what.evaluate(_IS_ON_TOP, spot, timeout=CLICK_MS):  # under the next line of a long hand
        what.page.wait_for_timeout(_REPEATED_MS)
        spot = EDGE
    what.click(position=spot, timeout=CLICK_MS)


def with_the_keyboard(page: Any) -> None:
    """Moves to the first card or button with the Tab and arrow keys, and presses Enter."""
    wanted = ".prompt .buttons button.main"
    if not page.locator(wanted).count():
        wanted = _PICKABLE
    for _ in range(120):
        if page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
            page.keyboard.press("Enter")
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the tabulator key does not lead to {wanted}")


def by_ear(page: Any) -> None:
    """Plays only by the texts of the live region and the names of buttons."""
    said = page.locator("[data-spoken]").text_content()
    named = _listed(said, "Buttons") or _listed(said, "Cards to choose")
    assert named, f"nothing in this text says what to do: {said}"
    told = said.startswith("Picked: ") or re.search(r"\b(Your|The) [^:.]+: [^.]+\.", said)
    assert told, f"nothing in this text says which cards lie there: {said}"
    _click(page.get_by_role("button", name=named[0], exact=True).first)


def _listed(said: str, what: str) -> list[str]:
    found = re.search(rf"{what}: ([^.]+)\.", said)
    return found[1].split("; ") if found else []
