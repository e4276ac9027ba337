"""Foreign files whose texts try to control the terminal that shows them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hoodwink.domain.tables.commands import VoidTable
from hoodwink.domain.tables.proving.log import split_logs
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.service.application.players.legibility import visible
from hoodwink.service.cli import hoodwink
from tests.domain.tables.sitting import Sitting

GOLDEN = Path(__file__).parents[2] / "golden"
EVIL = "\x1b[2J\x07\r\n\x7f\x9b31m\u202e\u2066\u200f\u200b\u2028\u2800\U000e0041[red]"
QUIET_EVIL = "\x9b31m\u202e\u2066\u200f\u200b\u2028\u2800\U000e0041[red]"
"""Allowed in a reason, which is one line without the ASCII control characters."""

COMMANDS = (
    ["verify"],
    ["replay"],
    ["replay", "--seat", "0"],
    ["replay", "--upto", "9"],
    ["replay", "--spectator"],
)


def run_safely(*words: object) -> str:
    """Returns a command's output after checking that it cannot control the terminal."""
    done = CliRunner().invoke(hoodwink, list(map(str, words)))
    assert done.exception is None or isinstance(done.exception, SystemExit), (words, done.exception)
    for line in done.output.split("\n"):
        assert visible(line) == line, (words, line)
    return done.output


def with_evil(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yields the path of each text in a value (without list positions), and the value with an attack in its place."""
    if isinstance(value, str):
        yield path, EVIL
    for name, child in _children(value):
        inner = f"{path}.{name}" if isinstance(value, dict) else path
        for found, changed in with_evil(child, inner):
            yield found, _with(value, name, changed)


def _children(value: Any) -> list[tuple[Any, Any]]:
    if isinstance(value, dict):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []


def _with(value: Any, name: Any, child: Any) -> Any:
    copied = value.copy()
    copied[name] = child
    return copied


def hostile_logs(log: bytes) -> Iterator[bytes]:
    """Yields a log for each kind of text field, with an attack in that field."""
    lines = [json.loads(line) for line in log.splitlines()]
    done = set()
    for number, line in enumerate(lines):
        for path, changed in with_evil(line):
            kind = (line.get("type"), path)
            if kind not in done:
                done.add(kind)
                yield b"".join(map(_written, [*lines[:number], changed, *lines[number + 1 :]]))


def _written(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


@pytest.mark.parametrize(
    "name", ["blindside-117", pytest.param("blindside-6001", marks=pytest.mark.campaign)]
)
def test_text_of_a_changed_log_cannot_control_the_terminal(tmp_path, name):
    file = tmp_path / "hostile.log"
    logs = list(hostile_logs((GOLDEN / f"{name}.log").read_bytes()))
    for log in logs:
        file.write_bytes(log)
        for words in COMMANDS:
            run_safely(*words, file)

    assert len(logs) > 30


def test_text_of_a_valid_log_cannot_control_the_terminal(tmp_path):
    sitting = Sitting(seats=2).sit(f"ada{EVIL}", "bot").start().play_out()
    sitting.do(VoidTable("olga", f"It rained.{QUIET_EVIL}"), by="admin")
    file = tmp_path / "hostile.log"
    file.write_bytes(sitting.log())

    assert verify_log(sitting.log()).valid
    assert r"It rained.\u{9b}31m\u{202e}" in run_safely("verify", file)
    for words in COMMANDS:
        run_safely(*words, file)


def test_text_of_a_tournament_cannot_control_the_terminal(tmp_path):
    log, *tables = split_logs((GOLDEN / "tournament-9.ndjson").read_bytes())
    for number, table in enumerate(tables):
        (tmp_path / f"{number}.log").write_bytes(table)
    file = tmp_path / "tournament.ndjson"
    for hostile in hostile_logs(log):
        file.write_bytes(hostile)
        run_safely("verify", file, "--tables", tmp_path)


def test_text_of_a_tournament_file_cannot_control_the_terminal(tmp_path):
    trf, file = tmp_path / "cup.trf", tmp_path / "cup.json"
    CliRunner().invoke(
        hoodwink,
        [
            "tournament",
            "simulate",
            "--rounds",
            "2",
            "--entrants",
            "5",
            "--trf",
            str(trf),
            "--json",
            str(file),
        ],
    )
    for path, changed in with_evil(json.loads(file.read_text())):
        (tmp_path / "hostile.json").write_bytes(_written(changed))
        output = run_safely("tournament", "show", tmp_path / "hostile.json")
        assert path != ".entrants.name" or r"\u{1b}[2J" in output
    for line in trf.read_text().splitlines():
        for at in (4, 14, 48, 80):
            hostile = trf.read_text().replace(line, f"{line[:at]}\x1b[2J\x9b\u202e{line[at + 6 :]}")
            (tmp_path / "hostile.trf").write_text(hostile)
            run_safely("tournament", "show", tmp_path / "hostile.trf")
