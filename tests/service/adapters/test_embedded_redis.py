import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from redis import Redis

from hoodwink.service.adapters.redis.connection import connect
from hoodwink.service.supervisor.embedded_redis import CannotStartRedis, EmbeddedRedis
from hoodwink.service.supervisor.redis_binary import RedisBinary, find_redis
from tests.service.processes import await_true, is_alive


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EmbeddedRedis]:
    with EmbeddedRedis(folder=tmp_path / "redis") as server:
        yield server


def test_data_survive_a_stop_and_a_start(tmp_path):
    for visit in range(1, 4):
        with EmbeddedRedis(folder=tmp_path) as server, connect(server.url) as client:
            assert client.incr("visits") == visit


def test_the_server_listens_only_on_a_private_socket(server, tmp_path):
    process = psutil.Process(server.pid)
    assert process.net_connections("inet") == []
    assert {
        oct(path.stat().st_mode & 0o777) for path in (tmp_path / "redis", tmp_path / "redis/redis.sock")
    } == {"0o700"}


def test_a_folder_open_to_others_is_made_private(tmp_path):
    tmp_path.chmod(0o755)
    with EmbeddedRedis(folder=tmp_path):
        assert oct(tmp_path.stat().st_mode & 0o777) == "0o700"


@pytest.mark.parametrize("fsync", ["everysec", "always"])
def test_the_append_only_file_is_on(tmp_path, fsync):
    with EmbeddedRedis(folder=tmp_path, fsync=fsync) as server, connect(server.url) as client:
        found = client.config_get("append*")
    assert (found["appendonly"], found["appendfsync"]) == ("yes", fsync)


@pytest.mark.parametrize("name", ["with blank", 'with "quotes"', "with \\ back", "żółw", "percent%20"])
def test_a_folder_may_have_any_name(tmp_path, name):
    with EmbeddedRedis(folder=tmp_path / name) as server, connect(server.url) as client:
        assert client.set("a", 1)


def test_a_deep_folder_gets_a_socket_among_the_temporary_files(tmp_path):
    deep = tmp_path.joinpath(*["deeper"] * 20)
    with EmbeddedRedis(folder=deep) as server, connect(server.url) as client:
        assert client.set("a", 1)
        socket = Path(server.url.removeprefix("unix://"))
        assert len(os.fsencode(socket)) < 104
        assert oct(socket.parent.stat().st_mode & 0o777) == "0o700"
    assert EmbeddedRedis(folder=deep).url == server.url


def test_a_relative_folder_is_resolved_from_the_working_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    server = EmbeddedRedis(folder=Path("data/redis"))
    assert server.url == f"unix://{tmp_path}/data/redis/redis.sock"


# ----------------------------------------------------------------------------------- one per folder


def test_a_second_server_on_a_folder_is_refused_in_one_line(server, tmp_path):
    with pytest.raises(CannotStartRedis, match=r"already runs on .*redis\.$") as caught:
        EmbeddedRedis(folder=tmp_path / "redis").start()
    assert "\n" not in str(caught.value)
    assert server.answers()


def test_a_server_started_by_others_in_the_folder_is_detected(tmp_path):
    ours = EmbeddedRedis(folder=tmp_path)
    ours.prepare()
    with subprocess.Popen(ours.argv, stdout=subprocess.DEVNULL) as process:
        await_true(ours.answers)
        with pytest.raises(CannotStartRedis, match="already runs"):
            EmbeddedRedis(folder=tmp_path).start()
        process.terminate()
    assert not ours.answers()


def test_a_folder_is_free_again_after_a_stop_or_a_failed_start(tmp_path):
    server = EmbeddedRedis(folder=tmp_path)
    server.start()
    server.stop()
    server.stop()
    with EmbeddedRedis(folder=tmp_path):
        pass
    with pytest.raises(CannotStartRedis):
        EmbeddedRedis(folder=tmp_path, binary=RedisBinary(Path("/bin/false"), (9, 0))).start()
    with EmbeddedRedis(folder=tmp_path):
        pass


def test_a_killed_server_starts_again(server):
    with connect(server.url) as client:
        client.set("a", 1)
    os.kill(server.pid, signal.SIGKILL)
    await_true(lambda: not server.is_running())
    server.start()
    with connect(server.url) as client:
        assert client.get("a") == b"1"


# ------------------------------------------------------------------------------------- failures


def test_an_unwritable_folder_is_reported_in_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(CannotStartRedis) as caught:
            EmbeddedRedis(folder=folder).start()
        assert "\n" not in str(caught.value)


def test_a_link_to_a_folder_is_not_trusted(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CannotStartRedis, match="not a folder of this user"):
        EmbeddedRedis(folder=tmp_path / "link").start()


def test_a_server_that_exits_immediately_is_reported_with_its_reason(tmp_path):
    (tmp_path / "appendonly.aof").write_text("this is no append-only file")
    (tmp_path / "appendonlydir").write_text("nor is this a folder")
    binary = find_redis()
    with pytest.raises(CannotStartRedis, match="ended immediately") as caught:
        EmbeddedRedis(folder=tmp_path, binary=RedisBinary(binary.path, (7, 0))).start()
    assert "\n" not in str(caught.value)


def test_redis_does_not_start_on_data_of_valkey_9(tmp_path):
    (tmp_path / "appendonlydir").mkdir()
    (tmp_path / "appendonlydir" / "appendonly.aof.1.base.rdb").write_bytes(b"VALKEY080")
    with pytest.raises(CannotStartRedis, match="written by Valkey"):
        EmbeddedRedis(folder=tmp_path, binary=RedisBinary(find_redis().path, (8, 2))).start()


NEWER = b"REDIS0099\xfa\x09redis-ver\x058.0.0\xff12345678"
DAMAGED = b"*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n*3\r\ngarbage"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (NEWER, "was written by a newer Redis than"),
        (DAMAGED, "are damaged. Redis says: Bad file format reading"),
    ],
)
def test_unreadable_data_are_recognised_from_the_log(tmp_path, data, expected):
    (tmp_path / "appendonly.aof").write_bytes(data)
    server = EmbeddedRedis(folder=tmp_path)
    with pytest.raises(CannotStartRedis):
        server.start()

    reason = server.fault((tmp_path / "redis.log").read_text().splitlines())

    assert reason
    assert expected in reason
    assert "\n" not in reason


def test_a_full_disk_is_recognised_from_the_log_and_retried(server):
    said = [
        "1:M # Short write while writing to the AOF file: (nwritten=71, expected=112)",
        "1:M # Can't recover from AOF write error when the AOF fsync policy is 'always'. Exiting...",
    ]

    assert (server.is_out_of_space(said), server.fault(said)) == (True, None)


def test_a_log_without_errors_reports_nothing(server):
    said = ["1:M # Server initialized"]
    assert (server.is_out_of_space(said), server.fault(said)) == (False, None)


LOADING = """\
#!{python}
import pathlib, re, socket, sys
config = pathlib.Path(sys.argv[1]).read_text()
with socket.socket(socket.AF_UNIX) as listener:
    listener.bind(re.search('unixsocket "(.*)"', config)[1])
    listener.listen()
    for reply in (b"-LOADING Redis is loading the dataset in memory\\r\\n",) * 3 + (b"+PONG\\r\\n",):
        guest, _ = listener.accept()
        with guest:
            assert b"PING" in guest.recv(100)
            guest.sendall(reply)
    listener.accept()  # no other connection comes: it runs until it is stopped
"""


def test_a_loading_server_is_awaited(tmp_path):
    program = tmp_path / "redis-server"
    program.write_text(LOADING.format(python=sys.executable))
    program.chmod(0o755)
    with EmbeddedRedis(folder=tmp_path / "redis", binary=RedisBinary(program, (7, 0))) as server:
        assert is_alive(server.pid)


def test_a_server_that_never_answers_times_out(tmp_path):
    program = tmp_path / "redis-server"
    program.write_text("#!/bin/sh\nexec sleep 60\n")
    program.chmod(0o755)
    server = EmbeddedRedis(folder=tmp_path / "redis", binary=RedisBinary(program, (7, 0)))
    with pytest.raises(CannotStartRedis, match="does not answer"):
        server.start(within_s=0.1)
    assert not server.is_running()


# ------------------------------------------------------------------------------ ends with its owner

OWNER = """\
import sys, time
from pathlib import Path
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis
server = EmbeddedRedis(folder=Path(sys.argv[1]))
server.start()
print(server.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="NOT RUN: the parent-death signal is Linux's")
def test_a_server_ends_with_its_killed_owner_and_keeps_its_data(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", OWNER, tmp_path], stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout
        server = int(owner.stdout.readline())
        with Redis(unix_socket_path=str(tmp_path / "redis.sock")) as client:
            client.set("a", 1)
        owner.kill()
    await_true(lambda: not is_alive(server))
    with EmbeddedRedis(folder=tmp_path) as again, connect(again.url) as client:
        assert client.get("a") == b"1"


@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="NOT RUN: the parent-death signal is Linux's")
def test_a_folder_can_be_taken_over_right_after_its_owner_was_killed(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", OWNER, tmp_path], stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout
        owner.stdout.readline()
        owner.kill()
        owner.wait()
        with EmbeddedRedis(folder=tmp_path) as server:
            assert server.answers()
