"""The store compared with a model under random commands."""

from typing import Any

from fakeredis import FakeRedis, FakeServer
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from msgspec import Raw
from msgspec.structs import replace

from hoodwink.domain.due_times import WorkDue
from hoodwink.domain.tables.entries import Entry
from hoodwink.service.adapters.redis.connection import Client, connect
from hoodwink.service.adapters.store.event_store import RedisEventStore
from hoodwink.service.adapters.store.feeds.feed import RedisFeed
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.application.ports import (
    Appended,
    AppendResult,
    Commit,
    Conflict,
    Diverged,
    Duplicate,
    IdempotencyKey,
    StreamId,
)

streams = st.sampled_from([StreamId("table", "a"), StreamId("table", "b"), StreamId("import", "a")])
words = st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=8)
entries = st.builds(
    Entry,
    version=st.just(0),
    type=words,
    data=st.binary(max_size=20).map(Raw),
    at=st.integers(0, 2**53),
    by=st.text(st.characters(codec="utf-8"), max_size=8),
    cmd=words,
    hash=words,
)


class Model:
    """A model of the store."""

    def __init__(self) -> None:
        self.events: dict[StreamId, list[Entry]] = {}
        self.keys: dict[tuple[StreamId, str], Duplicate] = {}
        self.pointers: list[tuple[StreamId, int, int, tuple[str, ...], WorkDue]] = []

    def append(self, commit: Commit) -> AppendResult:
        assert commit.key is not None
        events = self.events.setdefault(commit.stream, [])
        if known := self.known(commit.stream, commit.key.id):
            return known
        before, expected = len(events), commit.expected_version
        if expected and [entry.hash for entry in events[expected - 1 : expected]] != [commit.expected_head]:
            return Diverged(before)
        if expected != before:
            return Conflict(before, tuple(events[expected:]))
        events += commit.entries
        self.keys[commit.stream, commit.key.id] = Duplicate(len(events), commit.key.fingerprint, before + 1)
        types = tuple(entry.type for entry in commit.entries)
        self.pointers.append((commit.stream, before + 1, len(events), types, commit.due))
        return Appended(len(events))

    def known(self, stream: StreamId, key: str) -> Duplicate | None:
        known = self.keys.get((stream, key))
        if known is None or known.version > len(self.events[stream]):
            return None
        return known if self.events[stream][known.version - 1].cmd == key else None

    def go_back(self, stream: StreamId, length: int) -> None:
        del self.events.get(stream, [])[length:]


class Comparison(RuleBasedStateMachine):
    """Sends the same commands to store and model."""

    client: Client

    def __init__(self) -> None:
        super().__init__()
        self.client.flushall()
        self.store = RedisEventStore(client=self.client)
        self.feed = RedisFeed(client=self.client)
        self.model = Model()
        self.seen: list[Any] = []
        self.number = 0

    @rule(
        stream=streams,
        behind=st.integers(-1, 3),
        entries=st.lists(entries, min_size=1, max_size=4),
        key=st.builds(IdempotencyKey, id=st.sampled_from("abcdefgh"), fingerprint=words),
        due=st.builds(
            WorkDue, at=st.none() | st.integers(0, 2**53), report_at=st.none() | st.integers(0, 2**53)
        ),
        is_astray=st.sampled_from([False, False, False, True]),
    )
    def append(
        self,
        stream: StreamId,
        behind: int,
        entries: list[Entry],
        key: IdempotencyKey,
        due: WorkDue,
        *,
        is_astray: bool,
    ) -> None:
        events = self.model.events.get(stream, [])
        at = max(0, len(events) - behind)
        head = events[at - 1].hash if 0 < at <= len(events) and not is_astray else "another"
        commit = Commit(
            stream=stream,
            expected_version=at,
            expected_head=head if at else "",
            entries=tuple(
                self.told_apart(replace(entry, version=version), key)
                for version, entry in enumerate(entries, start=at + 1)
            ),
            key=key,
            due=due,
        )
        assert self.store.append(commit) == self.model.append(commit)

    def told_apart(self, entry: Entry, key: IdempotencyKey) -> Entry:
        """Returns the event with its request id and a unique hash."""
        self.number += 1
        return replace(entry, cmd=key.id, hash=f"{self.number}:{entry.hash}")

    @rule(stream=streams, length=st.integers(0, 5))
    def go_back(self, stream: StreamId, length: int) -> None:
        key = Keys(16).stream(stream)
        kept: Any = self.client.xrange(key, count=length) if length else []
        if len(kept) < self.client.xlen(key):
            self.client.delete(key)
            for entry_id, fields in kept:
                self.client.xadd(key, fields, id=entry_id)
            self.model.go_back(stream, length)

    @rule(stream=streams, after=st.integers(0, 6), count=st.none() | st.integers(0, 6))
    def read(self, stream: StreamId, after: int, count: int | None) -> None:
        expected = self.model.events.get(stream, [])[after:][:count]
        assert self.store.read(stream, after=after, count=count) == tuple(expected)

    @rule(stream=streams, key=st.sampled_from("abcdefgh"))
    def ask_for_a_key(self, stream: StreamId, key: str) -> None:
        assert self.store.known(stream, key) == self.model.known(stream, key)

    @rule()
    def follow_the_feed(self) -> None:
        entries = self.feed.read(
            group="g", consumer="c", partitions=self.feed.partitions, count=100, block_ms=0
        )
        self.feed.ack("g", entries)
        self.seen += [
            (entry.stream, entry.first_version, entry.version, entry.types, entry.due) for entry in entries
        ]
        assert sorted(self.seen, key=repr) == sorted(self.model.pointers, key=repr)

    @invariant()
    def versions_agree(self) -> None:
        for stream, events in self.model.events.items():
            assert self.store.version(stream) == len(events)


def compare(client: Client, examples: int) -> None:
    run_state_machine_as_test(
        type("Run", (Comparison,), {"client": client}),
        settings=settings(max_examples=examples, stateful_step_count=30, deadline=None),
    )


def test_the_fake_store_behaves_like_its_model():
    compare(FakeRedis(server=FakeServer(version=(7,)), protocol=2), 5)


def test_the_store_on_a_server_behaves_like_its_model(embedded_redis):
    with connect(embedded_redis.url) as client:
        compare(client, 20)
