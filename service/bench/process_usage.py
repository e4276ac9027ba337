"""The core time and memory that the processes of a running service have used, read from /proc on Linux."""

import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from service.settings import Settings
from service.supervisor import find_instance

_ROLES: Final = {
    "redis-server": "redis",
    "service.http.server": "api",
    "workers.celery_worker": "worker",
    "workers.projector": "projector",
}
_PARENT, _USER_TICKS, _SYSTEM_TICKS = 1, 11, 12
"""Fields of /proc/<pid>/stat after the name in parentheses."""


class Usage(NamedTuple):
    """The resources that the processes of one role have used.

    Attributes:
        seconds: the core time since they started.
        bytes: the resident memory; shared pages are counted for each process.
        processes: the number of processes.
    """

    seconds: float
    bytes: int
    processes: int


def usages(settings: Settings) -> dict[str, Usage]:
    """Returns the usage of the service that runs on these settings, by role; it is empty except on Linux."""
    instance = find_instance(settings.data_folder)
    if instance is None or sys.platform != "linux":
        return {}
    found: defaultdict[str, list[Usage]] = defaultdict(list)
    for process in _descendants(instance.process):
        with suppress(OSError):  # the process has ended meanwhile
            if role := _role(process):
                found[role].append(_usage(process))
    return {
        role: Usage(sum(usage.seconds for usage in used), sum(usage.bytes for usage in used), len(used))
        for role, used in found.items()
    }


def spent(before: Mapping[str, Usage], after: Mapping[str, Usage]) -> dict[str, float]:
    """Returns the core time, in seconds, that each role used between two readings."""
    return {role: usage.seconds - before[role].seconds for role, usage in after.items() if role in before}


def _descendants(process: int) -> Iterator[int]:
    children: defaultdict[int, list[int]] = defaultdict(list)
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                children[int(_stat(int(entry.name))[_PARENT])].append(int(entry.name))
    waiting = [process]
    while waiting:
        found = children[waiting.pop()]
        waiting += found
        yield from found


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
