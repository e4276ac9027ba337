"""A look at this process' own connections from outside the server that holds them.

The server takes every byte of a stream at once and keeps what the client does not read, without telling
how much. The kernel knows.
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
    """Returns how many bytes wait in the kernel for each client, `host:port`; others are left out."""
    found = {}
    for number in _descriptors():
        with _borrowed(number) as connection:
            client = None if connection is None else _peer(connection)
            if client in clients and connection is not None:
                found[str(client)] = _waiting(connection)
    return found


def cut_off(client: str) -> None:
    """Breaks the connection of a client, so that the server lets go of what is still unread."""
    for number in _descriptors():
        with _borrowed(number) as connection:
            if connection is not None and _peer(connection) == client:
                connection.shutdown(socket.SHUT_RDWR)


def _descriptors() -> list[int]:
    return [int(entry.name) for entry in Path("/dev/fd").iterdir()]


@contextmanager
def _borrowed(number: int) -> Iterator[socket.socket | None]:
    """Gives a descriptor as a socket, and leaves it open; `None` if it is none."""
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
