"""The secret of an installation, kept in its Redis."""

import secrets
from typing import Final

from redis.exceptions import RedisClusterException, RedisError

from service.adapters.connection import Client
from service.application.ports import StoreUnavailable

KEY: Final = "hw:secret"


class RedisVault:
    """Keeps the secret under `hw:secret`; whoever asks first draws it."""

    def __init__(self, *, client: Client) -> None:
        self._client = client

    def secret(self) -> bytes:
        """Returns 64 hex digits, the same ones for ever; raises `StoreUnavailable`."""
        try:
            self._client.set(KEY, secrets.token_hex(32), nx=True)
            kept = self._client.get(KEY)
        except (RedisError, RedisClusterException) as error:
            raise StoreUnavailable(str(error)) from error
        assert isinstance(kept, bytes), "nobody deletes the secret"
        return kept
