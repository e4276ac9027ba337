"""A small HTTP client for the commands that use a running service."""

import http.client
import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from time import sleep
from typing import Any, Final
from urllib.parse import urlsplit

from hoodwink.service.application.limits import Limit

TIMEOUT_SECONDS = 30.0  # twice the pause between the heartbeats of a stream

PATIENCE_SECONDS = 60
"""How long to wait in total for a limit of the service before a request fails."""

# For these limits, waiting helps only once somebody ends or withdraws something, so the user has to know now.
_LASTING: Final = {limit.code for limit in Limit if limit.is_lasting}


class ServiceError(Exception):
    """Raised when the service rejects a request or cannot be reached."""


class ServiceClient:
    """Sends requests to one service as one player, or without a token as a spectator."""

    def __init__(self, address: str, *, token: str | None = None) -> None:
        """Takes an address such as `http://host:port`; raises `ServiceError` for any other."""
        parts = urlsplit(address)
        if parts.scheme != "http" or not parts.hostname:
            raise ServiceError(f"{address} is not an address like http://127.0.0.1:8000.")
        self.address = address.rstrip("/")
        self._host, self._port = parts.hostname, parts.port or 80
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    def get(self, path: str) -> Any:
        """Returns the JSON at the path; raises `ServiceError`."""
        return json.loads(self.get_bytes(path))

    def get_bytes(self, path: str) -> bytes:
        """Returns the content at the path; raises `ServiceError`."""
        with closing(self._connection()) as connection:
            return self._answer(connection, "GET", path, None, {})

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Posts a JSON body and returns the JSON of the response; raises `ServiceError`."""
        with closing(self._connection()) as connection:
            headers = {"Content-Type": "application/json"}
            return json.loads(self._answer(connection, "POST", path, json.dumps(body), headers))

    def follow(self, path: str, *, after: str | None = None) -> Iterator[tuple[str, Any]]:
        """Yields the type and the data of each server-sent event until the service ends the stream.

        Args:
            after: begin after the event with this id; by default with a snapshot.

        Raises:
            ServiceError: the stream was interrupted before its `end` event.
        """
        last_id = ""
        with closing(self._connection()) as connection:
            resumed = {} if after is None else {"Last-Event-ID": after}
            headers = {**self._headers, **resumed, "Accept": "text/event-stream"}
            connection.request("GET", path, headers=headers)
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
                elif name == "id":
                    last_id = value
                elif not name and data:
                    yield kind, json.loads(data)
                    if kind == "end":  # the service keeps the stream open, to announce a rematch
                        return
                    kind, data = "message", ""
        raise ServiceError(f"The event stream was interrupted after version {last_id}.")

    def _connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self._host, self._port, timeout=TIMEOUT_SECONDS)

    def _answer(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        body: str | None,
        headers: Mapping[str, str],
    ) -> bytes:
        patience = PATIENCE_SECONDS
        while True:
            try:
                connection.request(method, path, body, {**self._headers, **headers})
                response = connection.getresponse()
                answer = response.read()
            except OSError as error:
                raise ServiceError(
                    f"No answer from {self.address}: {error.strerror or error}. "
                    "Start Hoodwink with `make run` or `hoodwink run`, or check the address."
                ) from None
            if response.status < http.client.BAD_REQUEST:
                return answer
            seconds = _seconds_to_wait(response, answer)
            if not 0 < seconds <= patience:
                raise _refusal(response.status, answer)
            patience -= seconds  # a total, because each repetition may be told to wait again
            sleep(seconds)


def _seconds_to_wait(response: http.client.HTTPResponse, body: bytes) -> int:
    """Returns the seconds to wait before a repetition that may succeed; 0 if there is no point in waiting.

    A request beyond a limit had no effect, so it can be repeated even without an Idempotency-Key.
    """
    after = response.headers.get("Retry-After", "")
    if response.status != http.client.TOO_MANY_REQUESTS or not after.isdecimal():
        return 0
    return 0 if _problem(body).get("code") in _LASTING else int(after)


def _refusal(status: int, body: bytes) -> ServiceError:
    problem = _problem(body)
    try:
        faults = [f"{fault['name']}: {fault['detail']}" for fault in problem.get("faults", ())]
        return ServiceError(" ".join(faults) or f"{problem['detail']} ({problem['code']})")
    except (KeyError, TypeError):  # not from Hoodwink, but from a proxy, for instance
        return ServiceError(f"The service answered {status}.")


def _problem(body: bytes) -> dict[str, Any]:
    """Returns the problem document in a response, or an empty one if there is none, as from a proxy."""
    try:
        problem = json.loads(body)
    except ValueError:
        return {}
    return problem if isinstance(problem, dict) else {}
