"""Serves the API: `python -m service.http.server`. One port, several worker processes."""

import os
import tempfile
from pathlib import Path
from typing import Any

from granian import Granian
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings

from service.settings import Settings


def main() -> None:
    """Serves until SIGTERM or SIGINT."""
    settings = Settings.from_environment(os.environ)
    with tempfile.TemporaryDirectory(prefix="hoodwink-metrics-") as folder:
        # It must be known before a worker imports what counts.
        metrics = Path(os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", folder))
        metrics.mkdir(parents=True, exist_ok=True)
        server(settings).serve()


def server(settings: Settings, *, target: str = "service.http.server:application") -> Any:
    """Returns the server of what `target()` makes; the figures are those that did best with 200 streams open."""
    return Granian(
        target,
        factory=True,
        address=settings.host,
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
        log_access=False,
        http1_settings=HTTP1Settings(header_read_timeout=10_000, max_buffer_size=64 * 1024),
    )


def application() -> Any:
    """Returns what a worker process runs."""
    from service.http.worker import create_bridge  # noqa: PLC0415 - only the workers need all of it

    return create_bridge(Settings.from_environment(os.environ))


if __name__ == "__main__":
    main()
