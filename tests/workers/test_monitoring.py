"""Monitoring of a running service: metrics, alert rules, dashboard, health, and Celery's inspection."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
import yaml
from msgspec.structs import replace

from hoodwink.service.adapters.process.interpreter import python_module
from hoodwink.service.adapters.tasks.broker import TASK_KEYS
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor import isolated_service
from hoodwink.service.supervisor.roster import address
from tests.service.direct import run_command, service_on
from tests.service.people import open_bot_table
from tests.service.plain_client import ServiceClient, ServiceError
from tests.service.push_server import Browser
from tests.service.scraping import ask, free_port, names_in, summed
from tests.service.test_operation import await_end
from tests.service.web.guests import guest
from tests.workers.parts import kill, until

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[2]
FILES = ROOT / "monitoring"
_NAME = re.compile(r"\bhoodwink_\w+")


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A whole service in its own processes, on which bots have played a table."""
    folder = str(tmp_path_factory.mktemp("service"))
    with isolated_service(Settings(port=0, data=folder, api_workers=1, metrics_port=free_port())) as running:
        table = open_bot_table(running, "blindside", 3, options={"rounds": 3})
        await_end(running, table)
        player = ServiceClient(address(running)).post("/v1/players", {})
        with suppress(ServiceError):  # rejected, so it is counted
            ServiceClient(address(running), token=player["token"]).post(f"{table}/actions", {"type": "pass"})
        yield running


def scrape(settings: Settings) -> str:
    status, text = ask(settings, "/metrics")
    assert status == 200
    return text


def expressions() -> Iterator[str]:
    """Yields every expression of the rules and the dashboard."""
    groups = yaml.safe_load((FILES / "hoodwink.rules.yml").read_text())["groups"]
    yield from (rule["expr"] for group in groups for rule in group["rules"])
    panels = json.loads((FILES / "hoodwink.dashboard.json").read_text())["panels"]
    yield from (target["expr"] for panel in panels for target in panel["targets"])


# ------------------------------------------------------------------------------------------ metrics


def test_every_metric_of_rules_and_dashboard_is_exported(settings):
    used = {name for expression in expressions() for name in _NAME.findall(expression)}
    assert len(used) > 20

    def missing() -> set[str]:
        return used - names_in(scrape(settings))

    with suppress(AssertionError):  # a part may start only after the others have played the table
        until(lambda: not missing())
    assert missing() == set()


def test_the_tasks_of_the_worker_are_counted_and_timed(settings):
    text = until(lambda: (text := scrape(settings)) and _done(text) and _timed(text) and text)
    assert summed(text, "hoodwink_tasks_total", {"outcome": "failed"}) == 0
    # Other parts do these without counting them, and a count that stays 0 would say that nobody does.
    assert 'task="attend"' in text
    assert not re.search('task="(think|call)"', text)


def _done(text: str) -> float:
    return summed(text, "hoodwink_tasks_total", {"outcome": "done"})


def _timed(text: str) -> float:
    return summed(text, "hoodwink_due_to_done_seconds_count", {})


def test_metrics_describe_redis(settings):
    text = scrape(settings)
    assert summed(text, "hoodwink_redis_aof_enabled", {"node": "events"}) == 1
    assert summed(text, "hoodwink_redis_aof_last_write_ok", {}) == 1
    assert summed(text, "hoodwink_redis_memory_used_bytes", {}) > 100_000


def test_a_restart_is_counted_and_keeps_earlier_counts(settings):
    before = scrape(settings)
    kill(settings, ["celery"])
    starts = summed(before, "hoodwink_process_starts_total", {"part": "worker"})

    def after() -> str:
        text = scrape(settings)
        has_restarted = summed(text, "hoodwink_process_starts_total", {"part": "worker"}) == starts + 1
        return (
            text if has_restarted and summed(text, "hoodwink_heartbeat_seconds", {"part": "worker"}) else ""
        )

    assert _done(until(after)) >= _done(before)
    files = (settings.data_folder / "metrics").glob("*_*.db")
    owners = {file.stem.rpartition("_")[2] for file in files} - {"ended"}
    assert all(psutil.pid_exists(int(owner)) for owner in owners)


# --------------------------------------------------------------------------------- rules, dashboard


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool (Debian: prometheus) is not installed")
@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "config", "prometheus.yml"),
        ("test", "rules", "hoodwink.rules.test.yml"),
        ("test", "rules", "hoodwink.weekly.test.yml"),
    ],
    ids=" ".join,
)
def test_promtool_finds_no_fault(arguments):
    completed = subprocess.run(
        ["promtool", *arguments], cwd=FILES, capture_output=True, text=True, check=False
    )
    assert completed.returncode == 0, completed.stdout + completed.stderr


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool (Debian: prometheus) is not installed")
def test_promtool_reads_every_expression_of_the_dashboard(tmp_path):
    panels = json.loads((FILES / "hoodwink.dashboard.json").read_text())["panels"]
    substituted = [
        target["expr"].replace("$job", "hoodwink").replace("$__rate_interval", "1m")
        for panel in panels
        for target in panel["targets"]
    ]
    rules = [{"record": f"dashboard:{number}", "expr": expr} for number, expr in enumerate(substituted)]
    (tmp_path / "rules.yml").write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}))
    completed = subprocess.run(
        ["promtool", "check", "rules", "rules.yml"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert completed.returncode == 0, completed.stdout + completed.stderr


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool (Debian: prometheus) is not installed")
def test_promtool_reads_the_metrics(settings):
    completed = subprocess.run(
        ["promtool", "check", "metrics"],
        input=scrape(settings),
        capture_output=True,
        text=True,
        check=False,
    )
    assert completed.returncode != 1, completed.stdout + completed.stderr


def test_every_alert_rule_is_tested():
    groups = yaml.safe_load((FILES / "hoodwink.rules.yml").read_text())["groups"]
    tests = [test for file in FILES.glob("*.test.yml") for test in yaml.safe_load(file.read_text())["tests"]]
    tested = {
        case["alertname"] for test in tests for case in test.get("alert_rule_test", ()) if case["exp_alerts"]
    }
    assert tested == {rule["alert"] for group in groups for rule in group["rules"]}


# ------------------------------------------------------------------------------------------- pushes


def test_a_push_to_this_machine_is_refused_and_ends_the_subscription(settings):
    """A table calls its player through the projector and the push worker, and the guard refuses this machine."""
    ada, bob = (guest(address(settings), name) for name in ("Ada", "Bob"))
    ada.ask("PUT", "/v1/me/pushes", {"endpoint": "https://localhost/push", "keys": Browser().keys})
    assert len(ada.get("/v1/me/pushes")["pushes"]) == 1

    bob.table("blindside", ada)

    until(lambda: ada.get("/v1/me/pushes")["pushes"] == [])
    assert summed(scrape(settings), "hoodwink_pushes_total", {"outcome": "refused"}) == 1


# ------------------------------------------------------------------------------------- single parts


@contextmanager
def single_part(name: str, settings: Settings) -> Iterator[Settings]:
    """Runs a single part next to the service, with its own port; it must replace the command and end when told to."""
    part = replace(settings, metrics_port=free_port())
    process = subprocess.Popen(
        [*python_module("hoodwink.service.cli"), "run", name],
        env=os.environ | part.to_environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until(lambda: _health(part) == (200, "ok\n"))
        assert "hoodwink.service.cli" not in psutil.Process(process.pid).cmdline()
        yield part
        process.terminate()
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()


def _health(settings: Settings) -> tuple[int, str]:
    try:
        return ask(settings, "/healthz")
    except OSError:
        return 0, ""


def assert_monitored(part: Settings, name: str) -> None:
    text = scrape(part)
    assert summed(text, "hoodwink_process_starts_total", {"part": name}) == 1
    assert summed(text, "hoodwink_store_up", {}) == 2
    health = run_command(part, "health")
    assert (health.exit_code, health.output) == (0, "ok\n")


def test_a_single_projector_serves_its_health_and_metrics(settings):
    with single_part("projector", settings) as part:
        assert_monitored(part, "projector")


def test_a_single_worker_serves_its_health_and_metrics_and_is_found_by_celerys_inspection(settings):
    with service_on(settings) as service:
        service.brokers[TASK_KEYS].tidy(after_seconds=3_600)  # removes the names of earlier workers
    with single_part("worker", settings) as part:
        assert_monitored(part, "worker")
        stats = until(lambda: len(found := inspect(settings, "stats")) == 2 and found)
    assert {worker["pool"]["implementation"] for worker in stats.values()} == {
        "celery.concurrency.thread:TaskPool"
    }


def inspect(settings: Settings, *command: str) -> dict[str, Any]:
    """Runs a command of `celery inspect` in the source folder; returns each worker's answer."""
    completed = subprocess.run(
        [
            *(sys.executable, "-m", "celery", "-A", "hoodwink.workers.app", "inspect"),
            *(*command, "--json", "--timeout", "2"),
        ],
        cwd=ROOT,
        env=os.environ | settings.to_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    answers: dict[str, Any] = json.loads(completed.stdout) if completed.returncode == 0 else {}
    return answers
