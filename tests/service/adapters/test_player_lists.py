"""Players' events are in lists, and streams of earlier releases are converted, on each kind of Redis."""

from typing import Any

import pytest

from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.application.ports import Appended, Conflict, Diverged, Duplicate, StreamId
from tests.service.adapters.commits import commit, record

ADA = StreamId("player", "ada")
KEY, INDEX, _ = Keys(16).touched(ADA)
KEYS = ("a1" * 16, "b2" * 16, "c3" * 16)
"""Idempotency keys of Ada's events."""


@pytest.fixture
def store(store):
    """A store in which Ada has two events."""
    for at, key in enumerate(KEYS[:2]):
        assert store.append(commit(at, stream=ADA, key=key)) == Appended(at + 1)
    return store


def as_stream(client: Any) -> None:
    """Stores Ada as an earlier release did."""
    client.delete(KEY)
    for version, key in enumerate(KEYS[:2], start=1):
        event = record(version, cmd=key)
        fields = ("type", "data", "at", "by", "cmd", "hash")
        client.xadd(
            KEY,
            {
                name: bytes(getattr(event, name)) if name == "data" else getattr(event, name)
                for name in fields
            },
            f"{version}-0",
        )
        client.hset(INDEX, key, f"{version} {version} asked for {version}")


@pytest.mark.parametrize("is_old", [False, True], ids=["a list", "a stream"])
def test_events_of_a_player_are_read_and_continued(store, client, is_old):
    first, second = (record(version, cmd=key) for version, key in enumerate(KEYS[:2], start=1))
    if is_old:
        as_stream(client)
    assert store.append(commit(0, stream=ADA, key=KEYS[1])) == Duplicate(2, "asked for 2", first_version=2)
    assert store.append(commit(1, stream=ADA, key=KEYS[2])) == Conflict(2, (second,))
    assert store.append(commit(2, stream=ADA, key=KEYS[2], head="f" * 64)) == Diverged(2)
    assert store.append(commit(4, stream=ADA, key=KEYS[2])) == Diverged(2)
    assert store.append(commit(2, stream=ADA, key=KEYS[2])) == Appended(3)
    assert client.exists(INDEX) == 0
    assert store.read(ADA, count=2) == (first, second)
    assert store.read(ADA, after=2) == (record(3, cmd=KEYS[2]),)
    assert store.version(ADA) == 3
    assert list(store.streams("player")) == [ADA]


@pytest.mark.parametrize("stored", [0, 1, 2])
def test_a_stream_is_converted_when_it_is_read(store, client, stored):
    as_stream(client)
    events = tuple(record(version, cmd=key) for version, key in enumerate(KEYS[:2], start=1))
    unknown = StreamId("player", "bob")
    reads = (
        lambda: store.read_named([unknown, ADA])[1][0],
        lambda: store.read(ADA),
        lambda: store.known(ADA, KEYS[0]) and events,
    )
    assert reads[stored]() == events
    assert client.type(KEY) == b"list"
    assert store.known(ADA, KEYS[1]) == Duplicate(2, "asked for 2", first_version=2)
    assert store.known(ADA, KEYS[2]) is None
