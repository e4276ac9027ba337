"""A disk fills up during service: commands are refused, reads work, and the service recovers by itself."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import closing, suppress
from http import HTTPStatus
from pathlib import Path

import pytest
from msgspec.structs import replace

from hoodwink.service.supervisor.checks import free_port
from tests.service.people import RetryingClient
from tests.service.processes import await_true, service_settings
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
    settings = replace(service_settings(disk / "data", job_slots=0), port=free_port("127.0.0.1", 0))
    with Running(ROOT, settings) as running, closing(RetryingClient(settings)) as client:
        running.await_ready()
        ada = client.ask("POST", "/v1/players", body={"name": "Ada"})["token"]
        form = {"game": "blindside", "seats": 2}
        table = client.ask("POST", "/v1/tables", ada, form)["view"]["id"]
        assert "MiB are left" in client.ask("GET", "/readyz")["warning"]

        filler = fill(disk, leave=32 * MIB)
        await_status(client, HTTPStatus.SERVICE_UNAVAILABLE)
        assert refusal(client, form, ada) == "storage_full"
        assert client.status(f"/v1/tables/{table}") == HTTPStatus.OK
        filler.unlink()
        await_status(client, HTTPStatus.OK)
        client.ask("POST", f"/v1/tables/{table}/seats", ada, {})

        filler = fill(disk, leave=0)  # Redis exits at its next write
        await_status(client, HTTPStatus.SERVICE_UNAVAILABLE)
        assert refusal(client, form, ada) in {"storage_full", "store_unavailable"}
        filler.unlink()
        await_status(client, HTTPStatus.OK)
        client.ask("DELETE", f"/v1/tables/{table}/seats/0", ada)


def await_status(client: RetryingClient, status: HTTPStatus) -> None:
    await_true(lambda: client.status("/readyz") == status)


def refusal(client: RetryingClient, form: dict[str, object], token: str) -> str:
    """The code of the answer to a command that must be refused."""
    status, answer = client._exchanged(
        "POST", "/v1/tables", form, {"Authorization": f"Bearer {token}"} | JSON
    )
    assert status == HTTPStatus.SERVICE_UNAVAILABLE
    code: str = json.loads(answer)["code"]
    return code


JSON = {"Content-Type": "application/json"}
