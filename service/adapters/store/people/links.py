"""The link with which each player may sign in on another device, in Redis, as a hash.

| key | type | holds |
|---|---|---|
| `hw:{pNN}:link:<player>` | string | the hash of the link, the hash of the token of the session that made it, and the time in ms until which it is valid; expires by itself |
"""

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.application.players.sign_ins import StoredLink


class RedisLinks:
    """Stores the links. Safe to share between threads and processes."""

    def __init__(self, *, client: Client, partitions: int) -> None:
        self._transport = Transport(client)
        self._keys = Keys(partitions)

    def put(self, player: str, link: StoredLink, *, stays_ms: int) -> None:
        key = self._keys.of_player("link", player)
        text = f"{link.code_hash} {link.token_hash} {link.expires_at}"
        self._transport.call(key, "SET", key, text, "PX", stays_ms)

    def get(self, player: str) -> StoredLink | None:
        key = self._keys.of_player("link", player)
        stored = self._transport.call(key, "GET", key)
        if stored is None:
            return None
        code_hash, token_hash, expires_at = stored.decode().split(" ")
        return StoredLink(code_hash, token_hash, int(expires_at))
