"""The names of the Redis keys.

All keys that one append changes share the hash tag `{pNN}`, so they are in one slot of a Redis Cluster:

| key | type | holds |
|---|---|---|
| `hw:{pNN}:table:<id>` | stream | the events; event n has the id `n-0`, and the fields of all are in the same order, so that Redis stores their names once per node |
| `hw:{pNN}:player:<id>` | list | the events of a player (`people/player_lists.py`) |
| `hw:{pNN}:commands:table:<id>` | hash | idempotency key → `<first version> <last version> <fingerprint>`, and `:head` → `<version> <hash>` of the last event (`packing.py`) |
| `hw:{pNN}:archived` | hash | stream → its tombstone, if its events are in the archive (`archived_logs.py`) |
| `hw:{pNN}:feed` | stream | a pointer to each commit of the partition that is not quiet |
| `hw:{pNN}:quiet` | stream | a pointer to each quiet commit, which no group reads |
| `hw:{pNN}:players` | stream | a pointer to each commit of a player or of administrators, read by every process with players in memory |
| `hw:{pNN}:names` | hash | player → name; no event contains one |
| `hw:{pNN}:blocks:<player>` | set | the players whom a player has blocked, each with a checksum |
| `hw:{pNN}:bots:<player>` | hash | a player's bots → the description of each (`people/player_records.py`) |
| `hw:{pNN}:passkeys:<player>` | hash | credential ids → a player's passkeys (`people/player_records.py`) |
| `hw:{pNN}:pushes:<player>` | hash | a player's subscriptions to pushes (`people/subscriptions.py`) |
| `hw:{pNN}:hooked:<player>` | hash | the webhooks that a player has added → their tournaments (`webhooks.py`) |
| `hw:{pNN}:webhooks:<tournament>`, `hw:{pNN}:deliveries:<tournament>` | hash | the webhooks of a tournament, and how far their messages have come (`webhooks.py`) |
| `hw:{pNN}:sessions:<player>` | hash | the devices of a player's sessions (`people/sessions.py`) |
| `hw:{pNN}:link:<player>` | string | a link to sign in with (`people/links.py`) |
| `hw:{pNN}:took_part` | set | the players named in events of the partition's tables, tournaments and series |
| `hw:{pNN}:newcomers` | sorted set | players who may never have taken part, by the time of their registration |
| `hw:{pNN}:confirmed` | string | empty; it is written to wait until replicas have all earlier writes |

Counts against limits, which may be lost, are under `hw:{limits}:` (`shared_counts.py`, `claims.py`). Records of
imports are under `hw:{imports}:` (`import_shelf.py`).

NN is the CRC-32 (that of zip and PNG) of the id's UTF-8 bytes modulo the number of partitions, with at least two
digits. It must never change for an existing stream.
"""

from typing import Final
from zlib import crc32

from hoodwink.service.application.ports import StreamId

PLAYER_RECORDS: Final = ("bots", "hooked", "passkeys", "pushes", "sessions")
"""The kinds of `RedisPlayerRecords`."""

_HEARD: Final = frozenset({"administration", "player"})


class Keys:
    """The keys of an installation with a given number of partitions."""

    def __init__(self, partitions: int) -> None:
        self._tags = tuple(f"hw:{{p{number:02d}}}:" for number in range(partitions))
        self.count = partitions
        self.feeds = tuple(f"{tag}feed" for tag in self._tags)
        self.quiet = tuple(f"{tag}quiet" for tag in self._tags)
        self.players = tuple(f"{tag}players" for tag in self._tags)
        self.confirmed = tuple(f"{tag}confirmed" for tag in self._tags)

    def partition(self, stream: StreamId) -> int:
        """Returns the partition of a stream.

        >>> Keys(16).partition(StreamId("table", "t1"))
        7
        """
        # The id without the category, so that all data of one id (names, blocks, due times) are in one slot.
        return crc32(stream.id.encode()) % len(self._tags)

    def stream(self, stream: StreamId) -> str:
        return f"{self._tags[self.partition(stream)]}{stream.category}:{stream.id}"

    def commands(self, stream: StreamId) -> str:
        return f"{self._tags[self.partition(stream)]}commands:{stream.category}:{stream.id}"

    def archived(self, stream: StreamId) -> str:
        """Returns the key of the tombstones in the stream's partition."""
        return f"{self._tags[self.partition(stream)]}archived"

    def names(self, stream: StreamId) -> str:
        return f"{self._tags[self.partition(stream)]}names"

    def of_player(self, kind: str, player: str) -> str:
        """Returns the key of what is stored next to a player.

        >>> Keys(16).of_player("blocks", "p1")
        'hw:{p03}:blocks:p1'
        """
        return self.at(self.partition(StreamId("player", player)), f"{kind}:{player}")

    def of_tournament(self, kind: str, tournament: str) -> str:
        """Returns the key of what is stored next to a tournament."""
        return self.at(self.partition(StreamId("tournament", tournament)), f"{kind}:{tournament}")

    def newcomers(self, stream: StreamId) -> str:
        """Returns the key of the players of the partition who may never have taken part in anything."""
        return f"{self._tags[self.partition(stream)]}newcomers"

    def of_people(self, stream: StreamId, *, named: bool, counted: bool) -> tuple[str, ...]:
        """Returns the keys that a commit changes if it names players or stores a name."""
        # A player's own commit that counts is the registration, from which on the player is a newcomer.
        if counted and stream.category == "player":
            return self.names(stream), self.newcomers(stream)
        if counted:
            return (f"{self._tags[self.partition(stream)]}took_part",)
        return (self.names(stream),) if named else ()

    def touched(self, stream: StreamId, *, quietly: bool = False) -> tuple[str, str, str]:
        """Returns the keys that one append changes: the events, the commands and the feed.

        >>> Keys(16).touched(StreamId("table", "t1"))
        ('hw:{p07}:table:t1', 'hw:{p07}:commands:table:t1', 'hw:{p07}:feed')
        """
        partition = self.partition(stream)
        tag = self._tags[partition]
        name = named(stream)
        # Separate feeds, because each delivery to a consumer group is work for Redis: the groups never see quiet
        # commits or players, and processes that cache players never see tables.
        feeds = self.players if stream.category in _HEARD else self.quiet if quietly else self.feeds
        return f"{tag}{name}", f"{tag}commands:{name}", feeds[partition]

    def stream_at(self, key: str) -> StreamId:
        """Returns the stream whose events are stored under a key.

        >>> Keys(16).stream_at("hw:{p07}:table:t1")
        StreamId(category='table', id='t1')
        """
        return stream_named(key.partition("}:")[2])

    def at(self, partition: int, name: str) -> str:
        """Returns the key with that name in one partition.

        >>> Keys(16).at(7, "lobby:rows")
        'hw:{p07}:lobby:rows'
        """
        return f"{self._tags[partition]}{name}"

    def in_each(self, name: str) -> tuple[str, ...]:
        """Returns the key with that name in every partition, for example of a projection's rows.

        >>> Keys(2).in_each("lobby:rows")
        ('hw:{p00}:lobby:rows', 'hw:{p01}:lobby:rows')
        """
        return tuple(tag + name for tag in self._tags)

    def pattern(self, category: str, partition: int | None = None) -> str:
        """Returns Redis's pattern for the keys of a category's streams, in one partition or in all of them."""
        tag = "hw:{p*}:" if partition is None else self._tags[partition]
        return f"{tag}{category}:*"


def named(stream: StreamId) -> str:
    """Returns a stream's name, as in feed entries."""
    return f"{stream.category}:{stream.id}"


def stream_named(name: str) -> StreamId:
    """Returns the stream with that name.

    >>> stream_named("table:t1")
    StreamId(category='table', id='t1')
    """
    category, _, stream_id = name.partition(":")
    return StreamId(category, stream_id)
