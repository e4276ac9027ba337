"""Redis in three forms: a fake in this process, the embedded server, and a cluster of three nodes."""

from collections.abc import Iterator

import pytest
from fakeredis import FakeRedis, FakeServer
from redis.cluster import RedisCluster

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.store.event_store import RedisEventStore
from hoodwink.service.adapters.store.feeds.feed import RedisFeed
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis
from hoodwink.service.supervisor.redis_binary import NoRedisBinary, find_redis
from tests.service.adapters.servers import cluster, connected, everywhere


@pytest.fixture(scope="session")
def embedded_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedRedis]:
    """An embedded server for the whole run; each user starts with FLUSHALL."""
    with EmbeddedRedis(folder=tmp_path_factory.mktemp("embedded") / "redis") as server:
        yield server


@pytest.fixture(scope="session")
def cluster_ports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[int]]:
    """The ports of a cluster of three nodes, for the whole run."""
    try:
        find_redis()
    except NoRedisBinary as reason:
        pytest.skip(f"CLUSTER TESTS NOT RUN: {reason}")
    with cluster(tmp_path_factory.mktemp("cluster")) as nodes:
        yield [node.port for node in nodes]


# The fake runs scripts so slowly that only the campaign uses it.
@pytest.fixture(
    params=[
        pytest.param("fake", marks=pytest.mark.campaign),
        "embedded",
        pytest.param("cluster", marks=pytest.mark.cluster),
    ]
)
def client(request: pytest.FixtureRequest) -> Iterator[Client]:
    """A client of an empty Redis in each of the three forms."""
    if request.param == "fake":
        yield FakeRedis(server=FakeServer(version=(7,)), protocol=2)
        return
    with connected(_url(request, request.param)) as found:
        found.flushall(**everywhere(found))
        yield found


@pytest.fixture
def url(client: Client, request: pytest.FixtureRequest) -> str:
    """The address of the server or cluster of `client`."""
    return _url(request, "cluster" if isinstance(client, RedisCluster) else "embedded")


@pytest.fixture
def store(client: Client) -> RedisEventStore:
    return RedisEventStore(client=client)


@pytest.fixture
def feed(client: Client) -> RedisFeed:
    return RedisFeed(client=client, keep_ms=0)


def _url(request: pytest.FixtureRequest, shape: str) -> str:
    if shape == "embedded":
        return str(request.getfixturevalue("embedded_redis").url)
    port, *_ = request.getfixturevalue("cluster_ports")
    return f"redis://127.0.0.1:{port}"
