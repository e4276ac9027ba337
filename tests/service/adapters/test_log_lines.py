import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import logging, sys, structlog
from service.adapters.log_lines import write_logs
write_logs(sys.argv[1])
ours, theirs = structlog.get_logger("ours"), logging.getLogger("theirs")
ours.info("a table ended", table="t1")
theirs.info("connected to %s", "redis")
ours.warning("slow")
theirs.warning("late")
def deal(card): raise ValueError("no such table")
for log in (ours, theirs):
    try: deal("9" + "S")
    except ValueError: log.exception("it failed")
"""


def written(level):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, level], capture_output=True, text=True, check=True, timeout=60
    )
    assert not done.stdout
    return done.stderr


@pytest.mark.parametrize("message", [r"a table ended +table=t1", r"connected to redis"])
def test_ours_and_theirs_are_written_alike(message):
    assert re.search(rf"(?m)^\d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d \[info +\] {message}$", written("info"))


def test_less_than_the_level_is_not_written():
    lines = written("warning")
    assert "[info" not in lines
    assert lines.count("[warning") == 2


def test_a_traceback_names_lines_and_shows_no_values():
    lines = written("error")
    assert lines.count("ValueError: no such table") == 2
    assert "in deal" in lines
    assert "9S" not in lines


ABSENCES = """
import logging, structlog
from service.adapters.log_lines import write_logs
write_logs("info")
ours = structlog.get_logger("ours")
for _ in range(3):
    ours.warning("store unavailable", group="books", error="gone")
    ours.warning("the feed cannot be followed", error="gone")
    ours.warning("the changes of players cannot be followed", error="gone")
    logging.getLogger("celery.worker.consumer.consumer").error("consumer: Cannot connect to %s", "redis")
    ours.warning("table not rated", table="t1")
"""


def test_that_redis_is_away_is_written_once_whoever_notices_it():
    done = subprocess.run(
        [sys.executable, "-c", ABSENCES], capture_output=True, text=True, check=True, timeout=60
    )

    assert [line.partition("] ")[2].split("  ")[0] for line in done.stderr.splitlines()] == [
        "store unavailable",
        *["table not rated"] * 3,
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="only there is a file that is always full")
def test_a_line_that_cannot_be_written_stops_nobody():
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT + 'print("went on")', "info"],
            stdout=subprocess.PIPE,
            stderr=full,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.stdout == "went on\n"
