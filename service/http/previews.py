"""Link previews (Open Graph): what chat programs show of a link to the page.

They say no more than what a stranger may see, and never a name: other programs keep them.
"""

from html import escape
from typing import Final, NamedTuple

from hoodwink.domain.games import GAMES
from hoodwink.domain.series.state import plan_of
from hoodwink.domain.tables.codec import UnknownEvent
from hoodwink.domain.tables.deciding.rooms import is_secret, may_watch
from hoodwink.domain.tables.state import Phase, Table
from hoodwink.domain.tournaments.life import Setup, Tournament, may_see
from hoodwink.domain.tournaments.life.facts import setup_of
from hoodwink.service.application.errors import ApplicationError
from hoodwink.service.application.players.player_lookup import is_id
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.bootstrap import Service
from hoodwink.service.web.files import FOLDER

_ABOUT: Final = "Five card games in which everybody is partly blind. Play people or bots, without an account."

_PICTURES: Final = frozenset(path.stem for path in (FOLDER / "previews").glob("*.png"))


class Preview(NamedTuple):
    """What a link shows; `picture` is the name of a file in the page's folder `previews`."""

    title: str = "Hoodwink"
    description: str = _ABOUT
    picture: str = "hoodwink"


def preview_tags(service: Service, path: str, root: str) -> str:
    """Returns the HTML that describes an address of the page.

    Args:
        path: the path of the address.
        root: the address of the folder with the page's files.
    """
    # Never the Host header, with which a stranger could make a cached preview lead elsewhere.
    origin = service.settings.own_origin
    shown = _preview(service, path)
    properties = {
        "og:site_name": "Hoodwink",
        "og:type": "website",
        "og:title": shown.title,
        "og:description": shown.description,
        "og:url": origin + path,
        "og:image": f"{origin}{root}/previews/{shown.picture}.png",
        "og:image:width": "600",
        "og:image:height": "315",
    }
    tags = [f'<meta property="{name}" content="{escape(value)}">' for name, value in properties.items()]
    return "\n".join([*tags, '<meta name="twitter:card" content="summary_large_image">'])


def _preview(service: Service, path: str) -> Preview:
    _, room, name, *_ = [*path.split("/"), "", ""]
    if room in {"games", "learn", "rules"} and name in GAMES:
        return Preview(GAMES[name].title, GAMES[name].tagline, _picture(name))
    if not is_id(name):
        return Preview()
    try:
        if room == "tables":
            return _of_table(service.tables.load(name).state)
        if room == "tournaments":
            return _of_tournament(service.tournaments.load(name).state)
        if room == "series":
            # Without a check: a series is never private (S-1).
            return _of_setup("series", plan_of(service.series.load(name).state).setup)
    except (ApplicationError, StoreUnavailable, UnknownEvent):
        pass  # the page itself says what is wrong
    return Preview()


def _of_table(table: Table) -> Preview:
    # As for an address without a table, because strangers must not learn that this one exists (T-24).
    if is_secret(table):
        return Preview()
    if not may_watch(table, None, is_invited=False):
        return Preview("A table at Hoodwink")
    game = GAMES[table.game]
    match table.phase:
        case Phase.OPEN:
            free = sum(occupant is None for occupant in table.seats)
            state = f"{free} of {len(table.seats)} seats are free."
        case Phase.ENDED:
            state = "This table is over. Look at it move by move."
        case _:
            state = f"{len(table.seats)} players are playing."
    return Preview(f"{game.title}: a table at Hoodwink", f"{state} {game.tagline}", _picture(table.game))


def _of_tournament(tournament: Tournament) -> Preview:
    if not may_see(tournament, None, is_invited=False):
        return Preview()
    return _of_setup("tournament", setup_of(tournament))


def _of_setup(kind: str, setup: Setup) -> Preview:
    game = GAMES[setup.game]
    return Preview(setup.name, f"A {kind} of {game.title} at Hoodwink. {game.tagline}", _picture(setup.game))


def _picture(game: str) -> str:
    return game if game in _PICTURES else "hoodwink"
