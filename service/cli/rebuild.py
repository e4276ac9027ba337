"""`hoodwink rebuild`: projections and due times anew, from the logs alone."""

import sys
from collections.abc import Sequence

import click

from domain.projections import PROJECTIONS
from service.application.aggregates import RATINGS
from service.application.dispatch import CATEGORIES as DUE_CATEGORIES
from service.application.due_audit import DUE
from service.application.ports import StreamId
from service.bootstrap import Service
from service.cli.reach import Step, a_step_of, progress_bars, reached_service, stoppable

CATEGORIES = {projection.name: {projection.category} for projection in PROJECTIONS} | {
    DUE: set(DUE_CATEGORIES.values())
}
NAMES = tuple(CATEGORIES)


@click.command("rebuild")
@click.argument("names", metavar="[NAME]...", nargs=-1, type=click.Choice(NAMES))
def command(names: tuple[str, ...]) -> None:
    """Replay the logs into projections and due times: lobby, ledger, history, statistics, leaderboards,
    tournaments, due, or all.

    The service may run meanwhile; what its lists show is incomplete until this is done. If it is broken off,
    run it again; a running service completes only the projection that was begun.
    """
    left_out = dict[StreamId, None]()
    again = " ".join(("hoodwink rebuild", *names))
    broken_off = f"Broken off. Run `{again}` again; until it is done, lists and due times may be incomplete."
    with stoppable(broken_off), reached_service() as service, progress_bars() as progress:
        categories = set().union(*(CATEGORIES[name] for name in names or NAMES))
        counts = {category: sum(1 for _ in service.store.streams(category)) for category in categories}
        for name in names or NAMES:
            total = sum(counts[category] for category in CATEGORIES[name])
            streams = _rebuild(service, name, a_step_of(progress, name, total))
            left_out |= dict.fromkeys(streams)
    for stream in left_out:
        click.echo(f"{_left_out(stream)} cannot be replayed. `hoodwink audit` says why.")
    click.echo(f"Rebuilt {', '.join(names or NAMES)} from {sum(counts.values())} logs.")
    sys.exit(1 if left_out else 0)


def _rebuild(service: Service, name: str, done: Step) -> Sequence[StreamId]:
    if name == DUE:
        service.due_audit().rebuild(done)
        return ()
    return service.projectors[name].rebuild(done)


def _left_out(stream: StreamId) -> str:
    if stream.category == RATINGS.category:
        return f"The ratings of {stream.id} are left out, for their log"
    return f"{stream.category.capitalize()} {stream.id} is left out, for its log"
