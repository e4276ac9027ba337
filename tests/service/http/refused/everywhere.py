"""Provokes the refusals that work alike for every operation."""

from collections.abc import Callable, Collection
from typing import Any, Final
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from hoodwink.domain.kernel import Code
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.service.adapters.limits.counters import Counters
from hoodwink.service.adapters.process.disk_space import DiskSpace
from hoodwink.service.adapters.store.event_store import RedisEventStore
from hoodwink.service.application.commands.hosted_tables import HostedTables
from hoodwink.service.application.errors import (
    Busy,
    BusyCode,
    ConflictCode,
    ForbiddenCode,
    JobCode,
    LimitReached,
    NotFoundCode,
)
from hoodwink.service.application.jobs.jobs import Job, JobKind, JobState
from hoodwink.service.application.limits import Limit, LimitCode, Rate
from hoodwink.service.application.ports import NotReplicated, StorageFull
from hoodwink.service.http.framework.operations import Access, Cost, RawBody
from hoodwink.service.http.framework.streaming import STREAMS
from hoodwink.service.http.messages.bodies import MAX_BODY
from hoodwink.service.http.messages.problems import NO_ROOM_FOR_STREAMS, HttpCode, Problem, Refusal
from hoodwink.workers.job_works import failure
from tests.service.databases import unreachable
from tests.service.http.api import CONFIRMED, Person
from tests.service.http.cup import Cup
from tests.service.http.examples.players import SUBSCRIPTION
from tests.service.http.refused.listed import OPERATIONS
from tests.service.http.refused.world import BLANK, NDJSON, SAMPLES, Provocation, World, address
from tests.service.http.room import Full, Limited
from tests.service.inline_jobs import InlineJobs


def _actor(world: World, name: str) -> Person:
    """Returns a person who has access to the operation."""
    return world.root if OPERATIONS[name].access is Access.ADMINISTRATOR else world.ada


def sent(**given: Any) -> Provocation:
    return lambda world, name: world.send(_actor(world, name), name, **given)


def _stranger(world: World, name: str) -> Any:
    return world.send(Person(world.api.app, f"hw_abcd_{'x' * 43}"), name)


def _banned(world: World, name: str) -> Any:
    who = world.api.person("Mallory")
    world.service.players.ban(who.id)
    return world.send(who, name)


def _store_gone(world: World, name: str) -> Any:
    with unreachable(world.service.client):
        return _stranger(world, name)


def _not_stored(refuse: Callable[..., Any], *methods: str) -> Provocation:
    """Returns a provocation by a command with a key, while these methods of the store fail."""

    def provoke(world: World, name: str) -> Any:
        who, at = _commanding(world, name)
        with pytest.MonkeyPatch.context() as patched:
            for method in methods:
                patched.setattr(RedisEventStore, method, refuse)
            return world.send(who, name, at=at, key=f"{name:u<16}")

    return provoke


def _commanding(world: World, name: str) -> tuple[Person, str]:
    """Returns a person and a path whose command reaches the store."""
    path, who, at = OPERATIONS[name].path, _actor(world, name), _played(world, name)
    if name == "erase_me":
        who = world.api.person("Eve")  # she organises no tournament
    elif name == "describe_bot":
        who = world.bot
    elif name == "erase_bot":
        at = f"/v1/me/bots/{world.new_bot(who).id}"
    elif name == "challenge_bot":
        at = f"/v1/players/{world.bot.id}"
    elif "{push_id}" in path:
        pushes = who.ask("PUT", "/v1/me/pushes", json=SUBSCRIPTION).json["pushes"]
        at = f"/v1/me/pushes/{pushes[-1]['id']}"
    elif "{session}" in path:
        who, at = world.api.person("Eve"), "/v1/me/sessions/1"
    elif "{passkey}" in path:
        at = "/v1/me/passkeys/x"
    elif "blocks" in path:
        at = f"/v1/players/me/blocks/{world.bob.id}"
    elif "{table_id}" in path and not at:
        at = world.shared("waiting" if name == "leave_seat" else "playing")
    elif "{webhook_id}" in path:
        who, at = world.olga, f"{world.hooked().path}/webhooks/{world.webhook}"
    elif "/applicants/" in path:
        who, at = world.olga, f"{world.entering(approval=True).path}/applicants/{world.ada.id}"
    elif "{series_id}" in path:
        who, at = world.root if name == "stop_series" else world.olga, world.series()
        at += "/dates/1" if "{date}" in path else ""
    elif "{tournament_id}" in path:
        who, at = getattr(world, _as_player(name)), world.shared("running").path
        at += f"/entrants/{world.ada.id}" if "{entrant_id}" in path else ""
    return who, at


def _played(world: World, name: str) -> str:
    """Returns the path for an operation on a played table or an import, or an empty text."""
    if name in {"fork_import", "delete_import"}:
        return world.imported()
    return world.shared("played") if name in {"fork_table", "open_rematch", "void_table"} else ""


def _unconfirmed(*_: Any, **__: Any) -> Any:
    raise NotReplicated


def _full(*_: Any, **__: Any) -> Any:
    raise StorageFull


def _readyz_full(world: World, name: str) -> Any:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(DiskSpace, "check", _full)
        return world.send(world.nobody, name)


def _port_of_its_own(world: World, name: str) -> Any:
    settings = replace(world.service.settings, metrics_port=9100)
    with patch.object(world.service, "settings", settings):
        return world.send(world.ada, name)


def _by_flask(name: str) -> dict[str, str]:
    """Returns a query that leaves a request to Flask, because the server refuses such bodies before the fast lane."""
    return {"query_string": "version=1"} if OPERATIONS[name].runs_on_loop else {}


def _truncated(world: World, name: str) -> Any:
    media = NDJSON if isinstance(OPERATIONS[name].body, RawBody) else "application/json"
    cut = {"CONTENT_LENGTH": "9"}
    return world.send(
        _actor(world, name), name, data=b"{", content_type=media, environ_overrides=cut, **_by_flask(name)
    )


def _too_large(world: World, name: str) -> Any:
    body = OPERATIONS[name].body
    most = body.max_bytes if isinstance(body, RawBody) else MAX_BODY
    media = NDJSON if isinstance(body, RawBody) else "application/json"
    return world.send(
        _actor(world, name), name, data=b" " * (most + 1), content_type=media, **_by_flask(name)
    )


def _not_found(world: World, name: str) -> Any:
    return world.send(_actor(world, name), name)


def _no_such(parameter: str) -> Provocation:
    """Uses 0 for a number in the path of a running tournament."""

    def provoke(world: World, name: str) -> Any:
        begun, _, _ = OPERATIONS[name].path.partition(f"{{{parameter}}}")
        who = getattr(world, _as_player(name))
        return world.send(who, name, at=f"{address(begun.rstrip('/'), world.shared('running').path)}/0")

    return provoke


def _other_version(world: World, name: str) -> Any:
    who, at = _commanded(world, name)
    body = SAMPLES.get(name, {}) | {"expected_version": 999}
    return world.send(who, name, body, at=at)


def _other_tag(world: World, name: str) -> Any:
    who, at = _commanded(world, name)
    return world.send(who, name, at=at, headers={"If-Match": '"999"'})


def _commanded(world: World, name: str) -> tuple[Person, str]:
    if "{tournament_id}" in OPERATIONS[name].path:
        return getattr(world, _as_player(name)), world.shared("running").path
    return _actor(world, name), world.shared("playing")


def _key_again(world: World, name: str) -> Any:
    """Sends the operation with a key the same person used for another command."""
    path, key = OPERATIONS[name].path, f"{name:k<16}"
    if name in AGAIN:
        at = AT[name](world) if name in AT else world.played() if "{table_id}" in path else ""
        form = SAMPLES[name]
        assert world.send(_actor(world, name), name, form, at=at, key=key).status_code in {200, 201}
        return world.send(_actor(world, name), name, form | AGAIN[name], at=at, key=key)
    if "{tournament_id}" in path:
        cup = world.entering()
        assert world.olga.post(f"{cup.path}/entrants", {"policy": "random"}, key=key).status_code == 201
        return world.send(world.olga, name, at=cup.path, key=key)
    return world.send(world.ada, name, at=world.waiting(key=key), key=key)


AGAIN: Final[dict[str, Any]] = {
    "register_player": {"name": "Adam"},
    "open_table": {"seats": 3},
    "open_tournament": {"name": "The Bowl"},
    "open_series": {"name": "The Bowl"},
    "fork_table": {"version": 4},
    "fork_import": {"version": 4},
    "void_table": {"reason": "It snows."},
    "end_table": {"expected_version": 1},
    "end_tournament": {"reason": "It snows."},
    "stop_series": {"reason": "It snows."},
    "reverse_ruling": {"reason": "It snows."},
    "reverse_decision": {"reason": "It snows."},
    "reverse_added_rounds": {"reason": "It snows."},
}
"""The field that differs in the second request."""

AT: Final[dict[str, Callable[[World], str]]] = {
    "fork_import": lambda world: world.imported(),
    "end_table": lambda world: world.of_bots(),
    "end_tournament": lambda world: world.entering().path,
    "stop_series": lambda world: world.series(),
    "reverse_ruling": lambda world: f"{world.ruled().path}/rounds/1/boards/1",
    "reverse_decision": lambda world: f"{world.decided().path}/entrants/{world.ada.id}",
    "reverse_added_rounds": lambda world: world.decided().path,
}
"""The targets of operations that are not sent to a played table."""


def at_table(state: str, who: str = "ada", **given: Any) -> Provocation:
    """Returns a provocation that sends a sample to a table of the world."""
    return lambda world, name: world.send(getattr(world, who), name, at=world.shared(state), **given)


def in_cup(state: Callable[[World], Cup], who: str = "olga", body: Any = None, at: str = "") -> Provocation:
    """Returns a provocation that sends a sample or another body to a tournament.

    Args:
        at: the rest of the path, if the common values do not fit.
    """
    return lambda world, name: world.send(getattr(world, who), name, body, at=state(world).path + at)


CUPS: Final[dict[str, Callable[[World], Cup]]] = {
    name: lambda world, state=name: world.shared(state)  # type: ignore[misc]
    for name in ("cup", "entering", "running", "paused", "cancelled")
}
DRAFT, ENTERING, RUNNING, PAUSED, CANCELLED = CUPS.values()


def withdrawn(world: World) -> Cup:
    cup = world.running()
    cup.command(f"/entrants/{world.ada.id}/withdrawal", CONFIRMED, by=world.ada)
    return cup


def _as_player(name: str) -> str:
    if OPERATIONS[name].access is Access.ADMINISTRATOR:
        return "root"
    return "ada" if name in {"check_in", "say_absent", "reveal_entrant_seed", "request_bye"} else "olga"


def in_any(state: Callable[[World], Cup]) -> Provocation:
    """Returns a provocation that sends a sample as the organiser or an entrant; named entrants are Ada."""

    def provoke(world: World, name: str) -> Any:
        cup = state(world)
        path = OPERATIONS[name].path
        at = cup.path + (f"/entrants/{world.ada.id}" if "{entrant_id}" in path else "")
        who = world.ada if name == "withdraw_entrant" else getattr(world, _as_player(name))
        return world.send(who, name, at=at)

    return provoke


def blank_reason(state: Callable[[World], Cup], at: str = "") -> Provocation:
    return lambda world, name: world.send(
        world.olga, name, SAMPLES.get(name, {}) | BLANK, at=state(world).path + at
    )


def watches(streams: Full | Limited) -> Provocation:
    """Requests a live stream beyond the limit."""

    def provoke(world: World, name: str) -> Any:
        path = OPERATIONS[name].path
        at = (
            world.shared("running").path
            if "{tournament_id}" in path
            else world.shared("playing")
            if "{table_id}" in path
            else world.job()
            if "{job_id}" in path
            else ""
        )
        return world.send(
            world.ada,
            name,
            at=at,
            headers={"Accept": "text/event-stream"},
            environ_overrides={STREAMS: streams},
        )

    return provoke


def _by_address(token: str) -> Provocation:
    """Sends a token in the URL of a live stream."""

    def provoke(world: World, name: str) -> Any:
        at = world.shared("playing") if "{table_id}" in OPERATIONS[name].path else ""
        return world.send(world.nobody, name, at=at, query_string=f"token={token}")

    return provoke


def goes_on_from_elsewhere(world: World, name: str) -> Any:
    path = OPERATIONS[name].path
    at = (
        world.shared("cup").path
        if "{tournament_id}" in path
        else world.imported()
        if "{import_id}" in path
        else world.shared("playing")
    )
    return world.send(world.ada, name, at=at, query_string="cursor=1-0123456789abcdef")


def begins_a_job(begun: Callable[[], Job]) -> Provocation:
    """Sends a request whose job cannot start or fails."""

    def provoke(world: World, name: str) -> Any:
        class Begun(InlineJobs):
            def begin(self, *_: Any, **__: Any) -> Job:
                return begun()

        with pytest.MonkeyPatch.context() as patched:
            patched.setitem(vars(world.service), "jobs", Begun(world.service))
            if "{table_id}" in OPERATIONS[name].path:
                return world.send(world.ada, name, at=world.advised(is_over=name == "get_review"))
            if "{tournament_id}" not in OPERATIONS[name].path:
                return world.send(world.ada, name)
            cup = world.running()  # every read of it counts as slow
            cup.command("/rounds")
            patched.setattr(
                "hoodwink.service.application.commands.tournament_orders.is_laborious", lambda *_: True
            )
            patched.setattr("hoodwink.service.http.resources.tournaments.readings.is_long", lambda *_: True)
            return world.send(world.olga, name, at=cup.path)

    return provoke


def raising(error: Exception) -> Callable[[], Job]:
    def begin() -> Job:
        raise error

    return begin


def failing(code: Code | Refusal) -> Callable[[], Job]:
    outcome = failure(Problem(code))
    return lambda: Job(id="a" * 32, kind=JobKind.VERIFY, state=JobState.ENDED, outcome=outcome)


def beyond(*limits: Limit, at: str | None = None) -> Provocation:
    """Sends a request over one of the limits."""

    def provoke(world: World, name: str) -> Any:
        who, where = _actor(world, name), _played(world, name) if at is None else at
        with pytest.MonkeyPatch.context() as patched:
            reached = Reached(limits)
            patched.setitem(vars(world.service), "limits", reached)
            patched.setattr(
                HostedTables, "admit", lambda _, limit, host, _what: reached.admit_host(limit, host)
            )
            return world.send(who, name, at=where)

    return provoke


def reads_too_much(world: World, name: str) -> Any:
    """Sends a costly read over the budget; for a table, a read of an earlier version."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(vars(world.service), "limits", Reached([Limit.READS_PER_ADDRESS]))
        query = {"query_string": "version=1"} if OPERATIONS[name].cost is Cost.MUCH_AT_VERSION else {}
        return world.send(
            world.ada, name, at=world.shared("over") if "version" in str(query) else "", **query
        )


class Reached(Counters):
    """Counters with every limit reached."""

    def __init__(self, limits: Collection[Limit]) -> None:
        super().__init__({})
        self._reached = limits

    def admit(self, limit: Limit, who: str) -> None:
        assert who
        if limit in self._reached:
            raise LimitReached(limit, Rate(1, 3600), 3600)

    def check_budget(self, limit: Limit, who: str) -> None:
        self.admit(limit, who)

    def admit_host(self, limit: Limit, who: str) -> Callable[[], None]:
        self.admit(limit, who)
        return lambda: None

    def check(self, limit: Limit, count: int) -> None:
        self.admit(limit, "a tournament")


def with_patched(module: Any, attribute: str, value: Any, provocation: Provocation) -> Provocation:
    """Returns a provocation with a lowered limit."""

    def provoke(world: World, name: str) -> Any:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(module, attribute, value)
            return provocation(world, name)

    return provoke


EVERYWHERE: Final[dict[Code | Refusal, Provocation]] = {
    HttpCode.INVALID_QUERY: lambda world, name: world.send(
        _actor(world, name), name, query_string="colour=red"
    ),
    HttpCode.NOT_ACCEPTABLE: sent(headers={"Accept": "text/html"}),
    HttpCode.TOKEN_MISSING: lambda world, name: world.send(world.nobody, name),
    HttpCode.TOKEN_INVALID: _stranger,
    HttpCode.STREAM_TOKEN_INVALID: _by_address("hws_x"),
    HttpCode.LASTING_TOKEN_IN_URL: _by_address("hw_x"),
    HttpCode.PLAYER_BANNED: _banned,
    HttpCode.NOT_ADMINISTRATOR: lambda world, name: world.send(world.ada, name),
    HttpCode.STORE_UNAVAILABLE: _store_gone,
    HttpCode.NOT_REPLICATED: _not_stored(_unconfirmed, "append", "known", "confirm"),
    HttpCode.STORAGE_FULL: lambda world, name: (
        _readyz_full if name == "readyz" else _not_stored(_full, "append", "known", "confirm")
    )(world, name),
    HttpCode.ROUTE_NOT_FOUND: _port_of_its_own,
    HttpCode.INVALID_HEADER: sent(headers={"Idempotency-Key": "short", "Last-Event-ID": "x"}),
    HttpCode.BODY_MISSING: sent(data=b"", content_type="application/json"),
    HttpCode.MALFORMED_JSON: sent(data=b"{", content_type="application/json"),
    HttpCode.INVALID_BODY: sent(body={"colour": "red"}),
    HttpCode.UNSUPPORTED_MEDIA_TYPE: sent(data=b"{}", content_type="text/plain"),
    HttpCode.BODY_TOO_LARGE: _too_large,
    HttpCode.BAD_REQUEST: _truncated,
    NotFoundCode.TABLE_NOT_FOUND: _not_found,
    NotFoundCode.IMPORT_NOT_FOUND: _not_found,
    NotFoundCode.REASON_NOT_FOUND: _not_found,
    NotFoundCode.TOURNAMENT_NOT_FOUND: _not_found,
    NotFoundCode.SERIES_NOT_FOUND: _not_found,
    NotFoundCode.PUSH_NOT_FOUND: _not_found,
    NotFoundCode.WEBHOOK_NOT_FOUND: lambda world, name: world.send(
        world.olga, name, at=world.shared("cup").path
    ),
    NotFoundCode.PLAYER_NOT_FOUND: _not_found,
    NotFoundCode.SESSION_NOT_FOUND: _not_found,
    NotFoundCode.PASSKEY_NOT_FOUND: _not_found,
    NotFoundCode.GAME_NOT_FOUND: lambda world, name: world.ask_in(world.ada, name, "whist"),
    NotFoundCode.ROUND_NOT_FOUND: _no_such("round"),
    NotFoundCode.BOARD_NOT_FOUND: _no_such("board"),
    NotFoundCode.DEAL_NOT_FOUND: _no_such("deal"),
    NotFoundCode.SITTING_NOT_FOUND: _no_such("sitting"),
    NotFoundCode.ENTRANT_NOT_FOUND: lambda world, name: (
        _no_such("entrant")(world, name)
        if "{entrant}" in OPERATIONS[name].path
        else world.send(world.olga, name, at=world.shared("entering").path)
    ),
    ConflictCode.VERSION_CONFLICT: _other_version,
    HttpCode.PRECONDITION_FAILED: _other_tag,
    ConflictCode.IDEMPOTENCY_KEY_REUSED: _key_again,
    ConflictCode.HISTORY_CHANGED: goes_on_from_elsewhere,
    LimitCode.TOO_MANY_STREAMS: watches(Limited()),
    NO_ROOM_FOR_STREAMS: watches(Full()),
    LimitCode.TOO_MANY_REGISTRATIONS: beyond(Limit.REGISTRATIONS_PER_ADDRESS),
    LimitCode.TOO_MANY_SIGN_INS: beyond(Limit.SIGN_INS_PER_ADDRESS),
    LimitCode.TOO_MANY_READS: reads_too_much,
    LimitCode.TOO_MANY_TEXTS: beyond(Limit.DESCRIPTIONS_PER_PLAYER),
    LimitCode.TOO_MANY_WEBHOOK_CHANGES: lambda world, name: beyond(
        Limit.WEBHOOK_CHANGES_PER_PLAYER, at=world.shared("cup").path
    )(world, name),
    LimitCode.TOO_MANY_TABLES: beyond(Limit.TABLES_PER_ADDRESS),
    LimitCode.TOO_MANY_COMMANDS: beyond(Limit.COMMANDS_PER_ADDRESS, Limit.ANONYMOUS_COMMANDS_PER_ADDRESS),
    LimitCode.TOO_MANY_OPEN_TABLES: beyond(Limit.OPEN_TABLES_PER_HOST),
    LimitCode.TOO_MANY_TOURNAMENTS: beyond(Limit.TOURNAMENTS_PER_HOST),
    LimitCode.TOO_MANY_SERIES: beyond(Limit.SERIES_PER_HOST),
    LimitCode.TOO_MANY_JOBS: begins_a_job(raising(LimitReached(Limit.JOBS_PER_ADDRESS, 1, 5))),
    BusyCode.NO_ROOM_FOR_JOBS: begins_a_job(raising(Busy(BusyCode.NO_ROOM_FOR_JOBS))),
    BusyCode.JOB_INTERRUPTED: begins_a_job(failing(BusyCode.JOB_INTERRUPTED)),
    JobCode.JOB_TOO_EXPENSIVE: begins_a_job(failing(JobCode.JOB_TOO_EXPENSIVE)),
    NotFoundCode.JOB_NOT_FOUND: _not_found,
    ForbiddenCode.NOT_INVITED: at_table("private", "cy"),
    ForbiddenCode.NOT_SEATED: at_table("playing", "cy"),
    ForbiddenCode.NOT_HOST: at_table("playing", "bob"),
    ForbiddenCode.NOT_OFFICIAL: lambda world, name: world.send(
        world.bob,
        name,
        at=world.shared("entering").path
        + (f"/entrants/{world.ada.id}" if "{entrant_id}" in OPERATIONS[name].path else ""),
    ),
    ForbiddenCode.NOT_ORGANISER: lambda world, name: world.send(world.bob, name, at=world.shared("cup").path),
    ForbiddenCode.NOT_ENTERED: in_cup(RUNNING, "dee"),
    TableCode.TABLE_OVER: at_table("over"),
    TableCode.TABLE_STARTED: at_table("playing"),
    TableCode.TABLE_NOT_STARTED: at_table("waiting"),
    TableCode.WRONG_GAME: at_table("waiting", body={"type": "play_pocket", "slot": 0}),
    TournamentCode.TOURNAMENT_OVER: in_any(CANCELLED),
    TournamentCode.TOURNAMENT_NOT_STARTED: in_any(ENTERING),
    TournamentCode.TOURNAMENT_STARTED: in_any(RUNNING),
    TournamentCode.TOURNAMENT_PAUSED: in_any(PAUSED),
    TournamentCode.ENTRANT_LEFT: in_any(withdrawn),
}
"""Provokes the refusals that work alike for every operation."""
