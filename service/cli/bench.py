"""`hoodwink bench`: runs the benchmarks, which are in the repository but not in the installed package."""

from importlib import import_module
from pathlib import Path
from typing import Final

import click

import hoodwink

# Checked by path, because another installed package may also be called `bench`.
_BENCHMARK: Final = Path(hoodwink.__file__).parents[1] / "bench" / "command.py"


# Without options of its own, so that all of them, even --help, reach the benchmark.
@click.command("bench", add_help_option=False, context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def command(context: click.Context, arguments: tuple[str, ...]) -> None:
    """Measure the performance on this machine."""
    if not _BENCHMARK.exists():
        raise click.ClickException(
            "The benchmarks are in Hoodwink's repository, not in the installed package: "
            "run `.venv/bin/hoodwink bench` in a checkout."
        )
    benchmark: click.Command = import_module("bench.command").command
    with benchmark.make_context(context.info_name, list(arguments), parent=context.parent) as chosen:
        benchmark.invoke(chosen)
