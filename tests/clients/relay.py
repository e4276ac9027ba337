"""A relay in front of a server, which can be interrupted as if the server had stopped."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread
from urllib.parse import urlsplit


class Relay:
    """Passes connections on to a server.

    Attributes:
        turned_away: the number of connections during interruptions.
    """

    def __init__(self, server: str) -> None:
        self._port = urlsplit(server).port
        self.turned_away = 0
        self._is_down = False
        self._open: list[socket.socket] = []

    @contextmanager
    def running(self) -> Iterator[str]:
        """Yields the address of the relay."""
        relay = self

        class Handler(BaseRequestHandler):
            def handle(self) -> None:
                relay._pass_on(self.request)

        with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
            Thread(target=server.serve_forever).start()
            try:
                yield f"http://127.0.0.1:{server.server_address[1]}"
            finally:
                self.interrupt()
                server.shutdown()

    def interrupt(self) -> None:
        """Breaks all connections, and new ones from now on."""
        self._is_down = True
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def resume(self) -> None:
        self._is_down = False

    def _pass_on(self, client: socket.socket) -> None:
        if self._is_down:
            self.turned_away += 1
            return
        with socket.create_connection(("127.0.0.1", self._port)) as server:
            self._open += [client, server]
            Thread(target=_copy, args=(server, client)).start()
            _copy(client, server)


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
