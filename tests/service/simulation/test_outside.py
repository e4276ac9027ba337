"""Bots from outside: their mistakes are counted and never stop a table, and their processes are fenced."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from textwrap import dedent
from time import monotonic, sleep

import pytest

from hoodwink.domain.games import GAMES
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.service.simulation.outside.outsider import Outsider
from hoodwink.service.simulation.outside.process import BotFailed, BotProcess, Kind, Limits
from hoodwink.service.simulation.tables import BotTable

DOCUMENT = Path(__file__).parents[3] / "docs" / "BOTS.md"
LIMITS = Limits(seconds=20, memory_mb=512)
QUICK = Limits(seconds=0.3, memory_mb=512)


@pytest.fixture
def written(tmp_path):
    """Writes the code of a bot, and returns the bot's name."""

    def write(code):
        file = tmp_path / "bot.py"
        file.write_text(dedent(code))
        return str(file)

    return write


def played(bot, *, game="blind_don", limits=LIMITS, seed="1", options=None):
    """Plays a table with the bot in seat 1; returns the bot and the events of the log."""
    outsider, seats = Outsider(bot, limits), max(2, GAMES[game].seats[0])
    table = BotTable(
        game=game,
        seats=seats,
        options=options or {},
        policies=["steady", bot, *["random"] * (seats - 2)],
        seed=seed,
        outsiders={1: outsider},
    )
    try:
        table.play()
    finally:
        outsider.close()
    assert verify_log(table.log()).valid
    return outsider, table


def is_running(pid):
    return Path(f"/proc/{pid}").exists() and "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()


def wait_for_end(pid):
    deadline = monotonic() + 60
    while is_running(pid):
        assert monotonic() < deadline, f"process {pid} is still running"
        sleep(0.05)


@pytest.mark.parametrize("game", GAMES)
def test_the_bot_of_the_document_plays_every_game(written, game):
    code = DOCUMENT.read_text().split("<!-- bot -->\n```python\n")[1].split("```")[0]

    outsider, _ = played(written(code), game=game)

    assert not outsider.mistakes
    assert outsider.times_ns


def test_the_same_seed_plays_the_same_table(written):
    code = DOCUMENT.read_text().split("<!-- bot -->\n```python\n")[1].split("```")[0]

    first, second = (played(written(code))[1].log() for _ in range(2))

    assert first == second


def test_mistakes_are_counted_and_a_built_in_bot_moves(written):
    bot = written("""
        count = 0

        def choose(observation):
            global count
            count += 1
            print("noise", count)
            actions = observation["legal_actions"]["actions"]
            match count % 7:
                case 0:
                    raise ValueError("no idea")
                case 1:
                    return {1, 2}
                case 2:
                    return {"type": "play", "position": 99}
                case 3:
                    return {"type": "play", "position": 0, "colour": "red"}
                case 4:
                    return None
                case 5:
                    held = {action["position"] for action in actions}
                    return {"type": "play", "position": min({*range(9)} - held, default=0)}
            return actions[-1]
    """)

    outsider, table = played(bot)

    counts = Counter(mistake.kind for mistake in outsider.mistakes)
    moves = len({entry.cmd for entry in table.entries if entry.by == "player:1"}) - 1  # without sitting down
    assert counts[Kind.EXCEPTION] == moves // 7
    assert counts[Kind.INVALID] >= 4 * (moves // 7)
    assert counts[Kind.ILLEGAL] > 0
    assert set(counts) == {Kind.EXCEPTION, Kind.INVALID, Kind.ILLEGAL}
    raised = next(mistake for mistake in outsider.mistakes if mistake.kind is Kind.EXCEPTION)
    assert raised.detail.endswith("ValueError: no idea\n")
    assert "host.py" not in raised.detail
    assert json.loads(bytes(raised.position))["version"] == raised.version


def test_a_slow_bot_is_killed_with_its_children(written, tmp_path):
    bot = written(f"""
        import os, subprocess, time

        def choose(observation):
            sleeper = subprocess.Popen(["sleep", "1000"])
            with open({str(tmp_path / "pids")!r}, "a") as file:
                print(os.getpid(), sleeper.pid, file=file)
            time.sleep(1000)
    """)

    outsider, _ = played(bot, options={"rounds": 2}, limits=QUICK)

    counts = Counter(mistake.kind for mistake in outsider.mistakes)
    assert counts.pop(Kind.SLOW) == 3
    assert set(counts) == {Kind.NOT_ASKED}
    for pid in (tmp_path / "pids").read_text().split():
        wait_for_end(pid)


def test_a_bot_that_died_is_started_again_and_told_everything(written, tmp_path):
    bot = written(f"""
        import os, pathlib

        died = pathlib.Path({str(tmp_path / "died")!r})
        seen = []

        def choose(observation):
            seen.extend(event["version"] for event in observation["events"])
            if observation["version"] > 20 and not died.exists():
                died.touch()
                os._exit(3)
            assert seen[0] == 1
            return observation["legal_actions"]["actions"][0]
    """)

    outsider, _ = played(bot)

    assert [mistake.detail for mistake in outsider.mistakes] == ["the process ended with exit code 3"]


@pytest.mark.parametrize(
    ("code", "detail"),
    [
        ("bytearray(4 << 30)", "MemoryError"),
        ("raise SystemExit(str(sorted(os.environ)))", "PYTHONHASHSEED"),
        ("os.write(1, b'x' * 100_000); raise ValueError(sys.stdin.read())", "ValueError\n"),
    ],
)
def test_a_bot_is_fenced_in(written, monkeypatch, code, detail):
    monkeypatch.setenv("HOODWINK_ADMIN_TOKEN", "secret")
    bot = BotProcess(written(f"import os, sys\ndef choose(observation):\n    {code}\n"), LIMITS)
    try:
        with pytest.raises(BotFailed) as failed:
            bot.ask(b"{}", "1")
    finally:
        bot.close()

    assert failed.value.kind is Kind.EXCEPTION
    assert detail in failed.value.detail
    assert "HOODWINK" not in failed.value.detail


def test_an_action_that_no_request_can_carry_is_a_mistake_of_the_bot(written):
    bot = BotProcess(written(r"choose = lambda observation: {'type': '\ud800'}"), LIMITS)
    try:
        with pytest.raises(BotFailed, match="UnicodeEncodeError") as failed:
            bot.ask(b"{}", "1")
    finally:
        bot.close()

    assert (failed.value.kind, failed.value.is_lost) == (Kind.INVALID, False)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("os.write(pipe(), b'junk\\n')", Kind.INVALID),
        ("os.write(pipe(), b'x' * 70_000)", Kind.INVALID),
        ("os.close(pipe())", Kind.DIED),
        ("return 'x' * 70_000", Kind.INVALID),
        (
            "os.write(pipe(), b'{\"id\":0}\\n')",
            None,
        ),  # an answer to an earlier request, as a fork would give it
    ],
)
def test_a_bot_cannot_confuse_the_pipe(written, code, kind):
    bot = written(f"""
        import fcntl, os, stat

        def pipe():
            for fd in range(3, 20):
                try:
                    if stat.S_ISFIFO(os.fstat(fd).st_mode) and fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_WRONLY:
                        return fd
                except OSError:
                    pass

        def choose(observation):
            {code}
            return observation["legal_actions"]["actions"][0]
    """)

    outsider, _ = played(bot, options={"rounds": 2})

    assert {mistake.kind for mistake in outsider.mistakes} <= {kind, Kind.NOT_ASKED}
    assert (kind is None) == (not outsider.mistakes)


@pytest.mark.processes
def test_a_bot_ends_with_its_parent(written):
    bot = written("def choose(observation):\n    while True: pass\n")
    parent = subprocess.run(
        [
            sys.executable,
            "-c",
            (
                "import os, sys\n"
                "from hoodwink.service.simulation.outside.process import BotProcess, Limits\n"
                "bot = BotProcess(sys.argv[1], Limits())\n"
                'bot._send(b\'{"id":1,"seed":null,"observation":{}}\\n\', 1e9)\n'
                "print(bot._process.pid, flush=True)\n"
                "os._exit(0)\n"
            ),
            bot,
        ],
        capture_output=True,
        check=True,
    )

    wait_for_end(int(parent.stdout))


@pytest.mark.parametrize(
    ("code", "detail"),
    [
        ("choose = 1", "TypeError"),
        ("import nowhere", "ModuleNotFoundError"),
        ("raise SystemExit", "SystemExit"),
        ("import os; os._exit(0)", "exit code 0"),
    ],
)
def test_a_bot_that_cannot_be_loaded_is_reported(written, code, detail):
    with pytest.raises(BotFailed, match=detail):
        BotProcess(written(code), LIMITS)
