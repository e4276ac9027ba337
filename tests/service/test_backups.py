"""The backup commands in docs/OPERATING.md, run unchanged during service."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest
import yaml

from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.service.supervisor import find_instance, isolated_service
from hoodwink.service.supervisor.checks import free_port
from hoodwink.service.supervisor.roster import address
from tests.recipes import ROOT, recipes
from tests.service.adapters.servers import server
from tests.service.direct import run_command
from tests.service.people import RetryingClient, open_bot_table
from tests.service.plain_client import ServiceClient
from tests.service.processes import PATIENCE_SECONDS, await_true, service_settings

TOOLS = ("redis-cli", "redis-server")
pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(
        not all(map(shutil.which, TOOLS)), reason=f"the recipes need {' and '.join(TOOLS)} (Debian: redis)"
    ),
]


def run(folder, script, **environment):
    """Returns the output of commands pasted into a shell in this folder."""
    # After the machine's own, since the virtual environment has an old `redis-server`, too.
    path = f"{os.environ['PATH']}:{Path(sys.executable).parent}"
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("HOODWINK")}
    with tempfile.TemporaryFile("w+") as said:  # background processes would keep a pipe open
        done = subprocess.run(
            ["bash", "-c", f"set -euo pipefail\n{script}"],
            cwd=folder,
            env=inherited | environment | {"PATH": path},
            stdout=said,
            stderr=subprocess.STDOUT,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
        said.seek(0)
        output = said.read()
    assert done.returncode == 0, output
    return output


def played(settings):
    """Returns the path and log of a table played to its end by bots."""
    table = open_bot_table(settings, "blindside", 4)
    client = ServiceClient(address(settings))
    for _ in client.follow(f"{table}/events"):
        pass
    log = client.get_bytes(f"{table}/log")
    assert verify_log(log).valid
    return table, log


def check_restored(settings, kept, lost):
    """Checks that only the table in the backup exists, and that play continues."""
    client = RetryingClient(settings)
    await_true(lambda: client.status("/readyz") == 200)
    await_true(lambda: client.status(lost) == 404)
    client.close()
    table, log = kept
    assert ServiceClient(address(settings)).get_bytes(f"{table}/log") == log
    played(settings)


def only_ours(folder):
    """Returns whether only the owner can read the backups."""
    found = [folder / "backups", *(folder / "backups").rglob("*")]
    return [path for path in found if path.stat().st_mode & 0o077] == []


@contextmanager
def ended(pid_of):
    """Ends the process started by the commands at the end of the block."""
    try:
        yield
    finally:
        with suppress(psutil.NoSuchProcess):
            process = psutil.Process(pid_of())
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE_SECONDS)


def test_a_copy_of_the_embedded_redis_is_restored(tmp_path):
    backup, restore = recipes("docs/OPERATING.md", "The embedded Redis")
    given = service_settings(tmp_path / ".hoodwink", job_slots=0)
    with isolated_service(given) as settings:
        kept = played(settings)
        # Its due time is recorded a moment after its end.
        await_true(lambda: "1 log moved" in run_command(settings, "archive", "run", "--days", "0").stdout)
        run(tmp_path, backup)
        lost, _ = played(settings)
    assert only_ours(tmp_path)
    shutil.rmtree(given.data_folder / "archive")

    def running():
        instance = find_instance(given.data_folder)
        assert instance
        return instance

    with ended(lambda: running().process):
        port = free_port("127.0.0.1", 0)
        said = run(tmp_path, restore, **given.to_environment() | {"HOODWINK_PORT": str(port)})

        assert "No differences" in said
        settings = running().settings
        assert settings
        check_restored(settings, kept, lost)


def test_a_dump_of_an_external_redis_is_restored_during_service(tmp_path):
    backup, restore = recipes("docs/OPERATING.md", "An external Redis")
    with server(tmp_path / "redis") as node:
        url = f"redis://127.0.0.1:{node.port}"
        known = {
            "REDIS_URL": url,
            "REDIS_DATA": str(node.folder),
            "REDIS_CONF": str(node.folder / "redis.conf"),
        }
        with isolated_service(service_settings(tmp_path / "data", job_slots=0, redis_url=url)) as settings:
            kept = played(settings)
            run(tmp_path, backup, **known)
            lost, _ = played(settings)
            assert only_ours(tmp_path)

            with ended(lambda: int(_of_server(url, "process_id"))):
                said = run(tmp_path, restore, **known)

                assert "No differences" in said
                assert _of_server(url, "aof_enabled") == "1"
                check_restored(settings, kept, lost)


def _of_server(url, name):
    """Returns the server's section of `INFO`."""
    said = subprocess.run(["redis-cli", "-u", url, "info"], capture_output=True, text=True, check=True).stdout
    found = re.search(rf"^{name}:(\S+)", said, re.MULTILINE)
    assert found
    return found[1]


def test_container_commands_convert_a_dump_to_an_append_only_file(tmp_path):
    """The surrounding commands need containers; `make compose` runs all of them."""
    backup, restore = recipes("docs/OPERATING.md", "The volume of `docker-compose.yml`")
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    assert compose["redis"]["volumes"] == ["events:/data"]
    named = set(re.findall(r"docker compose (?:exec|run)(?: --?\S+)* (\w+)", backup + restore))
    assert named == {"redis", "api"} <= compose.keys()
    inside = re.search(r"sh -ec '\n(.*?)' < \$BACKUP", restore, re.DOTALL)
    assert inside
    data = tmp_path / "data"
    with server(data) as node:
        ask = ["redis-cli", "-p", str(node.port)]
        subprocess.run([*ask, "set", "card", "9S"], check=True, capture_output=True)
        rdb = subprocess.run([*ask, "--rdb", "-"], check=True, capture_output=True).stdout
        subprocess.run([*ask, "set", "card", "AS"], check=True, capture_output=True)
        subprocess.run([*ask, "shutdown"], check=True, capture_output=True)
    (tmp_path / "backup.rdb").write_bytes(rdb)

    run(tmp_path, f"sh -ec '{inside[1].replace('/data', str(data))}' < backup.rdb")

    node.start()
    try:
        await_true(lambda: _stored(ask) == "9S")
    finally:
        node.kill()


def _stored(ask):
    return subprocess.run([*ask, "get", "card"], capture_output=True, text=True, check=False).stdout.strip()
