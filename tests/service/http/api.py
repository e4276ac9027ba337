"""The API in one process: the service on an empty Redis, people with tokens, and workers on call."""

from collections.abc import Iterator
from copy import copy
from functools import cache
from hashlib import sha256
from itertools import count
from random import Random
from typing import Any, Final, NamedTuple

from flask import Flask

from hoodwink.domain.tables.actor import Actor
from hoodwink.domain.tables.commands import Act
from hoodwink.domain.tables.state import Phase, turn_of
from hoodwink.service.adapters.process.system import SystemClock
from hoodwink.service.adapters.store.installation_secret import KEY
from hoodwink.service.application.projecting.projecting import grouped_by_category, rebuild
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.app import create_app, view_of
from hoodwink.service.http.messages.problems import MEDIA_TYPE
from hoodwink.service.http.pages import page_view
from hoodwink.service.settings import Settings
from tests.pace import AT_ONCE
from tests.service.application.world import legal_choice, visit_table
from tests.service.databases import new_redis
from tests.service.http.both_ways import BothWays, endpoint_of
from tests.service.http.caching import check_caching
from tests.service.http.refused.listed import OPERATIONS, check_listed
from tests.service.http.texts import check_words
from tests.service.inline_jobs import InlineJobs

CONFIRMED: Final = {"confirm": True}
SECRET: Final = "the secret of the examples"


class FixedEntropy:
    """Draws the same seeds and ids in each run, so that a test always deals the same cards."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def server_seed(self) -> str:
        return sha256(b"%d" % next(self._numbers)).hexdigest()

    def command_id(self) -> str:
        return self.server_seed()[:16]


class SkippingClock(SystemClock):
    """The clock of this machine; a wait sets it forward instead."""

    _skipped = 0

    def now_ms(self) -> int:
        return super().now_ms() + self._skipped

    def elapsed_ms(self) -> int:
        return super().elapsed_ms() + self._skipped

    def wait(self, seconds: float) -> None:
        self._skipped += round(1_000 * seconds)


def new_service(settings: Settings | None = None, **given: Any) -> Service:
    """Returns a service in this process with an empty Redis, built from the given parts.

    By default it has few partitions, because tests that rebuild all projections read each of them. Cards, ids and tokens
    are the same in each run.
    """
    parts: dict[str, Any] = {
        "clock": SkippingClock(),
        "client": new_redis(),
        "entropy": FixedEntropy(),
    } | given
    service = Service(settings or Settings(partitions=4), **parts)
    service.client.set(KEY, SECRET)
    vars(service).setdefault("jobs", InlineJobs(service))
    return service


def tag_of(answer: Any) -> str:
    """Returns the entity tag of the table or tournament in an answer; it is weak if the answer includes the time."""
    return f'{"W/" * ("now" in answer)}"{answer["version"]}-{answer["head"][:16]}"'


class Person:
    """A client that sends requests, with a token or as a spectator."""

    def __init__(self, app: Flask, token: str | None = None, player: str = "") -> None:
        self.token = token
        self.id = player
        self._client = app.test_client(use_cookies=False)

    def ask(self, method: str, path: str, **given: Any) -> Any:
        """Sends a request; `key` is its Idempotency-Key.

        The test fails on a problem that the operation does not list, on technical terms in a problem's text, and on
        wrong cache headers.
        """
        headers = dict(given.pop("headers", {}))
        if self.token is not None:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        if (key := given.pop("key", None)) is not None:
            headers["Idempotency-Key"] = key
        answer = self._client.open(path, method=method, headers=headers, buffered=True, **given)
        if answer.mimetype == MEDIA_TYPE:
            check_listed(method, path, answer.status_code, answer.data)
            check_words(answer.data)
        check_caching(method, path, answer.headers, is_problem=answer.mimetype == MEDIA_TYPE)
        return answer

    def get(self, path: str, **given: Any) -> Any:
        return self.ask("GET", path, **given)

    def post(self, path: str, json: Any = None, **given: Any) -> Any:
        """Sends JSON, by default an empty object, unless other `data` is given."""
        if "data" not in given:
            given["json"] = {} if json is None else json
        return self.ask("POST", path, **given)

    def resign(self, path: str, **given: Any) -> Any:
        return self.post(f"{path}/resign", CONFIRMED, **given)

    def close(self, path: str) -> Any:
        return self.post(f"{path}/close", CONFIRMED)

    def delete(self, path: str, **given: Any) -> Any:
        return self.ask("DELETE", path, **given)


class Api(NamedTuple):
    """A service and its HTTP application, with helpers that play."""

    service: Service
    app: Flask

    @property
    def spectator(self) -> Person:
        return Person(self.app)

    def person(self, name: str = "Ada") -> Person:
        """Returns a newly registered player."""
        answer = self.spectator.post("/v1/players", {"name": name}).json
        return Person(self.app, answer["token"], answer["id"])

    def table(self, *people: Person, game: str = "blindside", bots: int = 0, **form: Any) -> str:
        """Returns the path of a table with these people, hosted by the first, and bots on the next seats."""
        host = people[0]
        opened = host.post("/v1/tables", {"game": game, "seats": len(people) + bots, **AT_ONCE, **form})
        path: str = opened.headers["Location"]
        for person in people:
            person.post(f"{path}/seats")
        for _ in range(bots):
            host.post(f"{path}/seats", {"policy": "random"})
        return path

    def playing(self, *people: Person, **form: Any) -> str:
        """Returns the path of a table as in `table`, started and dealt."""
        path = self.table(*people, **form)
        assert people[0].post(f"{path}/start").status_code == 200
        self.run_due(path)
        return path

    def of_bots(self, host: Person) -> str:
        """Returns the path of a full table of bots that has not started."""
        path: str = host.post("/v1/tables", {"game": "blindside", "seats": 2}).headers["Location"]
        for _ in range(2):
            host.post(f"{path}/seats", {"policy": "random"})
        return path

    def run_due(self, path: str) -> None:
        """Runs the workers until the table has no more due work."""
        visit_table(self.service, path.rpartition("/")[2])

    def play_out(self, path: str, *people: Person) -> None:
        """Plays the table to its end with legal actions, without HTTP; if it takes too long, a player resigns."""
        table, tables, chance = path.rpartition("/")[2], self.service.tables, Random(1)
        for _ in range(_LONG_PLAY):
            self.run_due(path)
            state = tables.load(table).state
            if state.phase is Phase.ENDED:
                return
            seat = turn_of(state).owes[0]
            act = Act(seat, legal_choice(self.service, table, seat, chance))
            tables.execute(table, lambda _, act=act: (act, Actor(f"player:{act.seat}")))  # type: ignore[misc]
        assert people[0].resign(path).status_code == 200


_LONG_PLAY = 100


def catch_up(api: Api) -> None:
    """Updates all projections."""
    for those in grouped_by_category(api.service.projectors.values()):
        rebuild(those)


def first_legal(person: Person, path: str) -> Iterator[dict[str, Any]]:
    """Yields the person's legal actions."""
    legal = person.get(f"{path}/legal-actions").json
    yield from legal["actions"]
    for choice in legal["choices"]:
        cards = sorted(choice["cards"], key=lambda card: card != choice.get("including"))
        yield {"type": choice["type"], "cards": cards[: choice["at_least"]]}


@cache
def _routed(contact: str) -> Flask:
    """Returns an application with all routes; compiling them is slow in werkzeug."""
    return create_app(new_service(Settings(security_contact=contact)))


def app_of(service: Service) -> Flask:
    """Returns the Flask application of a service, with the shared compiled routes."""
    app = copy(_routed(service.settings.security_contact))
    others = {name: view for name, view in app.view_functions.items() if name not in OPERATIONS}
    app.view_functions = _Views(service, others | {"page": page_view(service)})
    return app


class _Views(dict[str, Any]):
    """The views of a service. Each is made on its first request, because most tests use a few of more than a hundred."""

    def __init__(self, service: Service, others: dict[str, Any]) -> None:
        super().__init__(others)
        self._service = service

    def __missing__(self, name: str) -> Any:
        view = self[name] = view_of(endpoint_of(self._service, name))
        return view


def new_api(settings: Settings | None = None, **given: Any) -> Api:
    """Returns the API of a new service with the given parts.

    Each request compares the fast lane with Flask.
    """
    service = new_service(settings, **given)
    app = app_of(service)
    app.wsgi_app = BothWays(app.wsgi_app, service)  # type: ignore[method-assign]
    return Api(service, app)


def problem(answer: Any, status: int, code: str) -> dict[str, Any]:
    """Asserts that an answer is a problem with this status and code; returns its document."""
    assert (answer.status_code, answer.json["code"]) == (status, code), answer.text
    assert answer.mimetype == "application/problem+json"
    assert {"type", "title", "status", "detail"} <= answer.json.keys()
    assert answer.json["status"] == status
    assert answer.json["type"] == f"urn:hoodwink:problem:{code}"
    document: dict[str, Any] = answer.json
    return document


def version(api: Api, path: str) -> int:
    """Returns the current version of a table."""
    now: int = api.spectator.get(path).json["version"]
    return now
