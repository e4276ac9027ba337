"""The archive's files, in a folder and in an object store."""

import errno
import os
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import inf, isinf
from stat import S_IMODE, S_ISREG
from typing import Any
from urllib.request import Request, urlopen

import pytest

from hoodwink.service.adapters.archive import objects
from hoodwink.service.adapters.archive.folder import Files, Folder
from hoodwink.service.adapters.archive.objects import ObjectStore
from hoodwink.service.application.ports import DamagedArchive, StoreUnavailable
from tests.service.application import test_archive
from tests.service.application.world import World


@pytest.fixture(scope="module")
def s3():
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    access = {
        "AWS_ENDPOINT": f"http://127.0.0.1:{port}",
        "AWS_ACCESS_KEY_ID": "id",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_REGION": "us-east-1",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in access.items():
            patch.setenv(name, value)
        urlopen(Request(f"{access['AWS_ENDPOINT']}/logs", method="PUT")).close()
        yield server
    server.stop()


@pytest.fixture(params=["folder", "object store"])
def files(request, tmp_path, s3) -> Files:
    if request.param == "folder":
        return Folder(tmp_path / "archive")
    return ObjectStore(f"s3://logs/{tmp_path.name}")


def test_a_file_is_written_once_and_read_in_parts(files):
    files.put("p00/one", b"hello")
    with pytest.raises(FileExistsError):
        files.put("p00/one", b"other")
    files.put("p01/two", b"")
    assert files.read("p00/one", 1, 3) == b"ell"
    assert (files.size("p00/one"), files.size("p01/two"), files.size("p00/two")) == (5, 0, None)
    assert (files.sizes("p00"), files.sizes("p02")) == ({"p00/one": 5}, {})


def test_missing_and_short_files_are_named(files):
    files.put("p00/one", b"hello")
    with pytest.raises(DamagedArchive, match="p00/two is missing"):
        files.read("p00/two", 0, 1)
    with pytest.raises(DamagedArchive, match="p00/one is too short"):
        files.read("p00/one", 3, 3)


def test_a_file_is_on_the_disk_before_it_has_its_name(tmp_path, monkeypatch):
    folder, fsync, link, steps = Folder(tmp_path), os.fsync, os.link, list[Any]()
    folder.put("p00/one", b"hello")

    def note(opened: int) -> None:
        fsync(opened)
        status = os.fstat(opened)
        steps.append(status.st_size if S_ISREG(status.st_mode) else "folder")

    def note_link(*paths: Any, **named: Any) -> None:
        link(*paths, **named)
        steps.append("link")

    monkeypatch.setattr(os, "fsync", note)
    monkeypatch.setattr(os, "link", note_link)
    folder.put("p00/two", b"world!")
    assert steps == [6, "link", "folder"]
    written = sorted((tmp_path / "p00").iterdir())
    assert [(path.name, S_IMODE(path.stat().st_mode)) for path in written] == [("one", 0o600), ("two", 0o600)]


@pytest.mark.parametrize(
    "read",
    [
        lambda folder: folder.read("p00/one", 0, 1),
        lambda folder: folder.size("p00/one"),
        lambda folder: folder.sizes("p00"),
    ],
    ids=["read", "size", "names"],
)
def test_a_folder_that_cannot_be_read_is_unavailable(tmp_path, read):
    (tmp_path / "p00").write_bytes(b"no folder")
    with pytest.raises(
        StoreUnavailable, match=r"the archive cannot be read: p00.*: Not a directory"
    ) as raised:
        read(Folder(tmp_path))
    assert not isinstance(raised.value, DamagedArchive)


def test_a_file_on_a_bad_sector_counts_as_damaged(tmp_path, monkeypatch):
    def fail(*_: Any) -> None:
        raise OSError(errno.EIO, "Input/output error")

    folder = Folder(tmp_path)
    folder.put("p00/one", b"hello")
    monkeypatch.setattr(os, "pread", fail)
    with pytest.raises(DamagedArchive, match="p00/one cannot be read: Input/output error"):
        folder.read("p00/one", 0, 1)


def test_tables_are_archived_in_an_object_store(s3, tmp_path):
    url = f"s3://logs/{tmp_path.name}"
    world = World(archive=url, partitions=1)
    world.table("bot", "bot", table="over")
    world.settle()
    before = world.service.store.read(test_archive.TABLE)
    assert test_archive.archive(world) == 1
    assert test_archive.fresh(world).service.store.read(test_archive.TABLE) == before
    assert test_archive.faults(test_archive.fresh(world), thoroughly=True) == []


def test_the_size_of_an_archive_takes_no_request_per_segment(s3, tmp_path, monkeypatch):
    world = World(archive=f"s3://logs/{tmp_path.name}", partitions=1)
    for number in range(2):
        world.table("bot", "bot", table=f"over{number}")
        world.settle()
        assert test_archive.archive(world) == 1
    archive, segments = world.service.archive, world.service.segments
    assert archive is not None
    assert segments is not None
    size = sum(map(segments.size, segments.names(0)))
    monkeypatch.delattr(ObjectStore, "size")
    assert archive.size() == (2, size)


def test_an_answer_that_was_lost_is_no_fault(s3, tmp_path, monkeypatch):
    put = ObjectStore.put

    def twice(store: ObjectStore, name: str, data: bytes) -> None:
        put(store, name, data)
        put(store, name, data)

    monkeypatch.setattr(ObjectStore, "put", twice)
    world = World(archive=f"s3://logs/{tmp_path.name}", partitions=1)
    world.table("bot", "bot", table="over")
    world.settle()
    assert test_archive.archive(world) == 1


def test_an_object_store_that_is_away_delays_archiving(s3, tmp_path):
    world = World(archive=f"s3://logs/{tmp_path.name}", partitions=1)
    world.table("bot", "bot", table="over")
    world.settle()
    before = world.service.store.read(test_archive.TABLE)
    url = "s3://logs"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT", "http://127.0.0.1:9")
        away = World(world.client, world.clock, archive=url, partitions=1)
        with pytest.raises(StoreUnavailable, match="the archive does not answer"):
            test_archive.archive(away)
    assert world.service.store.read(test_archive.TABLE) == before
    assert test_archive.archive(world) == 1


def message(line: socket.socket, *, has_body: bool = True) -> bytes:
    """Returns the next request or answer, or what came of it before the connection was closed."""
    received = b""
    while part := line.recv(1 << 20):
        received += part
        head, end, body = received.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
        if end and (not has_body or length is None or len(body) >= int(length[1])):
            break
    return received


@contextmanager
def slowly(s3: Any, delays: dict[bytes, list[float]]) -> Iterator[str]:
    """Yields the address of a proxy that holds back each answer.

    The delays by method are for the first answers. An infinite one lasts until the client gives up.
    """

    def attend(guest: socket.socket) -> None:
        with guest, socket.create_connection(s3.get_host_and_port()) as server, suppress(OSError):
            while request := message(guest):
                server.sendall(request)
                method = request.split()[0]
                answer = message(server, has_body=method != b"HEAD")
                delay = some.pop(0) if (some := delays.get(method)) else 0
                if isinf(delay):
                    guest.recv(1)
                    return
                time.sleep(delay)
                guest.sendall(answer)

    def serve() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=attend, args=(listener.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


def test_an_object_store_that_answers_too_late_loses_nothing(s3, tmp_path, monkeypatch):
    world = World(archive=f"s3://logs/{tmp_path.name}", partitions=1)
    world.table("bot", "bot", table="over")
    world.settle()
    before = world.service.store.read(test_archive.TABLE)
    monkeypatch.setattr(objects, "_REQUEST_SECONDS", 1)
    delays = {b"PUT": [inf], b"GET": [0.1, inf, 0.1], b"HEAD": [0.1]}
    with slowly(s3, delays) as address:
        monkeypatch.setenv("AWS_ENDPOINT", address)
        # The segment is stored, but nobody knows. The next run finds the note and reads it back.
        with pytest.raises(StoreUnavailable):
            test_archive.archive(test_archive.fresh(world))
        assert world.service.store.read(test_archive.TABLE) == before
        assert test_archive.archive(test_archive.fresh(world)) == 1
        assert test_archive.fresh(world).service.store.read(test_archive.TABLE) == before
    assert delays == {b"PUT": [], b"GET": [], b"HEAD": []}
