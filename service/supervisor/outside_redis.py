"""Whether the Redis servers named from outside can do their work."""

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
    """Returns if `REDIS_URL` and `BROKER_URL` name servers that fit, with a line for each doubt about them.

    Raises:
        CannotStart: one is out of reach, too old, or a cluster where tasks are to go; or the data lie in
            another number of partitions.
    """
    assert settings.redis_url
    with _reached(settings.redis_url) as events:
        if isinstance(events, RedisCluster) and not settings.broker_url:
            raise CannotStart(f"REDIS_URL names {_NO_TASKS}.")
        check_partitions(settings, events)
        doubts = _doubts(settings.redis_url, events)
    check_broker(settings)
    return doubts


def check_broker(settings: Settings) -> None:
    """Returns if `BROKER_URL` names a server that fits, or none; raises `CannotStart`."""
    if not settings.broker_url:
        return
    with _reached(settings.broker_url) as broker:
        if isinstance(broker, RedisCluster):
            raise CannotStart(f"BROKER_URL names {_NO_TASKS}.")


def check_partitions(settings: Settings, client: Client | None = None) -> None:
    """Returns if the data lie in as many partitions as the settings say; raises `CannotStart`."""
    assert settings.redis_url
    try:
        hold_partitions(client=client or connect(settings.redis_url), partitions=settings.partitions)
    except StoreUnavailable as error:
        raise CannotStart(str(error)) from None


def _reached(url: str) -> Client:
    try:
        client = connect(url)
    except StoreUnavailable as error:
        raise CannotStart(str(error)) from None
    server: Any = client.info("server")
    if _version(server) < _OLDEST:
        client.close()
        raise CannotStart(
            f"the Redis at {without_password(url)} is {server['redis_version']}; Hoodwink needs 6.2 or newer."
        )
    return client


def _version(server: dict[str, Any]) -> tuple[int, ...]:
    return tuple(int(number) for number in str(server["redis_version"]).split(".")[:2])


def _doubts(url: str, client: Client) -> tuple[str, ...]:
    """Returns what the server's own settings may do to events, a line each."""
    where = f"The Redis at {without_password(url)}"
    try:
        persistence: Any = client.info("persistence")
        memory: Any = client.info("memory")
    except RedisError:
        return ()
    doubts = {
        f"{where} keeps no append-only file: what it acknowledged may be lost with it.": not persistence.get(
            "aof_enabled"
        ),
        f"{where} may drop events when its memory is full: set its maxmemory-policy to noeviction.": bool(
            memory.get("maxmemory")
        )
        and memory.get("maxmemory_policy") != "noeviction",
    }
    return tuple(line for line, applies in doubts.items() if applies)
