"""Declarations of operations. The routes and the OpenAPI description are generated from them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias, TypeVar

from marshmallow import Schema

from hoodwink.domain.kernel import Code
from hoodwink.domain.players import Player
from hoodwink.service.application.jobs.jobs import Job
from hoodwink.service.application.limits import Limit
from hoodwink.service.http.framework.streaming import AnySubscription
from hoodwink.service.http.messages.bodies import MAX_BODY
from hoodwink.service.http.messages.problems import Refusal
from hoodwink.service.http.messages.requests import Request
from hoodwink.service.http.messages.schemas import Chosen

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
EVENT_STREAM: Final = "text/event-stream"
OCTETS: Final = "application/octet-stream"


def accepts_only_streams(accept: str) -> bool:
    """Returns whether an `Accept` header can be answered with nothing but a live stream."""
    # Exactly this text: a list, or a quality of 0, may be answered with a page, which costs as much as any other.
    return accept.strip().lower() == EVENT_STREAM


class Access(Enum):
    """Whether a request needs a bearer token."""

    OPEN = "a token is ignored"
    OPTIONAL = "a token is optional, but a wrong one is refused"
    PLAYER = "a player's token is required"
    ADMINISTRATOR = "an administrator's token is required"


class Cost(Enum):
    """Whether the answer to a GET request may take more than a moment of processor time."""

    LITTLE = "a moment, so nothing is counted"
    MUCH = "much, so it draws on the budget of reads"
    MUCH_AT_VERSION = "much if the query asks for an earlier version"
    MUCH_UNLESS_LIVE = "much unless it begins a live stream of events"


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
    """A body that the handler gets as bytes. It may also be sent as `application/octet-stream`."""

    media_type: str
    max_bytes: int
    description: str


ActionBody: TypeAlias = Mapping[str, Chosen]
"""The forms of actions, by game; the handler picks one once it knows the table."""

Body: TypeAlias = Schema | Chosen | ActionBody | RawBody


class Answer(NamedTuple):
    """The answer to a successful request.

    Attributes:
        types: the content by media type: a type that msgspec describes, or a JSON schema.
        headers: the names of its documented headers.
    """

    description: str
    types: Mapping[str, Any]
    status: int = 200
    headers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """An operation of the API.

    Attributes:
        path: with its parameters in braces.
        refuses: the codes of its problems, in addition to those that its declaration implies (`refusals_of`).
        reads: the request headers that it uses, in addition to those that its declaration implies.
        runs_on_loop: requests take the fast lane, unless they ask for an earlier version: the event loop answers them
            before Flask, with the same steps, handler, errors and metrics. They share the loop's thread, and each is
            suspended while Redis answers (`service/adapters/redis/greenlets.py`). So handler and steps
            (1) never block: they take a fraction of a millisecond, wait only for the store, and hold no lock while
            they wait;
            (2) use only those parts of `Service` that `Service.loop_connection` creates beforehand, because another
            request could see a half-made part while its first user is suspended;
            (3) keep nothing in thread-local variables;
            (4) use only the headers, body, path and query of the request.
        needs_store: whether it fails while the store is unavailable.
        stores_nothing: whether it stores nothing, although it is not a GET.
        is_fleeting: whether it only passes something on, so that nothing is stored and a repetition is another one.
        ends_token: whether it ends the request's token, which may still repeat the request (`Players.authenticate`).
        cost: a costly operation draws on the budgets of its player and its address.
        begins_job: a job does the work; if it takes longer than a moment, the answer is 202 with the job.
        may_begin_job: a job does the work if it takes long; otherwise the handler does.
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
    refuses: tuple[Code | Refusal, ...] = ()
    reads: tuple[str, ...] = ()
    runs_on_loop: bool = False
    needs_store: bool = True
    stores_nothing: bool = False
    is_fleeting: bool = False
    ends_token: bool = False
    begins_job: bool = False
    may_begin_job: bool = False
    cost: Cost = Cost.LITTLE

    @property
    def largest_body(self) -> int:
        """The maximum size of a body in bytes; 0 if the operation takes none."""
        if self.body is None:
            return 0
        return self.body.max_bytes if isinstance(self.body, RawBody) else MAX_BODY

    @property
    def leads_to_job(self) -> bool:
        """Whether the answer may be 202 with a job."""
        return self.begins_job or self.may_begin_job

    @property
    def limits(self) -> tuple[Limit, ...]:
        """The limits of commands against which a request may count: the player's before those of the address."""
        if self.method == "GET":  # reads are bounded by what they cost
            return ()
        signed = () if self.access is Access.OPEN else (Limit.COMMANDS_PER_ADDRESS,)
        by_player = (Limit.COMMANDS_PER_PLAYER,) if self.access in {Access.OPTIONAL, Access.PLAYER} else ()
        return (*by_player, *signed, Limit.ANONYMOUS_COMMANDS_PER_ADDRESS)

    @property
    def budgets(self) -> tuple[Limit, ...]:
        """The budgets of reads on which a request may draw."""
        return () if self.cost is Cost.LITTLE else (Limit.READS_PER_PLAYER, Limit.READS_PER_ADDRESS)

    @property
    def depends_on_caller(self) -> bool:
        """Whether another client may get a different answer to the same request, or cannot know its address."""
        # The id of a job is its only protection, so no shared cache may keep the answer.
        is_known_to_all = self.access is Access.OPEN and "{job_id}" not in self.path
        return self.method != "GET" or not is_known_to_all or reads_invitation(self)

    @property
    def is_for_banned(self) -> bool:
        """Whether banned players may use it, who can still read, take something back, and leave."""
        is_players = self.access in {Access.OPTIONAL, Access.PLAYER}
        return not is_players or self.method in {"GET", "DELETE"} or self.stores_nothing or self.ends_token

    @property
    def takes_stream_token(self) -> bool:
        return self.query is not None and "token" in self.query.fields

    @property
    def rule(self) -> str:
        """The path as Flask spells it."""
        return self.path.replace("{", "<").replace("}", ">")


def reads_invitation(operation: Operation) -> bool:
    """Returns whether the operation may need the invitation code of a table or tournament."""
    # By the path and not by a flag, so that no new operation can forget the check.
    is_below = "{table_id}" in operation.path or "{tournament_id}" in operation.path
    return is_below and operation.access is not Access.ADMINISTRATOR


class Call:
    """A request after the checks of its operation, as handlers receive it.

    Attributes:
        path: the path parameters.
        player: the player who sent the request, if it has a token.
        form: the body as its schema loaded it, or unchanged if the handler has to pick the schema.
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
    def actor(self) -> Player:
        """The player who sent the request, where the operation requires one."""
        assert self.player is not None
        return self.player

    @property
    def administrator(self) -> str:
        """The name of the administrator who sent the request, where the operation requires one."""
        assert self._administrator is not None
        return self._administrator

    @administrator.setter
    def administrator(self, name: str) -> None:
        self._administrator = name

    @property
    def is_by_administrator(self) -> bool:
        return self._administrator is not None

    @property
    def sender(self) -> str:
        """A player's id, or `admin:` and the name of an administrator."""
        # No player's id contains a colon, so an administrator's key never meets a player's.
        return self.actor.id if self._administrator is None else f"admin:{self._administrator}"


class Reply(NamedTuple):
    """The answer of a handler.

    Attributes:
        body: bytes, or a record to be encoded as JSON.
        status: by default the one that the operation declares.
        subscription: the events that the server continues to send, if the reply begins a stream.
        job: a job; the server waits a moment for its outcome and then sends that instead.
    """

    body: Any
    headers: Mapping[str, str] = MappingProxyType({})
    media_type: str = JSON
    status: int | None = None
    subscription: AnySubscription | None = None
    job: Job | None = None


Handler: TypeAlias = Callable[[Any, Call], Reply]
H = TypeVar("H", bound=Handler)


def operation(**declared: Any) -> Callable[[H], H]:
    """Declares the operation of a handler, by the fields of `Operation`."""
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
