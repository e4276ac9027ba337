import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hoodwink.service.adapters.process.log_lines import redis_line

SCRIPT = """
import logging, sys, threading, warnings, structlog
from hoodwink.service.adapters.process.log_lines import write_logs
from hoodwink.service.adapters.process.request_ids import serving
write_logs(sys.argv[1], part="api", style=sys.argv[2])
ours, theirs = structlog.get_logger("ours"), logging.getLogger("theirs")
ours.info("a table ended", table="t1", reason="all of it")
with serving("r1"):
    theirs.info("connected to %s", "redis\\nand more")
ours.warning("slow")
theirs.warning("late")
warnings.warn("old")
def deal(card): raise ValueError("no such table")
for log in (ours, theirs):
    try: deal("9" + "S")
    except ValueError: log.exception("it failed")
thread = threading.Thread(target=deal, args=("9" + "S",))
thread.start()
thread.join()
print("went on", flush=True)
deal("9" + "S")
"""
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"


def written(level, style="text"):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, level, style], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout) == (1, "went on\n")
    return done.stderr


@pytest.mark.parametrize(
    "line",
    [
        "info api a table ended table=t1 reason='all of it'",
        r"info api connected to redis\nand more request=r1",
        "warning api <string>:12: UserWarning: old",
    ],
)
def test_our_lines_and_library_lines_have_one_format(line):
    assert re.search(rf"(?m)^{TIME} {re.escape(line)}", written("info"))


def test_each_line_can_be_one_json_object_with_the_same_fields():
    lines = [json.loads(line) for line in written("info", "json").splitlines()]

    assert all(re.fullmatch(TIME, line.pop("time")) and line.pop("part") == "api" for line in lines)
    assert lines[:2] == [
        {"level": "info", "message": "a table ended", "table": "t1", "reason": "all of it"},
        {"level": "info", "message": "connected to redis\nand more", "request": "r1"},
    ]
    assert [line["message"] for line in lines if "exception" in line] == [
        "it failed",
        "it failed",
        "a thread failed",
        "the process failed",
    ]
    assert "9S" not in str(lines)


def test_lines_below_the_level_are_not_written():
    lines = written("warning")
    assert " info " not in lines
    assert lines.count(" warning api ") == 3


def test_a_traceback_names_lines_and_shows_no_values():
    lines = written("error")
    assert lines.count("ValueError: no such table") == 4
    assert "in deal" in lines
    assert "9S" not in lines


@pytest.mark.parametrize(("mark", "level"), [(".", "debug"), ("-", "debug"), ("*", "info"), ("#", "warning")])
def test_lines_of_redis_get_the_same_shape(monkeypatch, mark, level):
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    time.tzset()
    line = f"42:M 23 Nov 2026 05:30:00.123 {mark} Ready to accept connections"

    shaped = [redis_line(line, style) for style in ("text", "json")]

    monkeypatch.undo()
    time.tzset()
    assert shaped[0] == f"2026-11-23T00:00:00.123000Z {level} redis Ready to accept connections process=42"
    assert json.loads(shaped[1]) == {
        "time": "2026-11-23T00:00:00.123000Z",
        "level": level,
        "part": "redis",
        "message": "Ready to accept connections",
        "process": "42",
    }


ABSENCES = """
import logging, structlog
from hoodwink.service.adapters.process.log_lines import write_logs
write_logs("info", part="api", style="text")
ours = structlog.get_logger("ours")
for _ in range(3):
    ours.warning("store unavailable", group="books", error="gone")
    ours.warning("the feed cannot be followed", error="gone")
    ours.warning("the changes of players cannot be followed", error="gone")
    logging.getLogger("celery.worker.consumer.consumer").error("consumer: Cannot connect to %s", "redis")
    ours.warning("table not rated", table="t1")
"""


def test_a_redis_outage_is_logged_once_per_process():
    done = subprocess.run(
        [sys.executable, "-c", ABSENCES], capture_output=True, text=True, check=True, timeout=60
    )

    assert [line.partition(" api ")[2] for line in done.stderr.splitlines()] == [
        "store unavailable group=books error=gone",
        *["table not rated table=t1"] * 3,
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="only there is a file that is always full")
def test_an_unwritable_line_raises_no_error():
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, "info", "text"],
            stdout=subprocess.PIPE,
            stderr=full,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.stdout == "went on\n"
