"""The order of all tests, their distribution to processes, and their ids."""

import gc
import signal
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

_WAITING = ("browser", "processes", "cluster")
_IN_BROWSERS = "tests/service/web/"
_LAST_WAITING = 0.6
"""The share of the other modules that begin before the last one that waits, which may take two minutes."""


# A job in the background of a script, such as `make test &`, ignores Ctrl-C, and so would the processes that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection() -> None:
    """Collects no garbage while tests are collected: almost nothing can be freed, and each test process would search."""
    gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mixes modules that often wait with those that compute, so that all cores are busy all the time.

    Raises:
        pytest.UsageError: tests share an id. xdist would run one of them, and say nothing about the others.
    """
    shared = [id_ for id_, count in Counter(item.nodeid for item in items).items() if count > 1]
    if shared:
        raise pytest.UsageError(f"More than one test has the id {shared[0]}")
    waiting = {item.path for item in items if any(map(item.get_closest_marker, _WAITING))}
    modules = dict.fromkeys(item.path for item in items)
    places = dict[Path, float]()
    for group, end in (
        ([path for path in modules if path in waiting], _LAST_WAITING),
        ([path for path in modules if path not in waiting], 1.0),
    ):
        places |= {path: end * number / len(group) for number, path in enumerate(group)}
    items.sort(key=lambda item: places[item.path])


def pytest_collection_finish() -> None:
    """Exempts the collected tests from garbage collection, which would walk through all of them many times."""
    gc.collect()
    gc.freeze()
    gc.enable()


class _Scheduling(LoadFileScheduling):  # type: ignore[misc] # xdist carries no types
    """Runs modules with browsers in every second process, because each of these starts a browser for all of its modules."""

    def _assign_work_unit(self, node: Any) -> None:
        has_browser = self.nodes.index(node) % 2 == 0
        preferred = (module for module in self.workqueue if module.startswith(_IN_BROWSERS) == has_browser)
        if (module := next(preferred, None)) is not None:
            self.workqueue.move_to_end(module, last=False)
        super()._assign_work_unit(node)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling:
    return _Scheduling(config, log)
