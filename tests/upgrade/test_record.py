"""The recorder of data folders."""

import pytest
from redis import Redis

from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis
from tests.upgrade.record import append_only_file

pytestmark = pytest.mark.processes


def test_a_recorded_file_contains_what_was_stored(tmp_path):
    with EmbeddedRedis(folder=tmp_path / "old") as server, Redis.from_url(server.url) as client:
        client.set("name", "Ada")
        log = append_only_file(server.url, tmp_path / "old")

    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "appendonly.aof").write_bytes(log)
    with EmbeddedRedis(folder=tmp_path / "new") as server, Redis.from_url(server.url) as client:
        assert client.get("name") == b"Ada"
