"""Sends commands to a Redis or a cluster, and returns raw replies. No command is ever sent twice.

Commands use the connections of redis-py's pools, but not its `execute_command`. That one turns each reply of a
stream command into tuples and dictionaries, which doubles the time for reading a long log. redis-py decides which
node of a cluster has which keys.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from threading import Thread
from typing import Any, Final, NoReturn, TypeAlias, cast

from hiredis import pack_command
from redis.cluster import RedisCluster
from redis.exceptions import (
    AskError,
    MovedError,
    RedisClusterException,
    RedisError,
    ResponseError,
    TryAgainError,
)

from hoodwink.service.adapters.redis.connection import Client, ping
from hoodwink.service.adapters.redis.failures import UNAVAILABLE, may_pass, with_keys
from hoodwink.service.adapters.redis.gathering import exchange_together, is_gathered
from hoodwink.service.adapters.redis.loop_connection import LoopConnection
from hoodwink.service.adapters.redis.replication import Wait
from hoodwink.service.application.ports import StoreUnavailable

Argument: TypeAlias = str | bytes | int
Command: TypeAlias = Sequence[Argument]
Keyed: TypeAlias = tuple[str, Command]
"""A command, and the key that determines its node."""

_ERRORS: Final = (RedisError, RedisClusterException)
_REDIRECTIONS: Final = 8

SEARCH: Final = "search for a successor"
"""The name of the threads that look for the successor of a silent node."""

_pack_command = cast("Callable[[tuple[Argument, ...]], bytes]", pack_command)


class Transport:
    """Sends commands to Redis, from threads or from code on a loop (see `LoopConnection`).

    Safe to share between threads and across a fork. Raises `StoreUnavailable` for temporary failures, and
    redis-py's `ResponseError` for a wrong command or a key of the wrong type.
    """

    def __init__(
        self, client: Client, *, on_loss: Callable[[], None] = lambda: None, wait: Wait | None = None
    ) -> None:
        """Opens no connection yet.

        Args:
            client: provides the connections.
            on_loss: called whenever an older copy may have replaced the store. That is after every temporary
                failure (a server that becomes a replica for a while takes an older copy and keeps its connections),
                and when slots of a cluster have moved to other nodes.
            wait: ends each write to a connection. Every reply is then a `Written`.
        """
        self._client: Any = client
        self._cluster: Any = client if isinstance(client, RedisCluster) else None
        self._on_loss = on_loss
        self._wait = wait
        self._waits = [_packed(command) for command in wait.commands] if wait else []
        self._ending = b"".join(self._waits)
        self._homes: dict[int, str] = {}
        self._search = Thread()

    def call(self, key: str, *command: Argument) -> Any:
        """Returns the reply of a command, sent to the node of the key."""
        return self.call_each([(key, command)])[0]

    def call_each(self, commands: Sequence[Keyed]) -> list[Any]:
        """Returns the replies of several commands, sent together, in the commands' order."""
        loop = LoopConnection.current()
        try:
            if loop is not None:
                packed = [_packed(command) for _, command in commands]
                replies = loop.exchange(packed) if self._wait is None else self._on_loop(loop, packed)
            # Not on a cluster, where a silent node would also fail the commands to all other nodes.
            elif is_gathered() and self._cluster is None:
                replies = exchange_together(self._exchange, commands)
            else:
                replies = self._exchange(commands)
            for place, reply in enumerate(replies):
                if isinstance(reply, ResponseError):
                    replies[place] = self._follow_redirect(reply, *commands[place])
        except _ERRORS as error:
            self._raise(error)
        return replies

    def call_ahead(self, key: str, commands: Iterable[Command], take: Callable[[Any], bool]) -> None:
        """Hands each reply to `take` while the next command is in progress, until `take` returns false."""
        if LoopConnection.current() is not None or is_gathered() or self._cluster is not None:
            for command in commands:
                if not take(self.call(key, *command)):
                    break
            return
        try:
            self._exchange_ahead(commands, take)
        except _ERRORS as error:
            self._raise(error)

    def _exchange_ahead(self, commands: Iterable[Command], take: Callable[[Any], bool]) -> None:
        sent = 0
        with _borrow(self._client.connection_pool) as connection:
            for command in commands:
                connection.send_packed_command([_packed(command)])
                sent += 1
                if sent > 1 and not take(connection.read_response()):
                    connection.read_response()  # unread, it would answer the next user of the connection
                    return
            if sent:
                take(connection.read_response())

    def _exchange(self, commands: Sequence[Keyed]) -> list[Any]:
        """Returns the replies, including errors. Nodes work in parallel, each on the commands of one write."""
        if not commands:
            return []
        if self._cluster is None:
            with _borrow(self._client.connection_pool) as connection:
                self._send(connection, [command for _, command in commands])
                return self._replies(connection, len(commands))
        return self._exchange_with_nodes(commands)

    def _exchange_with_nodes(self, commands: Sequence[Keyed]) -> list[Any]:
        by_pool: defaultdict[Any, list[int]] = defaultdict(list)
        for place, (key, _) in enumerate(commands):
            by_pool[self._pool(key)].append(place)
        replies: list[Any] = [None] * len(commands)
        # If one node fails, all connections are dropped, because replies of the others may still be on their way.
        with ExitStack() as stack:
            borrowed = [(stack.enter_context(_borrow(pool)), places) for pool, places in by_pool.items()]
            for connection, places in borrowed:
                self._send(connection, [commands[at][1] for at in places])
            for connection, places in borrowed:
                for at, reply in zip(places, self._replies(connection, len(places)), strict=True):
                    replies[at] = reply
        return replies

    def _send(self, connection: Any, commands: Sequence[Command]) -> None:
        connection.send_packed_command([b"".join(map(_packed, commands)) + self._ending])

    def _on_loop(self, loop: LoopConnection, packed: Sequence[bytes]) -> list[Any]:
        assert self._wait is not None
        *replies, confirmation = loop.exchange_replicated(packed, self._waits)
        return self._wait.judge(replies, confirmation)

    def _replies(self, connection: Any, count: int) -> list[Any]:
        replies = [_reply(connection) for _ in range(count)]
        if self._wait is None:
            return replies
        confirmations = [_reply(connection) for _ in self._waits]
        return self._wait.judge(replies, confirmations[-1])

    def _pool(self, key: str) -> Any:
        node, slot = self._cluster.get_node_from_key(key), self._cluster.keyslot(key)
        # A master that was replaced may never be used again, so no error on its connection reports the change.
        if self._homes.setdefault(slot, node.name) != node.name:
            self._homes[slot] = node.name
            self._on_loss()
        return self._cluster.get_redis_connection(node).connection_pool

    def _follow_redirect(self, refusal: ResponseError, key: str, command: Command) -> Any:
        """Returns the reply of the node that has the key now; raises any other error."""
        if self._cluster is None:
            raise with_keys(refusal, key, command)
        reply: Any = refusal
        # A redirected command has not run, so this sends nothing twice.
        for _ in range(_REDIRECTIONS):
            if isinstance(reply, MovedError):
                self._cluster.execute_command("EXISTS", key)  # makes redis-py learn which node has the key
                (reply,) = self._exchange([(key, command)])
            elif isinstance(reply, AskError):
                reply = self._ask_importing_node(reply, command)
        if isinstance(reply, ResponseError):
            raise with_keys(reply, key, command)
        return reply

    def _ask_importing_node(self, ask: AskError, command: Command) -> Any:
        """Returns the reply, or the error, of the node to which a key is moving."""
        node = self._cluster.get_node(ask.host, ask.port)
        if node is None:
            raise TryAgainError(f"the node {ask.host}:{ask.port} is not known yet")
        with _borrow(self._cluster.get_redis_connection(node).connection_pool) as connection:
            connection.send_packed_command([_packed(["ASKING"]) + _packed(command) + self._ending])
            connection.read_response()
            (reply,) = self._replies(connection, 1)
            return reply

    def _raise(self, error: Exception) -> NoReturn:
        if not may_pass(error):
            raise error
        self._on_loss()
        # In a thread, because the search waits for the silent node once more, and the caller has waited already.
        # After a fork, the parent's search counts as ended in the child.
        if isinstance(error, UNAVAILABLE) and self._cluster is not None and not self._search.is_alive():
            self._search = Thread(target=self._find_successor, name=SEARCH, daemon=True)
            self._search.start()
        raise StoreUnavailable(str(error) or type(error).__name__) from error

    def _find_successor(self) -> None:
        """Makes redis-py learn which node took over from a silent one. Until then, commands to the silent node fail."""
        # redis-py only asks the other nodes for their slots after a command of its own has failed.
        with suppress(StoreUnavailable):
            ping(self._cluster)


@contextmanager
def _borrow(pool: Any) -> Iterator[Any]:
    """Yields an unused connection. redis-py replaces one that the server has closed."""
    connection = pool.get_connection()
    try:
        yield connection
    except BaseException:
        connection.disconnect()  # a reply still on its way would answer the next command
        raise
    finally:
        pool.release(connection)


def _packed(command: Command) -> bytes:
    return _pack_command(tuple(command))


def _reply(connection: Any) -> Any:
    try:
        return connection.read_response()
    except ResponseError as error:
        return error
