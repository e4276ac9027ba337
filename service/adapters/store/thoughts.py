"""The decisions of bots that think, in Redis until they move.

| key | type | holds |
|---|---|---|
| `hw:{pNN}:thought:<table>:<round>:<action>:<seat>` | string | the action that the seat's bot decided on, as JSON |
"""

from functools import cache
from typing import Any, Final, Union

import msgspec

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Action
from hoodwink.domain.tables.pace import MAX_DELAY_MS
from hoodwink.domain.tables.state import Table
from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.application.ports import StreamId

_STAYS_MS: Final = 2 * MAX_DELAY_MS
"""Longer than any bot waits before it moves."""

_encode: Final = msgspec.json.Encoder().encode


class RedisThoughts:
    """See `Thoughts`. Safe to share between threads."""

    def __init__(self, *, client: Client, partitions: int = 16) -> None:
        self._transport = Transport(client)
        self._keys = Keys(partitions)

    def keep(self, table: Table, seat: int, action: Action) -> None:
        key = self._key(table, seat)
        self._transport.call(key, "SET", key, _encode(action), "PX", _STAYS_MS)

    def find(self, table: Table, seat: int) -> Action | None:
        key = self._key(table, seat)
        kept = self._transport.call(key, "GET", key)
        return None if kept is None else _decoder(table.game).decode(kept)

    def _key(self, table: Table, seat: int) -> str:
        name = f"thought:{table.id}:{table.round}:{table.round_actions}:{seat}"
        return self._keys.at(self._keys.partition(StreamId("table", table.id)), name)


@cache
def _decoder(game: str) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(Union[GAMES[game].actions])  # noqa: UP007 - the kinds are known only at run time
