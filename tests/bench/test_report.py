"""The report of the benchmarks, for people and for programs."""

import io

import msgspec
import pytest
from click.testing import CliRunner
from rich.console import Console

from bench.figures import Bar, Effort, Figure
from bench.report import as_json, grid, this_machine
from hoodwink.service.cli import hoodwink

FIGURE = Figure(name="50 tables", unit="actions/s", samples=(3900.0, 4200.0, 4100.0), bar=Bar(4000))


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setattr("bench.command.QUICK", Effort(repeats=1, seconds=0.0001, events=60, actions=4))


def test_a_row_shows_median_range_and_bar():
    paper = io.StringIO()
    Console(file=paper, width=120).print(grid("http", [FIGURE]))
    shown = paper.getvalue()

    assert [word in shown for word in ("http", "4,100", "3,900", "4,200", "≥ 4,000", "✓")] == [True] * 6


def test_the_file_contains_every_sample():
    shown = msgspec.json.decode(as_json(this_machine(), {"http": [FIGURE]}))

    (figure,) = shown["figures"]["http"]
    assert figure["samples"] == [3900.0, 4200.0, 4100.0]
    assert (figure["median"], figure["lowest"], figure["highest"]) == (4100.0, 3900.0, 4200.0)
    assert figure["is_met"] is True
    assert shown["machine"]["cores"] >= 1


def test_the_command_measures_the_chosen_groups(tiny, tmp_path):
    result = CliRunner().invoke(
        hoodwink, ["bench", "--quick", "--only", "engine", "--json", str(tmp_path / "f")]
    )

    assert result.exit_code == 0
    assert "blindside, 4 seats" in result.output
    assert list(msgspec.json.decode((tmp_path / "f").read_bytes())["figures"]) == ["engine"]


def test_an_unknown_group_is_reported():
    result = CliRunner().invoke(hoodwink, ["bench", "--only", "engine,moon"])

    assert result.exit_code == 2
    assert "moon" in result.output
