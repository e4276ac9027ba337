"""`hoodwink bench`: measures the performance on this machine and compares it with the targets."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType, ModuleType

import click
from rich.console import Console

from bench import (
    engine,
    environments,
    http,
    latency,
    memory,
    projecting,
    ratings,
    replay,
    season,
    sse,
)
from bench.figures import FULL, QUICK, Effort, Figure
from bench.load import LoadFailed
from bench.report import as_json, grid, this_machine
from bench.service import LIFTED
from hoodwink.service.cli.shared.files import reserve
from hoodwink.service.supervisor import CannotStart

GROUPS: Mapping[str, ModuleType] = MappingProxyType(
    {
        "engine": engine,
        "environments": environments,
        "replay": replay,
        "ratings": ratings,
        "http": http,
        "latency": latency,
        "sse": sse,
        "memory": memory,
        "projections": projecting,
        "season": season,
    }
)
"""The module of each group yields its figures with `measure(effort)`; the first line of its docstring describes them."""


@click.command("bench")
@click.option(
    "--only",
    metavar="GROUPS",
    help=f"Some of these, separated by commas: {', '.join(GROUPS)}; by default all.",
)
@click.option("--quick", is_flag=True, help="Fewer and shorter repetitions.")
@click.option(
    "--json", "file", type=click.Path(dir_okay=False, path_type=Path), help="Write every sample to this file."
)
def command(*, only: str | None, quick: bool, file: Path | None) -> None:
    """Measure engine, environments, replay, ratings, HTTP, latency, streams, memory, projections and tournaments on this machine.

    Each figure is a median of several repetitions. The command starts its own services, with all limits lifted, and uses
    no others. Other load on the machine distorts the figures.
    """
    chosen = list(GROUPS) if only is None else only.split(",")
    if unknown := set(chosen) - set(GROUPS):
        raise click.BadParameter(
            f"there is no group {min(unknown)}; choose from {', '.join(GROUPS)}", param_hint="--only"
        )
    console, effort = Console(), QUICK if quick else FULL
    machine, found = this_machine(), dict[str, list[Figure]]()
    with reserve(file):
        console.print(f"{machine.python}, {machine.system}, {machine.cores} cores, load {machine.load}")
        console.print(f"limits lifted in every service that is measured: {', '.join(LIFTED)}")
        for group in chosen:
            try:
                found[group] = _measured(console, group, effort)
            except (CannotStart, LoadFailed) as error:
                raise click.ClickException(f"{group} could not be measured: {error}") from None
            console.print(grid(f"{group}: {_summary(GROUPS[group])}", found[group]))
            if file is not None:  # after each group, because a later one may fail
                file.write_bytes(as_json(machine, found))


def _measured(console: Console, group: str, effort: Effort) -> list[Figure]:
    figures = list[Figure]()
    with console.status(f"measuring {group} …") as status:
        for figure in GROUPS[group].measure(effort):
            figures.append(figure)
            status.update(f"measuring {group} … {figure.name} is done")
    return figures


def _summary(module: ModuleType) -> str:
    return (module.__doc__ or "").partition("\n")[0]
