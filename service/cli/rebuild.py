"""`hoodwink rebuild`: rebuilds projections and due times from the logs."""

import sys
from collections.abc import Collection, Iterator

import click

from hoodwink.domain.projections import PROJECTIONS
from hoodwink.service.application.audit.due_audit import DUE
from hoodwink.service.application.ports import StreamId
from hoodwink.service.application.projecting.projecting import grouped_by_category, rebuild
from hoodwink.service.application.streams.aggregates import RATINGS
from hoodwink.service.application.work.due import CATEGORIES
from hoodwink.service.bootstrap import Service
from hoodwink.service.cli.shared.connection import connected_service, progress_bars, progress_step, stoppable
from hoodwink.service.cli.shared.output import say

NAMES = (*[projection.name for projection in PROJECTIONS], DUE)
_DUE_CATEGORIES = frozenset(CATEGORIES.values())


@click.command("rebuild")
@click.argument("names", metavar="[NAME]...", nargs=-1, type=click.Choice(NAMES))
def command(names: tuple[str, ...]) -> None:
    """Rebuild projections and due times from the logs: lobby, ledger, history, statistics, leaderboards,
    tournaments, due, or by default all.

    The service may keep running; its lists are incomplete until the command is done. If you interrupt it, run it
    again: the running service completes only the projections whose rebuild has begun.
    """
    left_out = dict[StreamId, None]()
    again = " ".join(("hoodwink rebuild", *names))
    names = names or NAMES
    interrupted = f"Interrupted. Run `{again}` again; until then, lists and due times may be incomplete."
    with stoppable(interrupted), connected_service() as service, progress_bars() as progress:
        logs = dict(_logs(service, names))  # counted first, for the progress bars
        chosen = (projector for name, projector in service.projectors.items() if name in names)
        # Projections of one category are rebuilt together, so that each log is read only once.
        for projectors in grouped_by_category(chosen):
            projections = [projector.projection for projector in projectors]
            title = ", ".join(projection.name for projection in projections)
            step = progress_step(progress, title, logs[projections[0].category])
            left_out |= dict.fromkeys(rebuild(projectors, step))
        if DUE in names:
            step = progress_step(progress, DUE, sum(logs[category] for category in _DUE_CATEGORIES))
            service.due_audit().rebuild(step)
    for stream in left_out:
        say(f"{_left_out(stream)} cannot be replayed. `hoodwink audit` says why.")
    count = sum(logs.values())
    say(f"Rebuilt {', '.join(names)} from {count} {'log' if count == 1 else 'logs'}.")
    sys.exit(1 if left_out else 0)


def _logs(service: Service, names: Collection[str]) -> Iterator[tuple[str, int]]:
    """Yields each category of logs that is read, with the number of its logs."""
    categories = {projection.category for projection in PROJECTIONS if projection.name in names}
    for category in categories | (_DUE_CATEGORIES if DUE in names else set()):
        yield category, sum(1 for _ in service.store.streams(category))


def _left_out(stream: StreamId) -> str:
    if stream.category == RATINGS.category:
        return f"The ratings of {stream.id} are left out, because their log"
    return f"{stream.category.capitalize()} {stream.id} is left out, because its log"
