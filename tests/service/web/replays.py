"""Helpers for tests of replays: finished tables, and the text of their page."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final
from urllib.request import urlopen

from tests.pace import AT_ONCE
from tests.service.processes import await_true
from tests.service.web.guests import SHORT, Guest

SEATS: Final[Mapping[str, int]] = MappingProxyType(
    {"blindside": 3, "coconut": 3, "blind_don": 2, "double_blind": 4, "shithead": 3}
)
"""The number of seats at finished tables."""

ZONES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "blindside": "blindsides",
        "hand": "hands",
        "pocket": "pockets",
        "sleeve": "sleeves",
        "keepers": "keepers",
        "face_up": "face_up",
        "face_down": "face_down",
        "blind": "blind",
    }
)
"""The zones of a seat on the page, and their fields in the API."""

_DRAWN: Final = """() => Object.fromEntries([...document.querySelectorAll('.felt [data-zone]')].map(zone => [
    zone.dataset.zone, [...zone.querySelectorAll('[data-face]')].map(card => card.dataset.face)]))"""


class Ended:
    """Finished tables of bots, one per game, played at the first use."""

    def __init__(self, host: Guest) -> None:
        self._host = host
        self._paths: dict[str, str] = {}

    def __call__(self, game: str = "blindside") -> str:
        if game not in self._paths:
            self._paths[game] = self._played(game)
        return self._paths[game]

    def _played(self, game: str) -> str:
        host = self._host
        form = {"game": game, "seats": SEATS[game], "options": SHORT[game], **AT_ONCE}
        path = f"/v1/tables/{host.post('/v1/tables', form)['view']['id']}"
        for _ in range(SEATS[game]):
            host.post(f"{path}/seats", {"policy": "steady"})
        host.post(f"{path}/start")
        await_true(lambda: host.get(path)["view"]["server_seed"])
        return path


def log_of(served: str, path: str) -> bytes:
    """Returns the log of a table, byte for byte."""
    with urlopen(f"{served}{path}/log") as answer:
        log: bytes = answer.read()
    return log


def act(player: Guest, path: str) -> None:
    """Waits for a legal action of a player and takes the first one."""
    first, *_ = await_true(lambda: player.get(f"{path}/legal-actions")["actions"])
    player.post(f"{path}/actions", first)


def look(visit: Any, path: str, **options: Any) -> Any:
    """Opens the replay of a table, optionally with a query."""
    table, _, query = path.removeprefix("/v1").partition("?")
    shown = visit(f"{table}/replay?{query}", **options)
    shown.page.locator(".board").wait_for()
    return shown


def drawn_version(page: Any) -> int:
    """Returns the drawn version."""
    return int(page.locator(".board").get_attribute("data-version"))


def await_moment(page: Any, version: int, viewer: object = None) -> None:
    """Waits until the table is drawn at a version for a viewer."""
    seen_by = "" if viewer is None else f"[data-viewer='{viewer}']"
    page.locator(f".board[data-version='{version}']{seen_by}[aria-busy=false]").wait_for()


def await_newest(page: Any, player: Guest, path: str) -> None:
    """Waits until the newest version of a table is drawn; bots may still add to it meanwhile."""
    await_true(lambda: drawn_version(page) == player.get(path)["version"])


def drawn_cards(page: Any) -> dict[str, list[str]]:
    """Returns the drawn cards of each zone."""
    cards: dict[str, list[str]] = page.evaluate(_DRAWN)
    return cards


def cards_of_seats(view: Any) -> Iterator[tuple[str, list[str]]]:
    """Yields the API's cards for each zone of a seat, with the page's zone names."""
    zones = view["view"]
    for seat in range(len(view["seats"])):
        if view["game"] == "blind_don":
            rows = zip(zones["face_up"][seat], zones["face_down"][seat], strict=True)
            yield f"row.{seat}", [upper or lower for upper, lower in rows]
            continue
        for zone, field in ZONES.items():
            if field in zones:
                cards = zones[field][seat]
                yield f"{zone}.{seat}", cards if isinstance(cards, list) else [cards]


_CODE: Final = re.compile(r"\b([2-9TJQKA])([CDHS])\b")
_SUITS: Final = MappingProxyType({"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"})


def as_shown(words: str) -> str:
    """Returns a sentence of the service as the page's text: cards have symbols, with names for those who listen.

    >>> as_shown("Ada played TH, and a JK.")
    'Ada played 10 of hearts, and a Joker.'
    """
    named = _CODE.sub(lambda code: f"{code[1].replace('T', '10')} of {_SUITS[code[2]]}", words)
    return re.sub(r"\bJK\b", "Joker", named)
