"""Tries faults: plants each in the copy and runs the tests that cover it, until one fails."""

import json
import os
import resource
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from tests.faults.collection import Code, Fault
from tests.faults.covering import ELSEWHERE, MAP, SHORT, covering, elsewhere, measured
from tests.faults.scratch import FOLDER, PYTHON, TREE, planted

_PATIENCE: Final = 3
"""The wall clock seconds allowed per second of CPU time; processes that take longer are hanging and are killed."""


def _pytest(
    arguments: list[str],
    tests: list[str],
    seconds: float,
    *,
    coverage: Path | None = None,
    report: Path | None = None,
) -> dict[str, Any]:
    """Runs pytest in the copy; returns the tests that ran, those that failed, and whether time ran out."""
    report = report or FOLDER / "report.json"
    report.unlink(missing_ok=True)
    job = {"tests": tests, "seconds": seconds, "coverage": coverage and str(coverage), "report": str(report)}
    # An environment variable can hold at most 128 kB.
    (FOLDER / "job.json").write_text(json.dumps(job), encoding="utf-8")
    command = [
        str(PYTHON),
        "-m",
        "pytest",
        "-q",
        "-p",
        "tests.faults.steering",
        "-p",
        "no:randomly",
        "--timeout=120",
    ]
    with subprocess.Popen(
        [*command, *arguments],
        cwd=TREE,
        # A path in the environment would lead child processes to the original tree, without the fault.
        env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        | {"FAULTS_JOB": str(FOLDER / "job.json"), "COVERAGE_CORE": "ctrace"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        try:
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=seconds * _PATIENCE + 60)
        finally:
            _kill_group(process.pid)
    if report.exists():
        found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
        return found
    # It was killed because it hung, or it could not start.
    return {
        "seconds": {},
        "failed": [] if process.returncode == -signal.SIGKILL else arguments[-1:],
        "stopped": True,
    }


def _kill_group(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def measure(module: str) -> None:
    """Records which lines each test of a module runs, unless that was done before."""
    MAP.mkdir(parents=True, exist_ok=True)
    coverage, report = measured(module)
    if report.exists():
        return
    coverage.unlink(missing_ok=True)
    unfinished = report.with_suffix(".unfinished")
    marks = f"{SHORT} and not ({ELSEWHERE})"
    _pytest(["-m", marks, module], [], 1800, coverage=coverage, report=unfinished)
    if unfinished.exists():
        unfinished.rename(report)


class Trial:
    """The trial of one fault: its remaining time, the tests that ran, and the one that noticed the fault."""

    def __init__(self, code: Code, fault: Fault, seconds: float, tests: Sequence[str] = ()) -> None:
        self.code, self.fault, self.tests = code, fault, tests
        self.begun, self.limit = _cpu(), seconds
        self.ran: list[str] = []
        self.noticed_by: str | None = None
        self.unreliable: set[str] = set()

    @property
    def left(self) -> float:
        return self.limit - (_cpu() - self.begun)

    def run(self) -> dict[str, Any]:
        """Returns the result: `noticed`, `missed` by all tests it tried, or `limit` if time ran out before."""
        is_complete = True
        for batch in self._batches():
            is_complete = self._is_tried(*batch)
            if self.noticed_by or not is_complete:
                break
        verdict = "noticed" if self.noticed_by else "missed" if is_complete else "limit"
        return {
            "fault": self.fault.id,
            "verdict": verdict,
            "test": self.noticed_by,
            "seconds": round(_cpu() - self.begun, 1),
            "ran": len(self.ran),
            "modules": list(dict.fromkeys(test.partition("::")[0] for test in self.ran)),
        }

    def _batches(self) -> Iterator[tuple[list[str], list[str]]]:
        if self.tests:
            yield ["-m", SHORT, *self.tests], []
            return
        for tests in filter(None, covering(self.code, self.fault, self._measure)):
            yield list(dict.fromkeys(test.partition("::")[0] for test in tests)), tests
        path = self.code.locate(self.fault)
        for module in elsewhere(path):
            # The page is also read by tests in this process; the others of a module are in the map.
            marks = SHORT if path.suffix != ".py" else f"({ELSEWHERE}) and {SHORT}"
            yield ["-m", marks, module], []

    def _measure(self, module: str) -> None:
        """Makes the map of a module, in time that does not count: the next faults use it, too."""
        begun = _cpu()
        measure(module)
        self.begun += _cpu() - begun

    def _is_tried(self, arguments: list[str], tests: list[str]) -> bool:
        """Runs a batch; returns whether all of it ran in time, or the fault was noticed."""
        while self.left > 0:
            reliable = [test for test in tests if test not in self.unreliable]
            if tests and not reliable:
                return True
            with planted(self.code, self.fault):
                found = _pytest(["-x", *arguments], reliable, self.left)
            self.ran += found["seconds"]
            if not found["failed"]:
                return not found["stopped"]
            failed = found["failed"][0]
            if self._is_confirmed(failed):
                self.noticed_by = failed
                return True
            self.unreliable.add(failed)
            arguments = [f"--deselect={failed}", *arguments]
        return False

    def _is_confirmed(self, test: str) -> bool:
        """Returns whether a test fails again with the fault and passes without it."""
        with planted(self.code, self.fault):
            again = _pytest([test], [], 120)
        return bool(again["failed"]) and not _pytest([test], [], 120)["failed"]


def _cpu() -> float:
    """Returns the CPU seconds of all ended children."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
