"""The API in one process: the service on a fake Redis, people with tokens, and workers on call."""

from collections.abc import Iterator
from copy import copy
from functools import cache
from random import Random
from typing import Any, Final, NamedTuple

from flask import Flask

from hoodwink.domain.tables.actor import Actor
from hoodwink.domain.tables.commands import Act
from hoodwink.domain.tables.state import Phase, turn_of
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.app import create_app, endpoints, view_of
from hoodwink.service.http.messages.problems import MEDIA_TYPE
from hoodwink.service.settings import Settings
from tests.pace import AT_ONCE
from tests.service.application.world import fake_redis, legal_choice, visited
from tests.service.http.both_ways import BothWays
from tests.service.http.caching import check_caching
from tests.service.http.refused.listed import check_listed
from tests.service.http.texts import check_words
from tests.service.inline_jobs import InlineJobs

CONFIRMED: Final = {"confirm": True}


def fake_service(settings: Settings | None = None, **given: Any) -> Service:
    """Returns a service on a Redis of its own, in this process, with the parts that it is given."""
    service = Service(settings or Settings(), client=fake_redis(), **given)
    vars(service).setdefault("jobs", InlineJobs(service))
    return service


def tag_of(answer: Any) -> str:
    """Returns the entity tag of the table or tournament that an answer shows, a weak one if it says what time it is."""
    return f'{"W/" * ("now" in answer)}"{answer["version"]}-{answer["head"][:16]}"'


class Person:
    """A client that sends requests, with a token or, as a spectator, without."""

    def __init__(self, app: Flask, token: str | None = None, player: str = "") -> None:
        self.token = token
        self.id = player
        self._client = app.test_client()

    def ask(self, method: str, path: str, **given: Any) -> Any:
        """Sends a request; `key` is its Idempotency-Key.

        Each of these fails the test: a problem that its operation does not list, one in words that players do not
        know, and an answer that caches may keep wrongly.
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
    """A service, its HTTP application, and what goes on there."""

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
        """Returns the path of a table of these people, hosted by the first, with bots on the seats after them."""
        host = people[0]
        opened = host.post("/v1/tables", {"game": game, "seats": len(people) + bots, **AT_ONCE, **form})
        path: str = opened.headers["Location"]
        for person in people:
            person.post(f"{path}/seats")
        for _ in range(bots):
            host.post(f"{path}/seats", {"policy": "random"})
        return path

    def playing(self, *people: Person, **form: Any) -> str:
        """Returns the path of such a table, started and dealt."""
        path = self.table(*people, **form)
        assert people[0].post(f"{path}/start").status_code == 200
        self.run_due(path)
        return path

    def of_bots(self, host: Person) -> str:
        """Returns the path of a table at which only bots sit, full and not started."""
        path: str = host.post("/v1/tables", {"game": "blindside", "seats": 2}).headers["Location"]
        for _ in range(2):
            host.post(f"{path}/seats", {"policy": "random"})
        return path

    def run_due(self, path: str) -> None:
        """Runs the workers until nothing is due for the table."""
        visited(self.service, path.rpartition("/")[2])

    def play_out(self, path: str, *people: Person) -> None:
        """Plays the table to its end with legal actions, without HTTP; after long play a player resigns."""
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


def first_legal(person: Person, path: str) -> Iterator[dict[str, Any]]:
    """Yields actions that the person may take now."""
    legal = person.get(f"{path}/legal-actions").json
    yield from legal["actions"]
    for choice in legal["choices"]:
        cards = sorted(choice["cards"], key=lambda card: card != choice.get("including"))
        yield {"type": choice["type"], "cards": cards[: choice["at_least"]]}


@cache
def _routed(contact: str) -> Flask:
    """Returns an application with all routes, which werkzeug takes long to compile."""
    return create_app(fake_service(Settings(security_contact=contact)))


def app_of(service: Service) -> Flask:
    """Returns the Flask application of a service; it shares the compiled routes with all others."""
    app = copy(_routed(service.settings.security_contact))
    views = {endpoint.name: view_of(endpoint) for endpoint in endpoints(service)}
    app.view_functions = app.view_functions | views
    return app


def new_api(settings: Settings | None = None, **given: Any) -> Api:
    """Returns the API of a new service, which gets the parts that are given here.

    The fast lane is compared with Flask at each request.
    """
    service = fake_service(settings, **given)
    app = app_of(service)
    app.wsgi_app = BothWays(app.wsgi_app, service)  # type: ignore[method-assign]
    return Api(service, app)


def problem(answer: Any, status: int, code: str) -> dict[str, Any]:
    """Asserts that an answer is the problem of that status and code; returns its document."""
    assert (answer.status_code, answer.json["code"]) == (status, code), answer.text
    assert answer.mimetype == "application/problem+json"
    assert {"type", "title", "status", "detail"} <= answer.json.keys()
    assert answer.json["status"] == status
    assert answer.json["type"] == f"urn:hoodwink:problem:{code}"
    document: dict[str, Any] = answer.json
    return document


def version(api: Api, path: str) -> int:
    """Returns the version that a table is at."""
    now: int = api.spectator.get(path).json["version"]
    return now
