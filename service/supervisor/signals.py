"""Waiting that a signal cuts short."""

import select
import signal
import socket
from types import FrameType
from typing import Any, Self

_STOP = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Signals:
    """While entered, SIGINT, SIGTERM and SIGHUP ask to stop, and the end of a child wakes whoever waits."""

    def __init__(self) -> None:
        self.stops_asked = 0
        self._former: dict[int, Any] = {}

    def __enter__(self) -> Self:
        self._woken, self._waker = socket.socketpair()
        self._woken.settimeout(0)
        self._waker.settimeout(0)
        self._former_wakeup = signal.set_wakeup_fd(self._waker.fileno(), warn_on_full_buffer=False)
        for number in (*_STOP, signal.SIGCHLD):
            # Whoever started us under nohup wants us to outlive the terminal.
            if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
                self._former[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._former.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._former_wakeup)
        self._woken.close()
        self._waker.close()

    def wait(self, seconds: float) -> None:
        """Returns after so many seconds, or as soon as a signal arrives."""
        ready, _, _ = select.select([self._woken], [], [], max(0, seconds))
        if ready:
            self._woken.recv(4096)

    def _note(self, number: int, _: FrameType | None) -> None:
        self.stops_asked += number in _STOP
