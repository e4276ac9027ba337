"""`hoodwink run`: error messages, checks of Redis servers, and finding a running instance."""

import os
import socket
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from redis.cluster import RedisCluster
from redis.exceptions import NoPermissionError

from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.cli import hoodwink
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor import CannotStart, Instance, find_instance, lock_folder, record_instance
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis
from hoodwink.service.supervisor.external_redis import check_redis
from hoodwink.service.supervisor.redis_binary import NoRedisBinary, RedisBinary
from hoodwink.service.supervisor.roster import PARTS, address
from hoodwink.service.supervisor.serving import _prepare
from tests.service.adapters.servers import server

NOWHERE = "redis://:secret@127.0.0.1:1/0"


def run(*arguments, **environment):
    """Returns the output of a failing `hoodwink run`, which is one line."""
    known = {
        name: value for name, value in os.environ.items() if "HOODWINK" not in name and "_URL" not in name
    }
    result = CliRunner(env=known | environment).invoke(hoodwink, ["run", *arguments])
    assert result.exit_code == 1, result.output
    assert result.output.startswith("Error: ")
    assert result.output.count("\n") == 1
    return result.output


def no_program(**_):
    raise NoRedisBinary("there is none")


@pytest.fixture(autouse=True)
def logging_as_it_was(monkeypatch):
    """Restores the logging of this process, where the command runs, for other tests."""
    monkeypatch.setattr("hoodwink.service.cli.run.write_logs", lambda *_, **__: None)


def test_parts_without_slots_are_left_out(tmp_path):
    def parts(**slots):
        settings = Settings(port=0, data=str(tmp_path), **slots)
        return {part.name for part in _prepare(settings, tmp_path, print)[1]}

    assert parts() - parts(job_slots=0, thinking_slots=0, push_slots=0) == {"jobs", "thinkers", "pushes"}


class TestRefusals:
    def test_an_invalid_setting(self):
        assert "HOODWINK_PORT=http is not valid" in run(HOODWINK_PORT="http")

    def test_a_misspelt_setting_gives_a_warning(self, tmp_path):
        environment = {
            "HOODWINK_TABLES_PER_PLAYR": "3",
            "HOODWINK_DATA": str(tmp_path),
            "BROKER_URL": NOWHERE,
        }
        result = CliRunner(env=environment).invoke(hoodwink, ["run"])

        assert "this variable is not a setting" in result.output
        assert "name=HOODWINK_TABLES_PER_PLAYR" in result.output

    @pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "amqp://127.0.0.1:1"])
    def test_an_unreachable_broker_next_to_the_embedded_redis(self, tmp_path, url):
        output = run(HOODWINK_PORT="0", HOODWINK_DATA=str(tmp_path), BROKER_URL=url)

        assert f"No Redis at {url}" in output

    def test_a_taken_port(self, tmp_path):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]

            output = run(HOODWINK_PORT=str(port), HOODWINK_DATA=str(tmp_path))

        assert f"Cannot listen on 127.0.0.1, port {port}: Address already in use" in output

    def test_an_unwritable_data_folder(self, tmp_path):
        (tmp_path / "file").touch()

        assert "Cannot write to the data folder" in run(
            HOODWINK_DATA=str(tmp_path / "file"), HOODWINK_PORT="0"
        )

    def test_a_data_folder_in_use(self, tmp_path, monkeypatch):
        monkeypatch.setattr("hoodwink.service.supervisor.instance._GRACE_SECONDS", 0)
        lock = lock_folder(tmp_path)

        output = run(HOODWINK_DATA=str(tmp_path))

        assert f"Another Hoodwink (process {os.getpid()}) uses the data folder" in output
        assert (
            "Stop it, or choose another folder with HOODWINK_DATA and another port with HOODWINK_PORT."
            in output
        )

        os.close(lock)

    def test_an_unreachable_redis_is_named_without_its_password(self, tmp_path):
        output = run(REDIS_URL=NOWHERE, HOODWINK_DATA=str(tmp_path), HOODWINK_PORT="0")

        assert "No Redis at redis://:…@127.0.0.1:1/0: Connection refused." in output
        assert "secret" not in output

    @pytest.mark.parametrize("part", PARTS)
    def test_a_single_part_without_a_shared_redis(self, part):
        assert f"Set it to the Redis that the {part} shares" in run(part)

    def test_a_single_part_with_an_unreachable_redis(self):
        assert "No Redis at" in run("worker", REDIS_URL=NOWHERE)

    def test_a_single_api_does_not_share_a_taken_port(self):
        with socket.create_server(("127.0.0.1", 0), reuse_port=True) as taken:
            port = taken.getsockname()[1]

            output = run("api", HOODWINK_PORT=str(port), REDIS_URL=NOWHERE)

        assert f"Cannot listen on 127.0.0.1, port {port}: Address already in use" in output

    def test_data_in_another_number_of_partitions(self, tmp_path):
        with EmbeddedRedis(folder=tmp_path) as server:
            check_redis(Settings(redis_url=server.url))

            output = run("worker", REDIS_URL=server.url, HOODWINK_PARTITIONS="8")

        assert "holds data in 16 partitions, not 8: set HOODWINK_PARTITIONS=16" in output

    def test_required_replicas_of_the_embedded_redis(self, tmp_path):
        output = run(HOODWINK_DATA=str(tmp_path / "data"), HOODWINK_REPLICAS="1")

        assert "HOODWINK_REPLICAS asks for replicas, and the embedded Redis has none: set REDIS_URL" in output

    @pytest.mark.parametrize(
        ("part", "slots"), [("jobs", "JOB"), ("thinkers", "THINKING"), ("pushes", "PUSH")]
    )
    def test_a_part_without_slots(self, part, slots):
        output = run(part, **{f"HOODWINK_{slots}_SLOTS": "0"}, REDIS_URL=NOWHERE)

        assert f"no slots to the part {part}, so there is nothing to run." in output

    def test_data_of_valkey_9_without_valkey(self, tmp_path, monkeypatch):
        folder = tmp_path / "redis" / "appendonlydir"
        folder.mkdir(parents=True)
        (folder / "appendonly.aof.1.base.rdb").write_bytes(b"VALKEY080")
        redis = RedisBinary(Path("/opt/redis-server"), (8, 2))
        monkeypatch.setattr("hoodwink.service.supervisor.embedded_redis.find_redis", lambda **_: redis)

        output = run(HOODWINK_DATA=str(tmp_path), HOODWINK_PORT="0")

        assert "was written by Valkey, and /opt/redis-server cannot read it" in output

    @pytest.mark.parametrize("refused", ["port", "redis", "broker", "program"])
    def test_a_refused_start_leaves_no_data_folder_behind(self, tmp_path, monkeypatch, refused):
        environment = {"HOODWINK_DATA": str(tmp_path / "new" / "data"), "HOODWINK_PORT": "0"}
        if refused == "program":
            monkeypatch.setattr("hoodwink.service.supervisor.embedded_redis.find_redis", no_program)
        else:
            environment |= {"port": {}, "redis": {"REDIS_URL": NOWHERE}, "broker": {"BROKER_URL": NOWHERE}}[
                refused
            ]
        with socket.create_server(("127.0.0.1", 0)) as taken:
            if refused == "port":
                environment["HOODWINK_PORT"] = str(taken.getsockname()[1])

            run(**environment)

        assert list(tmp_path.iterdir()) == []

    def test_a_refused_start_does_not_change_an_existing_folder(self, tmp_path):
        (tmp_path / "redis").mkdir()
        (tmp_path / "redis" / "appendonly.aof").write_text("data")

        run(HOODWINK_DATA=str(tmp_path), HOODWINK_PORT="0", REDIS_URL=NOWHERE)

        assert (tmp_path / "redis" / "appendonly.aof").read_text() == "data"

    def test_a_taken_port_leaves_the_folder_unlocked(self, tmp_path):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            run(HOODWINK_PORT=str(taken.getsockname()[1]), HOODWINK_DATA=str(tmp_path))

        os.close(lock_folder(tmp_path))


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """The port of a Redis with a password."""
    with server(tmp_path_factory.mktemp("guarded") / "redis", password="right") as node:
        yield node.port


@pytest.mark.processes
class TestPassword:
    @pytest.mark.parametrize("arguments", [[], *[[part] for part in PARTS]])
    @pytest.mark.parametrize(
        ("access", "why"),
        [("", "Authentication required"), (":wrong@", "invalid"), ("somebody:right@", "invalid")],
    )
    def test_a_wrong_password_is_reported_without_showing_it(self, guarded, tmp_path, arguments, access, why):
        url = f"redis://{access}127.0.0.1:{guarded}"

        output = run(*arguments, REDIS_URL=url, HOODWINK_DATA=str(tmp_path), HOODWINK_PORT="0")

        assert "No Redis at redis://" in output
        assert why in output
        assert "wrong" not in output
        assert "right" not in output


class Server:
    """A Redis that answers only `INFO` and, unless hosted, `CONFIG GET`."""

    def __init__(
        self,
        version="7.0.0",
        *,
        aof_enabled=1,
        maxmemory=0,
        maxmemory_policy="noeviction",
        fsync="always",
        truncated="no",
    ):
        self.information = {
            "redis_version": version,
            "aof_enabled": aof_enabled,
            "maxmemory": maxmemory,
            "maxmemory_policy": maxmemory_policy,
        }
        self.configuration = fsync and {
            "appendfsync": fsync,
            "aof-load-truncated": truncated,
            "min-replicas-to-write": "0",
        }

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def info(self, _, **__):
        return self.information

    def config_get(self, *names, **__):
        if not self.configuration:
            raise NoPermissionError("this user has no permissions to run the 'config|get' command")
        return {name: self.configuration[name] for name in names}

    def close(self):
        pass


class Cluster(Server, RedisCluster):  # type: ignore[misc]
    """A Redis Cluster of two nodes that answers only `INFO` and `CONFIG GET`."""

    def get_primaries(self):
        return [SimpleNamespace(name="one:1"), SimpleNamespace(name="two:2")]


@pytest.fixture
def servers(monkeypatch):
    reachable: dict[str, Server] = {}

    def connected(url):
        try:
            return reachable[url]
        except KeyError:
            raise StoreUnavailable(f"No Redis at {url}") from None

    monkeypatch.setattr("hoodwink.service.supervisor.external_redis.connect", connected)
    monkeypatch.setattr("hoodwink.service.supervisor.external_redis.hold_partitions", lambda **_: None)
    return reachable


class TestExternalRedis:
    def test_one_server_carries_events_and_tasks(self, servers):
        servers["redis://one"] = Server()

        assert check_redis(Settings(redis_url="redis://one")) == ()

    def test_a_server_that_may_lose_events_gives_a_warning(self, servers):
        servers["redis://:secret@one"] = Server(aof_enabled=0, maxmemory=1, maxmemory_policy="allkeys-lru")

        loss, drop = check_redis(Settings(redis_url="redis://:secret@one"))

        assert loss == (
            "The Redis at redis://:…@one keeps no append-only file: if it crashes, acknowledged events may be lost."
        )
        assert "set its maxmemory-policy to noeviction" in drop

    def test_a_server_that_syncs_every_second_gives_a_warning(self, servers):
        servers["redis://one"] = Server(fsync="everysec")

        (line,) = check_redis(Settings(redis_url="redis://one"))

        assert line == (
            "The Redis at redis://one has appendfsync everysec: if it crashes, the latest acknowledged events may be "
            "lost. Set it to always."
        )

    def test_a_server_that_hides_its_configuration_gives_a_warning(self, servers):
        servers["redis://one"] = Server(fsync="")

        (line,) = check_redis(Settings(redis_url="redis://one"))

        assert "does not show its configuration (this user has no permissions" in line
        assert line.endswith("so appendfsync, aof-load-truncated, min-replicas-to-write were not checked.")

    def test_a_server_that_loads_truncated_files_gives_a_warning(self, servers):
        servers["redis://one"] = Server(truncated="yes")

        (line,) = check_redis(Settings(redis_url="redis://one"))

        assert line.startswith(
            "The Redis at redis://one has aof-load-truncated yes: if it crashes while it writes"
        )

    def test_replicas_that_confirm_nothing_give_a_warning(self, tmp_path):
        with EmbeddedRedis(folder=tmp_path) as server:
            few, silent = check_redis(Settings(redis_url=server.url, replicas=1, replicas_seconds=0.1))

        assert "set its min-replicas-to-write to 1, as HOODWINK_REPLICAS asks" in few
        assert "do not confirm writes with WAIT" in silent
        assert "Until 1 of them do, commands get a 503 (not_replicated)" in silent

    def test_each_node_of_a_cluster_is_checked(self, servers):
        servers |= {"redis://three": Cluster(fsync="no"), "redis://one": Server()}

        lines = check_redis(Settings(redis_url="redis://three", broker_url="redis://one"))

        assert [line.partition(" has ")[0] for line in lines] == ["The Redis at one:1", "The Redis at two:2"]

    def test_a_server_without_a_memory_limit_evicts_nothing(self, servers):
        servers["redis://one"] = Server(maxmemory_policy="allkeys-lru")

        assert check_redis(Settings(redis_url="redis://one")) == ()

    def test_a_cluster_for_the_events_needs_a_server_for_the_tasks(self, servers):
        servers["redis://three"] = Cluster()

        with pytest.raises(CannotStart, match=r"^REDIS_URL names a Redis Cluster.* set BROKER_URL"):
            check_redis(Settings(redis_url="redis://three"))

    def test_a_cluster_for_the_events_and_a_server_for_the_tasks(self, servers):
        servers |= {"redis://three": Cluster(), "redis://one": Server()}

        check_redis(Settings(redis_url="redis://three", broker_url="redis://one"))

    def test_a_cluster_cannot_carry_the_tasks(self, servers):
        servers |= {"redis://three": Cluster(), "redis://one": Server()}

        with pytest.raises(CannotStart, match=r"^BROKER_URL names a Redis Cluster"):
            check_redis(Settings(redis_url="redis://one", broker_url="redis://three"))

    def test_the_server_for_the_tasks_must_be_reachable(self, servers):
        servers["redis://one"] = Server()

        with pytest.raises(CannotStart, match="No Redis at redis://two"):
            check_redis(Settings(redis_url="redis://one", broker_url="redis://two"))

    def test_an_outdated_server_is_reported(self, servers):
        servers["redis://one"] = Server("6.2.14")

        with pytest.raises(CannotStart, match=r"is 6\.2\.14; Hoodwink needs 7\.0"):
            check_redis(Settings(redis_url="redis://one"))


class TestInstance:
    def test_a_running_instance_is_found_with_its_settings(self, tmp_path):
        lock = lock_folder(tmp_path)
        instance = Instance(process=os.getpid(), settings=Settings(port=9000))

        record_instance(lock, instance)

        assert find_instance(tmp_path) == instance
        os.close(lock)
        assert find_instance(tmp_path) is None

    def test_a_starting_instance_is_found_without_settings(self, tmp_path):
        lock = lock_folder(tmp_path)

        assert find_instance(tmp_path) == Instance(process=os.getpid())
        os.close(lock)

    def test_no_instance_is_found_in_an_unused_folder(self, tmp_path):
        assert find_instance(tmp_path / "nowhere") is None

    def test_a_shorter_record_replaces_a_longer_one_completely(self, tmp_path):
        lock = lock_folder(tmp_path)
        record_instance(lock, Instance(process=1, settings=Settings(data="x" * 500)))

        record_instance(lock, Instance(process=2))

        assert find_instance(tmp_path) == Instance(process=2)
        os.close(lock)


@pytest.mark.parametrize(
    ("host", "expected"),
    [("127.0.0.1", "http://127.0.0.1:1"), ("0.0.0.0", "http://127.0.0.1:1"), ("::", "http://[::1]:1")],
)
def test_the_printed_address_is_reachable_locally(host, expected):
    assert address(Settings(host=host, port=1)) == expected
