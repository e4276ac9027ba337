"""`hoodwink rebuild`: rebuilds projections and due times from the logs."""

import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Final, NamedTuple

import click

from hoodwink.domain.projections import PROJECTIONS
from hoodwink.service.application.audit.due_audit import DUE
from hoodwink.service.application.ports import StreamId
from hoodwink.service.application.projecting.projecting import grouped_by_category, rebuild
from hoodwink.service.application.streams.aggregates import RATINGS
from hoodwink.service.application.work.due import CATEGORIES
from hoodwink.service.bootstrap import Service
from hoodwink.service.cli.shared.connection import connected_service
from hoodwink.service.cli.shared.output import say
from hoodwink.service.cli.shared.processes import Advance, option, run_each
from hoodwink.service.cli.shared.progress import progress_bars
from hoodwink.service.cli.shared.stopping import stoppable

NAMES = (*[projection.name for projection in PROJECTIONS], DUE)
_DUE_CATEGORIES: Final = frozenset(CATEGORIES.values())


class _Part(NamedTuple):
    """Projections of one category, or the due times, in one partition."""

    names: tuple[str, ...]
    partition: int


class _Rebuilt(NamedTuple):
    """A rebuilt part, and the streams that were left out because their logs cannot be replayed."""

    part: _Part
    left_out: tuple[StreamId, ...]


@click.command("rebuild")
@click.argument("names", metavar="[NAME]...", nargs=-1, type=click.Choice(NAMES))
@click.option(
    "--restart",
    is_flag=True,
    help="Rebuild everything, including parts that an interrupted rebuild has done.",
)
@option
def command(names: tuple[str, ...], *, restart: bool, processes: int | None) -> None:
    """Rebuild projections and due times from the logs: lobby, ledger, history, statistics, leaderboards,
    tournaments, seasons, due, or by default all.

    The service may keep running; its lists are incomplete until the command is done. If you interrupt it, run it
    again within a day to rebuild the rest: the running service completes only the parts whose rebuild has begun.
    """
    left_out = dict[StreamId, None]()
    again = " ".join(("hoodwink rebuild", *names))
    names = names or NAMES
    interrupted = f"Interrupted. Run `{again}` again; until then, lists and due times may be incomplete."
    with stoppable(interrupted), connected_service() as service, progress_bars() as progress:
        done = _resume(service, names, restart=restart)
        sizes = _Sizes(service)  # counted first, for the progress bars
        for group in _groups(service, names):
            parts = list(_parts(service, group, done))
            events = sum(sizes.events(part) for part in parts)
            bar = progress.add_task(", ".join(group), total=events)
            for rebuilt in run_each(
                service,
                _rebuild,
                parts,
                processes=processes,
                events=events,
                advance=partial(progress.advance, bar),
            ):
                left_out |= dict.fromkeys(rebuilt.left_out)
                # A part with a broken log is not noted as done, so that the next run tries it again.
                if not rebuilt.left_out:
                    service.rebuilt_parts.add(rebuilt.part.names, rebuilt.part.partition)
        # Otherwise the next rebuild within a day would take all parts for done.
        service.rebuilt_parts.remove(names)
        count = sizes.logs(names)
    for stream in left_out:
        say(f"{_left_out(stream)} cannot be replayed. `hoodwink audit` says why.")
    say(f"Rebuilt {', '.join(names)} from {count} {'log' if count == 1 else 'logs'}.")
    sys.exit(1 if left_out else 0)


class _Sizes:
    """The numbers of logs and of events by category and partition."""

    def __init__(self, service: Service) -> None:
        self._events, self._logs = Counter[tuple[str, int]](), Counter[str]()
        for partition in range(service.settings.partitions):
            for end in service.stored_records.ends(partition):
                self._events[end.stream.category, partition] += end.version
                self._logs[end.stream.category] += 1

    def events(self, part: _Part) -> int:
        return sum(self._events[category, part.partition] for category in _categories(part.names))

    def logs(self, names: Collection[str]) -> int:
        return sum(self._logs[category] for category in _categories(names))


def _categories(names: Collection[str]) -> AbstractSet[str]:
    """Returns the categories of logs from which these names are rebuilt."""
    found = {projection.category for projection in PROJECTIONS if projection.name in names}
    return found | _DUE_CATEGORIES if DUE in names else found


def _resume(service: Service, names: Collection[str], *, restart: bool) -> AbstractSet[tuple[str, int]]:
    """Returns the parts that an interrupted rebuild of these names has done."""
    if restart:
        service.rebuilt_parts.remove(names)
    done = {(name, partition) for name, partition in service.rebuilt_parts.read() if name in names}
    if done:
        count = len(names) * service.settings.partitions
        say(
            f"Resuming: {len(done)} of {count} parts are rebuilt. Use --restart to rebuild everything again.",
            err=True,
        )
    return done


def _groups(service: Service, names: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Yields names that are rebuilt together: projections of one category, so that each log is read only once."""
    chosen = (projector for name, projector in service.projectors.items() if name in names)
    for projectors in grouped_by_category(chosen):
        yield tuple(projector.projection.name for projector in projectors)
    if DUE in names:
        yield (DUE,)


def _parts(service: Service, group: Sequence[str], done: AbstractSet[tuple[str, int]]) -> Iterator[_Part]:
    for partition in range(service.settings.partitions):
        if left := tuple(name for name in group if (name, partition) not in done):
            yield _Part(left, partition)


def _rebuild(service: Service, part: _Part, advance: Advance) -> _Rebuilt:
    # Read once more, because this may be another process than that of the progress bar.
    sizes = {end.stream: end.version for end in service.stored_records.ends(part.partition)}

    def step(stream: StreamId) -> None:
        advance(sizes.get(stream, 0))

    if DUE in part.names:
        service.due_audit().rebuild(step, partitions=[part.partition])
        return _Rebuilt(part, ())
    projectors = [service.projectors[name] for name in part.names]
    return _Rebuilt(part, rebuild(projectors, step, partitions=[part.partition]))


def _left_out(stream: StreamId) -> str:
    if stream.category == RATINGS.category:
        return f"The ratings of {stream.id} are left out, because their log"
    return f"{stream.category.capitalize()} {stream.id} is left out, because its log"
