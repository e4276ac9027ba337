"""Single commands on raw connections: replies as they come, and no command is ever sent twice.

redis-py's own `execute_command` costs 10 µs more a call and turns each reply of a stream command
into tuples and dictionaries, which doubles the time that a long log takes to read.
"""

import os
import re
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn, Protocol, TypeAlias, cast

from hiredis import pack_command
from redis.cluster import RedisCluster
from redis.exceptions import (
    AskError,
    ClusterDownError,
    ConnectionError,  # noqa: A004
    MovedError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    RedisError,
    ResponseError,
    TimeoutError,  # noqa: A004
    TryAgainError,
)

from service.adapters.connection import Client
from service.adapters.pipeline import carried
from service.application.ports import StoreUnavailable

Argument: TypeAlias = str | bytes | int
Keyed: TypeAlias = tuple[str, Sequence[Argument]]
"""A command with the key that says which node takes it."""

_REDIRECTIONS = 8
_UNAVAILABLE = (
    ClusterDownError,
    ConnectionError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    TimeoutError,
    TryAgainError,
)
_ERRORS = (RedisError, RedisClusterException)
_pack = cast("Callable[[tuple[Argument, ...]], bytes]", pack_command)
# Redis 6.2 wraps what stopped a script in a sentence of its own.
_REFUSED = re.compile(r"(?:^|-)(?:BUSY|MISCONF|NOREPLICAS|OOM|READONLY|UNKILLABLE)\b")


class Line(Protocol):
    """What is used of a redis-py connection."""

    def connect(self) -> None: ...
    def disconnect(self) -> None: ...
    def can_read(self, timeout: float) -> bool: ...
    def send_packed_command(self, command: list[bytes]) -> None: ...
    def read_response(self, **options: float) -> Any: ...


class Wire:
    """Connections to a Redis or to all nodes of a cluster, one a thread and node.

    Code that an event loop carries shares the loop's connection instead; see `Pipeline`.
    Safe to share between threads and to carry over a fork. Raises `StoreUnavailable` for whatever may
    pass by itself, and redis-py's `ResponseError` for what is wrong with the command.
    """

    def __init__(self, client: Client, *, on_loss: Callable[[], None] = lambda: None) -> None:
        """Takes what to call whenever a connection was lost, or a replica has taken over from a master."""
        self._on_loss = on_loss
        self._nodes = _Cluster(client, on_loss) if isinstance(client, RedisCluster) else _Single(client)
        self._mine = threading.local()

    def call(self, key: str, *command: Argument, wait_s: float | None = None) -> Any:
        """Returns the reply of a command, sent to where the key lives.

        Args:
            key: one of the command's keys.
            command: its name and arguments.
            wait_s: how long the reply may take, if not as long as the client's own limit.
        """
        try:
            return self._call(key, command, wait_s)
        except _ERRORS as error:
            self._raise(error)

    def call_each(self, commands: Sequence[Keyed]) -> list[Any]:
        """Returns the replies of several commands, sent together, in the commands' order."""
        try:
            if (code := carried()) is not None:
                replies = code.exchange(*[_packed(command) for _, command in commands])
            else:
                replies = _exchange_each([(self._home(key), command) for key, command in commands])
        except _ERRORS as error:
            self._raise(error)
        return [self._settled(reply, *each) for reply, each in zip(replies, commands, strict=True)]

    def call_ahead(
        self, key: str, commands: Iterable[Sequence[Argument]], take: Callable[[Any], bool]
    ) -> None:
        """Hands each reply to `take` while the next command is under way, until that returns false."""
        if carried() is not None:  # others use the time
            for command in commands:
                if not take(self.call(key, *command)):
                    break
            return
        try:
            _exchange_ahead(self._home(key), commands, take)
        except _ERRORS as error:
            self._raise(error)

    def _call(self, key: str, command: Sequence[Argument], wait_s: float | None) -> Any:
        if (code := carried()) is not None:
            (reply,) = code.exchange(_packed(command))
            return self._settled(reply, key, command)
        for _ in range(_REDIRECTIONS):
            try:
                return _exchange(self._home(key), command, wait_s)
            except MovedError as moved:
                self._nodes.learn(moved)
            except AskError as ask:
                return self._asked(ask, command)
        raise ClusterDownError("the cluster moves keys faster than they can be followed")

    def _asked(self, ask: AskError, command: Sequence[Argument]) -> Any:
        """Returns the reply of the node that a moving key is on its way to."""
        line = self._ready(*self._nodes.at(ask.host, ask.port))
        _exchange(line, ("ASKING",))
        return _exchange(line, command)

    def _settled(self, reply: Any, key: str, command: Sequence[Argument]) -> Any:
        """Returns the reply; a command that a node sent elsewhere has not run, and runs now."""
        if isinstance(reply, AskError):
            return self.call(key, *command)
        if isinstance(reply, ResponseError):
            self._raise(reply)
        return reply

    def _home(self, key: str) -> Line:
        """Returns this thread's connection to where the key lives, with nothing under way on it."""
        return self._ready(*self._nodes.home(key))

    def _ready(self, node: str, pool: Any) -> Line:
        lines = self._lines()
        line = lines.get(node)
        if line is None:
            line = lines[node] = cast("Line", pool.connection_class(**pool.connection_kwargs))
        line.connect()
        if _is_stale(line):
            self._on_loss()
            line.disconnect()
            line.connect()
        return line

    def _lines(self) -> dict[str, Line]:
        mine, process = self._mine, os.getpid()
        if getattr(mine, "process", None) != process:  # a socket must not be shared with a parent
            mine.process, mine.lines = process, {}
        return cast("dict[str, Line]", mine.lines)

    def _raise(self, error: Exception) -> NoReturn:
        passing = isinstance(error, _UNAVAILABLE)
        if not passing and not _REFUSED.search(str(error)):
            raise error
        if passing:
            self._on_loss()
            self._look_again()
        raise StoreUnavailable(str(error) or type(error).__name__) from error

    def _look_again(self) -> None:
        """Learns which node took over from the one that fell silent, if that is known by now."""
        try:
            self._nodes.refresh()
        except _ERRORS:
            return


class _Single:
    def __init__(self, client: Any) -> None:
        self._client = client

    def home(self, _key: str) -> tuple[str, Any]:
        return "", self._client.connection_pool

    def at(self, host: str, port: int) -> tuple[str, Any]:
        raise ClusterDownError(f"one node of a cluster sends us to {host}:{port}")

    def learn(self, moved: MovedError) -> None:
        raise ClusterDownError(f"one node of a cluster sends us to {moved.host}:{moved.port}")

    def refresh(self) -> None:
        """A server of its own has no other place to look."""


class _Cluster:
    def __init__(self, client: Any, on_loss: Callable[[], None]) -> None:
        self._client = client
        self._on_loss = on_loss
        self._homes: dict[int, str] = {}

    def home(self, key: str) -> tuple[str, Any]:
        slot = self._client.keyslot(key)
        node = self._client.nodes_manager.get_node_from_slot(slot)
        # The connection to a master that a replica has replaced may never be used again, so nobody sees it lost.
        if self._homes.setdefault(slot, node.name) != node.name:
            self._homes[slot] = node.name
            self._on_loss()
        return self._pool(node)

    def at(self, host: str, port: int) -> tuple[str, Any]:
        node = self._client.get_node(host, port)
        if node is None:
            self.refresh()
            node = self._client.get_node(host, port)
        if node is None:
            raise ClusterDownError(f"the cluster does not know its own node {host}:{port}")
        return self._pool(node)

    def learn(self, moved: MovedError) -> None:
        self._client.nodes_manager.move_slot(moved)

    def refresh(self) -> None:
        self._client.nodes_manager.initialize()

    def _pool(self, node: Any) -> tuple[str, Any]:
        return node.name, self._client.get_redis_connection(node).connection_pool


def _is_stale(line: Line) -> bool:
    """Returns whether the server closed it, or a reply came that nobody waited for."""
    try:
        return line.can_read(timeout=0)
    except (ConnectionError, TimeoutError):
        return True


def _exchange(line: Line, command: Sequence[Argument], wait_s: float | None = None) -> Any:
    try:
        _send(line, command)
        return line.read_response() if wait_s is None else line.read_response(timeout=wait_s)
    except ResponseError:
        raise  # a whole reply, so the connection is as good as before
    except BaseException:
        line.disconnect()
        raise


def _exchange_each(commands: Sequence[tuple[Line, Sequence[Argument]]]) -> list[Any]:
    together: dict[Line, list[Sequence[Argument]]] = {}
    for line, command in commands:
        together.setdefault(line, []).append(command)
    try:
        for line, those in together.items():
            _send(line, *those)
        return [_reply(line) for line, _ in commands]
    except BaseException:
        for line, _ in commands:
            line.disconnect()  # a reply on its way would answer the next command
        raise


def _exchange_ahead(line: Line, commands: Iterable[Sequence[Argument]], take: Callable[[Any], bool]) -> None:
    sent = 0
    try:
        for command in commands:
            _send(line, command)
            sent += 1
            if sent > 1 and not take(line.read_response()):
                line.read_response()  # of the command sent meanwhile
                return
        if sent:
            take(line.read_response())
    except BaseException:
        line.disconnect()
        raise


def _send(line: Line, *commands: Sequence[Argument]) -> None:
    """Sends commands in one write; redis-py itself takes three times as long to pack them."""
    line.send_packed_command([b"".join([_packed(command) for command in commands])])


def _packed(command: Sequence[Argument]) -> bytes:
    return _pack(tuple(command))


def _reply(line: Line) -> Any:
    try:
        return line.read_response()
    except ResponseError as error:
        return error
