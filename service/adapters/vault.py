"""The secret of an installation, stored in its Redis."""

import secrets
from typing import Final

from redis.exceptions import RedisClusterException, RedisError

from service.adapters.connection import Client
from service.application.ports import StoreUnavailable

KEY: Final = "hw:secret"


class RedisVault:
    """Stores the secret under `hw:secret`; the first process that needs it draws it."""

    def __init__(self, *, client: Client) -> None:
        self._client = client

    def secret(self) -> bytes:
        """Returns 64 hex digits, the same ones at every call; raises `StoreUnavailable`."""
        try:
            # Read back after the write: another process may have been faster, and its secret counts.
            self._client.set(KEY, secrets.token_hex(32), nx=True)
            stored = self._client.get(KEY)
        except (RedisError, RedisClusterException) as error:
            raise StoreUnavailable(str(error)) from error
        assert isinstance(stored, bytes), "nobody deletes the secret"
        return stored
