"""Each player's list of blocked players, in Redis. It is in no event, so that it can be erased; see `Keys`."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.scripts import Script
from hoodwink.service.adapters.redis.transport import Argument, Transport
from hoodwink.service.adapters.store.checksums import with_checksum, without_checksum
from hoodwink.service.adapters.store.keys import Keys

MAX_BLOCKED: Final = 500
"""Maximum number of players on one list."""

# ARGV: the maximum, the player with a checksum, and without one, as earlier releases stored it. Adding replaces the
# old form, which an audit cannot check. One script, or two requests at the same time could exceed the maximum.
_ADD: Final = Script("""\
if redis.call('SISMEMBER', KEYS[1], ARGV[3]) == 1 then redis.call('SREM', KEYS[1], ARGV[3]) end
if redis.call('SISMEMBER', KEYS[1], ARGV[2]) == 0 and redis.call('SCARD', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('SADD', KEYS[1], ARGV[2])
return 1
""")


class RedisBlocks:
    """Stores the block lists of players. Safe to share between threads and processes; each call may raise `StoreUnavailable`."""

    def __init__(self, *, client: Client, partitions: int) -> None:
        self._transport = Transport(client)
        self._keys = Keys(partitions)

    def add(self, player: str, blocked: str) -> bool:
        """Blocks a player; returns whether there was room for one more."""
        return bool(_ADD.run(self._transport, [self._key(player)], MAX_BLOCKED, *_forms(blocked)))

    def remove(self, player: str, blocked: str) -> bool:
        """Unblocks a player; returns whether they were blocked."""
        return bool(self._call("SREM", player, *_forms(blocked)))

    def of(self, player: str) -> tuple[str, ...]:
        """Returns the players on a list, ordered by id."""
        return tuple(sorted(without_checksum(member.decode()) for member in self._call("SMEMBERS", player)))

    def has(self, player: str, blocked: str) -> bool:
        return any(self._call("SMISMEMBER", player, *_forms(blocked)))

    def blocking(self, players: Sequence[str], blocked: Iterable[str]) -> frozenset[str]:
        """Returns those of the players who have blocked at least one of the others, in one round trip."""
        forms = [form for each in blocked for form in _forms(each)]
        keys = [self._key(player) for player in players]
        replies = self._transport.call_each([(key, ("SMISMEMBER", key, *forms)) for key in keys])
        return frozenset(player for player, reply in zip(players, replies, strict=True) if any(reply))

    def erase(self, player: str) -> None:
        """Deletes the list of a player who was erased."""
        self._call("DEL", player)

    def _call(self, command: str, player: str, *arguments: Argument) -> Any:
        key = self._key(player)
        return self._transport.call(key, command, key, *arguments)

    def _key(self, player: str) -> str:
        return self._keys.of_player("blocks", player)


def _forms(blocked: str) -> tuple[str, str]:
    """Returns a player in the stored form, with a checksum, and in the form of earlier releases."""
    return with_checksum(blocked), blocked
