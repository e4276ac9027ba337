"""Connected players are recorded in Redis by table and expire after a while."""

from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.adapters.store.people.presence import STAYS_MS, RedisPresence
from hoodwink.service.application.ports import StreamId
from tests.service.application.world import NOW

TABLES = [f"t{number}" for number in range(20)]


def test_each_presence_entry_lasts_for_a_while(client):
    presence = RedisPresence(client=client)
    presence.note({table: ["ada", f"guest{table}"] for table in TABLES}, now=NOW)
    presence.note({"t1": ["ada"]}, now=NOW + 1)

    for table in TABLES:
        assert presence.connected(table, now=NOW) == {"ada", f"guest{table}"}
    last = NOW + STAYS_MS
    assert [table for table in TABLES if presence.connected(table, now=last)] == ["t1"]
    assert presence.connected("t1", now=last) == {"ada"}
    assert presence.connected("t1", now=last + 1) == frozenset()


def test_presence_expires_in_redis(client):
    RedisPresence(client=client).note({table: ["ada"] for table in TABLES}, now=NOW)

    keys = Keys(16)
    for table in TABLES:
        key = keys.at(keys.partition(StreamId("table", table)), f"presence:{table}")
        assert 0 < client.pttl(key) <= STAYS_MS


def test_nobody_is_connected_without_a_presence_entry(client):
    RedisPresence(client=client).note({}, now=NOW)

    assert RedisPresence(client=client).connected("t1", now=NOW) == frozenset()
