"""Helpers for tests of replays: finished tables, and the text of their page."""

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
"""How many sit at the tables that are over."""

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
"""The zones of a seat on the page, and the fields of the API in which their cards are."""

_DRAWN: Final = """() => Object.fromEntries([...document.querySelectorAll('.felt [data-zone]')].map(zone => [
    zone.dataset.zone, [...zone.querySelectorAll('[data-face]')].map(card => card.dataset.face)]))"""


class Ended:
    """Tables at which bots have played, one of each game, played when it is first asked for."""

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
    """Takes the first legal action of a player, as soon as there is one."""
    await_true(lambda: player.get(f"{path}/legal-actions")["actions"])
    player.post(f"{path}/actions", player.get(f"{path}/legal-actions")["actions"][0])


def look(visit: Any, path: str, **options: Any) -> Any:
    """Opens the replay of a table, with the query of its address if it has one."""
    table, _, query = path.removeprefix("/v1").partition("?")
    shown = visit(f"{table}/replay?{query}", **options)
    shown.page.locator(".board").wait_for()
    return shown


def drawn_version(page: Any) -> int:
    """Returns the version that is drawn."""
    return int(page.locator(".board").get_attribute("data-version"))


def await_moment(page: Any, version: int, viewer: object = None) -> None:
    """Waits until the table is drawn as it was at a version, and as a viewer sees it."""
    seen_by = "" if viewer is None else f"[data-viewer='{viewer}']"
    page.locator(f".board[data-version='{version}']{seen_by}[aria-busy=false]").wait_for()


def drawn_cards(page: Any) -> dict[str, list[str]]:
    """Returns the cards that are drawn in each zone."""
    cards: dict[str, list[str]] = page.evaluate(_DRAWN)
    return cards


def cards_of_seats(view: Any) -> Iterator[tuple[str, list[str]]]:
    """Yields for each zone of a seat, as the page names it, the cards that the API has there."""
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
