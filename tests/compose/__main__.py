"""Tests Dockerfile and docker-compose.yml with Podman: `make compose`, as root on Debian; it takes some minutes.

Base images are made by debootstrap (`stand_ins`), everything is in a separate folder and is removed at the end.
The image is built, all parts run, with two workers and two projectors, and people and bots play every game over the
published port while each container is killed once and Redis is restarted. Exits with 1 if an acknowledged command is
missing, doubled or changed, if a log does not verify, if an audit finds a difference, or if a container is not healthy.

Two things are not tested: Docker itself, and the schedule of health checks. Podman leaves that to
systemd, so each container's check is run once, by hand.
"""

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from http import HTTPStatus
from pathlib import Path

from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.service.application.limits import OFF, Limit
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.checks import free_port
from hoodwink.service.supervisor.roster import address
from tests.compose.engine import PROJECT, Engine
from tests.compose.machine import CannotTry, check_machine
from tests.compose.stand_ins import make_all
from tests.recipes import recipes
from tests.service.people import RetryingClient, open_bot_table
from tests.service.plain_client import ServiceClient
from tests.service.processes import await_true
from tests.upgrade.checks import doubled, exported, log_faults, lost, status_faults
from tests.upgrade.people import Load

TURN_SECONDS = 60
_PATIENCE_SECONDS = 60
_SECONDS_BETWEEN_KILLS = 5.0
# Entries of a killed projector are read again later, so the turn clock of an ended table may stay recorded until its
# time.
_AUDIT_SECONDS = TURN_SECONDS + 30
_BEGAN = time.monotonic()


def main() -> None:
    """Runs the trial, prints its findings, and exits."""
    settings = Settings(port=free_port("127.0.0.1", 0))
    try:
        check_machine()
        with tempfile.TemporaryDirectory(prefix="hoodwink-compose-") as folder:
            engine = Engine(Path(folder), _environment(settings))
            try:
                faults = list(_tried(engine, settings))
            finally:
                engine.close()
    except CannotTry as error:
        sys.exit(f"Error: {error}")
    for fault in faults:
        _say(f"fault: {fault}")
    _say(f"{len(faults)} faults" if faults else "nothing lost, doubled or changed; every container healthy")
    sys.exit(1 if faults else 0)


def _tried(engine: Engine, settings: Settings) -> Iterator[str]:
    """Runs all trials; yields the faults."""
    for line in make_all(engine):
        _say(line)
    engine.build()
    _say(f"the image is built: {_size(engine)} MB, runs as {_user(engine)}")
    engine.compose("up", "-d", "--no-build")
    _await_ready(settings)
    _say(f"ready: {', '.join(engine.containers())}")
    _say(_watched(settings))
    yield from _unhealthy(engine)
    logs = dict[str, bytes]()
    yield from _played_through_kills(engine, settings, logs)
    yield from _unhealthy(engine)
    _say(f"memory and processor time:\n{_usage(engine)}")
    yield from _restored(engine, settings, logs)
    engine.compose("down", "-t", "10")
    _say("stopped and removed the containers")
    yield from _started_again(engine, logs)
    yield from _alone(engine, settings)


def _played_through_kills(engine: Engine, settings: Settings, logs: dict[str, bytes]) -> Iterator[str]:
    """Lets people play while each container is killed and Redis stopped; adds the logs, yields the faults."""
    load = Load(settings, turn_seconds=TURN_SECONDS)
    for container in engine.containers():
        time.sleep(_SECONDS_BETWEEN_KILLS)
        _say(f"killed {container}; it runs again after {_killed(engine, container):.1f} s")
    time.sleep(_SECONDS_BETWEEN_KILLS)
    yield from _without_redis(engine)
    time.sleep(_SECONDS_BETWEEN_KILLS)
    load.finish()
    logs |= exported(settings, [table for party in load.parties for table in party.tables])
    acknowledged = [command for party in load.parties for command in party.acknowledged]
    statuses = sum((party.client.statuses for party in load.parties), Counter[int]())
    longest = max(party.client.longest_wait for party in load.parties)
    _say(
        f"{len(logs)} tables of people and bots, {len(acknowledged)} commands acknowledged, {dict(statuses)}"
    )
    _say(f"longest wait for an answer: {longest:.1f} s")
    yield from lost(acknowledged, logs)
    yield from doubled(acknowledged, logs)
    yield from log_faults(logs, {})
    yield from status_faults(load.parties)
    await_true(lambda: _is_consistent(engine), within_s=_AUDIT_SECONDS)


def _without_redis(engine: Engine) -> Iterator[str]:
    """Stops Redis and starts it again; yields a fault if the API counts as healthy in between."""
    engine.podman("stop", f"{PROJECT}_redis_1")
    if engine.is_healthy(f"{PROJECT}_api_1"):
        yield "the check of the API succeeds without Redis"
    engine.podman("start", f"{PROJECT}_redis_1")
    _say("stopped Redis, and started it again")


def _is_consistent(engine: Engine) -> bool:
    """Runs an audit in a container, prints its findings, and returns whether there are none."""
    try:
        _say(engine.podman("exec", f"{PROJECT}_api_1", "hoodwink", "audit").strip())
    except CannotTry as differences:
        _say(str(differences))
        return False
    return True


def _killed(engine: Engine, container: str) -> float:
    """Kills a container; returns the seconds after which it runs again."""
    began, before = time.monotonic(), engine.process_of(container)
    engine.kill(container)
    await_true(lambda: engine.process_of(container) not in {0, before}, within_s=_PATIENCE_SECONDS)
    return time.monotonic() - began


def _restored(engine: Engine, settings: Settings, logs: dict[str, bytes]) -> Iterator[str]:
    """Runs the backup commands in docs/OPERATING.md; yields logs that differ or should not exist."""
    backup, restore = recipes("docs/OPERATING.md", "The volume of `docker-compose.yml`")
    engine.paste(backup)
    later = open_bot_table(settings, "blindside", 4)
    _say(engine.paste(restore).strip())
    _await_ready(settings)
    yield from log_faults(exported(settings, list(logs)), logs)
    if RetryingClient(settings).status(later) != HTTPStatus.NOT_FOUND:
        yield "a table that was opened after the backup is there after it was restored"
    _say(f"restored a backup: read all {len(logs)} logs again")


def _started_again(engine: Engine, logs: dict[str, bytes]) -> Iterator[str]:
    """Starts new containers on the same volume, with two copies of the API on free ports; yields the logs that differ."""
    copies = {"HOODWINK_PORTS": "127.0.0.1:", "HOODWINK_API_COPIES": "2"}
    engine.compose("up", "-d", "--no-build", **copies)
    for number in (1, 2):
        port = int(engine.podman("port", f"{PROJECT}_api_{number}", "8000/tcp").rpartition(":")[2])
        copy = Settings(port=port)
        _await_ready(copy)
        yield from log_faults(exported(copy, list(logs)), logs)
        _say(f"new containers on the same volume: read all {len(logs)} logs again at {address(copy)}")
    engine.compose("down", "-t", "10", "-v", **copies)


def _alone(engine: Engine, settings: Settings) -> Iterator[str]:
    """Runs the image by itself, with its embedded Redis on a volume; yields the faults."""
    port, data = f"127.0.0.1:{settings.port}:8000", "hoodwink-alone:/var/lib/hoodwink/data"
    hardened = ("--read-only", "--tmpfs=/tmp", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--init")
    engine.podman("run", "-d", "--name=alone", *hardened, "-p", port, "-v", data, "hoodwink")
    _await_ready(settings)
    _say(f"the image alone: {_watched(settings)}")
    engine.podman("stop", "-t", "10", "alone")
    if (code := engine.podman("inspect", "--format", "{{.State.ExitCode}}", "alone").strip()) != "0":
        yield f"the container alone stopped with exit code {code}"


def _watched(settings: Settings) -> str:
    """Follows a bot table on its stream to the end and verifies its log; returns a line about it."""
    table = open_bot_table(settings, "blindside", 4)
    client = ServiceClient(address(settings))
    events = Counter(kind for kind, _ in client.follow(f"{table}/events"))
    verdict = verify_log(client.get_bytes(f"{table}/log"))
    assert verdict.valid, verdict
    return f"a table of four bots was watched to its end ({dict(events)}), its log is valid"


def _unhealthy(engine: Engine) -> Iterator[str]:
    """Runs each container's health check, repeatedly during its start; yields those that keep failing."""
    for container in engine.containers():
        try:
            await_true(partial(engine.is_healthy, container), within_s=_PATIENCE_SECONDS)
            _say(f"{container} is healthy")
        except AssertionError:
            yield f"the check of {container} fails"


def _await_ready(settings: Settings) -> None:
    client = RetryingClient(settings)
    await_true(lambda: client.status("/readyz") == HTTPStatus.OK, within_s=_PATIENCE_SECONDS)
    client.close()


def _environment(settings: Settings) -> dict[str, str]:
    copies = {"HOODWINK_WORKER_COPIES": "2", "HOODWINK_PROJECTOR_COPIES": "2"}
    limits = {f"HOODWINK_{limit.upper()}": OFF for limit in Limit}  # these clients act faster than people
    return copies | limits | {"HOODWINK_PORTS": f"127.0.0.1:{settings.port}"}


def _size(engine: Engine) -> int:
    return int(engine.podman("image", "inspect", "--format", "{{.Size}}", "hoodwink")) // 1_000_000


def _user(engine: Engine) -> str:
    return engine.podman("image", "inspect", "--format", "{{.Config.User}}", "hoodwink").strip()


def _usage(engine: Engine) -> str:
    return engine.podman("stats", "--no-stream", "--format", "table {{.Name}} {{.MemUsage}} {{.UpTime}}")


def _say(line: str) -> None:
    print(f"{time.monotonic() - _BEGAN:6.1f} s  {line}", flush=True)


if __name__ == "__main__":
    main()
