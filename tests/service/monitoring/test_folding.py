"""The counts of ended processes are kept, and their files are removed."""

import multiprocessing
import os
import subprocess
import sys

import pytest
from prometheus_client.mmap_dict import MmapedDict, mmap_key
from prometheus_client.multiprocess import MultiProcessCollector

from hoodwink.service.monitoring.folding import fold_metrics


@pytest.fixture(scope="module")
def ended():
    """The ids of three ended processes."""
    processes = [subprocess.Popen([sys.executable, "-c", ""]) for _ in range(3)]
    for process in processes:
        process.wait()
    return [process.pid for process in processes]


def write(folder, kind, pid, **counts):
    values = MmapedDict(str(folder / f"{kind}_{pid}.db"))
    for label, count in counts.items():
        values.write_value(mmap_key(kind, f"{kind}_total", ["by"], [label], "Acts."), count, 0.0)
    values.close()


def counted(folder):
    metrics = MultiProcessCollector(None, str(folder)).collect()
    return {
        (metric.type, sample.labels["by"]): sample.value for metric in metrics for sample in metric.samples
    }


def fold(folder, **given):
    with fold_metrics(folder, **given):
        return sorted(file.name for file in folder.glob("*.db"))


def test_counts_of_ended_processes_are_merged_in_one_file_per_kind(tmp_path, ended):
    write(tmp_path, "counter", os.getpid(), ada=1)
    for pid in ended[:2]:
        write(tmp_path, "counter", pid, ada=2, bob=3)
        write(tmp_path, "summary", pid, ada=4)
    before = counted(tmp_path)
    assert fold(tmp_path) == [f"counter_{os.getpid()}.db", "counter_ended.db", "summary_ended.db"]
    assert counted(tmp_path) == before
    write(tmp_path, "counter", ended[2], bob=5)
    fold(tmp_path)
    assert counted(tmp_path) == before | {("counter", "bob"): 11}


def test_a_gauge_ends_with_its_process(tmp_path, ended):
    write(tmp_path, "gauge_livesum", ended[0], ada=2)
    write(tmp_path, "gauge_livesum", os.getpid(), ada=1)
    assert fold(tmp_path) == [f"gauge_livesum_{os.getpid()}.db"]


def test_files_with_a_reused_process_id_belong_to_an_earlier_one(tmp_path):
    write(tmp_path, "counter", os.getpid(), ada=1)
    write(tmp_path, "gauge_livemax", os.getpid(), ada=1)
    assert fold(tmp_path, is_new=True) == ["counter_ended.db"]


def test_the_file_of_a_process_of_another_user_stays(tmp_path, monkeypatch, ended):
    def forbid(*_):
        raise PermissionError

    write(tmp_path, "counter", ended[0], ada=1)
    monkeypatch.setattr(os, "kill", forbid)
    assert fold(tmp_path) == [f"counter_{ended[0]}.db"]


def test_remains_of_a_killed_merge_are_harmless(tmp_path, ended):
    (tmp_path / "counter_ended.draft").write_bytes(b"half")
    write(tmp_path, "counter", ended[0], ada=1)
    assert fold(tmp_path) == ["counter_ended.db"]
    assert counted(tmp_path) == {("counter", "ada"): 1}


def _fold_often(folder, turns):
    for _ in range(turns):
        fold(folder)


def test_processes_merging_together_count_everything_once(tmp_path, ended):
    for pid in ended:
        write(tmp_path, "counter", pid, ada=1)
    fork = multiprocessing.get_context("fork")
    folding = [fork.Process(target=_fold_often, args=(tmp_path, 20)) for _ in range(4)]
    for process in folding:
        process.start()
    for process in folding:
        process.join()
    assert counted(tmp_path) == {("counter", "ada"): 3}
