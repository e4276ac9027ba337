"""What the API can do, declared once: Flask routes and the OpenAPI description both come from here."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias, TypeVar

from marshmallow import Schema

from domain.kernel import Code
from domain.players import Player
from service.http.framework.streaming import StandingsSubscription, Subscription
from service.http.messages.bodies import LARGEST_BODY
from service.http.messages.requests import Request
from service.http.messages.schemas import Chosen

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
EVENT_STREAM: Final = "text/event-stream"


class Access(Enum):
    """Whether a request needs a bearer token."""

    OPEN = "none is looked at"
    OPTIONAL = "none is needed, but a wrong one is refused"
    PLAYER = "needed"
    ADMINISTRATOR = "that of an administrator is needed"


class Tag(Enum):
    """The parts of the API, in the order in which the description shows them."""

    PLAYERS = "players"
    GAMES = "games"
    TABLES = "tables"
    PLAY = "play"
    LOGS = "logs"
    TOURNAMENTS = "tournaments"
    IMPORTS = "imports"
    BOOKS = "books"
    RATINGS = "ratings"
    ADMINISTRATION = "administration"
    SERVICE = "service"


class RawBody(NamedTuple):
    """A body that is handed on as it comes."""

    media_type: str
    most_bytes: int
    description: str


ActionBody: TypeAlias = Mapping[str, Chosen]
"""Actions by game; which of them fits is known once the table is."""

Body: TypeAlias = Schema | Chosen | ActionBody | RawBody


class Answer(NamedTuple):
    """How a request is answered when all goes well.

    Attributes:
        types: what each media type holds: a type that msgspec describes, or a JSON schema.
        headers: documented, by name.
    """

    description: str
    types: Mapping[str, Any]
    status: int = 200
    headers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One thing that the API can do.

    Attributes:
        path: with its parameters in braces.
        refuses: the codes of its problems, beside those that its declaration implies (`refusals_of`).
        reads: the request headers that it heeds, beside those that its declaration implies.
        runs_on_loop: requests without a query take the fast lane: the event loop answers them before Flask, with
            the same steps, handler, errors and metrics. All of them share the loop's thread, and each is suspended
            while Redis answers (`service/adapters/greenlets.py`). So handler and steps
            (1) block nowhere: they take a fraction of a millisecond, ask the store alone, never sleep, and hold no
            lock while they do so;
            (2) use only those parts of `Service` that `Service.loop_connection` makes beforehand, since a part that
            is made when first used would be seen half made;
            (3) keep nothing in thread-local variables;
            (4) read of the request what `Request` has: headers, body, path.
        needs_store: whether it is unavailable while the store is.
    """

    method: str
    path: str
    tag: Tag
    summary: str
    answer: Answer
    description: str = ""
    access: Access = Access.OPEN
    query: Schema | None = None
    body: Body | None = None
    refuses: tuple[Code, ...] = ()
    reads: tuple[str, ...] = ()
    runs_on_loop: bool = False
    needs_store: bool = True

    @property
    def largest_body(self) -> int:
        """How many bytes a body may have; 0 if the operation takes none."""
        if self.body is None:
            return 0
        return self.body.most_bytes if isinstance(self.body, RawBody) else LARGEST_BODY

    @property
    def rule(self) -> str:
        """The path as Flask spells it."""
        return self.path.replace("{", "<").replace("}", ">")


class Call:
    """A request on its way to a handler: everything that its operation declares has been checked.

    Attributes:
        path: the parameters of the path.
        form: the body as its schema reads it, or as it came if the handler has to choose the schema.
        raw: the body's bytes.
        key: the Idempotency-Key.
    """

    __slots__ = ("_administrator", "form", "key", "path", "player", "query", "raw", "request")

    request: Request
    path: Mapping[str, str]
    player: Player | None
    query: Mapping[str, Any]
    form: Mapping[str, Any]
    raw: bytes
    key: str | None
    _administrator: str | None

    NOTHING: ClassVar[Mapping[str, Any]] = MappingProxyType({})

    def __init__(self, request: Request, path: Mapping[str, str]) -> None:
        self.request = request
        self.path = path
        self.player = self.key = self._administrator = None
        self.query = self.form = self.NOTHING
        self.raw = b""

    @property
    def asker(self) -> Player:
        """The player who asks, where the operation demands one."""
        assert self.player is not None
        return self.player

    @property
    def administrator(self) -> str:
        """The name of the administrator who asks, where the operation demands one."""
        assert self._administrator is not None
        return self._administrator

    @administrator.setter
    def administrator(self, name: str) -> None:
        self._administrator = name

    @property
    def sender(self) -> str:
        """Who asks, as one text: a player's id, or `admin:` and the name of an administrator."""
        return self.asker.id if self._administrator is None else f"admin:{self._administrator}"


class Reply(NamedTuple):
    """What a handler answers.

    Attributes:
        body: bytes, or what is to be encoded as JSON.
        status: unless it is the operation's own.
        subscription: what the server goes on to send, if the reply begins a stream of events.
    """

    body: Any
    headers: Mapping[str, str] = MappingProxyType({})
    media_type: str = JSON
    status: int | None = None
    subscription: Subscription | StandingsSubscription | None = None


Handler: TypeAlias = Callable[[Any, Call], Reply]
H = TypeVar("H", bound=Handler)


def operation(**declared: Any) -> Callable[[H], H]:
    """Declares what a handler does; takes the fields of `Operation`."""
    made = Operation(**declared)

    def declare(handler: H) -> H:
        handler.operation = made  # type: ignore[attr-defined]
        return handler

    return declare


def declared(resource: type) -> Iterator[tuple[str, Operation]]:
    """Yields each operation of a resource under the name of its method."""
    for name, member in vars(resource).items():
        found = getattr(member, "operation", None)
        if isinstance(found, Operation):
            yield name, found
