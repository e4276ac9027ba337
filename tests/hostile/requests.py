"""The requests of hostile clients, and their answers."""

import asyncio
import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import msgspec

from bench.connection import Answer, Connection, head, without_body

Requests: TypeAlias = tuple[bytes, ...]
"""The requests sent in a loop by one client."""

PATIENCE_SECONDS: Final = 60.0
"""The time after which a request counts as unanswered."""

_NONE: Final[Mapping[str, str]] = MappingProxyType({})


def address_of(client: int) -> str:
    """Returns the address of a hostile client, as a proxy would forward it; each client has its own."""
    return f"198.51.100.{client + 1}"


def get(path: str, *, client: int, token: str = "") -> bytes:
    """Returns a GET request."""
    return without_body(head("GET", path, token=token, headers={"X-Forwarded-For": address_of(client)}))


def post(
    path: str,
    body: Any,
    *,
    client: int,
    token: str = "",
    media_type: str = "application/json",
    headers: Mapping[str, str] = _NONE,
) -> bytes:
    """Returns a POST request; the body is encoded as JSON unless it is bytes."""
    content = body if isinstance(body, bytes) else msgspec.json.encode(body)
    all_headers = {
        "X-Forwarded-For": address_of(client),
        "Content-Type": media_type,
        "Content-Length": str(len(content)),
        **headers,
    }
    return head("POST", path, token=token, headers=all_headers) + b"\r\n" + content


_TOO_MANY = 429


class Client:
    """A client with its own connection, which it opens again when lost."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._connection: Connection | None = None

    async def ask(self, request: bytes) -> Answer | None:
        """Returns the answer, or `None` if there is none."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                if self._connection is None:
                    self._connection = await Connection.connect(self._host, self._port)
                return await self._connection.ask(request)
        except Exception:  # noqa: BLE001 - after any error there is no answer
            self.close()
            return None

    async def json(self, request: bytes) -> Any:
        """Returns the JSON of a successful answer; after a refusal by a limit, waits and sends the request again."""
        answer = await self.ask(request)
        while answer is not None and answer.status == _TOO_MANY:
            await asyncio.sleep(1)
            answer = await self.ask(request)
        assert answer is not None, "no answer"
        assert 200 <= answer.status < 300, answer
        return json.loads(answer.body)

    def close(self) -> None:
        """Closes the connection."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None
