"""The check that the store accepts writes does not write itself."""

import pytest
from redis import Redis

from hoodwink.service.adapters.redis.connection import connect
from hoodwink.service.adapters.store.write_check import check_writes
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis
from tests.service.adapters.servers import connected

PARTITIONS = 4


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with (
        EmbeddedRedis(folder=tmp_path_factory.mktemp("writes") / "redis") as server,
        connect(server.url) as client,
    ):
        assert isinstance(client, Redis)
        yield client


def check(client):
    check_writes(client=client, partitions=PARTITIONS)


def test_the_check_writes_nothing(client):
    before = client.info("persistence")["aof_current_size"], client.dbsize()

    check(client)

    assert (client.info("persistence")["aof_current_size"], client.dbsize()) == before


@pytest.mark.parametrize(
    ("name", "refusing", "usual", "reason"),
    [
        ("maxmemory", "1", "0", "OOM|maxmemory"),
        ("min-replicas-to-write", "1", "0", "NOREPLICAS"),
        ("replicaof", "127.0.0.1 1", "no one", "read only|READONLY"),
    ],
)
def test_a_redis_that_refuses_writes_is_unavailable(client, name, refusing, usual, reason):
    def configure(value):
        if name == "replicaof":
            client.execute_command("REPLICAOF", *value.split())
        else:
            client.config_set(name, value)

    configure(refusing)
    try:
        assert client.ping()
        with pytest.raises(StoreUnavailable, match=reason):
            check(client)
    finally:
        configure(usual)

    check(client)


@pytest.mark.cluster
def test_every_node_of_a_cluster_is_checked(cluster_ports):
    with (
        connected(f"redis://127.0.0.1:{cluster_ports[0]}") as cluster,
        Redis(port=cluster_ports[1]) as node,
    ):
        check(cluster)
        node.config_set("maxmemory", "1")
        try:
            with pytest.raises(StoreUnavailable):
                check_writes(client=cluster, partitions=64)
        finally:
            node.config_set("maxmemory", "0")
