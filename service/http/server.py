"""Serves the API: `python -m service.http.server`. One port, several worker processes."""

import gc
import os
import signal
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from granian import Granian
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels

from service.adapters.log_lines import write_logs
from service.adapters.parentage import end_with
from service.settings import Settings


def main() -> None:
    """Serves until SIGTERM or SIGINT."""
    settings = Settings.from_environment(os.environ)
    with _metrics_folder() as metrics:
        # It must be known before a worker imports what counts.
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(metrics)
        for former in metrics.glob("gauge_live*.db"):  # of workers that were killed with their server
            former.unlink()
        import_module("service.http.serving.worker")  # once, for all workers to be forked
        gc.collect()
        gc.freeze()  # it stays for ever, so no worker need look through it again
        server(settings).serve()


@contextmanager
def _metrics_folder() -> Iterator[Path]:
    """Gives the folder where all processes of this machine meet; without one, these workers have their own."""
    if given := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        metrics = Path(given)
        metrics.mkdir(parents=True, exist_ok=True)
        yield metrics
    else:
        with tempfile.TemporaryDirectory(prefix="hoodwink-metrics-") as folder:
            yield Path(folder)


def server(settings: Settings, *, target: str = "service.http.server:application") -> Any:
    """Returns the server of what `target()` makes; the figures are those that did best with 200 streams open."""
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
        backpressure=2048,
        workers_kill_timeout=4,
        respawn_failed_workers=True,
        respawn_interval=0.2,
        log_level=LogLevels(settings.log_level),
        log_access=False,
        http1_settings=HTTP1Settings(header_read_timeout=10_000, max_buffer_size=64 * 1024),
    )


def _address(host: str) -> str:
    """Returns the address of a host, for the server takes no names; the first one, as the check of the port does."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    return str(found[0][4][0])


def application() -> Any:
    """Returns what a worker process runs. No worker outlives the server, which could not start again beside it."""
    end_with(os.getppid(), signal.SIGKILL)
    # What the server does on SIGTERM was inherited; here it would do nothing, until the bridge takes over.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    from service.http.serving.worker import create_bridge  # noqa: PLC0415 - it must know first where metrics meet

    settings = Settings.from_environment(os.environ)
    write_logs(settings.log_level)
    return create_bridge(settings)


if __name__ == "__main__":
    main()
