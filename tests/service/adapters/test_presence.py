"""Who is connected, noted in Redis by table and forgotten after a while."""

from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.adapters.store.presence import STAYS_MS, RedisPresence
from hoodwink.service.application.ports import StreamId
from tests.service.application.world import NOW

TABLES = [f"t{number}" for number in range(20)]


def test_players_are_connected_at_their_tables_for_a_while_after_each_note(client):
    presence = RedisPresence(client=client)
    presence.note({table: ["ada", f"guest{table}"] for table in TABLES}, now=NOW)
    presence.note({"t1": ["ada"]}, now=NOW + 1)

    for table in TABLES:
        assert presence.connected(table, now=NOW) == {"ada", f"guest{table}"}
    last = NOW + STAYS_MS
    assert [table for table in TABLES if presence.connected(table, now=last)] == ["t1"]
    assert presence.connected("t1", now=last) == {"ada"}
    assert presence.connected("t1", now=last + 1) == frozenset()


def test_redis_forgets_by_itself_who_was_connected(client):
    RedisPresence(client=client).note({table: ["ada"] for table in TABLES}, now=NOW)

    keys = Keys(16)
    for table in TABLES:
        key = keys.at(keys.partition(StreamId("table", table)), f"presence:{table}")
        assert 0 < client.pttl(key) <= STAYS_MS


def test_nobody_is_connected_at_a_table_without_a_note(client):
    RedisPresence(client=client).note({}, now=NOW)

    assert RedisPresence(client=client).connected("t1", now=NOW) == frozenset()
