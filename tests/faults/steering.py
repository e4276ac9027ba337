"""A pytest plugin for runs in the copy: it selects, orders and records tests, and stops when time runs out.

`FAULTS_JOB` names a JSON file: `tests` in their order (all if empty), `seconds` of processor time, `coverage` for a file with the
lines that each test runs, and `report` for a file with the seconds and the outcome of each test in the order they ran.
"""

import json
import os
from pathlib import Path

import coverage
import pytest


class Steering:
    """Steers one session."""

    def __init__(self, job: dict[str, object]) -> None:
        self.job = job
        self.ranks = {test: rank for rank, test in enumerate(job["tests"])}  # type: ignore[arg-type, var-annotated]
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []
        self.coverage = None
        if job["coverage"]:
            packages = [str(Path.cwd() / name) for name in ("domain", "service", "workers")]
            self.coverage = coverage.Coverage(
                data_file=str(job["coverage"]),
                source=packages,
                concurrency=["thread", "greenlet"],
                config_file=False,
            )
            self.coverage.start()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.ranks:
            chosen = [item for item in items if item.nodeid in self.ranks]
            items[:] = sorted(chosen, key=lambda item: self.ranks[item.nodeid])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.seconds[nodeid] = 0.0
        if self.coverage:
            self.coverage.switch_context(nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration
        if report.failed:
            self.failed.append(report.nodeid)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item, nextitem):
        result = yield
        if sum(os.times()[:4]) > float(self.job["seconds"]):  # type: ignore[arg-type]
            item.session.shouldstop = "the time is up"
        return result

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.coverage:
            self.coverage.stop()
            self.coverage.save()
        found = {"seconds": self.seconds, "failed": self.failed, "stopped": bool(session.shouldstop)}
        Path(str(self.job["report"])).write_text(json.dumps(found), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(
        Steering(json.loads(Path(os.environ["FAULTS_JOB"]).read_text(encoding="utf-8")))
    )
