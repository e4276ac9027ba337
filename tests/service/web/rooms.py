"""Every room of the page with content: its path and its viewer."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, Final, NamedTuple

from hoodwink.domain.games import GAMES
from tests.service.web.guests import Guest
from tests.service.web.life import MOMENTS, end_tables, people_of, reached, tournaments

SEEN: Final = """() => document.querySelector('main > :not(.loading)') &&
    ![...document.querySelectorAll('main .loading')].some(note => note.checkVisibility())"""
"""A function that returns whether a room is shown, for polling; the page's policy forbids expressions."""

_CHECK_MS: Final = 3_000

Prepare = Callable[[Any], None]


class Room(NamedTuple):
    """A room in a picture.

    Attributes:
        viewer: the player who is signed in.
        prepare: prepares the page for the picture.
    """

    name: str
    address: str
    viewer: Guest | None = None
    prepare: Prepare | None = None


def all_rooms(served: str, chance: Random) -> Iterator[Room]:
    """Fills a service with players, tables and tournaments, and yields all pages."""
    people = people_of(served)
    ada, ben, *_ = people
    ended = end_tables(people, chance)
    cups = tournaments(people)
    tables = {name: reached(moment, people, chance) for name, moment in MOMENTS.items()}
    yield Room("home", "/")
    yield Room("home-signed-in", "/", ada)
    for game in GAMES:
        yield Room(f"game-{game}", f"/games/{game}", ada)
        yield Room(f"learn-{game}", f"/learn/{game}", ada)
        yield Room(f"lesson-{game}", f"/learn/{game}", ada, _begin)
    yield from _before_the_start(ada, ben)
    for name, path in tables.items():
        yield Room(f"table-{name}", page_address(path), ada)
    yield Room("table-watched", page_address(tables["double-blind-hat"]))
    for game, path in ended.items():
        yield Room(f"ended-{game}", page_address(path), ada)
        yield Room(f"replay-{game}", f"{page_address(path)}/replay?version=20", ada)
    yield Room("verified", f"{page_address(ended['coconut'])}/replay", ada, _verify)
    yield Room("replay-file", "/replay")
    yield Room("docs", "/docs#act")
    yield Room("rules", "/rules")
    for game in GAMES:
        yield Room(f"rules-{game}", f"/rules/{game}")
    yield from _of_players(ada, ben)
    yield from _of_tournaments(ada, cups)
    yield Room("nowhere", "/nowhere")
    yield Room("nowhere-table", "/tables/nosuchtable")
    yield Room("nowhere-player", "/players/nosuchplayer")


def _before_the_start(ada: Guest, ben: Guest) -> Iterator[Room]:
    fields = {"game": "shithead", "seats": 4}
    table = ada.post("/v1/tables", fields)["view"]["id"]
    private = ada.post("/v1/tables", {**fields, "game": "coconut", "private": True})["view"]["id"]
    for path in (f"/v1/tables/{table}/seats", f"/v1/tables/{private}/seats"):
        ada.post(path)
    ben.post(f"/v1/tables/{table}/seats")
    ada.post(f"/v1/tables/{table}/seats", {"policy": "steady"})
    code = ada.get(f"/v1/tables/{private}/invitation")["invitation"]
    yield Room("lobby", "/tables", ben)
    yield Room("lobby-playing", "/tables?phase=playing", ben)
    yield Room("open-host", f"/tables/{table}", ada)
    yield Room("open-seated", f"/tables/{table}", ben)
    yield Room("open-stranger", f"/tables/{table}")
    yield Room("open-invited", f"/tables/{private}#invitation={code}")
    yield Room("open-uninvited", f"/tables/{private}")


def _of_players(ada: Guest, ben: Guest) -> Iterator[Room]:
    yield Room("me", "/me", ada)
    yield Room("me-unknown", "/me")
    yield Room("sign-in", "/signin")
    yield Room("my-tables", "/me/tables", ada)
    yield Room("player", f"/players/{ada.id}", ada)
    yield Room("player-other", f"/players/{ben.id}", ada)
    yield Room("statement", f"/players/{ada.id}/statement", ada)
    yield Room("rating", f"/players/{ada.id}/ratings/blindside", ada)
    yield Room("leaderboards", "/leaderboards", ada)
    yield Room("leaderboards-blindside", "/leaderboards/blindside", ada)


def _of_tournaments(ada: Guest, cups: Mapping[str, str]) -> Iterator[Room]:
    yield Room("tournaments", "/tournaments", ada)
    yield Room("tournaments-new", "/tournaments/new", ada)
    for name, path in cups.items():
        yield Room(f"tournament-{name}", page_address(path), ada)
    for name in ("draft-registration", "swiss-running"):
        yield Room(f"tournament-desk-{name}", f"{page_address(cups[name])}/desk", ada)


def _begin(page: Any) -> None:
    """Starts a lesson."""
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector(".card-holder.playable")


def _verify(page: Any) -> None:
    page.get_by_role("button", name="Verify").click()
    page.wait_for_timeout(_CHECK_MS)


def page_address(path: str) -> str:
    """Returns the page's URL for a path of the API."""
    return path.removeprefix("/v1")
