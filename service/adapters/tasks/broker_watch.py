"""Notices when the broker is lost, through a connection that has no other purpose."""

import time
from contextlib import suppress
from typing import Final

from redis import Redis
from redis.exceptions import RedisError

from hoodwink.service.adapters.redis.connection import connect, ping
from hoodwink.service.application.ports import StoreUnavailable

_CHECK_EVERY_S: Final = 0.5


def await_loss(url: str) -> None:
    """Connects to the Redis at that address as soon as it answers, and returns when the connection is lost."""
    with _connect(url) as client:
        # A single connection, because a client would reconnect and hide the loss.
        connection = client.connection_pool.make_connection()
        try:
            while True:
                connection.send_command("PING", check_health=False)
                connection.read_response()
                time.sleep(_CHECK_EVERY_S)
        except RedisError:
            connection.disconnect()


def _connect(url: str) -> Redis:
    """Returns a client once the server can be reached and has loaded its data."""
    while True:
        with suppress(StoreUnavailable):
            client = connect(url)
            assert isinstance(client, Redis), "a broker is no cluster"
            try:
                ping(client)
            except StoreUnavailable:  # still loading its data; the next attempt opens a new connection
                client.close()
                raise
            return client
        time.sleep(_CHECK_EVERY_S)
