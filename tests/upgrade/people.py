"""People who play tables of every game over HTTP, with requests understood by every release of the API."""

import threading
import time
from collections import Counter
from collections.abc import Mapping
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

from hoodwink.service.settings import Settings
from tests.pace import pace_known_to
from tests.service.people import Refused, RetryingClient

PERSONS = 2
_PAUSE_SECONDS = 0.02
_MAX_TABLE_SECONDS = 240.0


class Form(NamedTuple):
    """A table to open: the number of bots next to the two people, and its options."""

    bots: int
    options: Mapping[str, Any]


FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "blindside": Form(1, {"rounds": 3}),
        "double_blind": Form(1, {"target_score": 60}),
        "coconut": Form(1, {}),
        "blind_don": Form(0, {"rounds": 2}),
        "shithead": Form(1, {}),
    }
)
"""A short table of every game."""


class Acknowledged(NamedTuple):
    """The stored events reported in the answer to a command."""

    table: str
    version: int
    head: str
    types: Mapping[int, str]
    at: float


class CountingClient(RetryingClient):
    """A client that counts answers by status."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.statuses: Counter[int] = Counter()

    def _exchanged(self, method: str, path: str, body: Any, headers: dict[str, str]) -> tuple[int, bytes]:
        status, answer = super()._exchanged(method, path, body, headers)
        self.statuses[status] += 1
        return status, answer


class Players:
    """People who choose among their legal actions.

    Attributes:
        acknowledged: every acknowledged command.
    """

    def __init__(self, client: CountingClient, tokens: list[str], chance: Random) -> None:
        self.client = client
        self.tokens = tokens
        self.acknowledged: list[Acknowledged] = []
        self._chance = chance

    def play_on(self, table: str) -> None:
        """Plays a table to its end."""
        deadline = time.monotonic() + _MAX_TABLE_SECONDS
        while self.client.ask("GET", table)["view"]["phase"] != "ended":
            assert time.monotonic() < deadline, f"{table} does not end"
            while self._move(table):
                time.sleep(_PAUSE_SECONDS)
            time.sleep(_PAUSE_SECONDS)

    def command(self, path: str, token: str, body: Mapping[str, Any]) -> Any:
        """Sends a command, records the acknowledged events, and returns the answer."""
        answer = self.client.ask("POST", path, token, body)
        types = {event["version"]: event["type"] for event in answer["events"]}
        table = answer["view"]["id"]
        self.acknowledged.append(
            Acknowledged(table, answer["version"], answer["head"], types, time.monotonic())
        )
        return answer

    def _move(self, table: str) -> bool:
        """Takes a legal action for one of the people; returns whether there was one."""
        for token in self._chance.sample(self.tokens, len(self.tokens)):
            action = chosen(self.client.ask("GET", f"{table}/legal-actions", token), self._chance)
            if action is not None and self._has_acted(table, token, action):
                return True
        return False

    def _has_acted(self, table: str, token: str, action: Mapping[str, Any]) -> bool:
        try:
            self.command(f"{table}/actions", token, action)
        except Refused:  # another action came first; `status_faults` finds unexpected statuses
            return False
        return True


class Party(Players):
    """Two people who play one game, table after table, with bots.

    Attributes:
        tables: the ids of all tables.
    """

    def __init__(self, settings: Settings, game: str, *, seed: int, turn_seconds: int = 0) -> None:
        client = CountingClient(settings)
        tokens = [client.ask("POST", "/v1/players", body={})["token"] for _ in range(PERSONS)]
        super().__init__(client, tokens, Random(seed))
        self.tables: list[str] = []
        self._game = game
        self._pace: dict[str, int] = {"turn_seconds": turn_seconds}

    def play(self, stopping: threading.Event) -> None:
        """Plays one table after the other to its end until `stopping` is set."""
        while not stopping.is_set():
            table = self.open()
            self.play_on(table)
            self._read_ledger(table)
        self.client.close()

    def _read_ledger(self, table: str) -> None:
        version = self.client.ask("GET", table)["version"]
        self.client.ask("GET", f"{table}/ledger?wait_for={version}")

    def open(self) -> str:
        """Opens a table, seats everybody and starts it; returns its path."""
        host, form = self.tokens[0], FORMS[self._game]
        seats = PERSONS + form.bots
        if "bot_delay" not in self._pace:  # the old service may have been replaced by the new one
            self._pace = {**pace_known_to(self.client.ask("GET", "/openapi.json")), **self._pace}
        asked = {"game": self._game, "seats": seats, "options": form.options}
        opened = self.command("/v1/tables", host, asked | self._pace)
        self.tables.append(opened["view"]["id"])
        table = f"/v1/tables/{opened['view']['id']}"
        for token in self.tokens:
            self.command(f"{table}/seats", token, {})
        for _ in range(form.bots):
            self.command(f"{table}/seats", host, {"policy": "steady"})
        self.command(f"{table}/start", host, {})
        return table


class Load:
    """A party for every game, each in a thread that starts immediately."""

    def __init__(self, settings: Settings, *, turn_seconds: int) -> None:
        self.parties = [
            Party(settings, game, seed=seed, turn_seconds=turn_seconds if seed % 2 else 0)
            for seed, game in enumerate(FORMS)
        ]
        self._stopping = threading.Event()
        self._failures: list[BaseException] = []
        self._threads = [
            threading.Thread(target=self._play, args=(party,), daemon=True) for party in self.parties
        ]
        for thread in self._threads:
            thread.start()

    def finish(self) -> None:
        """Waits until every party has played its table to the end; raises the first failure."""
        self._stopping.set()
        for thread in self._threads:
            thread.join()
        if self._failures:
            raise self._failures[0]

    def _play(self, party: Party) -> None:
        try:
            party.play(self._stopping)
        except BaseException as failure:  # noqa: BLE001 - raised again by `finish`
            self._failures.append(failure)


def chosen(legal: Mapping[str, Any], chance: Random) -> dict[str, Any] | None:
    """Returns one of the legal actions as a request body, or `None` if there is none.

    Exposures in The Double Blind are left out: they cost points, and the game ends when a player has enough points.
    """
    plays = [action for action in legal["actions"] if not action["type"].startswith("expose")]
    offers = [*plays, *legal["choices"]]
    if not offers:
        return None
    offer = chance.choice(offers)
    return _with_cards(offer, chance) if "at_least" in offer else offer


def _with_cards(choice: Mapping[str, Any], chance: Random) -> dict[str, Any]:
    cards, wanted = list(choice["cards"]), choice.get("including")
    named = [wanted] if wanted else []
    for card in named:
        cards.remove(card)
    count = chance.randint(choice["at_least"], choice["at_most"]) - len(named)
    return {"type": choice["type"], "cards": named + chance.sample(cards, count)}
