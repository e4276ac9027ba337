"""Other commits of this repository, checked out to a separate folder and run with the installed dependencies."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Self

import psutil

from hoodwink.service.adapters.process.parentage import end_with_parent
from hoodwink.service.settings import Settings, variables
from tests.service.people import RetryingClient
from tests.service.processes import await_true

ROOT = Path(__file__).parents[2]

_PACKAGES = ("hoodwink.domain", "hoodwink.service", "hoodwink.workers")
_PATIENCE_SECONDS = 30


class CannotRun(Exception):
    """Raised when a commit cannot be checked out or its service does not start; the message says why."""


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """Yields a folder with the files of a commit; it is removed at the end of the block."""
    with tempfile.TemporaryDirectory(prefix="hoodwink-") as folder:
        tree = Path(folder) / "tree"
        _git("worktree", "add", "--quiet", "--detach", str(tree), commit)
        try:
            yield tree
        finally:
            _git("worktree", "remove", "--force", str(tree))


def environment(tree: Path, settings: Settings) -> dict[str, str]:
    """Returns the environment for a process that runs the code of a tree.

    The parts of a service run with `-P`, which ignores the current folder; `PYTHONPATH` comes before the installed
    copy of this repository.
    """
    ours = {variable.name for variable in variables()}
    inherited = {name: value for name, value in os.environ.items() if name not in ours}
    return inherited | settings.to_environment() | {"PYTHONPATH": str(tree)}


def check_imports(tree: Path, settings: Settings) -> None:
    """Raises `CannotRun` unless a part of the service would run only the code of this tree."""
    code = f"import {', '.join(_PACKAGES)}; print(*(module.__file__ for module in ({', '.join(_PACKAGES)})))"
    command = [sys.executable, "-P", "-c", code]
    found = subprocess.run(
        command, env=environment(tree, settings), capture_output=True, text=True, check=True
    )
    for package, file in zip(_PACKAGES, found.stdout.split(), strict=True):
        if Path(file).resolve() != (tree / package.replace(".", "/") / "__init__.py").resolve():
            raise CannotRun(f"a process of {tree} would run {file}")


class Running:
    """The service of a tree, or one part of it, running in other processes."""

    def __init__(self, tree: Path, settings: Settings, *part: str) -> None:
        """Starts the service or part. On Linux it also ends with the thread that called this."""
        self._settings = settings
        self._output = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed with the service
        self._process = subprocess.Popen(
            [sys.executable, "-m", "hoodwink.service.cli", "run", *part],
            cwd=tree,
            env=environment(tree, settings),
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=self._output,
            process_group=0,
            preexec_fn=partial(end_with_parent, os.getpid(), signal.SIGTERM),  # noqa: PLW1509 - it only makes system calls
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def await_ready(self) -> None:
        """Waits until requests are answered; raises `CannotRun`."""
        client = RetryingClient(self._settings)
        await_true(lambda: client.status("/readyz") == HTTPStatus.OK or self._process.poll() is not None)
        client.close()
        if self._process.poll() is not None:
            self._output.seek(0)
            raise CannotRun(self._output.read().strip())

    def end(self, *, is_killed: bool) -> None:
        """Stops or kills the service or part."""
        self.kill() if is_killed else self.stop()

    def stop(self) -> None:
        """Requests a stop and waits for it; does nothing if the process has ended already."""
        self._process.terminate()
        try:
            self._process.wait(_PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
        self._output.close()

    def kill(self) -> None:
        """Kills all its processes with SIGKILL."""
        family = [psutil.Process(self._process.pid)]
        family += family[0].children(recursive=True)
        for process in family:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self._process.wait()
        psutil.wait_procs(family[1:], timeout=_PATIENCE_SECONDS)


def _git(*arguments: str) -> None:
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise CannotRun(f"git {arguments[0]} {arguments[1]}: {done.stderr.strip()}")
