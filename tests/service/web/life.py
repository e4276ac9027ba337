"""Fills a service with people, bots, finished tables, tables in play and tournaments.

Everything happens through the HTTP API, like from any client.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from random import Random
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from urllib.error import HTTPError

from hoodwink.domain.games import GAMES
from hoodwink.service.supervisor import isolated_service
from hoodwink.service.supervisor.roster import address
from hoodwink_client import random_action
from tests.pace import AT_ONCE
from tests.service.processes import service_settings
from tests.service.web.guests import SHORT, Guest, guest

NAMES: Final = ("Ada", "Ben", "Chidi", "Dora")
ENDED_TABLES: Final = 7
"""The number of finished tables of each game before pictures, so that ratings have a history."""

_PATIENCE_SECONDS: Final = 60
_MAX_ACTIONS: Final = 3_000
_MAX_TABLES: Final = 60
_LONG_PAUSE_MS: Final = 600_000

Wanted = Callable[[Any], bool]


class Moment(NamedTuple):
    """A table in play at a point worth a picture.

    Attributes:
        wanted: a condition on the first player's view with legal actions.
        form: the unusual fields of the opening.
    """

    game: str
    wanted: Wanted
    people: int = 4
    bots: int = 0
    form: Mapping[str, Any] = MappingProxyType({})


class NotReached(Exception):
    """Raised if no table reached the wanted point."""


@contextmanager
def lively_service(data: str) -> Iterator[str]:
    """Runs a service without limits during the block; yields its URL."""
    with isolated_service(service_settings(data, fsync="everysec").unlimited()) as running:
        yield address(running)


def people_of(served: str) -> tuple[Guest, ...]:
    """Returns newly registered players, always with the same names."""
    return tuple(guest(served, name) for name in NAMES)


def played(path: str, people: Sequence[Guest], chance: Random, *, wanted: Wanted | None = None) -> bool:
    """Plays on with random legal actions; returns whether the table reached the wanted point before its end.

    Args:
        people: in the order of their seats, from seat 0.
        wanted: see `Moment`; without one the table is played to its end.
    """
    for _ in range(_MAX_ACTIONS):
        seen = _settled(path, people[0])
        if wanted is not None and wanted(seen):
            return True
        if seen["view"]["phase"] == "ended":
            return wanted is None
        _act(path, people, seen, chance)
    raise AssertionError(f"the table has not ended after {_MAX_ACTIONS} actions")


def _settled(path: str, viewer: Guest) -> Any:
    """Waits until a table waits for a person, pauses or ends; returns it."""
    until = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < until:
        seen = viewer.get(f"{path}?include=legal_actions")
        waiting = seen["view"]["waiting"] or {"for": None}
        if seen["view"]["phase"] == "ended" or waiting["for"] in {"players", "round_pause"}:
            return seen
        time.sleep(0.02)
    raise AssertionError(f"nothing goes on at {path}: {seen['view']['waiting']}")


def _act(path: str, people: Sequence[Guest], seen: Any, chance: Random) -> None:
    if seen["view"]["waiting"]["for"] == "round_pause":
        for person in people:
            person.post(f"{path}/ready")
        return
    seat = min(seat for seat in seen["view"]["waiting"]["seats"] if seat < len(people))
    legal = seen["legal_actions"] if seat == 0 else people[seat].get(f"{path}/legal-actions")
    try:
        people[seat].post(f"{path}/actions", random_action(legal, chance))
    except HTTPError:
        if people[0].get(path)["view"]["version"] == seen["view"]["version"]:
            raise
        # A bot was faster with an action out of turn.


def reached(moment: Moment, people: Sequence[Guest], chance: Random) -> str:
    """Returns the path of a table at the wanted point; opens another one if a table ends without it."""
    seated = people[: moment.people]
    for _ in range(_MAX_TABLES):
        path = seated[0].table(moment.game, *seated[1:], bots=moment.bots, **moment.form)
        if played(path, seated, chance, wanted=moment.wanted):
            return path
    raise NotReached(f"none of {_MAX_TABLES} tables of {moment.game} came to the moment that was wanted")


def bot_table(host: Guest, **form: Any) -> str:
    """Opens a table of Blindside with four bots, without starting it; returns its path."""
    opened = host.post("/v1/tables", {"game": "blindside", "seats": 4, **AT_ONCE, **form})
    path = f"/v1/tables/{opened['view']['id']}"
    for _ in range(4):
        host.post(f"{path}/seats", {"policy": "steady"})
    return path


def _mine(seen: Any) -> bool:
    """Whether the first player is to act."""
    return bool(seen["view"]["seats"][0]["owes"])


def _in_pause(seen: Any) -> bool:
    return (seen["view"]["waiting"] or {}).get("for") == "round_pause"


def _step(step: str, seen: Any) -> bool:
    return _mine(seen) and bool(seen["view"]["view"]["step"] == step)


def _passing(seen: Any) -> bool:
    return _step("pass", seen)


def _keeping(seen: Any) -> bool:
    view = seen["view"]["view"]
    return _step("keep", seen) and len(view["keepers"][0]) == 1


def _choosing(seen: Any) -> bool:
    return _step("choose", seen)


def _pile_of(least: int, least_in_hand: int, seen: Any) -> bool:
    view = seen["view"]["view"]
    answers = seen["legal_actions"]["actions"] + seen["legal_actions"]["choices"]
    return (
        _mine(seen)
        and view["step"] not in {"swap", "choose"}
        and len(view["pile"]) >= least
        and len(view["hands"][0]) >= least_in_hand
        and len(answers) > 1
    )


def _sneaking(seen: Any) -> bool:
    """Whether the first player can act out of turn."""
    legal = seen["legal_actions"]
    return not _mine(seen) and bool(legal["actions"] or legal["choices"])


def _answering(seen: Any) -> bool:
    return _step("answer", seen)


def _following(seen: Any) -> bool:
    return _step("follow", seen) and len(seen["view"]["view"]["captured"][0]) >= 4


def _hat(seen: Any) -> bool:
    view = seen["view"]["view"]
    return (
        _mine(seen)
        and len(view["middle"]) >= 2
        and sum(view["loot_counts"]) >= 6
        and view["loot_counts"][0] > 0
    )


_PAUSED: Final = MappingProxyType({"round_pause": _LONG_PAUSE_MS})
MOMENTS: Final[Mapping[str, Moment]] = MappingProxyType(
    {
        "blindside-pass": Moment("blindside", _passing),
        "blindside-keep": Moment("blindside", _keeping),
        "blindside-count": Moment("blindside", _in_pause, form=_PAUSED),
        "coconut-choose": Moment("coconut", _choosing),
        "coconut-pile": Moment("coconut", partial(_pile_of, 3, 4)),
        "coconut-sneak": Moment("coconut", _sneaking),
        "blind-don-trick": Moment("blind_don", _following, people=2),
        "blind-don-count": Moment("blind_don", _in_pause, people=2, form=_PAUSED),
        "double-blind-hat": Moment("double_blind", _hat),
        "double-blind-count": Moment("double_blind", _in_pause, form={**_PAUSED, "options": {}}),
        "shithead-swap": Moment("shithead", partial(_step, "swap")),
        "shithead-pile": Moment("shithead", partial(_pile_of, 4, 4)),
        "shithead-joker": Moment("shithead", _answering),
        "shithead-bots": Moment("shithead", partial(_pile_of, 2, 3), people=1, bots=6),
        "blindside-ten": Moment("blindside", _keeping, people=1, bots=9),
    }
)
"""The tables in play, by the names of their pictures."""


def end_tables(people: Sequence[Guest], chance: Random) -> dict[str, str]:
    """Plays tables of every game to their end; returns the path of the last one of each game."""
    paths = dict[str, str]()
    for game in SHORT:
        most = GAMES[game].seats[-1]
        for number in range(ENDED_TABLES):
            seated = tuple(people[(number + step) % len(people)] for step in range(min(4, most)))
            paths[game] = seated[0].table(game, *seated[1:])
            played(paths[game], seated, chance)
    return paths


class Cup(NamedTuple):
    """A tournament; the organiser's commands go to `path`."""

    organiser: Guest
    path: str

    def order(self, command: str, body: Any = None) -> Any:
        return self.organiser.post(self.path + command, body)

    @property
    def view(self) -> Any:
        return self.organiser.get(self.path)["tournament"]

    def awaited(self, phase: str) -> "Cup":
        """Waits until the tournament is in a phase."""
        until = time.monotonic() + _PATIENCE_SECONDS
        while self.view["phase"] != phase:
            assert time.monotonic() < until, (phase, self.view)
            time.sleep(0.1)
        return self


def opened(organiser: Guest, name: str, **form: Any) -> Cup:
    """Opens a tournament and its registration."""
    # A long time, since people in a picture never appear at their tables.
    pace = {"bot_delay": 0, "round_pause": 0, "grace_seconds": 86_400}
    fields = {"name": name, "seats": 4, "advance": "automatic", "rank_by": "lot", **pace, **form}
    fields.setdefault("options", SHORT[form["game"]])
    tournament = organiser.post("/v1/tournaments", fields)["tournament"]["id"]
    cup = Cup(organiser, f"/v1/tournaments/{tournament}")
    cup.order("/registration")
    return cup


def entered(cup: Cup, *people: Guest, bots: int = 0) -> Cup:
    for person in people:
        person.post(f"{cup.path}/entrants")
    for number in range(bots):
        cup.order("/entrants", {"policy": ("steady", "random")[number % 2]})
    return cup


def tournaments(people: Sequence[Guest]) -> dict[str, str]:
    """Opens tournaments in several formats and phases; returns their paths by picture name."""
    ada, ben, chidi, dora = people
    swiss = {"format": "swiss", "game": "blindside", "sittings": [{"rounds": 3}]}
    knockout = {"format": "knockout", "game": "blind_don", "seats": 2, "sittings": [{}]}
    all_meet = {"format": "round_robin", "game": "shithead", "seats": 2, "sittings": [{}]}
    tiebreaks = ["buchholz", "wins", "direct", "lot"]
    cups = {
        "draft-registration": entered(
            opened(ada, "Sunday Blindfold", check_in=600, **swiss | {"advance": "manual"}), ben, chidi
        ),
        "swiss-running": entered(opened(ada, "Winter Swiss", tiebreaks=tiebreaks, **swiss), *people, bots=9),
        "swiss-finished": entered(opened(ada, "Autumn Swiss", tiebreaks=tiebreaks, **swiss), bots=13),
        "knockout-running": entered(
            opened(ben, "The Don Cup", third_place=True, **knockout), ada, chidi, bots=9
        ),
        "knockout-finished": entered(opened(ben, "Little Cup", third_place=True, **knockout), bots=8),
        "round-robin-running": entered(opened(chidi, "Everybody Once", **all_meet), ada, dora, bots=4),
        "round-robin-finished": entered(opened(chidi, "Five Bots", **all_meet), bots=5),
    }
    for name, cup in cups.items():
        if "registration" not in name:
            cup.order("/start")
    for name, cup in cups.items():
        if "finished" in name:
            cup.awaited("finished")
        elif "running" in name:
            cup.awaited("running")
    return {name: cup.path for name, cup in cups.items()}
