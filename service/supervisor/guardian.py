"""Ensures that no process of the service outlives its supervisor.

The supervisor holds the writing end of a pipe to a guardian process. When the supervisor ends, even by `kill -9`,
the kernel closes that end, and the guardian kills all registered process groups. A child registers itself between
fork and exec, so it never runs unregistered. On Linux, a parent-death signal also ends the children (but not their
own children) if supervisor and guardian are killed together.
"""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import IO, Self, cast

from hoodwink.service.adapters.process.parentage import end_with_parent
from hoodwink.service.supervisor import guardian_process


class Guardian:
    """The supervisor's end of the pipe. Registers the process groups that are killed when the supervisor ends.

    Args:
        holding: file descriptors that the guardian keeps open until all groups are gone, such as a lock.
    """

    def __init__(self, *, holding: tuple[int, ...] = ()) -> None:
        self._holding = holding
        self._groups: set[int] = set()
        self._process = self._start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pipe.close()
        self._process.wait()

    @property
    def pid(self) -> int:
        return self._process.pid

    def register_self(self, supervisor_pid: int) -> None:
        """Registers the calling child, between fork and exec, and makes it end with the supervisor."""
        with suppress(OSError):  # if the guardian was killed, `ensure_running` restarts it with every group
            os.write(self._pipe.fileno(), b"+%d\n" % os.getpid())
        end_with_parent(supervisor_pid, signal.SIGKILL)

    def register(self, group: int) -> None:
        self._groups.add(group)
        self._send(b"+%d\n" % group)

    def unregister(self, group: int) -> None:
        self._groups.discard(group)
        self._send(b"-%d\n" % group)

    def ensure_running(self) -> None:
        """Restarts the guardian process, with every registered group, if it was killed."""
        if self._process.poll() is None:
            return
        self._pipe.close()
        self._process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            # -I and -S ignore the environment and installed packages: it starts fast, and no package can break it.
            [sys.executable, "-I", "-S", guardian_process.__file__, *map(str, self._groups)],
            bufsize=0,  # a buffered line would be lost with a killed supervisor
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=self._holding,
            process_group=0,  # its own group, which Ctrl-C in the terminal does not reach
        )

    @property
    def _pipe(self) -> IO[bytes]:
        return cast(IO[bytes], self._process.stdin)

    def _send(self, line: bytes) -> None:
        with suppress(BrokenPipeError):  # `ensure_running` passes every group to the next process
            self._pipe.write(line)
