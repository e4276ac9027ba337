"""A line to the service that tests can cut."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit


class Line:
    """Forwards connections to the service until it is cut.

    Attributes:
        address: the URL of the service behind the line.
    """

    def __init__(self, served: str) -> None:
        self._to = (urlsplit(served).hostname, urlsplit(served).port)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self._is_cut = False
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._listen, daemon=True).start()

    def cut(self) -> None:
        self._is_cut = True
        for each in [*self._open]:
            with suppress(OSError):  # it was closed already
                each.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self._is_cut = False

    def close(self) -> None:
        self._listening.close()
        self.cut()

    def _listen(self) -> None:
        with suppress(OSError):  # closed
            while True:
                near, _ = self._listening.accept()
                if self._is_cut:
                    near.close()
                    continue
                far = socket.create_connection(self._to)
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self._forward, args=ends, daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket) -> None:
        self._open.add(source)
        with suppress(OSError):  # the other side has hung up
            while part := source.recv(65_536):
                target.sendall(part)
        with suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)
        self._open.discard(source)
        source.close()


@contextmanager
def line_to(served: str) -> Iterator[Line]:
    line = Line(served)
    try:
        yield line
    finally:
        line.close()
