"""Checks a request, calls its handler and encodes the reply, for Flask and the fast lane alike."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, Protocol

from marshmallow import Schema

from hoodwink.domain.players import Player
from hoodwink.service.application.jobs.jobs import Job
from hoodwink.service.application.limits import Limit, Limits
from hoodwink.service.application.players.administrators import Administrators
from hoodwink.service.application.players.players import Players
from hoodwink.service.application.players.sessions import SessionUses
from hoodwink.service.application.players.stream_tokens import StreamTokens
from hoodwink.service.http.framework.budgets import budgeted
from hoodwink.service.http.framework.client_address import counted_as
from hoodwink.service.http.framework.operations import OCTETS, Access, Call, Cost, Operation, RawBody, Reply
from hoodwink.service.http.framework.streaming import AnySubscription
from hoodwink.service.http.messages.answers import encode
from hoodwink.service.http.messages.bodies import check_media_type, read_body, read_object
from hoodwink.service.http.messages.caching import for_caller, for_everybody
from hoodwink.service.http.messages.problems import MEDIA_TYPE, HttpCode, Problem, invalid, unauthorized
from hoodwink.service.http.messages.requests import Request
from hoodwink.service.http.messages.schemas import CONFIRM, Chosen, ConfirmSchema, load

# Long enough not to be guessed: the key of a registration leads to its token (`Identities.token`).
KEY_PATTERN: Final = "^[!-~]{16,128}$"
_KEY: Final = re.compile(r"[!-~]{16,128}")
_FOR_STREAMS: Final = (
    "This token only opens event streams, as `?token=…` in their address. Send your own token here, `hw_…`."
)
_BEARER: Final = re.compile(r"bearer +([!-~]{1,256})", re.IGNORECASE)


class Authentication(Protocol):
    """The parts of the service that authenticate a request and count it against limits."""

    @property
    def players(self) -> Players: ...

    @property
    def stream_tokens(self) -> StreamTokens: ...

    @property
    def session_uses(self) -> SessionUses: ...

    @property
    def administrators(self) -> Administrators: ...

    @property
    def limits(self) -> Limits: ...


class Encoded(NamedTuple):
    """A response, complete except for its `Content-Length`."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes
    subscription: AnySubscription | None = None
    job: Job | None = None


class Endpoint:
    """An operation and its handler, ready to answer requests.

    Attributes:
        name: the operation's name in routes and metrics.
    """

    def __init__(
        self,
        name: str,
        operation: Operation,
        handler: Callable[[Call], Reply],
        authentication: Authentication,
    ) -> None:
        self.name = name
        self.operation = operation
        self._handler = (
            handler if operation.cost is Cost.LITTLE else budgeted(operation.cost, handler, authentication)
        )
        self._steps = tuple(_steps(operation, authentication))
        self._media_types = tuple(operation.answer.types)
        varies = ("Accept",) if len(self._media_types) > 1 else ()
        self._caching = (for_caller if operation.depends_on_caller else for_everybody)(*varies)

    def answer(self, request: Request, path: Mapping[str, str]) -> Encoded:
        """Returns the response to a request; `path` has its path parameters. Raises the handler's exceptions."""
        call = Call(request, path)
        _check_accept(request, self._media_types)
        for step in self._steps:
            step(call)
        reply = self._handler(call)
        body = reply.body if isinstance(reply.body, bytes) else encode(reply.body)
        # The headers of the handler win, such as `no-store` of the health checks.
        headers = [("Content-Type", reply.media_type), *{**self._caching, **reply.headers}.items()]
        return Encoded(
            reply.status or self.operation.answer.status, headers, body, reply.subscription, reply.job
        )


def encoded_problem(problem: Problem) -> Encoded:
    headers = [("Content-Type", MEDIA_TYPE), *problem.headers.items()]
    return Encoded(problem.status, headers, problem.encoded())


def _steps(operation: Operation, authentication: Authentication) -> list[Callable[[Call], None]]:
    """Returns the checks of an operation, in order.

    Limits come before the query and the body, so that invalid requests count and a flood is refused unparsed.
    """
    steps: list[Callable[[Call], None]] = []
    identify = _identification(authentication, operation)
    if operation.limits:
        steps.append(_limited(authentication, identify))
    elif identify is not None:
        steps.append(identify)
    steps.append(_no_query if operation.query is None else _query(operation.query))
    # The other methods may be repeated without a key.
    if operation.method == "POST":
        steps.append(_take_key)
    if operation.body is not None:
        steps.append(_body(operation.body))
    return steps


def _identification(authentication: Authentication, operation: Operation) -> Callable[[Call], None] | None:
    if operation.access is Access.ADMINISTRATOR:
        return _identify_administrator(authentication)
    return None if operation.access is Access.OPEN else _identify(authentication, operation)


def _limited(
    authentication: Authentication,
    identify: Callable[[Call], None] | None,
) -> Callable[[Call], None]:
    """Returns the check of a command's token and limits.

    A command without a valid token counts only against a limit of its own, so that strangers cannot use up the limit of
    the players at their address. With a valid token it counts for the player first, so that a player beyond that limit
    does not use up the address's limit, too.
    """
    # Looked up once: in Python 3.11, access to an enum member takes a third as long as the counting itself.
    of_player, of_address = Limit.COMMANDS_PER_PLAYER, Limit.COMMANDS_PER_ADDRESS
    of_strangers = Limit.ANONYMOUS_COMMANDS_PER_ADDRESS

    def check(call: Call) -> None:
        limits, address = authentication.limits, counted_as(call.request.address)
        try:
            if identify is not None:
                identify(call)
        except Problem:  # guesses at tokens count as well
            limits.admit(of_strangers, address)
            raise
        if call.player is not None:
            limits.admit(of_player, call.player.id)
            limits.admit(of_address, address)
        elif call.is_by_administrator:
            limits.admit(of_address, address)
        else:
            limits.admit(of_strangers, address)

    return check


def _check_accept(request: Request, media_types: tuple[str, ...]) -> None:
    accept = request.headers.get("accept")
    # Parsing the header is slow, and most clients send none, or one of these.
    if accept is None or accept == "*/*" or accept == media_types[0]:
        return
    if request.best_match(*media_types) is None:
        offered = ", ".join(media_types)
        raise Problem(HttpCode.NOT_ACCEPTABLE, f"The header `Accept` must allow one of: {offered}.")


def _identify(authentication: Authentication, operation: Operation) -> Callable[[Call], None]:
    takes_stream_token, is_required = operation.takes_stream_token, operation.access is Access.PLAYER
    ends_token, is_for_banned = operation.ends_token, operation.is_for_banned

    def identify(call: Call) -> None:
        if takes_stream_token and (token := call.request.arguments.get("token")) is not None:
            call.player = _follower(authentication.stream_tokens, token)
            return
        given = call.request.headers.get("authorization")
        if given is None:
            if is_required:
                raise unauthorized(HttpCode.TOKEN_MISSING)
            return
        # Before `_take_key` has checked it, because a token that has ended is accepted with the key that ended it.
        key = call.request.headers.get("idempotency-key") if ends_token else None
        call.player = bearer(authentication.players, given, ends_it=ends_token, key=key)
        authentication.session_uses.note(call.player, call.request.headers.get("user-agent") or "")
        if not is_for_banned and _is_banned(call.player, authentication.players):
            raise Problem(HttpCode.PLAYER_BANNED)

    return identify


def _is_banned(player: Player, players: Players) -> bool:
    """Returns whether a player, or the owner of a bot, is banned."""
    return player.is_banned or (player.owner is not None and players.get(player.owner).is_banned)


def _follower(stream_tokens: StreamTokens, token: str) -> Player:
    """Returns the player to whom a stream token was issued; raises `Problem` 400 or 401."""
    # Refused even if it is valid, so that no client works with lasting tokens in addresses, which end up in logs.
    if token.startswith(("hw_", "hwa_")):
        raise Problem(HttpCode.LASTING_TOKEN_IN_URL)
    player = stream_tokens.authenticate(token)
    if player is None:
        raise unauthorized(HttpCode.STREAM_TOKEN_INVALID)
    return player


def _identify_administrator(authentication: Authentication) -> Callable[[Call], None]:
    def identify(call: Call) -> None:
        given = call.request.headers.get("authorization")
        if given is None:
            raise unauthorized(
                HttpCode.TOKEN_MISSING, "Send an administrator's token: Authorization: Bearer hwa_…"
            )
        name = authentication.administrators.authenticate(_token(given, like="hwa_…"))
        if name is None:
            bearer(authentication.players, given)  # 401 for an unknown token, 403 for a player's
            raise Problem(HttpCode.NOT_ADMINISTRATOR)
        call.administrator = name

    return identify


def bearer(players: Players, given: str, *, ends_it: bool = False, key: str | None = None) -> Player:
    """Returns the player whose token is in an Authorization header; raises `Problem` 401.

    Args:
        given: the header.
        ends_it: whether the request ends the token.
        key: the idempotency key of such a request.
    """
    token = _token(given, like="hw_…")
    player = players.authenticate(token, ends_it=ends_it, key=key)
    if player is None:
        is_for_streams = token.startswith("hws_")
        raise unauthorized(HttpCode.TOKEN_INVALID, _FOR_STREAMS if is_for_streams else "")
    return player


def _token(given: str, *, like: str) -> str:
    found = _BEARER.fullmatch(given)
    if found is None:
        raise unauthorized(HttpCode.TOKEN_INVALID, f"Send the token as `Authorization: Bearer {like}`.")
    return found[1]


def _no_query(call: Call) -> None:
    if call.request.query_string:
        # A query such as `?&` names no parameter.
        raise invalid(
            "query",
            [(name, "Unknown parameter; this operation has none.") for name in call.request.arguments]
            or [("", "This operation has no query parameters.")],
        )


def _query(schema: Schema) -> Callable[[Call], None]:
    def read(call: Call) -> None:
        if call.request.query_string:
            call.query = load(schema, _arguments(call.request), place="query")

    return read


def _arguments(request: Request) -> Mapping[str, str]:
    repeated = [name for name, values in request.arguments.lists() if len(values) > 1]
    if repeated:  # `to_dict` would silently drop all values but the first
        raise invalid("query", [(name, "Send this parameter only once.") for name in repeated])
    return request.arguments.to_dict()


def _take_key(call: Call) -> None:
    key = call.request.headers.get("idempotency-key")
    if key is not None and not _KEY.fullmatch(key):
        raise invalid("header", [("Idempotency-Key", "Must be 16 to 128 visible ASCII characters.")])
    call.key = key


def _body(body: Any) -> Callable[[Call], None]:
    def read_raw(call: Call) -> None:
        check_media_type(call.request, body.media_type, OCTETS)
        call.raw = read_body(call.request, body.max_bytes)

    def read_chosen(call: Call) -> None:
        fields, call.raw = read_object(call.request)
        call.form = load(body.schemas[body.pick(fields)], fields)

    def read_form(call: Call) -> None:
        fields, call.raw = read_object(call.request)
        call.form = load(body, fields)

    def read_confirmation(call: Call) -> None:
        fields, call.raw = read_object(call.request, instead=CONFIRM)
        call.form = load(body, fields)

    def read_unchecked(call: Call) -> None:  # the handler picks the schema once it knows the table's game
        call.form, call.raw = read_object(call.request)

    if isinstance(body, RawBody):
        return read_raw
    if isinstance(body, Chosen):
        return read_chosen
    if isinstance(body, ConfirmSchema):
        return read_confirmation
    return read_form if isinstance(body, Schema) else read_unchecked
