"""Records the data folder of an older commit: `python -m tests.upgrade.record COMMIT`.

Writes `tests/service/golden/data-COMMIT.aof.gz`, the append-only file of its Redis, and next to it, as JSON, the
expected state of its tables. The projector is killed before the last commands, so the feed contains entries
that no projection has read. Existing files are never overwritten.
"""

import gzip
import json
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack, closing, suppress
from hashlib import sha256
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

from redis import Redis

from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.checks import free_port
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis
from hoodwink.service.supervisor.redis_binary import find_redis
from tests.pace import pace_known_to
from tests.service.processes import await_true
from tests.upgrade.people import FORMS, chosen
from tests.upgrade.releases import ROOT, Running, check_imports, checked_out

FOLDER = ROOT / "tests" / "service" / "golden"
PEOPLE = ("ada", "bob", "cy")
CLOCK_SECONDS = 600
"""Long enough that no clock expires during the recording."""

_MOVES = 6


class Refused(Exception):
    """Raised for a refused request."""


class Recorder:
    """People who play, and a record of their answers.

    Attributes:
        known: the expected state of the data for the JSON file.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._chance = Random(7)
        self.known: dict[str, Any] = {"players": {}, "tables": {}, "commands": []}

    def register(self, name: str) -> None:
        self.known["players"][name] = self.post("", "/v1/players", {"name": name.title()})

    def open(self, name: str, game: str, host: str, *, seats: int, **asked: Any) -> None:
        """Opens a table and leaves its seats empty."""
        pace = pace_known_to(self.get("", "/openapi.json"))
        opened = self.post(host, "/v1/tables", {"game": game, "seats": seats, **pace, **asked})
        self.known["tables"][name] = {"id": opened["view"]["id"], "game": game, "host": host, "persons": []}

    def sit_down(self, name: str, *persons: str, bots: int = 0) -> None:
        """Seats people, all of them with seeds, and then bots."""
        table = self.known["tables"][name]
        for person in persons:
            table["persons"].append(person)
            self.post(person, f"{self.path(name)}/seats", {"seed": f"the seed of {person}"})
        for _ in range(bots):
            self.post(table["host"], f"{self.path(name)}/seats", {"policy": "steady"})

    def start(self, name: str, game: str, *persons: str, bots: int = 0, **asked: Any) -> None:
        """Opens a table for these people and bots, and starts it."""
        self.open(name, game, persons[0], seats=len(persons) + bots, **asked)
        self.sit_down(name, *persons, bots=bots)
        self.post(persons[0], f"{self.path(name)}/start", {})

    def close(self, name: str, game: str, host: str) -> None:
        """Opens a table and closes it again."""
        self.open(name, game, host, seats=2)
        self.sit_down(name, host)
        self.post(host, f"{self.path(name)}/close", {"confirm": True})

    def play(self, name: str, *, moves: int = 1 << 30) -> None:
        """Lets people make this many moves at a table, until it has ended or waits for one of them."""
        while self._is_waiting(name) and moves:
            moves -= self._move(name)

    def play_round(self, name: str) -> None:
        """Lets people play a round to its end, at a table without bots."""
        while self.get("", self.path(name))["view"]["stage"] == "in_play":
            self._move(name)

    def note(self, name: str) -> None:
        """Records the current state of a table."""
        noted, path = self.known["tables"][name], self.path(name)
        shown = {person: self.get(person, path) for person in ("", *noted["persons"])}
        seen = shown[""]
        noted |= {"phase": seen["view"]["phase"], "version": seen["version"], "views": shown}
        if noted["phase"] == "ended":
            noted["log"] = sha256(self._exchanged("GET", f"{path}/log", None, {})).hexdigest()

    def note_ledger(self, name: str) -> None:
        """Waits for the journal entries of an ended table and records them."""
        version = self.get("", self.path(name))["version"]
        books = self.get("", f"{self.path(name)}/ledger?wait_for={version}")
        self.known["tables"][name]["ledger"] = books["entries"]

    def thin_out(self) -> None:
        """Drops most moves from the record, because they are similar."""
        commands = self.known["commands"]
        moves = [number for number, sent in enumerate(commands) if sent["path"].endswith("/actions")]
        forgotten = set(moves) - set(moves[::_MOVES])
        self.known["commands"] = [sent for number, sent in enumerate(commands) if number not in forgotten]

    def path(self, name: str) -> str:
        return f"/v1/tables/{self.known['tables'][name]['id']}"

    def get(self, person: str, path: str) -> Any:
        return json.loads(self._exchanged("GET", path, None, self._headers(person)))

    def post(self, person: str, path: str, body: Mapping[str, Any]) -> Any:
        """Sends a command with an idempotency key, and records both with the version and head of the answer."""
        key = uuid4().hex
        headers = {"Content-Type": "application/json", "Idempotency-Key": key}
        sent = json.dumps(body)
        answer = json.loads(self._exchanged("POST", path, sent, headers | self._headers(person)))
        noted = {"person": person, "path": path, "body": sent, "key": key}
        acknowledged = {name: answer[name] for name in ("version", "head", "token") if name in answer}
        self.known["commands"].append(noted | {"told": acknowledged})
        return answer

    def _is_waiting(self, name: str) -> bool:
        """Waits for bots and workers; returns whether the table then waits for a person."""
        view: dict[str, Any] = {}

        def is_settled() -> bool:
            nonlocal view
            view = self.get("", self.path(name))["view"]
            return view["phase"] == "ended" or any(
                seat["owes"] and not seat["policy"] for seat in view["seats"]
            )

        await_true(is_settled)
        return bool(view["phase"] != "ended")

    def _move(self, name: str) -> bool:
        for person in self.known["tables"][name]["persons"]:
            legal = self.get(person, f"{self.path(name)}/legal-actions")
            action = chosen(legal, self._chance)
            if action is not None:
                with suppress(Refused):  # a bot has moved by now
                    self.post(person, f"{self.path(name)}/actions", action)
                    return True
        return False

    def _headers(self, person: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.known['players'][person]['token']}"} if person else {}

    def _exchanged(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> bytes:
        connection = HTTPConnection(self._settings.host, self._settings.port, timeout=20)
        with closing(connection):
            connection.request(method, path, body, dict(headers))
            response = connection.getresponse()
            answer = response.read()
        if response.status >= 300:
            raise Refused(f"{method} {path}: {response.status} {answer.decode()}")
        return answer


def play_with_projector(people: Recorder) -> None:
    """Brings tables to every possible state."""
    for person in PEOPLE:
        people.register(person)
    for game, form in FORMS.items():
        for name in (f"ended-{game}", f"mid-{game}"):
            people.start(name, game, "ada", "bob", bots=form.bots, options=form.options)
    for game in FORMS:
        people.play(f"ended-{game}")
        people.play(f"mid-{game}", moves=_MOVES)
        people.note_ledger(f"ended-{game}")
    people.open("open", "coconut", "ada", seats=3)
    people.sit_down("open", "ada", bots=1)
    people.close("closed", "shithead", "bob")
    for name in ("resigned", "resigned-late"):
        people.start(name, "coconut", "ada", "bob", "cy")
        people.play(name, moves=_MOVES)
    people.post("cy", f"{people.path('resigned')}/resign", {"confirm": True})
    people.play("resigned", moves=0)
    for name in ("clock", "clock-late"):
        people.start(name, "blindside", "ada", "bob", turn_seconds=CLOCK_SECONDS, options={"rounds": 1})
        people.play(name, moves=1)
    people.start("to-score", "blindside", "bob", "cy", options={"rounds": 1})
    people.play("to-score", moves=0)


def play_without_projector(people: Recorder) -> None:
    """Adds entries to the feed that no projection reads and for which no task is sent."""
    people.play("clock-late", moves=1)
    people.play("mid-blindside", moves=1)
    people.play_round("to-score")
    people.post("cy", f"{people.path('resigned-late')}/resign", {"confirm": True})
    people.sit_down("open", "bob")
    people.open("open-late", "shithead", "cy", seats=2)
    people.close("closed-late", "coconut", "cy")
    people.start("started-late", "blind_don", "ada", "bob", options={"rounds": 2})


def record(tree: Path, folder: Path) -> tuple[dict[str, Any], bytes]:
    """Returns the expected state of the data, and the append-only file with them."""
    with EmbeddedRedis(folder=folder, binary=find_redis("")) as server, ExitStack() as parts:
        settings = Settings(port=free_port("127.0.0.1", 0), redis_url=server.url, api_workers=1)
        check_imports(tree, settings)
        api, worker, projector = (
            parts.enter_context(Running(tree, settings, part)) for part in ("api", "worker", "projector")
        )
        api.await_ready()
        people = Recorder(settings)
        play_with_projector(people)
        projector.kill()
        play_without_projector(people)
        worker.kill()
        for name in people.known["tables"]:
            people.note(name)
        people.thin_out()
        people.known["recorded_at"] = time.time_ns() // 1_000_000
        log = append_only_file(server.url, folder)
    return people.known, log


def append_only_file(url: str, folder: Path) -> bytes:
    """Returns the data of a server, whose folder is given, as one file of commands, which every later version reads."""
    with Redis.from_url(url) as client:
        client.config_set("aof-use-rdb-preamble", "no")  # Redis does not read the preamble of Valkey
        client.bgrewriteaof()
        await_true(lambda: not client.info("persistence")["aof_rewrite_in_progress"])
    parts = folder / "appendonlydir"
    lines = (parts / "appendonly.aof.manifest").read_text().splitlines()
    # The manifest still lists files that are about to be deleted, with the type `h`.
    names = [line.split()[1] for line in lines if not line.endswith("type h")]
    return b"".join((parts / name).read_bytes() for name in names)


def main(commit: str) -> None:
    """Records the data and writes both files."""
    with checked_out(commit) as tree, tempfile.TemporaryDirectory() as data:
        known, log = record(tree, Path(data))
    FOLDER.mkdir(exist_ok=True)
    for name, content in (
        (f"data-{commit}.json.gz", json.dumps(known).encode()),
        (f"data-{commit}.aof.gz", log),
    ):
        with (FOLDER / name).open("xb") as file:
            file.write(gzip.compress(content, mtime=0))
        print(f"{name}: {len(content)} bytes, {(FOLDER / name).stat().st_size} packed")


if __name__ == "__main__":
    main(*sys.argv[1:])
