"""The parts of the service and their command lines, which are defined nowhere else.

`metrics` is an empty folder through which the processes of one machine share the figures of `/metrics`. Without it,
each API creates its own.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from types import MappingProxyType

from msgspec.structs import replace

from hoodwink.service.adapters.process.interpreter import python_module
from hoodwink.service.adapters.process.log_lines import redis_line
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.embedded_redis import CannotStartRedis, EmbeddedRedis
from hoodwink.service.supervisor.parts import Part

_PROBE_SECONDS = 0.5
_ANY_ADDRESS = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - compared with a setting, not bound


def redis(
    server: EmbeddedRedis, settings: Settings, *, check: Callable[[], None], warn: Callable[[str], None]
) -> Part:
    """Returns the part that stores the events. It starts first and stops last."""
    return Part(
        name="redis",
        # It logs to standard output, from where `shape` converts its lines to our format.
        argv=(*server.argv, "--logfile", ""),
        is_ready=server.answers,
        check=check,
        fault=partial(_redis_fault, server, warn),
        shape=partial(redis_line, style=settings.log_format),
        wave=0,
    )


def _redis_fault(server: EmbeddedRedis, warn: Callable[[str], None], lines: Sequence[str]) -> str | None:
    """Repairs what can be repaired without asking, or returns why the server cannot be restarted."""
    try:
        if repaired := server.repair(lines):
            warn(repaired)
            return None
    except CannotStartRedis as error:
        if not server.is_out_of_space(lines):  # the copy of the end that is cut off needs space, too
            return str(error)
    if server.is_out_of_space(lines):
        warn(
            "Redis cannot write its append-only file: is the disk full? The file holds every acknowledged write. "
            "Redis is restarted until there is space."
        )
        return None
    return server.fault(lines)


def api(settings: Settings, metrics: Path | None) -> Part:
    """Returns the part that answers HTTP requests."""
    return Part(
        name="api",
        argv=python_module("hoodwink.service.http.server"),
        environment=_environment(settings, metrics),
        is_ready=partial(_answers, settings),
    )


def worker(settings: Settings, metrics: Path | None) -> Part:
    """Returns the part that runs Celery's tasks: bot moves, deals, scores, clocks."""
    return _background("worker", "hoodwink.workers.celery_worker", settings, metrics)


def jobs(settings: Settings, metrics: Path | None) -> Part:
    """Returns the part that runs jobs: expensive work that requests started."""
    return _background("jobs", "hoodwink.workers.job_worker", settings, metrics)


def thinkers(settings: Settings, metrics: Path | None) -> Part:
    """Returns the part that thinks for bots that think ahead."""
    return _background("thinkers", "hoodwink.workers.thinking_worker", settings, metrics)


def pushes(settings: Settings, metrics: Path | None) -> Part:
    """Returns the part that sends pushes to the browsers of players."""
    return _background("pushes", "hoodwink.workers.push_worker", settings, metrics)


def projector(settings: Settings, metrics: Path | None) -> Part:
    """Returns the part that follows the feed: updates the projections and sends tasks."""
    return _background("projector", "hoodwink.workers.projector", settings, metrics)


def _background(name: str, module: str, settings: Settings, metrics: Path | None) -> Part:
    if metrics:  # the API serves the metrics of all processes
        settings = replace(settings, metrics_port=0)
    argv = (*python_module("hoodwink.workers.start"), module)
    return Part(name=name, argv=argv, environment=_environment(settings, metrics))


PARTS: Mapping[str, Callable[[Settings, Path | None], Part]] = MappingProxyType(
    {
        "api": api,
        "worker": worker,
        "jobs": jobs,
        "thinkers": thinkers,
        "pushes": pushes,
        "projector": projector,
    }
)
"""The parts that share one Redis and may run anywhere, in any number. The API starts first, so that it answers soon."""


def address(settings: Settings) -> str:
    """Returns the URL at which this machine reaches the API.

    >>> address(Settings(host="0.0.0.0", port=9000))
    'http://127.0.0.1:9000'
    """
    host = reachable(settings.host)
    return f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"


def _environment(settings: Settings, metrics: Path | None) -> dict[str, str]:
    shared = {"PROMETHEUS_MULTIPROC_DIR": str(metrics)} if metrics else {}
    # Unbuffered, because the supervisor follows the logs, and a killed process would lose its last lines.
    return {**settings.to_environment(), **shared, "PYTHONUNBUFFERED": "1"}


def _answers(settings: Settings) -> bool:
    connection = HTTPConnection(reachable(settings.host), settings.port, timeout=_PROBE_SECONDS)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == HTTPStatus.OK
    except (HTTPException, OSError):
        return False
    finally:
        connection.close()


def reachable(host: str) -> str:
    """Returns the address at which this machine reaches a server that listens on a host.

    >>> reachable("0.0.0.0")
    '127.0.0.1'
    """
    return _ANY_ADDRESS.get(host, host)
