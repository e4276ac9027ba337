"""Block lists have checksums, and lists of earlier releases can still be read."""

import pytest

from hoodwink.service.adapters.store.people import blocks as adapter
from hoodwink.service.adapters.store.people.blocks import RedisBlocks
from tests.service.databases import new_redis


@pytest.fixture
def client():
    return new_redis()


@pytest.fixture
def blocks(client):
    return RedisBlocks(client=client, partitions=4)


def test_a_blocked_player_is_listed_until_unblocked(blocks):
    assert blocks.add("ada", "eve")
    assert (blocks.of("ada"), blocks.has("ada", "eve"), blocks.has("eve", "ada")) == (("eve",), True, False)
    assert (blocks.remove("ada", "eve"), blocks.remove("ada", "eve")) == (True, False)
    assert blocks.of("ada") == ()


def test_a_list_of_an_earlier_release_can_be_read_and_changed(blocks, client, monkeypatch):
    monkeypatch.setattr(adapter, "MAX_BLOCKED", 2)
    client.sadd(blocks._key("ada"), "eve", "mal")
    assert (blocks.of("ada"), blocks.has("ada", "eve")) == (("eve", "mal"), True)
    assert blocks.add("ada", "eve"), "nobody is blocked twice"
    assert blocks.of("ada") == ("eve", "mal")
    assert not blocks.add("ada", "bo")
    assert blocks.remove("ada", "mal")
    assert blocks.of("ada") == ("eve",)
