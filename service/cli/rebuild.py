"""`hoodwink rebuild`: projections and due times anew, from the logs alone."""

import sys
from collections.abc import Collection, Iterator

import click

from domain.projections import PROJECTIONS
from service.application.aggregates import RATINGS
from service.application.dispatch import CATEGORIES
from service.application.due_audit import DUE
from service.application.ports import StreamId
from service.application.projecting import grouped_by_category, rebuild
from service.bootstrap import Service
from service.cli.reach import a_step_of, progress_bars, reached_service, stoppable

NAMES = (*[projection.name for projection in PROJECTIONS], DUE)
_DUE_CATEGORIES = frozenset(CATEGORIES.values())


@click.command("rebuild")
@click.argument("names", metavar="[NAME]...", nargs=-1, type=click.Choice(NAMES))
def command(names: tuple[str, ...]) -> None:
    """Replay the logs into projections and due times: lobby, ledger, history, statistics, leaderboards,
    tournaments, due, or all.

    The service may run meanwhile; what its lists show is incomplete until this is done. If it is broken off,
    run it again; a running service completes only the projections that were begun.
    """
    left_out = dict[StreamId, None]()
    again = " ".join(("hoodwink rebuild", *names))
    names = names or NAMES
    broken_off = f"Broken off. Run `{again}` again; until it is done, lists and due times may be incomplete."
    with stoppable(broken_off), reached_service() as service, progress_bars() as progress:
        logs = dict(_logs(service, names))
        for those in grouped_by_category(one for name, one in service.projectors.items() if name in names):
            projections = [one.projection for one in those]
            title = ", ".join(each.name for each in projections)
            step = a_step_of(progress, title, logs[projections[0].category])
            left_out |= dict.fromkeys(rebuild(those, step))
        if DUE in names:
            step = a_step_of(progress, DUE, sum(logs[category] for category in _DUE_CATEGORIES))
            service.due_audit().rebuild(step)
    for stream in left_out:
        click.echo(f"{_left_out(stream)} cannot be replayed. `hoodwink audit` says why.")
    click.echo(f"Rebuilt {', '.join(names)} from {sum(logs.values())} logs.")
    sys.exit(1 if left_out else 0)


def _logs(service: Service, names: Collection[str]) -> Iterator[tuple[str, int]]:
    """Yields the categories that are read, and how many logs there are of each."""
    categories = {each.category for each in PROJECTIONS if each.name in names}
    for category in categories | (_DUE_CATEGORIES if DUE in names else set()):
        yield category, sum(1 for _ in service.store.streams(category))


def _left_out(stream: StreamId) -> str:
    if stream.category == RATINGS.category:
        return f"The ratings of {stream.id} are left out, for their log"
    return f"{stream.category.capitalize()} {stream.id} is left out, for its log"
