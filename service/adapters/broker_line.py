"""A connection to the broker that is held for no other purpose than to notice its end."""

import time
from contextlib import suppress
from typing import Final

from redis import Redis
from redis.exceptions import RedisError

from service.adapters.connection import connect, ping
from service.application.ports import StoreUnavailable

_LOOK_EVERY_S: Final = 0.5


def await_loss(url: str) -> None:
    """Returns when a connection to the Redis at that address, made now or as soon as it answers, is lost."""
    with _connected(url) as client:
        line = client.connection_pool.make_connection()
        try:
            while True:
                line.send_command("PING", check_health=False)
                line.read_response()
                time.sleep(_LOOK_EVERY_S)
        except RedisError:
            line.disconnect()


def _connected(url: str) -> Redis:
    """Returns a client once the server can be reached and has loaded its data."""
    while True:
        with suppress(StoreUnavailable):
            client = connect(url)
            assert isinstance(client, Redis), "a broker is no cluster"
            try:
                ping(client)
            except StoreUnavailable:  # it loads its data; nobody waits on this connection
                client.close()
                raise
            return client
        time.sleep(_LOOK_EVERY_S)
