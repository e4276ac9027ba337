"""A wait that ends as soon as a signal arrives."""

import select
import signal
import socket
from types import FrameType
from typing import Any, Self

_STOP = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Signals:
    """Counts requests to stop and wakes a waiting supervisor, between `__enter__` and `__exit__`.

    SIGINT, SIGTERM and SIGHUP request a stop. SIGCHLD, sent when a child process ends, only wakes.
    """

    def __init__(self) -> None:
        self.stop_requests = 0
        self._previous_handlers: dict[int, Any] = {}

    def __enter__(self) -> Self:
        # A signal between a check and the following wait would otherwise be slept through. The wakeup descriptor
        # stays readable until `wait` has read it.
        self._wakeup_reader, self._wakeup_writer = socket.socketpair()
        self._wakeup_reader.settimeout(0)
        self._wakeup_writer.settimeout(0)
        self._previous_wakeup = signal.set_wakeup_fd(self._wakeup_writer.fileno(), warn_on_full_buffer=False)
        for number in (*_STOP, signal.SIGCHLD):
            # An ignored SIGHUP means nohup: the service must outlive its terminal.
            if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
                self._previous_handlers[number] = signal.signal(number, self._on_signal)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._previous_handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._previous_wakeup)
        self._wakeup_reader.close()
        self._wakeup_writer.close()

    def wait(self, seconds: float) -> None:
        """Returns after the timeout, or as soon as a signal arrives."""
        ready, _, _ = select.select([self._wakeup_reader], [], [], max(0, seconds))
        if ready:
            self._wakeup_reader.recv(4096)

    def _on_signal(self, number: int, _: FrameType | None) -> None:
        self.stop_requests += number in _STOP
