"""Inspects and breaks this process's own connections, by their file descriptors.

The server accepts every byte of a stream immediately and buffers what the client does not read, without a limit and
without reporting how much. The kernel's send buffer shows which clients have stopped reading.
"""

import platform
import socket
import struct
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from fcntl import ioctl
from pathlib import Path
from typing import Final

_SIOCOUTQ: Final = 0x5411  # Linux
_SO_NWRITE: Final = 0x1024  # macOS


def unsent_bytes(clients: Collection[str]) -> dict[str, int]:
    """Returns the number of bytes in the kernel's send buffer for each of these clients, given as `host:port`."""
    found = {}
    for number in _descriptors():
        with _borrowed(number) as connection:
            client = None if connection is None else _peer(connection)
            if client in clients and connection is not None:
                found[str(client)] = _waiting(connection)
    return found


def cut_off(client: str) -> None:
    """Breaks the connection of a client, so that the server frees what is still unread."""
    for number in _descriptors():
        with _borrowed(number) as connection:
            if connection is not None and _peer(connection) == client:
                connection.shutdown(socket.SHUT_RDWR)


def _descriptors() -> list[int]:
    return [int(entry.name) for entry in Path("/dev/fd").iterdir()]


@contextmanager
def _borrowed(number: int) -> Iterator[socket.socket | None]:
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
    try:
        host, port, *_ = connection.getpeername()
    except (OSError, ValueError):
        return None
    return f"{host}:{port}"


def _waiting(connection: socket.socket) -> int:
    if platform.system() == "Linux":
        (waiting,) = struct.unpack("i", ioctl(connection.fileno(), _SIOCOUTQ, bytes(4)))
        return int(waiting)
    return connection.getsockopt(socket.SOL_SOCKET, _SO_NWRITE)
