"""The feed on Redis streams, read through consumer groups."""

import time
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

import msgspec
from redis.cluster import RedisCluster
from redis.exceptions import ResponseError

from hoodwink.service.adapters.redis.connection import REPLY_SECONDS, Client
from hoodwink.service.adapters.redis.scripts import Script
from hoodwink.service.adapters.redis.transport import Argument, Transport
from hoodwink.service.adapters.store.feeds.feed_entries import feed_entry, id_order, pairs
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.application.ports import FeedEntry, Lag, StoreUnavailable

_OLDEST: Final = "0-0"
_NEW: Final = ">"
# In a cluster a command can only wait for entries in one slot, so the partitions are polled in turn.
_POLL_S: Final = 0.02
# A second less than the client's timeout for replies, so that a read without entries does not count as a failure.
_MAX_BLOCK_MS: Final = (REPLY_SECONDS - 1) * 1000
_COUNT_PAGE: Final = 1000
_COUNT_LIMIT: Final = 10_000


# KEYS: a feed. ARGV: a group, and the minimum ms of inactivity. One script, because a consumer that came back
# between two commands would lose the entries that were just delivered to it.
_FORGET: Final = Script("""\
local forgotten = 0
for _, facts in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
  if facts[4] == 0 and facts[6] >= tonumber(ARGV[2]) then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], facts[2])
    forgotten = forgotten + 1
  end
end
return forgotten
""")


class _Group(msgspec.Struct, frozen=True, gc=False):
    """A consumer group of one feed. Only Redis 7 and newer count `lag`, and not always."""

    name: str
    pending: int
    delivered: str
    lag: int | None


class _ReadRequest(msgspec.Struct, frozen=True, gc=False):
    """A read of entries for a consumer."""

    group: str
    consumer: str
    partitions: Sequence[int]
    count: int


class RedisFeed:
    """Reads the feeds. Safe to share between threads if each consumer name belongs to one of them."""

    def __init__(self, *, client: Client, partitions: int = 16, keep_ms: int = 60_000) -> None:
        """`trim` will keep entries younger than `keep_ms`, by Redis's clock, for readers without a group."""
        self._transport = Transport(client)
        keys = Keys(partitions)
        self._feeds, self._ungrouped = keys.feeds, (*keys.quiet, *keys.players)
        self._numbers = {feed.encode(): number for number, feed in enumerate(self._feeds)}
        self._in_one_call = not isinstance(client, RedisCluster)
        self._keep_ms = keep_ms
        self._readers: frozenset[str] = frozenset()
        self._cursors: dict[tuple[str, str], dict[int, str]] = {}

    @property
    def partitions(self) -> tuple[int, ...]:
        return tuple(range(len(self._feeds)))

    def read(
        self, *, group: str, consumer: str, partitions: Sequence[int], count: int, block_ms: int
    ) -> list[FeedEntry]:
        """Returns up to `count` entries per partition; see `Feed`."""
        assert block_ms <= _MAX_BLOCK_MS, f"a read waits for {_MAX_BLOCK_MS} ms at most"
        request = _ReadRequest(group, consumer, partitions, count)
        try:
            return self._unacknowledged(request) or self._new(request, block_ms)
        except StoreUnavailable:
            # The lost reply may have contained entries, which now count as delivered and are not acknowledged.
            self.rewind(group=group, consumer=consumer)
            raise
        except ResponseError as error:
            if not _is_missing(error):
                raise
        # The group vanished with a restored Redis, or is new. It starts at the oldest entry, since a reader may
        # repeat but must not miss.
        self.rewind(group=group, consumer=consumer)
        self._create(group, partitions)
        return self._unacknowledged(request) or self._new(request, block_ms)

    def rewind(self, *, group: str, consumer: str) -> None:
        """Makes the next reads begin with the entries that the consumer has not acknowledged."""
        self._cursors.pop((group, consumer), None)

    def claim(
        self, *, group: str, consumer: str, partitions: Sequence[int], count: int, idle_ms: int
    ) -> list[FeedEntry]:
        """Takes over entries that have not been acknowledged for a long time; see `Feed`."""
        claimed: list[FeedEntry] = []
        for number in partitions:
            try:
                claimed += self._claim(number, group, consumer, count, idle_ms)
            except ResponseError as error:
                if not _is_missing(error):
                    raise
        return claimed

    def ack(self, group: str, entries: Sequence[FeedEntry]) -> None:
        done: dict[int, list[str]] = {}
        for entry in entries:
            done.setdefault(entry.partition, []).append(entry.entry_id)
        self._ack(group, done)

    def keep(self, groups: Collection[str]) -> None:
        """Drops all other groups."""
        # A group that an earlier release read would never acknowledge anything, so no feed would be trimmed again.
        self._readers = frozenset(groups)
        for feed in self._feeds:
            for group in self._groups(feed):
                if group.name not in groups:
                    self._transport.call(feed, "XGROUP", "DESTROY", feed, group.name)

    def forget_consumers(self, *, idle_ms: int) -> int:
        """Drops idle consumers; see `Feed`."""
        return sum(
            _FORGET.run(self._transport, (feed,), group.name, idle_ms)
            for feed in self._feeds
            for group in self._groups(feed)
        )

    def lag(self, group: str) -> Lag:
        """Returns the backlog of the group. It counts at most 10,000 undelivered entries per partition."""
        behind = [self._behind(feed, group) for feed in self._feeds]
        ages = [self._age_ms(feed, oldest) for feed, (_, oldest) in zip(self._feeds, behind, strict=True)]
        return Lag(entries=sum(entries for entries, _ in behind), age_ms=max(ages))

    def trim(self) -> int:
        """Drops entries that every group has acknowledged and that no reader without a group still needs."""
        trimmed = sum(self._trim(feed) for feed in self._feeds)
        return trimmed + sum(self._drop(feed, self._young(feed)) for feed in self._ungrouped)

    # ------------------------------------------------------------------------------- reading

    def _unacknowledged(self, request: _ReadRequest) -> list[FeedEntry]:
        cursors = self._cursors.setdefault((request.group, request.consumer), {})
        start_ids = {number: cursors.get(number, _OLDEST) for number in request.partitions}
        start_ids = {number: start_id for number, start_id in start_ids.items() if start_id != _NEW}
        if not start_ids:
            return []
        pages = self._read_group(request, start_ids)
        for number in start_ids:
            page = pages.get(number, [])
            cursors[number] = page[-1][0].decode() if len(page) == request.count else _NEW
        # An entry that was trimmed before its group acknowledged it stays pending, without fields. Unless it is
        # acknowledged here, it is delivered forever.
        self._ack(request.group, {number: _gone(page) for number, page in pages.items()})
        return _entries(pages)

    def _new(self, request: _ReadRequest, block_ms: int) -> list[FeedEntry]:
        start_ids = dict.fromkeys(request.partitions, _NEW)
        if self._in_one_call or len(start_ids) == 1:
            return _entries(self._read_group(request, start_ids, block_ms))
        deadline = time.monotonic() + block_ms / 1000
        while not (found := _entries(self._read_group(request, start_ids))) and time.monotonic() < deadline:
            time.sleep(_POLL_S)
        return found

    def _read_group(
        self, request: _ReadRequest, start_ids: dict[int, str], block_ms: int = 0
    ) -> dict[int, list[Any]]:
        """Returns the raw entries after the start id of each partition that has any."""
        commands = [
            (self._feeds[numbers[0]], self._read_command(request, numbers, start_ids, block_ms))
            for numbers in self._slots(start_ids)
        ]
        replies = self._transport.call_each(commands)
        return {self._numbers[feed]: page for reply in replies for feed, page in pairs(reply)}

    def _read_command(
        self, request: _ReadRequest, numbers: Sequence[int], start_ids: dict[int, str], block_ms: int
    ) -> list[Argument]:
        command: list[Argument] = [
            "XREADGROUP",
            "GROUP",
            request.group,
            request.consumer,
            "COUNT",
            request.count,
        ]
        if block_ms:
            command += ("BLOCK", block_ms)
        feeds = [self._feeds[number] for number in numbers]
        return [*command, "STREAMS", *feeds, *[start_ids[number] for number in numbers]]

    def _slots(self, numbers: Iterable[int]) -> list[list[int]]:
        """Returns the partitions in groups that one command may name together."""
        return [list(numbers)] if self._in_one_call else [[number] for number in numbers]

    def _create(self, group: str, partitions: Sequence[int]) -> None:
        for number in partitions:
            feed = self._feeds[number]
            try:
                self._transport.call(feed, "XGROUP", "CREATE", feed, group, _OLDEST, "MKSTREAM")
            except ResponseError as error:
                if not str(error).startswith("BUSYGROUP"):  # another process was faster
                    raise

    def _claim(self, number: int, group: str, consumer: str, count: int, idle_ms: int) -> list[FeedEntry]:
        feed, cursor = self._feeds[number], _OLDEST
        claimed: list[FeedEntry] = []
        while len(claimed) < count:
            following, page, *_ = self._transport.call(
                feed, "XAUTOCLAIM", feed, group, consumer, idle_ms, cursor, "COUNT", count - len(claimed)
            )
            claimed += [feed_entry(number, *entry) for entry in page]
            cursor = following.decode()
            if cursor == _OLDEST:
                break
        return claimed

    def _ack(self, group: str, done: dict[int, list[str]]) -> None:
        commands = [
            (self._feeds[number], ("XACK", self._feeds[number], group, *ids))
            for number, ids in done.items()
            if ids
        ]
        self._transport.call_each(commands)

    # ------------------------------------------------------------------- how far the groups are

    def _groups(self, feed: str) -> list[_Group]:
        try:
            reply = self._transport.call(feed, "XINFO", "GROUPS", feed)
        except ResponseError as error:
            if _is_missing(error):
                return []
            raise
        return [_group(facts) for facts in reply]

    def _behind(self, feed: str, name: str) -> tuple[int, str | None]:
        """Returns the number of entries that the group has not acknowledged, and the id of the oldest."""
        never = _Group(name=name, pending=0, delivered=_OLDEST, lag=None)
        group = next((found for found in self._groups(feed) if found.name == name), never)
        following = self._page(feed, group.delivered, 1)
        # After a restart, Redis 7.0 may report thousands of entries for a group that has read a trimmed stream to its end.
        undelivered = 0 if not following else group.lag or self._undelivered(feed, group.delivered)
        if group.pending:
            return group.pending + undelivered, self._oldest_pending(feed, name)
        return undelivered, following[0] if following else None

    def _undelivered(self, feed: str, delivered: str) -> int:
        """Returns the number of entries after an id, up to about `_COUNT_LIMIT`."""
        counted = 0
        # In pages, because Redis serves nobody else while it builds one reply with all of them.
        while counted < _COUNT_LIMIT and (page := self._page(feed, delivered, _COUNT_PAGE)):
            counted, delivered = counted + len(page), page[-1]
        return counted

    def _page(self, feed: str, after: str, count: int) -> list[str]:
        reply = self._transport.call(feed, "XRANGE", feed, f"({after}", "+", "COUNT", count)
        return [entry_id.decode() for entry_id, _ in reply]

    def _oldest_pending(self, feed: str, group: str) -> str | None:
        _, oldest, *_ = self._transport.call(feed, "XPENDING", feed, group)
        return None if oldest is None else str(oldest.decode())

    def _age_ms(self, feed: str, entry_id: str | None) -> int:
        if entry_id is None:
            return 0
        return max(0, self._time_ms(feed) - id_order(entry_id)[0])

    def _time_ms(self, feed: str) -> int:
        """Returns the time by the clock of the feed's Redis."""
        # That clock also makes the entries' ids, so their age is right even if this machine's clock is wrong.
        seconds, microseconds = self._transport.call(feed, "TIME")
        return int(seconds) * 1000 + int(microseconds) // 1000

    def _trim(self, feed: str) -> int:
        groups = self._groups(feed)
        # A reader that has not read this feed yet has no group there and still needs everything.
        if not groups or not self._readers <= {group.name for group in groups}:
            return 0
        return self._drop(
            feed, min(self._young(feed), *[self._acknowledged(feed, group) for group in groups])
        )

    def _drop(self, feed: str, upto: tuple[int, int]) -> int:
        milliseconds, sequence = upto
        return int(self._transport.call(feed, "XTRIM", feed, "MINID", f"{milliseconds}-{sequence}"))

    def _young(self, feed: str) -> tuple[int, int]:
        """Returns the first id that a reader without a group may still need."""
        return max(0, self._time_ms(feed) - self._keep_ms + 1), 0

    def _acknowledged(self, feed: str, group: _Group) -> tuple[int, int]:
        """Returns the first id that the group may still need."""
        oldest = self._oldest_pending(feed, group.name) if group.pending else None
        if oldest is not None:
            return id_order(oldest)
        milliseconds, sequence = id_order(group.delivered)  # nothing is pending, so it is acknowledged
        return milliseconds, sequence + 1


def _entries(pages: dict[int, list[Any]]) -> list[FeedEntry]:
    return [
        feed_entry(number, entry_id, fields)
        for number, page in pages.items()
        for entry_id, fields in page
        if fields
    ]


def _gone(page: list[Any]) -> list[str]:
    return [entry_id.decode() for entry_id, fields in page if not fields]


def _group(reply: Any) -> _Group:
    facts = dict(pairs(reply))
    return _Group(
        name=facts[b"name"].decode(),
        pending=facts[b"pending"],
        delivered=facts[b"last-delivered-id"].decode(),
        lag=facts.get(b"lag"),
    )


def _is_missing(error: ResponseError) -> bool:
    """Returns whether an error means that the feed or the group does not exist."""
    # These errors have no common class or code, and their texts differ between versions and commands.
    return any(reason in str(error) for reason in ("NOGROUP", "no such key", "requires the key to exist"))
