"""Limits of a job: each ends it by itself, and the next job starts with fresh limits."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

SCRIPT = """
import resource, signal, time
from hoodwink.workers import job_limits

def spin():
    while True:
        pass

def hoard():
    hoard = bytearray()
    while True:
        hoard += bytes(1 << 20)

def late_signals(which, seconds):
    if not seconds:
        signal.raise_signal(signal.SIGALRM)
        signal.raise_signal(signal.SIGXCPU)

if {without!r} == "late":
    signal.setitimer = late_signals
elif {without!r}:
    setattr(*{{"timer": (signal, "setitimer"), "kernel": (resource, "setrlimit")}}[{without!r}], lambda *_: None)
before = resource.getrlimit(resource.RLIMIT_CPU), resource.getrlimit(resource.RLIMIT_AS)
for _ in range(2):
    try:
        job_limits.run_limited(lambda: {work}, cpu_seconds=1, memory_bytes=64 << 20)
    except (job_limits.TooExpensive, MemoryError) as error:
        print(type(error).__name__)
    assert before == (resource.getrlimit(resource.RLIMIT_CPU), resource.getrlimit(resource.RLIMIT_AS))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems bound memory in other ways, or not at all")
@pytest.mark.parametrize(
    ("work", "without", "ended_by"),
    [
        ("spin()", "timer", "TooExpensive"),
        ("time.sleep(60)", "kernel", "TooExpensive"),
        ("hoard()", "", "MemoryError"),
        ("None", "", None),
        ("None", "late", None),
    ],
)
def test_each_limit_ends_a_job_and_then_the_next(work, without, ended_by):
    script = SCRIPT.format(work=work, without=without)
    ended = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout.split()) == (0, [ended_by] * 2 if ended_by else []), ended.stderr
