"""Helpers for tests with a rolled back store: tables to play at, expected answers, and logs."""

import json
import re
import time
from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import uuid4

from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.service.application.ports import StreamId
from hoodwink.service.application.reading.seen import event_records
from hoodwink.service.http.messages.answers import encode, legal_answer, table_answer
from hoodwink.service.http.resources.access import names_at
from hoodwink.service.settings import Settings
from tests.pace import AT_ONCE
from tests.service.api_processes import ApiProcess
from tests.service.direct import run_command, service_on
from tests.service.processes import PATIENCE_SECONDS, await_true
from tests.service.scraping import ask, summed

_PAUSE_SECONDS = 0.02
"""Between looks at a table, to leave the processor to those who move there."""

_FIELD = re.compile(r"(\w+)=(\S+)")


class Party:
    """A started table of Blindside, where each action is one event, with two people or a person and a bot."""

    def __init__(self, process: ApiProcess, *, people: int = 2, rounds: int = 2) -> None:
        form = {"game": "blindside", "seats": 2, "options": {"rounds": rounds}, **AT_ONCE}
        self.tokens = [process.post("/v1/players")["token"] for _ in range(people)]
        self.id = process.post("/v1/tables", self.tokens[0], form)["view"]["id"]
        self.path = f"/v1/tables/{self.id}"
        for token in self.tokens:
            process.post(f"{self.path}/seats", token)
        for _ in range(2 - people):
            process.post(f"{self.path}/seats", self.tokens[0], {"policy": "random"})
        process.post(f"{self.path}/start", self.tokens[0])

    def view(self, process: ApiProcess) -> Any:
        """Returns the table as a spectator sees it, without the time of the answer."""
        return without_now(process.get(self.path))

    def moves(self, process: ApiProcess) -> tuple[str, list[Any]]:
        """Returns the token of a person who may act, and their actions; no actions while workers have to act."""
        for token in self.tokens:
            if actions := process.get(f"{self.path}/legal-actions", token)["actions"]:
                return token, actions
        return "", []

    def act(self, process: ApiProcess, *, choice: int = 0) -> "Move":
        """Takes an action as soon as a person may act."""
        token, actions = await_true(lambda: (found := self.moves(process))[1] and found)
        key = uuid4().hex
        return Move(token, actions[choice], key, self.send(process, token, actions[choice], key))

    def send(self, process: ApiProcess, token: str, action: Any, key: str) -> Any:
        """Sends an action, or retries one if the key was used before; returns the answer."""
        return process.post(f"{self.path}/actions", token, action, key=key)

    def act_until(self, process: ApiProcess, version: int) -> None:
        """Waits until the table has reached this version and waits only for people, or has ended."""
        while (view := self.view(process))["view"]["phase"] == "playing":
            if not self.moves(process)[1]:
                time.sleep(_PAUSE_SECONDS)
            elif view["version"] >= version:
                return
            else:
                self.act(process)

    def act_on(self, process: ApiProcess, events: int) -> int:
        """Plays at least this many events; returns the version reached."""
        self.act_until(process, self.view(process)["version"] + events)
        return int(self.view(process)["version"])

    def act_until_step(self, process: ApiProcess, step: str) -> int:
        """Plays until a person may take an action of this type; returns the version."""
        while not any(action["type"] == step for action in self.moves(process)[1]):
            if self.moves(process)[1]:
                self.act(process)
            else:
                time.sleep(_PAUSE_SECONDS)
        return int(self.view(process)["version"])

    def play_out(self, *processes: ApiProcess) -> bytes:
        """Plays to the end through alternating processes; returns the log, which must verify."""
        acted, give_up_at = 0, time.monotonic() + PATIENCE_SECONDS
        while self.view(processes[acted % len(processes)])["view"]["phase"] == "playing":
            process = processes[acted % len(processes)]
            if self.moves(process)[1]:
                self.act(process, choice=-1)
                acted, give_up_at = acted + 1, time.monotonic() + PATIENCE_SECONDS
            else:
                time.sleep(_PAUSE_SECONDS)
            assert time.monotonic() < give_up_at, f"table {self.id} is stuck"
        return valid_log(self.path, processes)


def valid_log(path: str, processes: Sequence[ApiProcess]) -> bytes:
    """Returns the log of an ended table, which must verify and be the same at every process."""
    logs = {process.ask("GET", f"{path}/log").body for process in processes}
    assert len(logs) == 1
    log: bytes = logs.pop()
    assert (verdict := verify_log(log)).valid, verdict.finding
    return log


class Move(NamedTuple):
    """A person's action, with its request and answer."""

    token: str
    action: Any
    key: str
    answer: Any


def stored_version(settings: Settings, party: Party) -> int:
    """Returns the number of the table's events in the store."""
    with service_on(settings) as service:
        return service.store.version(StreamId("table", party.id))


def answers_of(process: ApiProcess, party: Party) -> Any:
    """Returns the answers of a process about a table, to a spectator and to each of the people."""
    legal, events = f"{party.path}/legal-actions", f"{party.path}/events?limit=1000"
    return [
        [
            without_now(process.get(party.path, token)),
            process.get(events, token)["events"],
            token and without_now(process.get(legal, token)),
        ]
        for token in ("", *party.tokens)
    ]


def without_now(answer: dict[str, Any]) -> dict[str, Any]:
    """Returns an answer about a table without its time."""
    return {name: value for name, value in answer.items() if name != "now"}


def expected_answers(settings: Settings, party: Party) -> Any:
    """Returns the answers about a table that a process without a cache would give."""
    with service_on(settings) as service:
        loaded, history = service.tables.load(party.id), service.tables.history(party.id)
        names = names_at(service, loaded.state)
    table, now = loaded.state, service.clock.now_ms()
    answers = [
        [
            table_answer(loaded, viewer, names, now=None),
            event_records(table, history, viewer, names),
            ""
            if viewer == "spectator"
            else without_now(json.loads(encode(legal_answer(table, viewer, now)))),
        ]
        for viewer in ("spectator", *range(len(party.tokens)))
    ]
    return json.loads(encode(answers))


class Vanished(NamedTuple):
    """Versions of a table cached by a process but no longer in the store."""

    first: int
    last: int


def vanished(settings: Settings, part: str, table: str) -> list[Vanished]:
    """Returns the vanished versions of a table reported in a part's log."""
    lines = (settings.data_folder / "logs" / f"{part}.log").read_text().splitlines()
    fields = [dict(_FIELD.findall(line)) for line in lines if "events vanished from the store" in line]
    return [
        Vanished(int(line["first_vanished"]), int(line["last_vanished"]))
        for line in fields
        if line.get("table") == table  # rating streams and tournaments are rolled back, too
    ]


def assert_sound(settings: Settings) -> None:
    """Asserts that no request was answered with a 500 and that the audit finds no differences."""
    assert summed(ask(settings, "/metrics")[1], "hoodwink_http_requests_total", {"status": "500"}) == 0
    audit = run_command(settings, "audit")
    assert audit.exit_code == 0, audit.output
