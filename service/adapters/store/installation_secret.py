"""The secrets of an installation, stored in its Redis."""

import secrets
from typing import Final

from redis.exceptions import RedisClusterException, RedisError

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.adapters.store.checksums import with_checksum, without_checksum
from hoodwink.service.application.players.identity import Use
from hoodwink.service.application.ports import StoreUnavailable

KEY: Final = "hw:secret"


class InstallationSecret:
    """Stores the secret under `hw:secret`, where the first process that needs it draws it.

    A key that replaces it for one use, for example after a leak, is under `hw:secret:<use>`.
    """

    def __init__(self, *, client: Client) -> None:
        self._client = client
        self._transport = Transport(client)

    def secret(self) -> bytes:
        """Returns 64 hex digits, the same in every call; raises `StoreUnavailable`."""
        try:
            # Read back after the write, because another process may have been faster, and its secret counts.
            self._client.set(KEY, with_checksum(secrets.token_hex(32)), nx=True)
            stored = self._client.get(KEY)
        except (RedisError, RedisClusterException) as error:
            raise StoreUnavailable(str(error)) from error
        assert isinstance(stored, bytes), "nobody deletes the secret"
        return _text(stored)

    def rotated_key(self, use: Use) -> bytes | None:
        """Returns the key that replaces the secret for one use, or `None`; raises `StoreUnavailable`."""
        key = f"{KEY}:{use}"
        found: bytes | None = self._transport.call(key, "GET", key)
        return None if found is None else _text(found)

    def rotate(self, use: Use) -> None:
        """Draws another key for one use; raises `StoreUnavailable`."""
        key = f"{KEY}:{use}"
        self._transport.call(key, "SET", key, with_checksum(secrets.token_hex(32)))


def _text(stored: bytes) -> bytes:
    return without_checksum(stored.decode()).encode()
