"""The order of all tests, their distribution to processes, and their ids."""

import gc
import marshal
import signal
from collections import Counter
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from _pytest.pathlib import import_path
from xdist.scheduler import LoadFileScheduling

from tests.sources import sources

_WAITING = ("browser", "processes", "cluster")
_HOMES = ("tests/service/web/", "tests/clients/", "tests/service/web/", "", "")
"""The folder whose modules each test process runs first: they share a service, and a browser or compiled clients."""
_LAST_WAITING = 0.6
"""The share of the other modules that begin before the last one that waits, which may take two minutes."""

# Assertions in the shared laws explain themselves as those in tests do.
pytest.register_assert_rewrite("tests.domain.laws.laws")

# The same examples in each run, and nothing is timed: on a busy machine, one may take longer than Hypothesis expects.
hypothesis.settings.register_profile(
    "steady", deadline=None, derandomize=True, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("steady")

# A job in the background of a script, such as `make test &`, ignores Ctrl-C, and so would the processes that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection(session: pytest.Session) -> None:
    """Collects no garbage while tests are collected: almost nothing can be freed, and each test process would search."""
    gc.disable()
    _import_share(session.config)


def _import_share(config: pytest.Config) -> None:
    """Imports a part of the modules first, which differs between the test processes.

    All of them import all modules. In a fresh clone each would also compile all modules, if all began with the same.
    """
    if not (process := getattr(config, "workerinput", None)):
        return
    folders = [config.invocation_params.dir / argument for argument in config.args]
    modules = sorted(path for path in sources(*folders) if path.name.startswith("test_"))
    for path in modules[int(process["workerid"].removeprefix("gw")) :: process["workercount"]]:
        with suppress(Exception, pytest.skip.Exception):  # which pytest reports when it collects the module
            import_path(path, mode="importlib", root=config.rootpath, consider_namespace_packages=False)


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
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Generator[None, dict[str, Any] | None, dict[str, Any] | None]:
    """Packs a report for its way from a test process: xdist would encode and decode each of its values in Python."""
    data = yield
    return data and {"packed": marshal.dumps(data)}


@pytest.hookimpl(wrapper=True)
def pytest_report_from_serializable(data: dict[str, Any]) -> Generator[None, Any, Any]:
    data |= marshal.loads(data.pop("packed"))
    return (yield)


class _Scheduling(LoadFileScheduling):  # type: ignore[misc] # xdist carries no types
    """Runs modules that share a service in few processes, because each of these starts one for all of its modules."""

    def _assign_work_unit(self, node: Any) -> None:
        home = _HOMES[self.nodes.index(node) % len(_HOMES)]
        # Before it helps other processes, a process runs the modules that belong to none.
        module = min(self.workqueue, key=lambda module: (_home_of(module) != home, _home_of(module)))
        self.workqueue.move_to_end(module, last=False)
        super()._assign_work_unit(node)


def _home_of(module: str) -> str:
    return next(home for home in _HOMES if module.startswith(home))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling:
    return _Scheduling(config, log)
