"""People who play over HTTP as fast as they are answered, send again what got no answer, and note what did."""

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from random import Random
from typing import Any
from uuid import uuid4

from service.adapters.connection import Client
from service.adapters.event_store import RedisEventStore
from service.application.ports import StreamId
from service.settings import Settings

PATIENCE_SECONDS = 30.0


class Refused(Exception):
    """Raised for an answer that nobody who plays by the rules should get."""


class Line:
    """A connection to the service that sends again, with the same key, whatever was not answered well."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._connection: HTTPConnection | None = None
        self.longest_wait = 0.0

    def ask(self, method: str, path: str, token: str = "", body: Any = None, *, key: str = "") -> Any:
        """Returns the answer's JSON, however often that takes; raises `Refused` for a 4xx."""
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
        """Returns the status of one answer, if there is one."""
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
            self._connection = HTTPConnection(self._settings.host, self._settings.port, timeout=10)
        self._connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = self._connection.getresponse()
        return response.status, response.read()


class Pair:
    """Two people at one table after the other.

    Attributes:
        acknowledged: the head hash of each table at each version that an answer told.
        actions: how many were answered.
    """

    def __init__(self, settings: Settings, *, game: str = "blindside", seed: int = 0) -> None:
        self.line = Line(settings)
        self.acknowledged: dict[tuple[str, int], str] = {}
        self.actions = 0
        self._game = game
        self._chance = Random(seed)
        self._tokens = [self.line.ask("POST", "/v1/players", body={})["token"] for _ in range(2)]

    def play(self, stopping: threading.Event) -> None:
        """Plays until told to stop."""
        while not stopping.is_set():
            table = self.open()
            while not stopping.is_set() and self.move(table):
                pass
        self.line.close()

    def open(self) -> str:
        first, second = self._tokens
        opened = self.line.ask("POST", "/v1/tables", first, {"game": self._game, "seats": 2})
        table = f"/v1/tables/{opened['view']['id']}"
        for token in (first, second):
            self._note(self.line.ask("POST", f"{table}/seats", token, {}))
        self._note(self.line.ask("POST", f"{table}/start", first, {}))
        return table

    def move(self, table: str) -> bool:
        """Lets whoever may act do something; tells whether the table goes on."""
        for token in self._tokens:
            legal = self.line.ask("GET", f"{table}/legal-actions", token)
            if legal["actions"]:
                action = self._chance.choice(legal["actions"])
                self._note(self.line.ask("POST", f"{table}/actions", token, action))
                self.actions += 1
                return True
        return bool(self.line.ask("GET", table)["view"]["phase"] == "playing")

    def _note(self, answer: Any) -> None:
        self.acknowledged[answer["view"]["id"], answer["version"]] = answer["head"]


def open_bot_table(settings: Settings, game: str, seats: int, **form: Any) -> str:
    """Opens and starts a table at which only bots play; returns its path."""
    line = Line(settings)
    host = line.ask("POST", "/v1/players", body={})["token"]
    opened = line.ask("POST", "/v1/tables", host, {"game": game, "seats": seats, **form})
    table = f"/v1/tables/{opened['view']['id']}"
    for _ in range(seats):
        line.ask("POST", f"{table}/seats", host, {"policy": "random"})
    line.ask("POST", f"{table}/start", host, {})
    line.close()
    return table


@contextmanager
def playing(settings: Settings, pairs: int) -> Iterator[Sequence[Pair]]:
    """Lets so many pairs play while the block lasts; what went wrong with one of them is raised."""
    stopping, failures = threading.Event(), list[Exception]()
    people = [Pair(settings, seed=seed) for seed in range(pairs)]

    def play(pair: Pair) -> None:
        try:
            pair.play(stopping)
        except Exception as failure:  # noqa: BLE001 - raised again where it is seen
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
    """Returns every table and version that somebody was told of and that is not stored just so."""
    store = RedisEventStore(client=client, partitions=partitions)
    told = {place: head for pair in people for place, head in pair.acknowledged.items()}
    heads = {
        (table, version): record.hash
        for table in {table for table, _ in told}
        for version, record in enumerate(store.read(StreamId("table", table)), start=1)
    }
    return [place for place, head in told.items() if heads.get(place) != head]
