"""What each process of a running service has used: time on a core, and memory. Linux alone tells."""

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
"""Fields of /proc/<pid>/stat behind the name in parentheses."""


class Usage(NamedTuple):
    """What the processes of one role have used.

    Attributes:
        seconds: on a core, since they began.
        bytes: resident memory, with what they share counted in each.
        processes: how many they are.
    """

    seconds: float
    bytes: int
    processes: int


def usages(settings: Settings) -> dict[str, Usage]:
    """Returns what the parts of the service that runs on these settings have used, by role; nothing off Linux."""
    instance = find_instance(settings.data_folder)
    if instance is None or sys.platform != "linux":
        return {}
    found: defaultdict[str, list[Usage]] = defaultdict(list)
    for process in _descendants(instance.process):
        with suppress(OSError):  # it has ended meanwhile
            if role := _role(process):
                found[role].append(_usage(process))
    return {
        role: Usage(sum(one.seconds for one in each), sum(one.bytes for one in each), len(each))
        for role, each in found.items()
    }


def spent(before: Mapping[str, Usage], after: Mapping[str, Usage]) -> dict[str, float]:
    """Returns the seconds on a core that each role used in between."""
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
