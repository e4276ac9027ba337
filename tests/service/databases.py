"""Empty databases for tests, on a real Redis: fakeredis runs the scripts of a table twenty times as slowly."""

import atexit
import gc
import os
import signal
import socket
import subprocess
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, Final
from unittest.mock import patch

from redis import ConnectionPool, Redis, UnixDomainSocketConnection
from redis.exceptions import ConnectionError as Refused

from hoodwink.service.adapters.process.parentage import end_with_parent
from hoodwink.service.supervisor.redis_binary import find_redis
from tests.service.processes import await_true

_DATABASES: Final = 1_000

_free = list(range(_DATABASES))


def new_redis() -> Any:
    """Returns a client of an empty database on a server of this process, which writes nothing to the disk."""
    if not _free:
        gc.collect()
    number = _free.pop()
    client = _client(number)
    # Everything that still uses the database has the pool.
    weakref.finalize(client.connection_pool, _free.append, number).atexit = False
    client.flushdb()
    return client


@contextmanager
def unreachable(client: Any) -> Iterator[None]:
    """Lets all commands of a client fail during the block."""
    with patch.object(client.connection_pool, "get_connection", side_effect=Refused("the server is away")):
        yield


def reconnected(client: Any) -> Redis:
    """Returns another client of the same database, which works while the first cannot reach it."""
    return _client(number_of(client))


def copied(client: Any) -> Any:
    """Returns a client of another database with the same content."""
    copy = new_redis()
    replace_keys(copy, client, "*")
    return copy


def replace_keys(target: Any, source: Any, pattern: str) -> None:
    """Replaces all keys of a pattern in a database by those of another one on the same server."""
    target.delete(b"", *target.keys(pattern))
    with source.pipeline() as pipeline:
        for key in source.keys(pattern):
            pipeline.copy(key, key, destination_db=number_of(target))
        pipeline.execute()


def number_of(client: Redis) -> int:
    """Returns the number of a client's database."""
    return int(client.connection_pool.connection_kwargs["db"])


def _client(number: int) -> Redis:
    # Without `driver_info`, redis-py reads its own version from the disk for each client.
    options: dict[str, Any] = {"path": _server(), "db": number, "protocol": 2, "driver_info": None}
    return Redis.from_pool(_Pool(connection_class=_Connection, **options))


class _Pool(ConnectionPool):
    """Lends connections without the counts and checks of redis-py, which take longer than most commands.

    They are for servers that close connections and for forked processes. `EmbeddedRedis` is tested with them.
    """

    def get_connection(self, *_names: Any, **_options: Any) -> Any:
        try:
            connection = self._available_connections.pop()
        except IndexError:
            connection = self.make_connection()
        connection.connect()
        return connection

    def release(self, connection: Any) -> None:
        self._available_connections.append(connection)


class _Connection(UnixDomainSocketConnection):
    """Closes its socket before the garbage collector finds both: it may find the socket first, and reports it as open."""

    def _connect(self) -> socket.socket:
        opened: socket.socket = super()._connect()
        weakref.finalize(self, opened.close)
        return opened


@cache
def _server() -> str:
    """Starts the server; returns its socket."""
    path = Path(mkdtemp(prefix="hoodwink-")) / "redis.sock"
    options = {"port": 0, "unixsocket": path, "dir": path.parent, "save": "", "databases": _DATABASES}
    server = subprocess.Popen(
        [find_redis().path, *(str(part) for name, value in options.items() for part in (f"--{name}", value))],
        stdout=subprocess.DEVNULL,
        preexec_fn=partial(end_with_parent, os.getpid(), signal.SIGTERM),  # noqa: PLW1509
    )
    atexit.register(_end, server, path.parent)
    await_true(lambda: _answers(path))
    return str(path)


def _answers(path: Path) -> bool:
    with Redis(unix_socket_path=str(path)) as client, suppress(Refused):
        return bool(client.ping())
    return False


def _end(server: subprocess.Popen[bytes], folder: Path) -> None:
    server.terminate()
    server.wait()
    rmtree(folder)
