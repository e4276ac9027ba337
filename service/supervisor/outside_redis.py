"""Whether the Redis servers named from outside can do their work."""

from typing import Any

from redis.cluster import RedisCluster

from service.adapters.connection import connect
from service.application.ports import StoreUnavailable
from service.settings import Settings, without_password
from service.supervisor.checks import CannotStart

_OLDEST = (6, 2)
_NO_TASKS = "a Redis Cluster, which cannot carry Celery's tasks: set BROKER_URL to a standalone Redis"


def check_redis(settings: Settings) -> None:
    """Returns if `REDIS_URL` and `BROKER_URL` name servers that fit.

    Raises:
        CannotStart: one is out of reach, too old, or a cluster where tasks are to go.
    """
    assert settings.redis_url
    if _is_cluster(settings.redis_url) and not settings.broker_url:
        raise CannotStart(f"REDIS_URL names {_NO_TASKS}.")
    if settings.broker_url and _is_cluster(settings.broker_url):
        raise CannotStart(f"BROKER_URL names {_NO_TASKS}.")


def _is_cluster(url: str) -> bool:
    try:
        client = connect(url)
    except StoreUnavailable as error:
        raise CannotStart(str(error)) from None
    with client:
        server: Any = client.info("server")
    if _version(server) < _OLDEST:
        raise CannotStart(
            f"the Redis at {without_password(url)} is {server['redis_version']}; Hoodwink needs 6.2 or newer."
        )
    return isinstance(client, RedisCluster)


def _version(server: dict[str, Any]) -> tuple[int, ...]:
    return tuple(int(number) for number in str(server["redis_version"]).split(".")[:2])
