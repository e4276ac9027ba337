"""An operator's view of a running service: metrics, alert rules, dashboard, health, and Celery's inspection."""

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

from hoodwink.service.bootstrap import Service
from hoodwink.service.cli.shared.client import ServiceClient, ServiceError
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor import isolated_service
from hoodwink.service.supervisor.roster import address
from tests.service.people import open_bot_table
from tests.service.scraping import ask, free_port, names_in, summed
from tests.service.test_operation import await_end
from tests.workers.parts import kill, until

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[2]
FILES = ROOT / "monitoring"
_NAME = re.compile(r"\bhoodwink_\w+")


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A whole service in other processes, where bots played a table."""
    folder = str(tmp_path_factory.mktemp("service"))
    with isolated_service(Settings(port=0, data=folder, api_workers=1, metrics_port=free_port())) as running:
        table = open_bot_table(running, "blindside", 3, options={"rounds": 3})
        await_end(running, table)
        player = ServiceClient(address(running)).post("/v1/players", {})
        with suppress(ServiceError):  # refused and counted
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


# ------------------------------------------------------------------------------------- metrics


def test_every_metric_of_rules_and_dashboard_is_exported(settings):
    used = {name for expression in expressions() for name in _NAME.findall(expression)}
    assert len(used) > 20
    until(lambda: _done(scrape(settings)))
    assert used - names_in(scrape(settings)) == set()


def test_the_tasks_of_the_worker_are_counted_and_timed(settings):
    text = until(lambda: (text := scrape(settings)) and _done(text) and text)
    assert summed(text, "hoodwink_due_to_done_seconds_count", {}) > 0
    assert summed(text, "hoodwink_tasks_total", {"outcome": "failed"}) == 0


def _done(text: str) -> float:
    return summed(text, "hoodwink_tasks_total", {"outcome": "done"})


def test_metrics_describe_redis(settings):
    text = scrape(settings)
    assert summed(text, "hoodwink_redis_aof_enabled", {"node": "events"}) == 1
    assert summed(text, "hoodwink_redis_aof_last_write_ok", {}) == 1
    assert summed(text, "hoodwink_redis_memory_used_bytes", {}) > 100_000


def test_a_restart_is_counted_and_earlier_counts_stay(settings):
    before = scrape(settings)
    kill(settings, ["celery"])
    starts = summed(before, "hoodwink_process_starts_total", {"part": "worker"})

    def after() -> str:
        text = scrape(settings)
        has_started = summed(text, "hoodwink_process_starts_total", {"part": "worker"}) == starts + 1
        return text if has_started and summed(text, "hoodwink_heartbeat_seconds", {"part": "worker"}) else ""

    assert _done(until(after)) >= _done(before)
    files = (settings.data_folder / "metrics").glob("*_*.db")
    owners = {file.stem.rpartition("_")[2] for file in files} - {"ended"}
    assert all(psutil.pid_exists(int(owner)) for owner in owners)


# -------------------------------------------------------------------------------- rules, dashboard


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool (Debian: prometheus) is not installed")
@pytest.mark.parametrize(
    "words",
    [
        ("check", "config", "prometheus.yml"),
        ("test", "rules", "hoodwink.rules.test.yml"),
        ("test", "rules", "hoodwink.weekly.test.yml"),
    ],
    ids=" ".join,
)
def test_promtool_finds_no_fault(words):
    found = subprocess.run(["promtool", *words], cwd=FILES, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool (Debian: prometheus) is not installed")
def test_promtool_reads_every_expression_of_the_dashboard(tmp_path):
    panels = json.loads((FILES / "hoodwink.dashboard.json").read_text())["panels"]
    plain = [
        target["expr"].replace("$job", "hoodwink").replace("$__rate_interval", "1m")
        for panel in panels
        for target in panel["targets"]
    ]
    rules = [{"record": f"dashboard:{number}", "expr": expr} for number, expr in enumerate(plain)]
    (tmp_path / "rules.yml").write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}))
    found = subprocess.run(
        ["promtool", "check", "rules", "rules.yml"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool (Debian: prometheus) is not installed")
def test_promtool_reads_the_metrics(settings):
    found = subprocess.run(
        ["promtool", "check", "metrics"],
        input=scrape(settings),
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode != 1, found.stdout + found.stderr


def test_every_alert_rule_is_tested():
    groups = yaml.safe_load((FILES / "hoodwink.rules.yml").read_text())["groups"]
    tests = [test for file in FILES.glob("*.test.yml") for test in yaml.safe_load(file.read_text())["tests"]]
    tried = {
        case["alertname"] for test in tests for case in test.get("alert_rule_test", ()) if case["exp_alerts"]
    }
    assert tried == {rule["alert"] for group in groups for rule in group["rules"]}


# ----------------------------------------------------------------------------------- parts alone


@contextmanager
def part_alone(name: str, settings: Settings) -> Iterator[Settings]:
    """Runs a single part next to the service, with its own port."""
    alone = replace(settings, metrics_port=free_port())
    process = subprocess.Popen(
        [sys.executable, "-m", "hoodwink.service.cli", "run", name],
        cwd=ROOT,
        env=os.environ | alone.to_environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield alone
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _health(settings: Settings) -> tuple[int, str]:
    try:
        return ask(settings, "/healthz")
    except OSError:
        return 0, ""


@pytest.mark.parametrize("name", ["worker", "projector"])
def test_a_single_part_serves_its_health_and_metrics(settings, name):
    with part_alone(name, settings) as alone:
        until(lambda: _health(alone) == (200, "ok\n"))
        text = scrape(alone)
        assert summed(text, "hoodwink_process_starts_total", {"part": name}) == 1
        assert summed(text, "hoodwink_store_up", {}) == 2
        checked = subprocess.run(
            [sys.executable, "-m", "hoodwink.service.cli", "health"],
            env=os.environ | alone.to_environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert (checked.returncode, checked.stdout) == (0, "ok\n")


# -------------------------------------------------------------------------------- celery inspect


def inspect(settings: Settings, *words: str) -> dict[str, Any]:
    """Returns each worker's answer to Celery's command, run in the source folder."""
    asked = subprocess.run(
        [
            sys.executable,
            "-m",
            "celery",
            "-A",
            "hoodwink.workers.app",
            "inspect",
            *words,
            "--json",
            "--timeout",
            "2",
        ],
        cwd=ROOT,
        env=os.environ | settings.to_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    found: dict[str, Any] = json.loads(asked.stdout) if asked.returncode == 0 else {}
    return found


def test_celerys_inspection_finds_each_worker_of_a_machine(settings):
    Service(settings).broker.tidy(after_seconds=3_600)  # it drops unused names
    with part_alone("worker", settings) as alone:
        until(lambda: _health(alone)[0] == 200)
        stats = until(lambda: len(found := inspect(settings, "stats")) == 2 and found)
        assert {found["pool"]["implementation"] for found in stats.values()} == {
            "celery.concurrency.thread:TaskPool"
        }
        assert set(inspect(settings, "active")) == set(stats)
