"""Checks of the Redis servers that `REDIS_URL` and `BROKER_URL` name."""

from typing import Any

from redis.cluster import RedisCluster
from redis.exceptions import RedisError

from service.adapters.connection import Client, connect
from service.adapters.partitions import hold_partitions
from service.application.ports import StoreUnavailable
from service.settings import Settings, without_password
from service.supervisor.checks import CannotStart

_OLDEST = (6, 2)
_NO_TASKS = "a Redis Cluster, which cannot carry Celery's tasks: set BROKER_URL to a standalone Redis"


def check_redis(settings: Settings) -> tuple[str, ...]:
    """Checks the servers that `REDIS_URL` and `BROKER_URL` name; returns a line for each warning.

    Raises:
        CannotStart: one cannot be reached, is too old, or is a cluster where tasks are to go; or it holds data
            in another number of partitions.
    """
    assert settings.redis_url
    with _connected(settings.redis_url) as events:
        if isinstance(events, RedisCluster) and not settings.broker_url:
            raise CannotStart(f"REDIS_URL names {_NO_TASKS}.")
        check_partitions(settings, events)
        warnings = _warnings(settings.redis_url, events)
    check_broker(settings)
    return warnings


def check_broker(settings: Settings) -> None:
    """Raises `CannotStart` if `BROKER_URL` names a server that cannot carry Celery's tasks."""
    if not settings.broker_url:
        return
    with _connected(settings.broker_url) as broker:
        if isinstance(broker, RedisCluster):
            raise CannotStart(f"BROKER_URL names {_NO_TASKS}.")


def check_partitions(settings: Settings, client: Client | None = None) -> None:
    """Raises `CannotStart` if the data are in another number of partitions than the settings say."""
    assert settings.redis_url
    try:
        hold_partitions(client=client or connect(settings.redis_url), partitions=settings.partitions)
    except StoreUnavailable as error:
        raise CannotStart(str(error)) from None


def _connected(url: str) -> Client:
    try:
        client = connect(url)
    except StoreUnavailable as error:
        raise CannotStart(str(error)) from None
    server: Any = client.info("server")
    if _version(server) < _OLDEST:
        client.close()
        raise CannotStart(
            f"The Redis at {without_password(url)} is {server['redis_version']}; Hoodwink needs 6.2 or newer."
        )
    return client


def _version(server: dict[str, Any]) -> tuple[int, ...]:
    return tuple(int(number) for number in str(server["redis_version"]).split(".")[:2])


def _warnings(url: str, client: Client) -> tuple[str, ...]:
    """Returns a line for each setting of the server that may lose events."""
    where = f"The Redis at {without_password(url)}"
    try:
        persistence: Any = client.info("persistence")
        memory: Any = client.info("memory")
    except RedisError:  # hosted servers may not answer; the service works without these warnings
        return ()
    may_evict = bool(memory.get("maxmemory")) and memory.get("maxmemory_policy") != "noeviction"
    warnings = {
        f"{where} keeps no append-only file: if it crashes, acknowledged events may be lost.": not persistence.get(
            "aof_enabled"
        ),
        f"{where} may drop events when its memory is full: set its maxmemory-policy to noeviction.": may_evict,
    }
    return tuple(line for line, applies in warnings.items() if applies)
