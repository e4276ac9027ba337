"""A client for tests that sends each request once, and reports a broken stream instead of resuming it."""

import http.client
import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from time import sleep
from typing import Any
from urllib.parse import urlsplit

TIMEOUT_SECONDS = 30.0  # twice the pause between the heartbeats of a stream
MAX_WAIT_SECONDS = 60


class ServiceError(Exception):
    """Raised when the service rejects a request or cannot be reached."""


class ServiceClient:
    """Sends requests to one service as one player, or without a token as a spectator."""

    def __init__(self, address: str, *, token: str | None = None) -> None:
        parts = urlsplit(address)
        assert parts.hostname, address
        self._host, self._port = parts.hostname, parts.port or 80
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    def get(self, path: str) -> Any:
        """Returns the JSON at the path; raises `ServiceError`."""
        return json.loads(self.get_bytes(path))

    def get_bytes(self, path: str) -> bytes:
        """Returns the content at the path; raises `ServiceError`."""
        return self._answer("GET", path, None, {})

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Posts a JSON body and returns the JSON of the response; raises `ServiceError`."""
        return json.loads(self._answer("POST", path, json.dumps(body), {"Content-Type": "application/json"}))

    def follow(self, path: str) -> Iterator[tuple[str, Any]]:
        """Yields the type and the data of each server-sent event until `end`; raises `ServiceError` if there is none."""
        with closing(self._connection()) as connection:
            connection.request("GET", path, headers={**self._headers, "Accept": "text/event-stream"})
            response = connection.getresponse()
            if response.status != http.client.OK:
                raise _refusal(response.status, response.read())
            kind, data = "message", ""
            for raw in response:
                name, _, value = raw.decode().rstrip("\n").partition(": ")
                if name == "event":
                    kind = value
                elif name == "data":
                    data = value
                elif not name and data:
                    yield kind, json.loads(data)
                    if kind == "end":  # the service keeps the stream open, to announce a rematch
                        return
                    kind, data = "message", ""
        raise ServiceError("The event stream was interrupted.")

    def _connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self._host, self._port, timeout=TIMEOUT_SECONDS)

    def _answer(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> bytes:
        with closing(self._connection()) as connection:
            left = MAX_WAIT_SECONDS
            while True:
                try:
                    connection.request(method, path, body, {**self._headers, **headers})
                    response = connection.getresponse()
                    answer = response.read()
                except OSError as error:
                    raise ServiceError(f"no answer: {error}") from None
                if response.status < http.client.BAD_REQUEST:
                    return answer
                # A request beyond a limit had no effect, so it can be repeated even without an Idempotency-Key.
                seconds = int(response.headers.get("Retry-After", "0"))
                left -= seconds
                if response.status != http.client.TOO_MANY_REQUESTS or not seconds or left < 0:
                    raise _refusal(response.status, answer)
                sleep(seconds)


def _refusal(status: int, body: bytes) -> ServiceError:
    return ServiceError(f"{status}: {body.decode(errors='replace')}")
