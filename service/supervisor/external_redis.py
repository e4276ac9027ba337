"""Checks of the Redis servers that `REDIS_URL` and `BROKER_URL` name."""

from collections.abc import Iterator
from typing import Any

from redis.cluster import RedisCluster
from redis.exceptions import RedisError

from hoodwink.service.adapters.redis.connection import Client, connect, without_password
from hoodwink.service.adapters.redis.partitions import hold_partitions
from hoodwink.service.adapters.redis.replication import primaries, version_of, wait_for
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.checks import CannotStart

_OLDEST = (7, 0)
_CHECKED = ("appendfsync", "aof-load-truncated", "min-replicas-to-write")
_NO_TASKS = "a Redis Cluster, which cannot carry Celery's tasks: set BROKER_URL to a standalone Redis"


def check_redis(settings: Settings) -> tuple[str, ...]:
    """Checks the servers in `REDIS_URL` and `BROKER_URL`; returns one line per warning.

    Raises:
        CannotStart: a server cannot be reached, is too old, is a cluster but must carry tasks, or has data in
            another number of partitions.
    """
    assert settings.redis_url
    with _connect(settings.redis_url) as events:
        if isinstance(events, RedisCluster) and not settings.broker_url:
            raise CannotStart(f"REDIS_URL names {_NO_TASKS}.")
        check_partitions(settings, events)
        try:
            warnings = _warnings(settings, events)
        except StoreUnavailable as error:
            raise CannotStart(str(error)) from None
    check_broker(settings)
    return warnings


def check_broker(settings: Settings) -> None:
    """Raises `CannotStart` if `BROKER_URL` names a server that cannot carry Celery's tasks."""
    if not settings.broker_url:
        return
    with _connect(settings.broker_url) as broker:
        if isinstance(broker, RedisCluster):
            raise CannotStart(f"BROKER_URL names {_NO_TASKS}.")


def check_partitions(settings: Settings, client: Client | None = None) -> None:
    """Raises `CannotStart` if the data have another number of partitions than the settings."""
    assert settings.redis_url
    try:
        hold_partitions(client=client or connect(settings.redis_url), partitions=settings.partitions)
    except StoreUnavailable as error:
        raise CannotStart(str(error)) from None


def _connect(url: str) -> Client:
    try:
        client = connect(url)
    except StoreUnavailable as error:
        raise CannotStart(str(error)) from None
    server: Any = client.info("server")
    if version_of(server) < _OLDEST:
        client.close()
        raise CannotStart(
            f"The Redis at {without_password(url)} is {server['redis_version']}; Hoodwink needs 7.0 or newer."
        )
    return client


def _warnings(settings: Settings, client: Client) -> tuple[str, ...]:
    """Returns one line per setting that may lose events, on each server."""
    return (
        *(line for node in primaries(client) for line in _warnings_of_node(settings, client, node)),
        *_warnings_of_replicas(settings, client),
    )


def _warnings_of_node(settings: Settings, client: Any, node: dict[str, Any]) -> Iterator[str]:
    where = _where(settings, node)
    try:
        persistence, memory = client.info("persistence", **node), client.info("memory", **node)
    except RedisError:  # hosted servers may forbid `INFO`, and the service works without these warnings
        return
    if not persistence.get("aof_enabled"):
        yield f"{where} keeps no append-only file: if it crashes, acknowledged events may be lost."
    if memory.get("maxmemory") and memory.get("maxmemory_policy") != "noeviction":
        yield f"{where} may drop events when its memory is full: set its maxmemory-policy to noeviction."
    try:
        found = _configuration(client, node)
    except RedisError as error:
        yield f"{where} does not show its configuration ({error}), so {', '.join(_CHECKED)} were not checked."
        return
    if persistence.get("aof_enabled") and found.get("appendfsync") != "always":
        yield (
            f"{where} has appendfsync {found.get('appendfsync')}: if it crashes, the latest acknowledged events "
            "may be lost. Set it to always."
        )
    if persistence.get("aof_enabled") and found.get("aof-load-truncated") == "yes":
        yield (
            f"{where} has aof-load-truncated yes: if it crashes while it writes, the start after the next may lose "
            "acknowledged events. Set it to no; docs/OPERATING.md says how to repair a file that it then refuses."
        )
    # Otherwise a primary that has lost its replicas stores commands although each gets a 503.
    if int(found.get("min-replicas-to-write", 0)) < settings.replicas:
        yield (
            f"{where} accepts writes with fewer than {settings.replicas} replicas, so they may pile up unconfirmed: set "
            f"its min-replicas-to-write to {settings.replicas}, as HOODWINK_REPLICAS asks."
        )


def _configuration(client: Any, node: dict[str, Any]) -> dict[str, str]:
    found: dict[str, str] = client.config_get(*_CHECKED, **node)
    return found


def _warnings_of_replicas(settings: Settings, client: Client) -> Iterator[str]:
    """Yields a line if the replicas do not confirm a write now. They may still be starting, so it is only a warning."""
    if not settings.replicas:
        return
    # With the store come all games, which would slow down every start.
    from hoodwink.service.adapters.store.event_store import RedisEventStore  # noqa: PLC0415

    wait = wait_for(client, replicas=settings.replicas, seconds=settings.replicas_seconds)
    # A real write: whether replicas are connected says nothing about whether they sync.
    store = RedisEventStore(client=client, partitions=settings.partitions, wait=wait)
    try:
        store.confirm_all()
    except StoreUnavailable as error:
        needed = "run and sync each write, too" if len(wait.commands) > 1 else "run"
        yield (
            f"The replicas of {without_password(settings.redis_url or '')} do not confirm writes with "
            f"{wait.commands[-1][0]} ({error}). Until {settings.replicas} of them do, commands get a 503 "
            f"(not_replicated): check that they {needed}."
        )


def _where(settings: Settings, node: dict[str, Any]) -> str:
    return f"The Redis at {node['target_nodes'].name if node else without_password(settings.redis_url or '')}"
