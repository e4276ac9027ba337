"""Checks before anything starts, so that each problem is reported in one clear line."""

import socket
import sys
from contextlib import suppress
from typing import Any

from hoodwink.service.settings import Settings


class CannotStart(Exception):
    """Raised when the service cannot run here. The message is one line for people."""


def free_port(host: str, port: int) -> int:
    """Returns the port to listen on: the given one if it is free, or any free one for 0.

    Raises:
        CannotStart: the port is taken or forbidden, or the address does not belong to this machine.
    """
    return _free(host, port, "HOODWINK_HOST and HOODWINK_PORT")


def hold_port(host: str, port: int) -> socket.socket:
    """Returns a socket that keeps a free port from all processes but the server, as long as it is open.

    The server shares its port. Before it listens, the port could be given to another service that starts now.
    """
    family, kind, protocol, _, address = _first_address(host, port)
    held = socket.socket(family, kind, protocol)
    if sys.platform == "linux":  # elsewhere, it may get connections that are meant for the server
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        with suppress(OSError):  # in TIME_WAIT it cannot be held, but the server can have it
            held.bind(address)
    return held


def check_metrics_port(settings: Settings) -> None:
    """Raises `CannotStart` if the port for metrics is taken, forbidden, or the same as the API's."""
    if settings.metrics_port and settings.metrics_port == settings.port:
        raise CannotStart(
            f"HOODWINK_METRICS_PORT and HOODWINK_PORT are both {settings.port}; they must differ."
        )
    if settings.metrics_port:
        _free(settings.metrics_host, settings.metrics_port, "HOODWINK_METRICS_HOST and HOODWINK_METRICS_PORT")


def _free(host: str, port: int, names: str) -> int:
    try:
        return _bind(host, port)
    except OSError as error:
        reason = error.strerror or str(error)
        raise CannotStart(
            f"Cannot listen on {host}, port {port}: {reason}. Choose another address with {names}."
        ) from None


def _bind(host: str, port: int) -> int:
    family, kind, protocol, _, address = _first_address(host, port)
    with socket.socket(family, kind, protocol) as probe:
        # As the server does. Without this option, a port that was closed a moment ago counts as taken (TIME_WAIT).
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(address)
        probe.listen(1)
        return int(probe.getsockname()[1])


def _first_address(host: str, port: int) -> Any:
    """Returns what `getaddrinfo` says of the only address that the server will use."""
    return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
