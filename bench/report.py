"""Formats figures as a table for people and as JSON for programs."""

import os
import platform
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from rich.box import SIMPLE_HEAD
from rich.table import Table as Grid

from bench.figures import Figure
from bench.service import LIFTED


class Machine(msgspec.Struct, frozen=True, kw_only=True):
    """The machine on which the figures were measured.

    Attributes:
        load: the average number of runnable processes over the last minute, including the benchmarks themselves.
    """

    python: str
    system: str
    cores: int
    load: float


def this_machine() -> Machine:
    """Returns this machine and its current load."""
    return Machine(
        python=f"{platform.python_implementation()} {platform.python_version()}",
        system=f"{platform.system()} {platform.machine()}",
        cores=os.cpu_count() or 1,
        load=round(os.getloadavg()[0], 2),
    )


def grid(title: str, figures: Sequence[Figure]) -> Grid:
    """Returns a table with one row per figure of a group."""
    made = Grid(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, pad_edge=False)
    for column in ("what", "median", "lowest", "highest", "unit", "should be", ""):
        made.add_column(
            column, justify="left" if column in {"what", "unit", ""} else "right", no_wrap=column != "what"
        )
    for figure in figures:
        lowest, highest = figure.spread
        made.add_row(
            f"{figure.name} ({figure.note})" if figure.note else figure.name,
            f"[bold]{number(figure.median)}[/bold]",
            number(lowest),
            number(highest),
            figure.unit,
            _bar(figure),
            _verdict(figure),
        )
    return made


def number(value: float) -> str:
    """Returns a value with three significant digits, but with all digits before the decimal point.

    >>> [number(value) for value in (267816.3, 41.27, 0.4853, 0.0)]
    ['267,816', '41.3', '0.485', '0']
    """
    if value == 0:
        return "0"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def as_json(machine: Machine, figures: Mapping[str, Sequence[Figure]]) -> bytes:
    """Returns the machine, the lifted limits and the figures with every sample as JSON."""
    return msgspec.json.format(
        msgspec.json.encode(
            {
                "machine": machine,
                "lifted_limits": LIFTED,
                "figures": {
                    group: [_as_record(figure) for figure in of_group] for group, of_group in figures.items()
                },
            }
        )
    )


def _as_record(figure: Figure) -> dict[str, Any]:
    lowest, highest = figure.spread
    record: dict[str, Any] = msgspec.to_builtins(figure)
    return record | {"median": figure.median, "lowest": lowest, "highest": highest, "is_met": figure.is_met}


def _bar(figure: Figure) -> str:
    if figure.bar is None:
        return ""
    return f"{'≤' if figure.bar.is_ceiling else '≥'} {number(figure.bar.value)}"


def _verdict(figure: Figure) -> str:
    return {None: "", True: "[green]✓[/green]", False: "[red]✗[/red]"}[figure.is_met]
