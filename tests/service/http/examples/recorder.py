"""Records requests and answers as examples for the API's description."""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, Final

import msgspec
from werkzeug.wrappers import Request

from hoodwink.domain.cards import commitment
from hoodwink.domain.players import hash_token
from hoodwink.service.http.app import create_app
from hoodwink.service.http.description.examples import PROBLEM
from hoodwink.service.http.framework.operations import EVENT_STREAM, JSON
from hoodwink.service.settings import Settings
from tests.service.application.world import StandingClock
from tests.service.http.api import Api, Person, catch_up, new_service
from tests.service.http.examples.live import LiveStream
from tests.service.http.players.test_ratings import rate
from tests.service.http.refused.listed import OPERATIONS, operation_at

ROOT: Final = "hwa_the-token-of-the-example"
SEED: Final = "5eed" * 8
HELD: Final = {"seed_commitment": commitment(SEED)}
NDJSON: Final = "application/x-ndjson"


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """A request and its answer.

    Attributes:
        parameters: the parameters in path and query and the headers read by the operation, by name.
        body: the request's body: a JSON value, a text, or `None` without one.
        media_type: of the answer.
        headers: the documented headers of the answer.
        answer: the answer's body: a JSON value or a text.
    """

    parameters: dict[str, str] = {}
    body: Any = None
    media_type: str
    headers: dict[str, str] = {}
    answer: Any


class Recorder:
    """An API whose answers depend only on the requests, and the examples recorded there.

    Attributes:
        examples: the examples of each operation, one per media type of its answers, and one refusal.
    """

    def __init__(self) -> None:
        self.examples: defaultdict[str, list[Example]] = defaultdict(list)
        self.clock = StandingClock()
        service = new_service(Settings(administrators=f"olga={hash_token(ROOT)}"), clock=self.clock)
        app = create_app(service)
        app.json.sort_keys = False  # type: ignore[attr-defined]  # the bodies of requests stay as they are written
        self.api = Api(service, app)
        self.root = Person(self.api.app, ROOT)
        self.nobody = self.api.spectator

    def person(self, name: str) -> Person:
        """Registers a player, whose id and token depend only on the name."""
        answer = self.register(name).json
        return Person(self.api.app, answer["token"], answer["id"])

    def register(self, name: str) -> Any:
        return self.nobody.post("/v1/players", {"name": name}, key=key(f"player {name}"))

    def show(self, answer: Any) -> Any:
        """Records a request and its answer, and returns the answer."""
        request = answer.request
        name = operation_at(request.method, request.path)
        assert name is not None, request
        body = request.environ["wsgi.input"].getvalue().decode()
        self._add(
            name,
            parameters=_parameters(name, request),
            body=_shown(request.mimetype, body) if body else None,
            media_type=answer.mimetype,
            headers=_documented(name, answer.headers),
            answer=_shown(answer.mimetype, answer.text),
        )
        return answer

    def show_problem(self, answer: Any) -> None:
        """Records a refusal as the example for all refusals."""
        self._add(PROBLEM, media_type=answer.mimetype, answer=answer.json)

    def show_stream(self, person: Person, path: str, meanwhile: Callable[[], object], **headers: str) -> None:
        """Records the first frames of a live stream: those of its start and of the events during `meanwhile`."""
        stream = LiveStream(self.api, person, path, headers)
        meanwhile()
        name = operation_at("GET", path)
        assert name is not None, path
        self._add(
            name,
            parameters=_parameters(name, stream.request),
            media_type=EVENT_STREAM,
            headers=_documented(name, stream.headers),
            answer=stream.read(),
        )
        stream.close()

    def _add(self, name: str, *, media_type: str, **shown: Any) -> None:
        example = Example(media_type=media_type, **shown)
        assert name == PROBLEM or media_type in OPERATIONS[name].answer.types, example.answer
        assert media_type not in [other.media_type for other in self.examples[name]], name
        self.examples[name].append(example)

    def catch_up(self) -> None:
        """Updates lists, books and ratings."""
        catch_up(self.api)

    def rate(self) -> None:
        """Rates every ended table and updates everything else."""
        rate(self.api)

    def later(self, seconds: int) -> None:
        self.clock.wait(seconds)


def key(text: str) -> str:
    """Returns an idempotency key derived from a text."""
    return sha256(text.encode()).hexdigest()[:32]


def _shown(media_type: str, text: str) -> Any:
    """Returns a body in its recorded form: a JSON value or a text."""
    return msgspec.json.decode(text) if media_type == JSON else text


def _parameters(name: str, request: Request) -> dict[str, str]:
    operation = OPERATIONS[name]
    values = re.fullmatch(_PARAMETER.sub("([^/]+)", operation.path), request.path)
    assert values, f"{request.path} is not a path of {operation.path}"
    path = dict(zip(_PARAMETER.findall(operation.path), values.groups(), strict=True))
    headers = {header: request.headers.get(header) for header in ("Idempotency-Key", *operation.reads)}
    return (
        path | request.args.to_dict() | {header: text for header, text in headers.items() if text is not None}
    )


def _documented(name: str, headers: Mapping[str, str]) -> dict[str, str]:
    return {header: headers[header] for header in OPERATIONS[name].answer.headers if header in headers}


_PARAMETER: Final = re.compile(r"{(\w+)}")
