"""A disk fills up during service: commands are refused, reads work, and the service recovers by itself."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import closing, suppress
from http import HTTPStatus
from pathlib import Path

import pytest

from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.checks import free_port
from tests.service.people import RetryingClient
from tests.service.processes import await_true
from tests.upgrade.releases import ROOT, Running

pytestmark = pytest.mark.processes

MIB = 1024 * 1024


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small separate disk."""
    tmp_path.chmod(0o700)
    mounting = ["mount", "-t", "tmpfs", "-o", "size=120m", "tmpfs", str(tmp_path)]
    if os.getuid() or subprocess.run(mounting, check=False, capture_output=True).returncode:
        pytest.skip("FULL DISK NOT TRIED: only root can mount one, and not everywhere")
    yield tmp_path
    subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


def fill(disk: Path, *, leave: int) -> Path:
    """Leaves this many bytes free on the disk; returns the file that fills the rest."""
    filler, found = disk / "filler", os.statvfs(disk)
    with filler.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, found.f_bavail * found.f_frsize - max(leave, MIB))
    if not leave:
        with suppress(OSError), filler.open("ab", buffering=0) as file:
            while file.write(b" " * 4096):
                pass
    return filler


def test_a_full_disk_refuses_commands_until_there_is_room_again(disk):
    settings = Settings(data=str(disk / "data"), port=free_port("127.0.0.1", 0))
    with Running(ROOT, settings) as running, closing(RetryingClient(settings)) as client:
        running.await_ready()
        ada = client.ask("POST", "/v1/players", body={"name": "Ada"})["token"]
        form = {"game": "blindside", "seats": 2}
        table = client.ask("POST", "/v1/tables", ada, form)["view"]["id"]
        assert "MiB are left" in client.ask("GET", "/readyz")["warning"]

        for leave in (32 * MIB, 0):
            filler = fill(disk, leave=leave)
            await_true(lambda: client.status("/readyz") == HTTPStatus.SERVICE_UNAVAILABLE)
            status, answer = client._exchanged(
                "POST", "/v1/tables", form, {"Authorization": f"Bearer {ada}"} | JSON
            )
            assert (status, b"storage_full" in answer) == (HTTPStatus.SERVICE_UNAVAILABLE, True)
            assert client.status(f"/v1/tables/{table}") == HTTPStatus.OK
            filler.unlink()
            await_true(lambda: client.status("/readyz") == HTTPStatus.OK)
            client.ask("POST", f"/v1/tables/{table}/seats", ada, {})
            client.ask("DELETE", f"/v1/tables/{table}/seats/0", ada)


JSON = {"Content-Type": "application/json"}
