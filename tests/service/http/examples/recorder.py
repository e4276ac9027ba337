"""Records requests and their answers as the examples of the API's description."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, Final

import msgspec
from werkzeug.wrappers import Request

from domain.cards import commitment
from domain.players import hash_token
from service.adapters.vault import KEY
from service.http.app import create_app
from service.http.description.examples import Example
from service.http.framework.operations import EVENT_STREAM, JSON
from service.settings import Settings
from tests.service.application.world import StandingClock
from tests.service.http.api import Api, Person, fake_service
from tests.service.http.examples.live import LiveStream
from tests.service.http.refused.listed import OPERATIONS, operation_at
from tests.service.http.test_books import catch_up
from tests.service.http.test_ratings import rate

ROOT: Final = "hwa_the-token-of-the-example"
SEED: Final = "5eed" * 8
HELD: Final = {"seed_commitment": commitment(SEED)}
NDJSON: Final = "application/x-ndjson"


class FixedEntropy:
    """Draws the same seeds and ids in every recording."""

    def __init__(self) -> None:
        self._drawn = 0

    def server_seed(self) -> str:
        self._drawn += 1
        return sha256(b"%d" % self._drawn).hexdigest()

    def command_id(self) -> str:
        return self.server_seed()[:16]


class Recorder:
    """An API whose answers depend on nothing but the requests, and the examples that were recorded there.

    Attributes:
        examples: those of each operation, one for each media type of its answers.
    """

    def __init__(self) -> None:
        self.examples: defaultdict[str, list[Example]] = defaultdict(list)
        self.clock = StandingClock()
        service = fake_service(
            Settings(administrators=f"olga={hash_token(ROOT)}"), clock=self.clock, entropy=FixedEntropy()
        )
        service.client.set(KEY, b"the secret of the examples")
        app = create_app(service)
        app.json.sort_keys = False  # type: ignore[attr-defined]  # the bodies of requests stay as they are written
        self.api = Api(service, app)
        self.root = Person(self.api.app, ROOT)
        self.nobody = self.api.spectator

    def person(self, name: str) -> Person:
        """Returns a newly registered player, whose id and token follow from the name."""
        answer = self.register(name).json
        return Person(self.api.app, answer["token"], answer["id"])

    def register(self, name: str) -> Any:
        return self.nobody.post("/v1/players", {"name": name}, key=key(f"player {name}"))

    def show(self, answer: Any) -> Any:
        """Records a request and its answer, and returns the answer."""
        request = answer.request
        body = request.environ["wsgi.input"].getvalue().decode()
        self._add(
            request,
            body=_shown(request.mimetype, body) if body else None,
            media_type=answer.mimetype,
            answer_headers=answer.headers,
            answer=_shown(answer.mimetype, answer.text),
        )
        return answer

    def show_stream(self, person: Person, path: str, meanwhile: Callable[[], object], **headers: str) -> None:
        """Records the frames that a live stream begins with: those of its start, and of what happens meanwhile."""
        stream = LiveStream(self.api, person, path, headers)
        meanwhile()
        self._add(
            stream.request,
            media_type=EVENT_STREAM,
            answer_headers=stream.headers,
            answer=_shown(EVENT_STREAM, stream.read()),
        )
        stream.close()

    def _add(self, request: Request, *, answer_headers: Mapping[str, str], **shown: Any) -> None:
        name = operation_at(request.method, request.path)
        assert name is not None, request
        operation = OPERATIONS[name]
        sent = {header: request.headers.get(header) for header in ("Idempotency-Key", *operation.reads)}
        documented = {header: answer_headers.get(header) for header in operation.answer.headers}
        example = Example(
            path=request.full_path.rstrip("?"),
            headers={header: text for header, text in sent.items() if text is not None},
            answer_headers={header: text for header, text in documented.items() if text is not None},
            **shown,
        )
        assert example.media_type in operation.answer.types, example.answer
        assert example.media_type not in [other.media_type for other in self.examples[name]], name
        self.examples[name].append(example)

    def catch_up(self) -> None:
        """Brings lists, books and ratings up to date."""
        catch_up(self.api)

    def rate(self) -> None:
        """Rates every table that ended, and brings everything else up to date."""
        rate(self.api)

    def later(self, seconds: int) -> None:
        self.clock.wait(seconds)


def key(text: str) -> str:
    """Returns an idempotency key that follows from a text."""
    return sha256(text.encode()).hexdigest()[:32]


def _shown(media_type: str, text: str) -> Any:
    """Returns a body as it is recorded: a JSON value, or the lines of a text."""
    return msgspec.json.decode(text) if media_type == JSON else text.split("\n")
