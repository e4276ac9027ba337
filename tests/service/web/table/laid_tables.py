"""Tables of all games and sizes laid before a browser without a running service.

The views are those of real tables, played in this process until the first seat is to act.
"""

import json
import re
from copy import deepcopy
from random import Random
from typing import Any, Final

from hoodwink.domain.games import GAMES
from hoodwink.domain.tables.actor import by_player
from hoodwink.domain.tables.commands import Act
from hoodwink.service.http.app import create_app
from hoodwink.service.web.files import GUARDS, page
from tests.service.application.world import legal_choice
from tests.service.http.api import Api, new_service

ORIGIN: Final = "http://localhost"
LONG_NAME: Final = "Maximiliana Featherstonehaugh-Cholmondel"
"""As long as names may be."""

LONG_HAND: Final = [*(rank + suit for rank in "345678" for suit in "CDH"), "TC", "JK"]

LATE_SCORE: Final = 888
"""A score of *The Double Blind* late in a game: the widest of all games."""

_LONG: Final = "long"
_WITH_LONG_HANDS: Final = {"coconut2", "coconut4", "shithead2", "shithead4", "shithead10"}
_MIN_ACTIONS: Final = 12
_MAX_ACTIONS: Final = 40
_MIN_DESK_PX: Final = 640
_PLAYER: Final = json.dumps({"id": "ada", "name": "Ada", "token": "a-token"})
_SIGN_IN: Final = f"localStorage.setItem('hoodwink.player', {json.dumps(_PLAYER)})"
_GO: Final = """(path) => {
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
}"""
_IS_SHOWN: Final = """(table) => {
    const room = document.querySelector('hw-table');
    return room?.getAttribute('table') === table && room.querySelector('.felt') && room.info;
}"""

Message = dict[str, Any]


class LaidTables:
    """A message of the stream for each game and number of seats, and for long hands, played at its first use."""

    def __init__(self) -> None:
        self.names = [
            f"{game.name}{seats}"
            for game in GAMES.values()
            for seats in range(game.seats[0], game.seats[1] + 1)
        ]
        self.names += [name + _LONG for name in self.names if name in _WITH_LONG_HANDS]
        self._laid: dict[str, Message] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._laid or name in self.names

    def __getitem__(self, name: str) -> Message:
        if name not in self._laid:
            short = name.removesuffix(_LONG)
            self._laid[name] = _dealt(short) if short == name else _with_a_long_hand(self[short])
        return self._laid[name]

    def __setitem__(self, name: str, message: Message) -> None:
        self._laid[name] = message


def _dealt(name: str) -> Message:
    """Plays a table for a while, and returns the last message in which the first seat is to act."""
    game = name.rstrip("0123456789")
    seats = int(name.removeprefix(game))
    # A service of its own, so that the deal does not depend on the tables played before.
    service = new_service()
    api = Api(service, create_app(service))
    people = [api.person(LONG_NAME), api.person("Ben")]
    path, found, chance = api.playing(*people, game=game, bots=seats - 2), Message(), Random(seats)
    for number in range(_MAX_ACTIONS):
        view: Message = people[0].get(f"{path}?include=legal_actions").json
        owing = [seat["seat"] for seat in view["view"]["seats"] if seat["owes"]]
        if view["view"]["stage"] != "in_play" or not owing:
            break
        found = view if owing[0] == 0 else found
        if owing[0] == 0 and number >= _MIN_ACTIONS:
            unplayable = people[0].get(f"{path}/legal-actions?include=unplayable").json["unplayable"]
            if game == "double_blind":
                view["view"]["view"]["scores"] = [LATE_SCORE] * seats
            return view | {"legal_actions": view["legal_actions"] | {"unplayable": unplayable}}
        _act(api, path, owing[0], chance)
    assert found, f"the first seat of {game} with {seats} seats was never to act"
    return found


def _act(api: Api, path: str, seat: int, chance: Random) -> None:
    table = path.rpartition("/")[2]
    act = Act(seat, legal_choice(api.service, table, seat, chance))
    api.service.tables.execute(table, lambda _: (act, by_player(seat)))
    api.run_due(path)


def waiting(message: Message) -> Message:
    """Returns a table at which the first seat has just acted."""
    later = deepcopy(message)
    later["view"]["seats"][0]["owes"] = False
    later["legal_actions"] |= {"actions": [], "choices": []}
    return later


def _with_a_long_hand(message: Message) -> Message:
    """Returns a table of a shedding game at which the first seat holds twenty cards and may name anybody."""
    long = deepcopy(message)
    view, seats = long["view"]["view"], len(long["view"]["seats"])
    view |= {
        "step": {"shithead": "play", "coconut": "move"}[long["view"]["game"]],
        "pile": ["4C", "5H", "9D"],
    }
    view["hands"][0], view["face_up"][1] = LONG_HAND, ["9C", "KH", "2D"]
    jokers = [{"type": "play_joker", "target": seat} for seat in range(1, seats)]
    playable = [card for card in LONG_HAND if card[0] in "9TJQ" and card != "JK"]
    play = {"type": "play", "cards": playable, "at_least": 1, "at_most": 4, "purpose": ""}
    unplayable = [{"card": card, "rule": "Too low."} for card in LONG_HAND if card[0] in "345678"]
    long["legal_actions"] |= {
        "actions": [{"type": "pick_up"}, *(jokers if long["view"]["game"] == "shithead" else [])],
        "choices": [play],
        "unplayable": unplayable,
    }
    return long


class LaidPage:
    """A page on which one laid table after another is shown.

    Attributes:
        tables: the message of each table by its name.
    """

    def __init__(self, context: Any) -> None:
        service = new_service()
        self._games = Api(service, create_app(service)).spectator
        self.tables = LaidTables()
        context.add_init_script(_SIGN_IN)
        context.route("**/*", self._fulfil)
        self.page = context.new_page()
        self._session = context.new_cdp_session(self.page)
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(f"{ORIGIN}/tables/none")

    def show(self, name: str) -> None:
        self.page.evaluate(_GO, f"/tables/{name}")
        self.page.wait_for_function(_IS_SHOWN, arg=name)

    def resize(self, width: int, height: int) -> None:
        """Changes the size of the window, without Playwright's wait for a new picture.

        A narrow one is a phone's, where no space is kept for a scroll bar and a wider page is zoomed out.
        """
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < _MIN_DESK_PX}
        self._session.send("Emulation.setDeviceMetricsOverride", size)

    def _fulfil(self, route: Any) -> None:
        path = route.request.url.removeprefix(ORIGIN).partition("?")[0]
        if stream := re.fullmatch(r"/v1/tables/(\w+)/events", path):
            self._stream(route, stream[1])
        elif path.startswith("/v1/games/"):
            route.fulfill(json=self._games.get(path).json)
        elif path.startswith("/v1/"):
            route.fulfill(status=404, json={"code": "not_found", "detail": "There is no such thing."})
        elif path.startswith("/page/"):
            answer = page().file(*path.split("/", 3)[2:])
            assert answer is not None, path
            route.fulfill(status=answer.status, headers=dict(answer.headers), body=answer.body)
        else:
            headers = {"Content-Type": "text/html; charset=utf-8", **dict(GUARDS)}
            route.fulfill(headers=headers, body=page().document("tables").body)

    def _stream(self, route: Any, name: str) -> None:
        if name not in self.tables:
            route.fulfill(status=404, json={"code": "not_found", "detail": "There is no such table."})
            return
        message = json.dumps(self.tables[name] | {"events": []})
        body = f"event: snapshot\ndata: {message}\n\nevent: end\ndata: {{}}\n\n"
        route.fulfill(headers={"Content-Type": "text/event-stream"}, body=body)
