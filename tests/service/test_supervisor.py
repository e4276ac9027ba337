"""The supervisor with tiny parts, as real processes."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from hoodwink.service.supervisor import CannotStart, Instance, find_instance, free_port, instance, lock_folder
from hoodwink.service.supervisor.checks import hold_port
from hoodwink.service.supervisor.guardian import Guardian
from hoodwink.service.supervisor.guardian_process import kill_group
from hoodwink.service.supervisor.logs import PartLog
from hoodwink.service.supervisor.parts import Part
from hoodwink.service.supervisor.supervisor import Supervisor
from tests.service.processes import PATIENCE_SECONDS, await_true, end, is_alive

SUPERVISE = """
import json, signal, sys
from pathlib import Path
from hoodwink.service.supervisor import GaveUp, RestartPolicy, lock_folder
from hoodwink.service.supervisor.parts import Part
from hoodwink.service.supervisor.supervisor import Supervisor
# A job in the background of a script, or under `nohup`, ignores these, and its children inherit that.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)
folder, policy, parts = Path(sys.argv[1]), json.loads(sys.argv[2]), json.loads(sys.argv[3])
def is_ready(name): return lambda: (folder / (name + ".ready")).exists()
def fault(lines): return next((line for line in lines if line.startswith("hopeless")), None)
def refuse(): raise GaveUp("this part is refused")
supervisor = Supervisor(
    [Part(name=name, argv=(script,) if script.startswith("/") else ("sh", "-c", script), environment={"NAME": name}, wave=wave,
          is_ready=is_ready(name) if "ready" in script else lambda: True,
          fault=fault, check=refuse if "refused" in script else lambda: None)
     for name, script, wave in parts],
    logs=folder / "logs", policy=RestartPolicy(**policy), warn=lambda line: print(line, flush=True),
    echo=lambda line: print(line, flush=True), holding=(lock_folder(folder),))
try:
    supervisor.run(lambda: print("READY", flush=True))
except GaveUp as failure:
    sys.exit(str(failure))
"""
STAY = "echo $$ > $NAME.pid; exec sleep 600"
STAY_WITH_CHILD = "sleep 600 & echo $! > $NAME.child; echo $$ > $NAME.pid; wait"
IGNORE_TERM = "trap '' TERM; echo $$ > $NAME.pid; while :; do sleep 600; done"


class Supervised:
    """A supervisor in its own process, and the files written by its parts."""

    def __init__(self, folder, parts, policy):
        self.folder = folder
        scripts = [
            (name, script, 1) if isinstance(script, str) else (name, *script)
            for name, script in parts.items()
        ]
        self.process = subprocess.Popen(
            [sys.executable, "-c", SUPERVISE, str(folder), json.dumps(policy), json.dumps(scripts)],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(Path.cwd())},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def pid(self, name, suffix="pid", other_than=None):
        def written():
            with suppress(FileNotFoundError, ValueError):
                pid = int((self.folder / f"{name}.{suffix}").read_text())
                return pid if pid != other_than and is_alive(pid) else None
            return None

        return await_true(written)

    def read_until(self, text):
        assert self.process.stdout
        for line in self.process.stdout:
            if text in line:
                return line
        raise AssertionError(f"the supervisor ended without printing {text!r}")

    def guardian(self):
        children = psutil.Process(self.process.pid).children()
        return next(child.pid for child in children if "guardian" in " ".join(child.cmdline()))

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.communicate(timeout=60)


@pytest.fixture
def supervise(tmp_path):
    started = []

    def start(policy=None, **parts):
        started.append(Supervised(tmp_path, parts, policy or {}))
        return started[-1]

    yield start
    for supervised in started:
        with supervised.process as process:
            end(process)


@pytest.mark.processes
class TestRestarts:
    def test_a_killed_part_is_restarted(self, supervise):
        supervised = supervise(web=STAY)
        first = supervised.pid("web")

        os.kill(first, signal.SIGKILL)

        assert "web was killed by SIGKILL" in supervised.read_until("restarting it")
        assert supervised.pid("web", other_than=first)

    def test_children_of_a_killed_part_are_killed_before_it_is_restarted(self, supervise):
        supervised = supervise(web=STAY_WITH_CHILD)
        first, child = supervised.pid("web"), supervised.pid("web", "child")

        os.kill(first, signal.SIGKILL)

        supervised.pid("web", other_than=first)
        assert not is_alive(child)

    def test_a_part_that_keeps_exiting_early_ends_the_run_with_its_log(self, supervise):
        worker = "until [ -s web.pid ]; do sleep 0.01; done; echo no such table; exit 3"
        supervised = supervise(policy={"first_delay": 0.001, "early_exit": 3600.0}, web=STAY, worker=worker)

        output, failure = supervised.process.communicate(timeout=60)

        assert supervised.process.returncode == 1
        assert output.count("restarting it") == 4
        assert "worker ended with exit code 3 immediately, 5 times in a row; giving up." in failure
        assert "no such table" in failure
        assert "Traceback" not in failure
        assert psutil.pid_exists(int((supervised.folder / "web.pid").read_text())) is False

    def test_a_part_that_exits_early_is_restarted_after_the_delay(self, supervise):
        web = "[ -e started ] && touch again; touch started; exit 3"
        supervised = supervise(
            policy={"first_delay": 3600.0, "max_delay": 3600.0, "early_exit": 3600.0},
            web=web,
            other="sleep 0.3; exit 4",
        )

        ended = "".join(supervised.read_until("restarting it in 3600 s") for _ in range(2))
        assert "other ended with exit code 4" in ended
        assert "web ended with exit code 3" in ended
        assert not (supervised.folder / "again").exists()

    def test_a_part_that_ran_longer_is_restarted_again(self, supervise):
        script = "echo $$ > web.pid; [ -e never ] && exit 3; exec sleep 600"
        supervised = supervise(policy={"early_exit": 1.0, "max_delay": 0.1, "max_early_exits": 2}, web=script)
        first = supervised.pid("web")
        time.sleep(1.1)
        (supervised.folder / "never").touch()
        os.kill(first, signal.SIGKILL)

        assert "web exited early 2 times in a row; see " in supervised.read_until("in a row")
        assert supervised.read_until("restarting it")
        (supervised.folder / "never").unlink()

        assert supervised.pid("web", other_than=first)

    def test_a_part_with_a_permanent_fault_is_not_restarted(self, supervise):
        supervised = supervise(worker="echo hopeless: the table is gone; exit 3")

        output, failure = supervised.process.communicate(timeout=60)

        assert "restarting it" not in output
        assert failure == "hopeless: the table is gone\n"

    def test_a_part_that_fails_its_check_ends_the_run_before_the_next_wave(self, supervise):
        supervised = supervise(
            base=("touch base.ready; exec sleep 600 # refused", 0), top=("touch top.ready; exec sleep 600", 1)
        )

        output, failure = supervised.process.communicate(timeout=60)

        assert "READY" not in output
        assert failure == "this part is refused\n"
        assert not (supervised.folder / "top.ready").exists()

    def test_a_missing_command_is_reported_in_one_line(self, supervise):
        supervised = supervise(web="/nowhere/hoodwink")

        _, failure = supervised.process.communicate(timeout=60)

        assert failure.startswith("web cannot be started:")
        assert failure.count("\n") == 1

    def test_exits_after_a_longer_run_are_not_counted(self, supervise):
        supervised = supervise(policy={"early_exit": 0.0, "max_early_exits": 1}, web=STAY)
        first = supervised.pid("web")
        os.kill(first, signal.SIGKILL)
        second = supervised.pid("web", other_than=first)

        os.kill(second, signal.SIGKILL)

        assert supervised.pid("web", other_than=second)

    def test_a_part_waits_for_those_below_and_before_it(self, supervise):
        script = "echo $NAME >> order; touch $NAME.ready; exec sleep 600"
        supervised = supervise(
            second=(f"sleep 0.1; {script}", 1), third=(script, 1), first=(f"sleep 0.2; {script}", 0)
        )

        supervised.read_until("READY")

        assert (supervised.folder / "order").read_text().split() == ["first", "second", "third"]

    def test_a_slow_part_is_reported_and_awaited(self, supervise):
        supervised = supervise(
            policy={"slow_start": 0.0},
            web="until [ -e go ]; do sleep 0.01; done; touch web.ready; exec sleep 600",
        )

        assert "Still waiting for web" in supervised.read_until("Still")

        (supervised.folder / "go").touch()
        supervised.read_until("READY")

    def test_every_output_line_of_a_part_is_forwarded(self, supervise):
        supervised = supervise(web="echo good morning; exec sleep 600")

        assert supervised.read_until("good morning") == "good morning\n"


@pytest.mark.processes
class TestStop:
    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
    def test_a_signal_stops_all_parts_and_is_not_a_failure(self, supervise, number):
        supervised = supervise(web=STAY_WITH_CHILD, worker=STAY)
        pids = [supervised.pid("web"), supervised.pid("web", "child"), supervised.pid("worker")]

        supervised.stop(number)

        assert supervised.process.returncode == 0
        assert not any(map(is_alive, pids))

    def test_a_part_that_does_not_stop_is_killed(self, supervise):
        supervised = supervise(policy={"stop_timeout": 0.2}, web=IGNORE_TERM)
        pid = supervised.pid("web")

        supervised.stop()

        assert not is_alive(pid)

    def test_a_second_signal_kills_all_parts_immediately(self, supervise):
        supervised = supervise(
            policy={"stop_timeout": 3600.0},
            web=IGNORE_TERM,
            other="trap 'touch stopping' TERM; echo $$ > other.pid; sleep 600 & wait",
        )
        pid = supervised.pid("web")
        supervised.pid("other")
        supervised.process.send_signal(signal.SIGINT)
        await_true((supervised.folder / "stopping").exists)

        supervised.stop(signal.SIGINT)

        assert not is_alive(pid)

    def test_lower_waves_stop_last(self, supervise):
        script = "trap 'echo $NAME >> order; exit' TERM; touch $NAME.ready; sleep 600 & wait"
        supervised = supervise(base=(script, 0), top=(script, 1))
        supervised.read_until("READY")

        supervised.stop()

        assert (supervised.folder / "order").read_text().split() == ["top", "base"]


def test_a_group_of_zombies_counts_as_ended(monkeypatch):
    def killpg(group, number):
        raise PermissionError  # as macOS does

    monkeypatch.setattr(os, "killpg", killpg)
    assert not kill_group(1)


@pytest.mark.processes
class TestKilledSupervisor:
    def test_no_children_or_grandchildren_are_left(self, supervise):
        supervised = supervise(web=STAY_WITH_CHILD, worker=IGNORE_TERM)
        pids = [supervised.pid("web"), supervised.pid("web", "child"), supervised.pid("worker")]

        supervised.process.kill()

        await_true(lambda: not any(map(is_alive, pids)))

    def test_no_children_are_left_after_a_replaced_guardian(self, supervise):
        supervised = supervise(web=STAY_WITH_CHILD)
        pids = [supervised.pid("web"), supervised.pid("web", "child")]
        first = supervised.guardian()
        os.kill(first, signal.SIGKILL)
        await_true(lambda: is_replaced(supervised, first))

        supervised.process.kill()

        await_true(lambda: not any(map(is_alive, pids)))

    def test_no_children_are_left_by_an_uninformed_new_guardian(self):
        part = subprocess.Popen(["sleep", "600"], process_group=0)
        with Guardian() as guardian:
            guardian.register(part.pid)
            first = guardian.pid
            os.kill(first, signal.SIGKILL)
            await_true(lambda: is_running_again(guardian, first))

            # Linux shows no arguments while a new process loads its program.
            await_true(lambda: str(part.pid) in psutil.Process(guardian.pid).cmdline())
        assert part.wait(60) == -signal.SIGKILL

    @pytest.mark.skipif(sys.platform != "linux", reason="parent-death signals are Linux's")
    def test_no_children_are_left_if_the_guardian_is_killed_too(self, supervise):
        supervised = supervise(web=STAY, worker=IGNORE_TERM)
        pids = [supervised.pid("web"), supervised.pid("worker")]
        guardian = supervised.guardian()

        supervised.process.send_signal(signal.SIGSTOP)
        os.kill(guardian, signal.SIGKILL)
        supervised.process.kill()

        await_true(lambda: not any(map(is_alive, pids)))

    def test_the_folder_is_released_with_the_last_process(self, supervise, tmp_path, monkeypatch):
        monkeypatch.setattr("hoodwink.service.supervisor.instance._GRACE_SECONDS", PATIENCE_SECONDS)
        supervised = supervise(web=IGNORE_TERM)
        pid = supervised.pid("web")

        supervised.process.kill()
        lock = lock_folder(tmp_path)

        assert not is_alive(pid)
        os.close(lock)


def is_running_again(guardian, first):
    guardian.ensure_running()
    return guardian.pid != first


def is_replaced(supervised, guardian):
    with suppress(StopIteration, psutil.NoSuchProcess):
        return supervised.guardian() != guardian
    return False


class TestChecks:
    def test_a_second_instance_is_told_the_process_using_the_folder(self, tmp_path, monkeypatch):
        monkeypatch.setattr("hoodwink.service.supervisor.instance._GRACE_SECONDS", 0)
        lock = lock_folder(tmp_path)

        with pytest.raises(CannotStart, match=rf"Another Hoodwink \(process {os.getpid()}\)"):
            lock_folder(tmp_path)

        os.close(lock)
        os.close(lock_folder(tmp_path))

    def test_a_folder_removed_while_waiting_for_its_lock_is_recreated(self, tmp_path, monkeypatch):
        await_lock = instance._await_lock
        awaited: list[Path] = []

        def removed_first(lock, folder):
            await_lock(lock, folder)
            if not awaited:
                shutil.rmtree(folder)
            awaited.append(folder)

        monkeypatch.setattr(instance, "_await_lock", removed_first)
        lock = lock_folder(tmp_path / "data")

        assert len(awaited) == 2
        assert find_instance(tmp_path / "data") == Instance(process=os.getpid())
        os.close(lock)

    def test_an_unwritable_folder_is_reported(self, tmp_path):
        (tmp_path / "file").touch()

        with pytest.raises(
            CannotStart, match=r"Cannot write to the data folder .*/file/data: Not a directory"
        ):
            lock_folder(tmp_path / "file" / "data")

    def test_a_read_only_folder_is_reported(self):
        with pytest.raises(CannotStart, match="Cannot write to the data folder"):
            lock_folder(Path("/proc/hoodwink"))

    def test_a_taken_port_is_reported(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]

            with pytest.raises(CannotStart, match=f"port {port}: Address already in use"):
                free_port("127.0.0.1", port)

    def test_a_recently_used_port_is_free(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            with socket.create_connection(("127.0.0.1", port)):
                server.accept()[0].close()  # the side that closes first keeps the port in TIME_WAIT

        assert free_port("127.0.0.1", port) == port

    def test_port_0_takes_any_free_port(self):
        assert free_port("127.0.0.1", 0) > 0

    @pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets the server share it")
    def test_a_held_port_is_left_to_the_server(self):
        port = free_port("127.0.0.1", 0)
        with hold_port("127.0.0.1", port):
            with pytest.raises(CannotStart, match="Address already in use"):
                free_port("127.0.0.1", port)
            with socket.create_server(("127.0.0.1", port), reuse_port=True) as server:
                socket.create_connection(("127.0.0.1", port)).close()
                server.accept()[0].close()

    @pytest.mark.parametrize("host", ["203.0.113.7", "no.such.host.invalid"])
    def test_a_foreign_address_is_refused(self, host):
        with pytest.raises(CannotStart, match=f"Cannot listen on {host}"):
            free_port(host, 8000)


class TestLogs:
    def test_the_previous_runs_log_is_kept_once(self, tmp_path):
        PartLog(tmp_path, "web").path.write_text("first\n")
        PartLog(tmp_path, "web").path.write_text("second\n")

        log = PartLog(tmp_path, "web")

        assert log.tail(9) == []
        assert (tmp_path / "web.log.1").read_text() == "second\n"

    def test_each_complete_line_is_returned_once(self, tmp_path):
        log = PartLog(tmp_path, "web")
        with log.open() as file:
            file.write(b"one\ntw")
            file.flush()
            assert log.new_lines() == ["one"]
            file.write(b"o\n")
        assert log.new_lines() == ["two"]
        assert log.new_lines() == []

    def test_an_oversized_log_is_rotated_during_writing(self, tmp_path, monkeypatch):
        monkeypatch.setattr("hoodwink.service.supervisor.logs._MAX_LOG_BYTES", 10)
        log = PartLog(tmp_path, "web")
        with log.open() as file:
            file.write(b"a long first line\n")
            file.flush()
            log.rotate()
            file.write(b"next\n")
        assert log.path.read_text() == "next\n"
        assert log.new_lines() == ["next"]
        assert (tmp_path / "web.log.1").read_text() == "a long first line\n"

    def test_lines_are_relayed_before_their_log_is_rotated(self, tmp_path, monkeypatch):
        monkeypatch.setattr("hoodwink.service.supervisor.logs._MAX_LOG_BYTES", 10)
        echoed: list[str] = []
        part = Part(name="redis", argv=(), shape=str.upper)
        supervisor = Supervisor([part], logs=tmp_path, warn=echoed.append, echo=echoed.append)
        monkeypatch.setattr(
            supervisor, "_guardian", SimpleNamespace(ensure_running=lambda: None), raising=False
        )
        with (tmp_path / "redis.out").open("w") as file:
            file.write("a long line\n")

        supervisor._poll()

        assert echoed == ["A LONG LINE"]
        assert (tmp_path / "redis.log.1").read_text() == "A LONG LINE\n"
