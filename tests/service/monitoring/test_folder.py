"""A single process counts in its own folder, which is removed even after a kill."""

import os
import subprocess
import sys
from contextlib import contextmanager

import pytest

COUNTING = """
import os, sys
from hoodwink.service.monitoring.folder import metrics_folder
with metrics_folder():
    print(os.environ["PROMETHEUS_MULTIPROC_DIR"], flush=True)
    if "fork" in sys.argv and os.fork():
        os._exit(1)
    sys.stdin.read()
"""


@pytest.fixture
def counting(tmp_path):
    """Returns a function that runs a counting process and yields it and the name of its folder."""

    @contextmanager
    def run(*arguments):
        environment = {
            name: value for name, value in os.environ.items() if name != "PROMETHEUS_MULTIPROC_DIR"
        }
        process = subprocess.Popen(
            [sys.executable, "-c", COUNTING, *arguments],
            env=environment | {"TMPDIR": str(tmp_path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        with process:
            assert process.stdout is not None
            yield process, process.stdout.readline().strip()

    return run


def test_a_start_removes_only_folders_of_dead_processes(counting, tmp_path):
    with counting() as (_, living), counting() as (killed, abandoned):
        assert {str(folder) for folder in tmp_path.iterdir()} == {living, abandoned}
        killed.kill()
        killed.wait()
        with counting() as (_, new):
            assert {str(folder) for folder in tmp_path.iterdir()} == {living, new}
    assert list(tmp_path.iterdir()) == []


def test_a_folder_stays_while_a_child_counts_in_it(counting, tmp_path):
    with counting("fork") as (parent, folder):
        assert parent.wait() == 1
        with counting() as (_, other):
            assert {str(found) for found in tmp_path.iterdir()} == {folder, other}


def test_a_folder_being_created_stays(counting, tmp_path):
    made = tmp_path / "hoodwink-metrics-new"
    made.mkdir()
    with counting():
        assert made.is_dir()
