"""Runs the measured service in other processes, and reads their CPU time and memory."""

import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from hoodwink.service.application.limits import Limit
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor import find_instance, isolated_service

FSYNC: Final = "everysec"
"""The setting that the targets apply to. The service's default is stricter; a row shows its cost."""

LIFTED: Final = tuple(limit.value for limit in Limit)
"""All limits are lifted, because a single client sends more requests than one client may."""

_ROLES: Final = {
    "redis-server": "redis",
    "valkey-server": "redis",
    "hoodwink.service.http.server": "api",
    "bench.baseline": "api",
    "hoodwink.workers.celery_worker": "worker",
    "hoodwink.workers.job_worker": "jobs",
    "hoodwink.workers.thinking_worker": "thinkers",
    "hoodwink.workers.push_worker": "pushes",
    "hoodwink.workers.projector": "projector",
}
"""The role of a process by a word in its command line."""

_PARENT, _USER_TICKS, _SYSTEM_TICKS = 1, 11, 12
"""Fields of /proc/<pid>/stat after the name in parentheses."""


@contextmanager
def bench_service() -> Iterator[Settings]:
    """Runs a service with two API workers and its own Redis during the block; yields its settings.

    Raises:
        CannotStart: the service did not become ready.
    """
    with tempfile.TemporaryDirectory(prefix="hoodwink-bench-") as folder:
        # All clients have the same address, and a crowd that comes at once is idle until its streams begin.
        given = Settings(
            port=0,
            data=folder,
            fsync=FSYNC,
            api_workers=2,
            api_streams=10_000,
            connections_per_address=10_000,
        ).unlimited()
        with isolated_service(given) as settings:
            yield settings


class Usage(NamedTuple):
    """The resources that the processes of one role have used.

    Attributes:
        seconds: CPU time since they started.
        bytes: resident memory; shared pages count for each process.
        processes: the number of processes.
    """

    seconds: float
    bytes: int
    processes: int


def usages(settings: Settings, server: int | None = None) -> dict[str, Usage]:
    """Returns the usage of the service with these settings, by role; empty except on Linux.

    Args:
        server: the process id of a server that is measured instead of the service's API.
    """
    instance = find_instance(settings.data_folder)
    if instance is None or sys.platform != "linux":
        return {}
    return _usages_below(instance.process) | ({} if server is None else _usages_below(server))


def core_seconds_between(before: Mapping[str, Usage], after: Mapping[str, Usage]) -> dict[str, float]:
    """Returns the seconds of CPU time that each role used between two readings."""
    return {role: usage.seconds - before[role].seconds for role, usage in after.items() if role in before}


def _usages_below(process: int) -> dict[str, Usage]:
    found: defaultdict[str, list[Usage]] = defaultdict(list)
    for member in _family(process):
        with suppress(OSError):  # the process has ended meanwhile
            if role := _role(member):
                found[role].append(_usage(member))
    return {
        role: Usage(sum(usage.seconds for usage in used), sum(usage.bytes for usage in used), len(used))
        for role, used in found.items()
    }


def _family(process: int) -> Iterator[int]:
    children: defaultdict[int, list[int]] = defaultdict(list)
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                children[int(_stat(int(entry.name))[_PARENT])].append(int(entry.name))
    waiting = [process]
    while waiting:
        found = waiting.pop()
        yield found
        waiting += children[found]


def _role(process: int) -> str:
    words = Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return next((role for word, role in _ROLES.items() if word in words), "")


def _usage(process: int) -> Usage:
    stat = _stat(process)
    ticks = int(stat[_USER_TICKS]) + int(stat[_SYSTEM_TICKS])
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return Usage(ticks / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGE_SIZE"), 1)


def _stat(process: int) -> list[str]:
    return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
