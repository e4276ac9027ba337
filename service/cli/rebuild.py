"""`hoodwink rebuild`: projections anew, from the logs alone."""

import click

from domain.projections import PROJECTIONS
from service.cli.reach import a_step_of, progress_bars, reached_service

NAMES = tuple(projection.name for projection in PROJECTIONS)


@click.command("rebuild")
@click.argument("names", metavar="[PROJECTION]...", nargs=-1, type=click.Choice(NAMES))
def command(names: tuple[str, ...]) -> None:
    """Drop projections and replay the logs into them: lobby, ledger, history, statistics, or all.

    The service may run meanwhile; what it shows is incomplete until this is done. If it is broken off,
    do it again.
    """
    with reached_service() as service, progress_bars() as progress:
        streams = tuple(service.store.streams("table"))
        for name in names or NAMES:
            service.projectors[name].rebuild(streams, a_step_of(progress, name, len(streams)))
    click.echo(f"Rebuilt {', '.join(names or NAMES)} from {len(streams)} tables.")
