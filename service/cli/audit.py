"""`hoodwink audit`: do the projections hold what the logs say?"""

import sys
from typing import Any

import click

from domain.projections import PROJECTIONS
from service.application.audit import PATIENCE_SECONDS, Audit, Difference
from service.bootstrap import Service
from service.cli.reach import a_step_of, progress_bars, reached_service


@click.command("audit")
@click.option(
    "--wait",
    default=PATIENCE_SECONDS,
    show_default=True,
    type=click.FloatRange(min=0),
    help="Seconds without progress after which what a projection lacks counts as lost.",
)
def command(wait: float) -> None:
    """Replay the logs into memory and compare with every projection.

    Tables may be played meanwhile. Exits with 0 if nothing differs, and otherwise with 1 and a line for
    each difference.
    """
    with reached_service() as service:
        found = _differences(service, wait)
    for one in found:
        click.echo(f"{one.projection}: {one.place}: is {_shown(one.live)}, should be {_shown(one.replayed)}")
    names = ", ".join(projection.name for projection in PROJECTIONS)
    click.echo(f"{len(found)} differences." if found else f"No differences in {names}.")
    sys.exit(1 if found else 0)


def _differences(service: Service, wait: float) -> list[Difference]:
    found: list[Difference] = []
    with progress_bars() as progress:
        count = sum(1 for _ in service.store.streams("table"))
        for projection in PROJECTIONS:
            audit = Audit(
                projection=projection,
                store=service.store,
                target=service.projection_store,
                patience_seconds=wait,
            )
            found += audit.differences(a_step_of(progress, projection.name, count))
    return found


def _shown(value: Any) -> str:
    return "missing" if value is None else str(value)
