"""Commands of the collection of faults: `python -m tests.faults --help`."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from random import Random
from typing import Any

import click

from tests.faults.collection import (
    HERE,
    RESULTS,
    ROOT,
    Code,
    DoesNotApply,
    load_faults,
    load_results,
    toml_of,
)
from tests.faults.covering import SHORT
from tests.faults.mutants import draw_mutants
from tests.faults.running import Trial
from tests.faults.scratch import prepare


@click.group()
def main() -> None:
    """Shows which tests of `make test` notice faults."""


@main.command()
@click.option("--mutants", default=120, show_default=True)
@click.option("--seed", default=1, show_default=True)
def collect(mutants: int, seed: int) -> None:
    """Draws the random mutants again, which invalidates their results."""
    drawn = draw_mutants(Code(ROOT), mutants, Random(seed))
    (HERE / "mutants.toml").write_text(toml_of(sorted(drawn, key=lambda fault: fault.area)), encoding="utf-8")


@main.command()
@click.option("--seconds", default=240, show_default=True, help="Processor time for each fault.")
@click.option("--hours", default=8.0, show_default=True, help="Processor time for all of them.")
@click.option("--only", default="", help="Only faults whose id contains this.")
@click.option(
    "--tests",
    multiple=True,
    help="Tests or test modules, the likeliest first. Tries only these, and tries missed faults again.",
)
def run(seconds: int, hours: float, only: str, tests: tuple[str, ...]) -> None:
    """Tries the faults without result, slowly; can be killed and continued."""
    os.nice(19)
    code = prepare()
    done = load_results()
    spent = sum(result["seconds"] for result in done.values())
    for fault in load_faults():
        verdict = done[fault.id]["verdict"] if fault.id in done else None
        if only not in fault.id or verdict == "noticed" or (verdict and not tests):
            continue
        if spent > hours * 3600:
            sys.exit("the time for all faults is up")
        try:
            result = Trial(code, fault, seconds, tests).run()
        except DoesNotApply as error:
            click.echo(error)
            continue
        spent += result["seconds"]
        done[fault.id] = result
        _write(done)
        click.echo(f"{fault.id}: {result['verdict']} {result['test'] or ''} {result['seconds']} s")


@main.command()
@click.option("--collect", is_flag=True, help="Also lists results whose test is no longer in `make test`.")
def report(collect: bool) -> None:
    """Counts the faults by area, and lists unnoticed faults and those that no longer apply; exits with 1 if one needs work."""
    found, faults = load_results(), load_faults()
    for area in sorted({fault.area for fault in faults}):
        verdicts = Counter(
            found[f.id]["verdict"] if f.id in found else "untried" for f in faults if f.area == area
        )
        click.echo(f"{area:12} {dict(sorted(verdicts.items()))}")
    unnoticed = [f for f in faults if f.id in found and found[f.id]["verdict"] != "noticed"]
    for fault in unnoticed:
        click.echo(f"{found[fault.id]['verdict']}: {fault.id}: {fault.effect}: {fault.reason or 'no reason'}")
    stale = [*Code(ROOT).stale(faults), *(_gone(found.values()) if collect else ())]
    click.echo("\n".join(stale))
    sys.exit(bool(stale) or not all(fault.reason for fault in unnoticed))


def _gone(results: Collection[dict[str, Any]]) -> Iterator[str]:
    """Yields a line for each result with a test that `make test` does not run."""
    modules = {result["test"].partition("::")[0] for result in results if result["test"]}
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", SHORT]
    modules = {module for module in modules if (ROOT / module).exists()}
    collected = subprocess.run([*command, *modules], cwd=ROOT, capture_output=True, text=True, check=True)
    # A fault that prevents the import of a module fails the whole module.
    tests = modules | set(collected.stdout.splitlines())
    for result in results:
        if result["test"] and result["test"] not in tests:
            yield f"{result['fault']}: {result['test']} is not in `make test`; delete the result to try again"


def _write(results: dict[str, dict[str, Any]]) -> None:
    """Replaces the file of the results in one step, because this process may be killed at any time."""
    written = RESULTS.with_suffix(".new")
    written.write_text("".join(json.dumps(result) + "\n" for result in results.values()), encoding="utf-8")
    written.replace(RESULTS)


if __name__ == "__main__":
    main()
