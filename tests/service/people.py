"""People who play over HTTP as fast as the service answers, retry unanswered requests, and record every answer."""

import json
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from random import Random
from typing import Any
from uuid import uuid4

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.store.event_store import RedisEventStore
from hoodwink.service.application.ports import StreamId
from hoodwink.service.settings import Settings
from tests.pace import AT_ONCE
from tests.service.processes import PATIENCE_SECONDS

PAUSE_SECONDS = 0.05


class Refused(Exception):
    """Raised for a 4xx answer, which these people should never get."""


class RetryingClient:
    """A client that retries a request with the same idempotency key until the status is below 500.

    It is not hoodwink-client, whose growing pauses would hide how long an outage took.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._connection: HTTPConnection | None = None
        self.longest_wait = 0.0

    def ask(self, method: str, path: str, token: str = "", body: Any = None, *, key: str = "") -> Any:
        """Returns the JSON of the answer after any number of attempts; raises `Refused` for a 4xx."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if body is not None:
            headers |= {"Content-Type": "application/json", "Idempotency-Key": key or uuid4().hex}
        began = time.monotonic()
        while (answer := self._asked(method, path, body, headers)) is None:
            assert time.monotonic() < began + PATIENCE_SECONDS, f"no answer to {method} {path}"
            time.sleep(0.02)
        self.longest_wait = max(self.longest_wait, time.monotonic() - began)
        return answer

    def status(self, path: str) -> int | None:
        """Returns the status of a single attempt, or `None` without an answer."""
        try:
            return self._exchanged("GET", path, None, {})[0]
        except (OSError, HTTPException):
            self.close()
            return None

    def close(self) -> None:
        if self._connection:
            self._connection.close()
        self._connection = None

    def _asked(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Any:
        try:
            status, answer = self._exchanged(method, path, body, headers)
        except (OSError, HTTPException):
            self.close()
            return None
        if status >= 500:
            return None
        if status >= 400:
            raise Refused(f"{method} {path}: {status} {answer.decode()}")
        return json.loads(answer)

    def _exchanged(self, method: str, path: str, body: Any, headers: dict[str, str]) -> tuple[int, bytes]:
        if self._connection is None:
            self._connection = HTTPConnection(self._settings.host, self._settings.port, timeout=30)
        self._connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = self._connection.getresponse()
        return response.status, response.read()


class Pair:
    """Two people who play table after table.

    Attributes:
        acknowledged: the head hash in each answer, by table and version.
        actions: the number of answered actions.
    """

    def __init__(self, settings: Settings, *, game: str = "blindside", seed: int = 0) -> None:
        self.client = RetryingClient(settings)
        self.acknowledged: dict[tuple[str, int], str] = {}
        self.actions = 0
        self._game = game
        self._chance = Random(seed)
        self._tokens = [self.client.ask("POST", "/v1/players", body={})["token"] for _ in range(2)]

    def play(self, stopping: threading.Event) -> None:
        """Plays until `stopping` is set."""
        while not stopping.is_set():
            table = self.open()
            while not stopping.is_set() and self.move(table):
                time.sleep(PAUSE_SECONDS)
        self.client.close()

    def open(self) -> str:
        first, second = self._tokens
        opened = self.client.ask("POST", "/v1/tables", first, {"game": self._game, "seats": 2, **AT_ONCE})
        table = f"/v1/tables/{opened['view']['id']}"
        for token in (first, second):
            self._note(self.client.ask("POST", f"{table}/seats", token, {}))
        self._note(self.client.ask("POST", f"{table}/start", first, {}))
        return table

    def move(self, table: str) -> bool:
        """Takes a legal action for one of the two; returns whether the table continues."""
        for token in self._tokens:
            legal = self.client.ask("GET", f"{table}/legal-actions", token)
            if legal["actions"]:
                action = self._chance.choice(legal["actions"])
                self._note(self.client.ask("POST", f"{table}/actions", token, action))
                self.actions += 1
                return True
        return bool(self.client.ask("GET", table)["view"]["phase"] == "playing")

    def _note(self, answer: Any) -> None:
        self.acknowledged[answer["view"]["id"], answer["version"]] = answer["head"]


def open_bot_table(
    settings: Settings, game: str, seats: int, *, pace: Mapping[str, int] = AT_ONCE, **form: Any
) -> str:
    """Opens and starts a bot table; returns its path."""
    client = RetryingClient(settings)
    host = client.ask("POST", "/v1/players", body={})["token"]
    opened = client.ask("POST", "/v1/tables", host, {"game": game, "seats": seats, **pace, **form})
    table = f"/v1/tables/{opened['view']['id']}"
    for _ in range(seats):
        client.ask("POST", f"{table}/seats", host, {"policy": "random"})
    client.ask("POST", f"{table}/start", host, {})
    client.close()
    return table


@contextmanager
def playing(settings: Settings, pairs: int) -> Iterator[Sequence[Pair]]:
    """Lets this many pairs play during the block, and then raises the first failure of a pair."""
    stopping, failures = threading.Event(), list[Exception]()
    people = [Pair(settings, seed=seed) for seed in range(pairs)]

    def play(pair: Pair) -> None:
        try:
            pair.play(stopping)
        except Exception as failure:  # noqa: BLE001 - raised again in the main thread
            failures.append(failure)

    threads = [threading.Thread(target=play, args=(pair,)) for pair in people]
    for thread in threads:
        thread.start()
    try:
        yield people
    finally:
        stopping.set()
        for thread in threads:
            thread.join()
    if failures:
        raise failures[0]


def lost(people: Sequence[Pair], client: Client, partitions: int) -> list[tuple[str, int]]:
    """Returns each acknowledged table and version that is missing from the store or has another hash there."""
    store = RedisEventStore(client=client, partitions=partitions)
    acknowledged = {event: head for pair in people for event, head in pair.acknowledged.items()}
    stored = {
        (table, version): record.hash
        for table in {table for table, _ in acknowledged}
        for version, record in enumerate(store.read(StreamId("table", table)), start=1)
    }
    return [event for event, head in acknowledged.items() if stored.get(event) != head]
