"""Inspects and closes this process's own connections through their file descriptors.

The server accepts every byte of a stream immediately. It buffers unread bytes without a limit and does not report
how many. The kernel's send buffer shows which clients have stopped reading.
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
# Offsets in Linux's `struct tcp_info`. Python does not know its fields, but the kernel only ever appends to it.
_LAST_DATA_RECEIVED: Final = 52, "I"
_BYTES_ACKNOWLEDGED: Final = 120, "Q"
# 16,384 connections and the others.
_MAX_DESCRIPTORS: Final = 16_640
_OTHER_DESCRIPTORS: Final = 256
"""Reserved for Redis, logs and metrics."""


class Delivery(NamedTuple):
    """A client's progress in receiving the server's bytes.

    Attributes:
        unsent: bytes in the kernel's send buffer.
        acknowledged: bytes that the client has received since it connected.
    """

    unsent: int
    acknowledged: int


def max_connections() -> int:
    """Returns how many connections this process can hold, and raises its descriptor limit for them if allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(_MAX_DESCRIPTORS, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(wanted - _OTHER_DESCRIPTORS, wanted // 2)


def limit_silence(port: int, *, seconds: float) -> None:
    """Makes the kernel close connections to a port if a client acknowledges nothing for this long after a send.

    Otherwise the stream of a client that changed networks stays open for up to 15 minutes. Linux only.
    """
    # On the listening socket, because connections inherit the option from it and Granian does not expose theirs.
    for number in descriptors() if platform.system() == "Linux" else ():
        with _borrow(number) as found, suppress(OSError):
            if found is not None and _is_listening(found) and found.getsockname()[1] == port:
                found.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(seconds * 1000))


def unsent_bytes(clients: Collection[str]) -> dict[str, int]:
    """Returns the bytes in the kernel's send buffer for each of these clients, given as `host:port`."""
    found = dict[str, int]()
    for number in descriptors():
        with _borrow(number) as connection, suppress(OSError):  # the server may just have closed it
            client = None if connection is None else _peer(connection)
            if connection is not None and client is not None and client in clients:
                found[client] = _unsent(connection)
    return found


def silences(port: int) -> dict[str, int]:
    """Returns the ms since each client of a port last sent something or, if it never did, since it connected.

    Only Linux reports this; elsewhere the result is empty.
    """
    found = dict[str, int]()
    for number in descriptors() if platform.system() == "Linux" else ():
        with _borrow(number) as connection, suppress(OSError):  # the server may just have closed it
            client = None if connection is None else _peer(connection)
            if connection is not None and client is not None and connection.getsockname()[1] == port:
                found[client] = _tcp_info(connection, *_LAST_DATA_RECEIVED)
    return found


def deliveries(clients: Collection[str]) -> dict[str, Delivery]:
    """Returns the progress of those clients that are still connected. Only Linux reports it."""
    found = dict[str, Delivery]()
    for number in descriptors() if platform.system() == "Linux" else ():
        with _borrow(number) as connection, suppress(OSError):  # the server may just have closed it
            client = None if connection is None else _peer(connection)
            if connection is not None and client is not None and client in clients:
                found[client] = Delivery(_unsent(connection), _tcp_info(connection, *_BYTES_ACKNOWLEDGED))
    return found


def cut_off(clients: Collection[str], *, discards_unsent: bool = False) -> None:
    """Shuts the connections of clients down, so that the server frees what it has buffered for them.

    With `discards_unsent`, the kernel also frees its send buffer immediately, instead of retrying for a while.
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
    """Yields a descriptor as a socket, or `None` if it is not a socket."""
    try:
        connection = socket.socket(fileno=number)
    except OSError:
        yield None
        return
    try:
        yield connection
    finally:
        connection.detach()  # or Python would close a descriptor that belongs to the server


def _peer(connection: socket.socket) -> str | None:
    if connection.family not in {socket.AF_INET, socket.AF_INET6}:
        return None
    try:
        host, port, *_ = connection.getpeername()
    except OSError:
        return None
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"  # the format of granian's `scope.client`


def _is_listening(found: socket.socket) -> bool:
    is_of_network = found.family in {socket.AF_INET, socket.AF_INET6}
    return is_of_network and bool(found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))


def _tcp_info(connection: socket.socket, offset: int, kind: str) -> int:
    """Returns one number of `struct tcp_info`."""
    info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, offset + struct.calcsize(kind))
    (number,) = struct.unpack_from(kind, info, offset)
    return int(number)


def _unsent(connection: socket.socket) -> int:
    if platform.system() == "Linux":
        (unsent,) = struct.unpack("i", ioctl(connection.fileno(), _SIOCOUTQ, bytes(4)))
        return int(unsent)
    return connection.getsockopt(socket.SOL_SOCKET, _SO_NWRITE)
