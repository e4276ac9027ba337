"""The names and days of last use of each player's sessions, in Redis.

| field of a `RedisPlayerRecords` | holds |
|---|---|
| `<number>:name` | the name of the device |
| `<number>:day` | the day of the last use |
"""

from collections.abc import Iterable, Sequence

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.transport import Keyed, Transport
from hoodwink.service.adapters.store.checksums import with_checksum
from hoodwink.service.adapters.store.people.player_records import RedisPlayerRecords
from hoodwink.service.application.players.sessions import SessionNote


class RedisSessionNotes:
    """Stores the notes about sessions. Safe to share between threads and processes."""

    def __init__(self, *, client: Client, partitions: int) -> None:
        self._transport = Transport(client)
        self._records = RedisPlayerRecords("sessions", str, client=client, partitions=partitions)
        self.erase = self._records.erase

    def of(self, player: str) -> dict[int, SessionNote]:
        fields = self._records.of(player)
        numbers = {int(field.partition(":")[0]) for field in fields}
        return {
            number: SessionNote(fields.get(f"{number}:name", ""), int(fields.get(f"{number}:day", 0)))
            for number in numbers
        }

    def use(self, uses: Iterable[tuple[str, int, SessionNote]]) -> None:
        commands: list[Keyed] = []
        for player, number, note in uses:
            key = self._records.key(player)
            commands += [
                (key, ("HSETNX", key, f"{number}:name", with_checksum(note.name))),
                (key, ("HSET", key, f"{number}:day", with_checksum(str(note.day)))),
            ]
        self._transport.call_each(commands)

    def rename(self, player: str, session: int, name: str) -> None:
        self._records.set(player, f"{session}:name", name)

    def remove(self, player: str, sessions: Sequence[int]) -> None:
        fields = [f"{number}:{kind}" for number in sessions for kind in ("name", "day")]
        self._records.remove(player, *fields)
