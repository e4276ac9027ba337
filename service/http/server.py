"""Serves the API: `python -m hoodwink.service.http.server`. One port, several worker processes."""

import gc
import os
import signal
import socket
from importlib import import_module
from typing import Any, Final

from granian import Granian
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels

from hoodwink.service.adapters.process.log_lines import write_logs
from hoodwink.service.adapters.process.parentage import end_with
from hoodwink.service.http.serving.sockets import room_for_connections
from hoodwink.service.monitoring.folder import begin_counting, metrics_folder
from hoodwink.service.settings import Settings

APPLICATION: Final = "hoodwink.service.http.server:application"

_OWN_LINES: Final = {"formatters": {}, "handlers": {}, "loggers": {"_granian": {"propagate": True}}}
"""Granian's logging: through ours, where each line gets the shape of all others."""


def main(target: str = APPLICATION) -> None:
    """Serves the application that `target()` makes until SIGTERM or SIGINT."""
    settings = Settings.from_environment(os.environ)
    write_logs(settings.log_level, part="api", style=settings.log_format)
    with metrics_folder():
        # Before the workers are forked, so that they share it.
        import_module("hoodwink.service.http.serving.worker")
        gc.collect()
        gc.freeze()  # modules are never freed; without this each worker's garbage collector would walk through them
        server(settings, target=target).serve()


def server(settings: Settings, *, target: str = APPLICATION) -> Any:
    """Returns the server of the application that `target()` makes.

    Its limits are those that did best with 200 streams open.
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
        backpressure=room_for_connections(),  # it counts connections, silent ones too
        workers_kill_timeout=4,
        respawn_failed_workers=True,
        respawn_interval=0.2,
        log_level=LogLevels(settings.log_level),
        log_dictconfig=_OWN_LINES,
        log_access=False,
        http1_settings=HTTP1Settings(header_read_timeout=10_000, max_buffer_size=64 * 1024),
    )


def _address(host: str) -> str:
    """Returns the first address of a host, because the server takes no names; the check of the port uses the same."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    return str(found[0][4][0])


def application() -> Any:
    """Returns the application that a worker process runs."""
    settings = begin_worker()
    from hoodwink.service.http.serving.worker import start  # noqa: PLC0415 - the metrics' folder must be set first

    return start(settings)


def begin_worker() -> Settings:
    """Prepares a worker process, before it imports an application, and returns the service's settings."""
    # A worker that outlived its server would keep the port, and the server could not start again.
    end_with(os.getppid(), signal.SIGKILL)
    # The handler inherited from the server does nothing in a worker. Until the bridge installs its own, SIGTERM ends it.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    begin_counting()
    settings = Settings.from_environment(os.environ)
    write_logs(settings.log_level, part="api", style=settings.log_format)
    return settings


if __name__ == "__main__":
    main()
