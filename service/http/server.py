"""Serves the API: `python -m hoodwink.service.http.server`. One port, several worker processes."""

import os
import signal
import socket
from typing import Any, Final

from granian import Granian
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels

from hoodwink.service.adapters.process.interpreter import import_for_good
from hoodwink.service.adapters.process.parentage import end_with_parent
from hoodwink.service.http.serving.sockets import max_connections
from hoodwink.service.monitoring.folder import begin_counting, metrics_folder
from hoodwink.service.settings import Settings

APPLICATION: Final = "hoodwink.service.http.server:application"

_OWN_LINES: Final = {"formatters": {}, "handlers": {}, "loggers": {"_granian": {"propagate": True}}}
"""Routes Granian's log lines through our handlers, so that they have the same format as all others."""


def main(target: str = APPLICATION) -> None:
    """Serves the application that `target()` returns, until SIGTERM or SIGINT."""
    settings = Settings.from_environment(os.environ)
    _write_logs(settings)
    with metrics_folder():
        # Imported before the fork, so that the workers share the memory of the modules.
        import_for_good("hoodwink.service.http.serving.worker")
        server(settings, target=target).serve()


def _write_logs(settings: Settings) -> None:
    log_lines = import_for_good("hoodwink.service.adapters.process.log_lines")
    log_lines.write_logs(settings.log_level, part="api", style=settings.log_format)


def server(settings: Settings, *, target: str = APPLICATION) -> Any:
    """Returns the server of the application that `target()` returns.

    These limits performed best with 200 open streams.
    """
    return Granian(
        target,
        factory=True,
        address=_address(settings.host),
        port=settings.port,
        interface=Interfaces.RSGI,
        workers=settings.api_workers,
        http=HTTPModes.http1,
        loop=Loops.auto,
        websockets=False,
        backlog=2048,
        backpressure=max_connections(),  # Granian counts open connections, not requests
        workers_kill_timeout=4,  # less than the supervisor's `stop_timeout`, after which it kills the whole group
        respawn_failed_workers=True,
        respawn_interval=0.2,
        log_level=LogLevels(settings.log_level),
        log_dictconfig=_OWN_LINES,
        log_access=False,
        # The timeout also closes connections on which nothing is sent; see `IdleConnections`.
        http1_settings=HTTP1Settings(header_read_timeout=10_000, max_buffer_size=64 * 1024),
    )


def _address(host: str) -> str:
    """Returns the first address of a host, because Granian accepts no names. `free_port` checks the same one."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    return str(found[0][4][0])


def application() -> Any:
    """Returns the application that a worker process runs."""
    settings = begin_worker()
    from hoodwink.service.http.serving.worker import start  # noqa: PLC0415 - the metrics' folder must be set first

    return start(settings)


def begin_worker() -> Settings:
    """Prepares a worker process before it imports an application; returns the service's settings."""
    # A worker that outlived its server would keep the port, so the server could not restart.
    end_with_parent(os.getppid(), signal.SIGKILL)
    # The handler inherited from the server does nothing in a worker. With the default one, SIGTERM ends a worker
    # that has not reached the bridge's own handler yet.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    begin_counting()
    settings = Settings.from_environment(os.environ)
    _write_logs(settings)
    return settings


if __name__ == "__main__":
    main()
