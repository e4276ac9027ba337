"""Nothing is left behind, however the supervisor ends.

The supervisor holds the writing end of a pipe to a guardian process. When it ends, by `kill -9` too, the
kernel closes that end; the guardian then kills every process group still registered. A child registers itself
before it becomes what it runs, so no moment is uncovered. On Linux a parent-death signal covers the children
(not theirs) even when supervisor and guardian are killed together.
"""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import IO, Self, cast

from service.adapters.parentage import end_with
from service.supervisor import guardian_process


class Guardian:
    """The supervisor's side: which process groups to kill should it end.

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

    def adopt_self(self, supervisor: int) -> None:
        """Registers the calling child, between fork and exec, and ties its life to its parent's."""
        with suppress(OSError):
            os.write(self._pipe.fileno(), b"+%d\n" % os.getpid())
        end_with(supervisor, signal.SIGKILL)

    def register(self, group: int) -> None:
        self._groups.add(group)
        self._tell(b"+%d\n" % group)

    def forget(self, group: int) -> None:
        self._groups.discard(group)
        self._tell(b"-%d\n" % group)

    def revive(self) -> None:
        """Starts the guardian again if it was killed, with all that it knew."""
        if self._process.poll() is None:
            return
        self._pipe.close()
        self._process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-I", "-S", guardian_process.__file__, *map(str, self._groups)],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=self._holding,
            process_group=0,
        )

    @property
    def _pipe(self) -> IO[bytes]:
        return cast(IO[bytes], self._process.stdin)

    def _tell(self, line: bytes) -> None:
        with suppress(BrokenPipeError):  # `revive` will tell its successor
            self._pipe.write(line)
