"""Inspects and breaks this process's own connections, by their file descriptors.

The server accepts every byte of a stream immediately and buffers what the client does not read, without a limit and
without reporting how much. The kernel's send buffer shows which clients have stopped reading.
"""

import os
import platform
import resource
import socket
import struct
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from fcntl import ioctl
from typing import Final, NamedTuple

_SIOCOUTQ: Final = 0x5411  # Linux
_SO_NWRITE: Final = 0x1024  # macOS
_LAST_DATA_RECEIVED: Final = 52, "I"  # in `struct tcp_info` of Linux
_BYTES_ACKNOWLEDGED: Final = 120, "Q"
_MAX_DESCRIPTORS: Final = 16_640
_OTHER_DESCRIPTORS: Final = 256
"""Kept for Redis, logs, metrics and the like."""


class Delivery(NamedTuple):
    """How much of what the server has sent to a client has arrived.

    Attributes:
        unsent: the number of bytes in the kernel's send buffer.
        acknowledged: the number of bytes that the client has received since it connected.
    """

    unsent: int
    acknowledged: int


def room_for_connections() -> int:
    """Returns how many connections this process can hold, after raising its limit of descriptors as far as it may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(_MAX_DESCRIPTORS, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(wanted - _OTHER_DESCRIPTORS, wanted // 2)


def end_vanished(port: int, *, seconds: float) -> None:
    """Makes the kernel end connections to a port whose clients acknowledge nothing for this long after a send.

    Without it, the stream of a client that changed networks would stay open for up to a quarter of an hour. Connections
    inherit it from the socket that listens. Only Linux can do this.
    """
    for number in descriptors() if platform.system() == "Linux" else ():
        with _borrow(number) as found, suppress(OSError):
            if found is not None and _is_listening(found) and found.getsockname()[1] == port:
                found.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(seconds * 1000))


def unsent_bytes(clients: Collection[str]) -> dict[str, int]:
    """Returns the number of bytes in the kernel's send buffer for each of these clients, given as `host:port`."""
    found = {}
    for number in descriptors():
        with _borrow(number) as connection:
            client = None if connection is None else _peer(connection)
            if client in clients and connection is not None:
                found[str(client)] = _waiting(connection)
    return found


def silences(port: int) -> dict[str, int]:
    """Returns the time, in ms, since each client of a port has sent something or, if it never did, since it connected.

    Only Linux reports it; elsewhere no client is found.
    """
    found = dict[str, int]()
    for number in descriptors() if platform.system() == "Linux" else ():
        with _borrow(number) as connection, suppress(OSError):  # the server may just have closed it
            client = None if connection is None else _peer(connection)
            if connection is not None and client is not None and connection.getsockname()[1] == port:
                found[client] = _fact(connection, *_LAST_DATA_RECEIVED)
    return found


def deliveries(clients: Collection[str]) -> dict[str, Delivery]:
    """Returns what has arrived at each of these clients that is still connected. Only Linux reports it."""
    found = dict[str, Delivery]()
    for number in descriptors() if platform.system() == "Linux" else ():
        with _borrow(number) as connection, suppress(OSError):  # the server may just have closed it
            client = None if connection is None else _peer(connection)
            if connection is not None and client is not None and client in clients:
                found[client] = Delivery(_waiting(connection), _fact(connection, *_BYTES_ACKNOWLEDGED))
    return found


def cut_off(clients: Collection[str], *, discards_unsent: bool = False) -> None:
    """Breaks the connections of clients, so that the server frees what it holds for them.

    With `discards_unsent`, the kernel frees what it holds immediately, too, instead of trying to send it for a while.
    """
    for number in descriptors():
        with _borrow(number) as connection:
            if connection is not None and _peer(connection) in clients:
                with suppress(OSError):  # the client may just have left
                    if discards_unsent:
                        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    connection.shutdown(socket.SHUT_RDWR)


def descriptors() -> list[int]:
    """Returns the numbers of all open file descriptors of this process."""
    return [int(name) for name in os.listdir("/dev/fd")]  # noqa: PTH208 - asked every second, and `Path` is slower


@contextmanager
def _borrow(number: int) -> Iterator[socket.socket | None]:
    """Gives a descriptor as a socket and leaves it open, or `None` if it is not a socket."""
    try:
        connection = socket.socket(fileno=number)
    except OSError:
        yield None
        return
    try:
        yield connection
    finally:
        connection.detach()


def _peer(connection: socket.socket) -> str | None:
    if connection.family not in {socket.AF_INET, socket.AF_INET6}:
        return None
    try:
        host, port, *_ = connection.getpeername()
    except OSError:
        return None
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"  # as the server writes it


def _is_listening(found: socket.socket) -> bool:
    is_of_network = found.family in {socket.AF_INET, socket.AF_INET6}
    return is_of_network and bool(found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))


def _fact(connection: socket.socket, offset: int, kind: str) -> int:
    """Returns a number of `struct tcp_info`."""
    facts = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, offset + struct.calcsize(kind))
    (fact,) = struct.unpack_from(kind, facts, offset)
    return int(fact)


def _waiting(connection: socket.socket) -> int:
    if platform.system() == "Linux":
        (waiting,) = struct.unpack("i", ioctl(connection.fileno(), _SIOCOUTQ, bytes(4)))
        return int(waiting)
    return connection.getsockopt(socket.SOL_SOCKET, _SO_NWRITE)
