"""The store against a model of it, by random commands."""

from typing import Any

from fakeredis import FakeRedis, FakeServer
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from service.adapters.connection import Client, connect
from service.adapters.event_store import RedisEventStore
from service.adapters.feed import RedisFeed
from service.application.ports import (
    Appended,
    AppendResult,
    Command,
    Commit,
    Conflict,
    Duplicate,
    EventRecord,
    StreamId,
)

streams = st.sampled_from([StreamId("table", "a"), StreamId("table", "b"), StreamId("player", "a")])
words = st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=8)
records = st.builds(
    EventRecord,
    type=words,
    data=st.binary(max_size=20),
    at=st.integers(0, 2**53),
    by=st.text(st.characters(codec="utf-8"), max_size=8),
    cmd=words,
    hash=words,
)


class Model:
    """What a store should do."""

    def __init__(self) -> None:
        self.events: dict[StreamId, list[EventRecord]] = {}
        self.commands: dict[tuple[StreamId, str], Duplicate] = {}
        self.pointers: list[tuple[StreamId, int, int, tuple[str, ...], str]] = []

    def append(self, commit: Commit) -> AppendResult:
        events = self.events.setdefault(commit.stream, [])
        command = (commit.stream, commit.command.id)
        if command in self.commands:
            return self.commands[command]
        before = len(events)
        if commit.expected_version != before:
            return Conflict(before, tuple(events[commit.expected_version :]))
        events += commit.records
        self.commands[command] = Duplicate(len(events), commit.command.fingerprint, before + 1)
        types = tuple(record.type for record in commit.records)
        self.pointers.append((commit.stream, before + 1, len(events), types, commit.due))
        return Appended(len(events))


class Comparison(RuleBasedStateMachine):
    """Sends the same to the store and to the model."""

    client: Client

    def __init__(self) -> None:
        super().__init__()
        self.client.flushall()
        self.store = RedisEventStore(client=self.client)
        self.feed = RedisFeed(client=self.client)
        self.model = Model()
        self.seen: list[Any] = []

    @rule(
        stream=streams,
        behind=st.integers(-1, 3),
        records=st.lists(records, min_size=1, max_size=4),
        command=st.builds(Command, id=st.sampled_from("abcdefgh"), fingerprint=words),
        due=st.sampled_from(["", "bot", "score deal"]),
    )
    def append(
        self, stream: StreamId, behind: int, records: list[EventRecord], command: Command, due: str
    ) -> None:
        at = max(0, len(self.model.events.get(stream, ())) - behind)
        commit = Commit(stream=stream, expected_version=at, records=tuple(records), command=command, due=due)
        assert self.store.append(commit) == self.model.append(commit)

    @rule(stream=streams, after=st.integers(0, 6), count=st.none() | st.integers(0, 6))
    def read(self, stream: StreamId, after: int, count: int | None) -> None:
        expected = self.model.events.get(stream, [])[after:][:count]
        assert self.store.read(stream, after=after, count=count) == tuple(expected)

    @rule(stream=streams, command=st.sampled_from("abcdefgh"))
    def ask_for_a_command(self, stream: StreamId, command: str) -> None:
        assert self.store.command(stream, command) == self.model.commands.get((stream, command))

    @rule()
    def follow_the_feed(self) -> None:
        entries = self.feed.read(
            group="g", consumer="c", partitions=self.feed.partitions, count=100, block_ms=0
        )
        self.feed.ack("g", entries)
        self.seen += [(one.stream, one.first_version, one.version, one.types, one.due) for one in entries]
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


def test_the_store_does_what_its_model_does_on_a_fake():
    compare(FakeRedis(server=FakeServer(version=(7,)), protocol=2), 15)


def test_the_store_does_what_its_model_does_on_a_server(embedded_redis):
    with connect(embedded_redis.url) as client:
        compare(client, 60)
