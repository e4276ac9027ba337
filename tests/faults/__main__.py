"""Commands of the collection of faults: `python -m tests.faults --help`."""

import json
import os
import sys
from collections import Counter
from random import Random
from typing import Any

import click

from tests.faults.collection import HERE, ROOT, Code, DoesNotApply, load_faults, toml_of
from tests.faults.mutants import draw_mutants
from tests.faults.running import Trial
from tests.faults.scratch import prepare

RESULTS = HERE / "results.jsonl"


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
def run(seconds: int, hours: float, only: str) -> None:
    """Tries the faults without result, slowly; can be killed and continued."""
    os.nice(19)
    code = prepare()
    done = _results()
    spent = sum(result["seconds"] for result in done.values())
    for fault in load_faults():
        if fault.id in done or only not in fault.id:
            continue
        if spent > hours * 3600:
            sys.exit("the time for all faults is up")
        try:
            result = Trial(code, fault, seconds).run()
        except DoesNotApply as error:
            click.echo(error)
            continue
        spent += result["seconds"]
        with RESULTS.open("a", encoding="utf-8") as file:
            file.write(json.dumps(result) + "\n")
        click.echo(f"{fault.id}: {result['verdict']} {result['test'] or ''} {result['seconds']} s")


@main.command()
def report() -> None:
    """Counts the faults by area, and lists unnoticed faults and those that no longer apply."""
    found, faults = _results(), load_faults()
    for area in sorted({fault.area for fault in faults}):
        verdicts = Counter(
            found[f.id]["verdict"] if f.id in found else "untried" for f in faults if f.area == area
        )
        click.echo(f"{area:12} {dict(sorted(verdicts.items()))}")
    for fault in faults:
        if fault.id in found and found[fault.id]["verdict"] != "noticed":
            click.echo(f"{found[fault.id]['verdict']}: {fault.id}: {fault.effect}")
    stale = list(Code(ROOT).stale(faults))
    click.echo("\n".join(stale))
    sys.exit(bool(stale))


def _results() -> dict[str, dict[str, Any]]:
    """Returns the results by fault; an incomplete line of a killed run does not count."""
    lines = RESULTS.read_text(encoding="utf-8").splitlines() if RESULTS.exists() else []
    return {result["fault"]: result for line in lines if line.endswith("}") and (result := json.loads(line))}


if __name__ == "__main__":
    main()
