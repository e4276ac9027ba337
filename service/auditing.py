"""Runs all audits of a service in order, for `hoodwink audit` and for the scrubber in the background."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from hoodwink.domain.projections import PROJECTIONS, Projection
from hoodwink.domain.tables.proving.proof import Checked, uncounted
from hoodwink.service.application.audit.audit import PATIENCE_SECONDS, Difference
from hoodwink.service.application.audit.log_audit import BrokenLog, Notes
from hoodwink.service.application.ports import StreamId
from hoodwink.service.application.projecting.projecting import lags
from hoodwink.service.bootstrap import Service

Done: TypeAlias = Callable[[StreamId], None]


class Stage(NamedTuple):
    """One audit.

    Attributes:
        name: the data that it audits.
        size: returns the approximate number of streams that it reads.
        findings: yields a line for each difference, and calls its argument with each stream once it is done.
        awaits_projector: whether a slow projector can explain differences.
    """

    name: str
    size: Callable[[], int]
    findings: Callable[[Done], Iterator[str]]
    awaits_projector: bool = True


def stages(
    service: Service,
    notes: Notes,
    *,
    checked: Checked = uncounted,
    patience_seconds: float = PATIENCE_SECONDS,
    quick: bool = False,
) -> Iterator[Stage]:
    """Yields the audits of all stored data.

    Args:
        service: whose data are audited.
        notes: the record of verified logs.
        checked: called while logs are verified, with the number of events.
        patience_seconds: how long data may lag behind the logs.
        quick: whether to leave out all audits that need the contents of archived logs.
    """

    def of(*categories: str) -> Callable[[], int]:
        return lambda: sum(1 for category in categories for _ in service.store.streams(category))

    def shown(differences: Callable[[Done], Iterator[Difference]]) -> Callable[[Done], Iterator[str]]:
        return lambda done: map(_different, differences(done))

    # Logs come first: the other audits replay them, and a broken log would only look like damage elsewhere.
    logs = service.log_audit(notes, checked, with_archive=not quick)
    yield Stage(
        "logs",
        of("table", "tournament"),
        lambda done: map(_broken, logs.broken(done)),
        awaits_projector=False,
    )
    if (archive := service.archive) is not None:
        yield Stage(
            "archive", archive.count, partial(archive.faults, thoroughly=False), awaits_projector=False
        )
    stored = shown(service.stored_audit().differences)
    yield Stage("records", of("table", "tournament", "player"), stored, awaits_projector=False)
    if quick:
        return
    for projection in PROJECTIONS:
        yield Stage(
            projection.name, of(projection.category), shown(_of(service, projection, patience_seconds))
        )
    ratings = service.rating_audit(patience_seconds=patience_seconds)
    yield Stage("ratings", of("table"), shown(ratings.differences))
    due = service.due_audit(patience_seconds=patience_seconds)
    yield Stage("due times", of("table", "tournament"), shown(due.differences))


def _of(
    service: Service, projection: Projection, patience_seconds: float
) -> Callable[[Done], Iterator[Difference]]:
    return service.audit(projection, patience_seconds=patience_seconds).differences


def unfinished(service: Service) -> str | None:
    """Returns a message if no projector applies the commits that wait for it, otherwise `None`."""
    # Lists, ratings and due times lack these commits, which an operator should not mistake for damage.
    waiting = max(lags(service.feed).values(), key=lambda lag: lag.age_ms)
    if waiting.age_ms <= 1_000 * PATIENCE_SECONDS:  # a busy projector may be that far behind
        return None
    return (
        f"No projector is at work: {waiting.entries} commits are waiting, the oldest for {waiting.age_ms // 1_000} seconds. "
        "Start a projector and audit again: lists, ratings and due times do not include these commits yet."
    )


def _broken(broken: BrokenLog) -> str:
    event = "" if broken.finding.version is None else f", event {broken.finding.version}"
    return f"log: {broken.stream.category}:{broken.stream.id}{event}: {broken.finding.code}: {broken.finding.detail}"


def _different(difference: Difference) -> str:
    live, replayed = _shown(difference.live), _shown(difference.replayed)
    return f"{difference.source}: {difference.location}: is {live}, should be {replayed}"


def _shown(value: Any) -> str:
    return "missing" if value is None else str(value)
