"""Runs all audits of a service, partition by partition, for `hoodwink audit` and for the scrubber in the background.

A partition is audited in one pass: each log is read and replayed once for all audits.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import groupby, islice
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeAlias

from hoodwink.domain.projections import PROJECTIONS
from hoodwink.domain.tables.proving.proof import OnProgress, ignore_progress
from hoodwink.service.application.audit.audited_log import Auditor, AwaitingAuditor, Claim, StreamEnd
from hoodwink.service.application.audit.difference import PATIENCE_SECONDS, Difference, overdue
from hoodwink.service.application.audit.log_audit import BrokenLog, LogAudit, Notes, wrong_claim
from hoodwink.service.application.audit.projection_audit import ProjectionAudit
from hoodwink.service.application.audit.rating_audit import RatingAudit
from hoodwink.service.application.audit.stored_audit import StoredAudit
from hoodwink.service.application.projecting.projecting import lags
from hoodwink.service.bootstrap import Service

LOGS: Final = "logs"
ARCHIVE: Final = "archive"
RECORDS: Final = "records"
RATINGS: Final = "ratings"
DUE_TIMES: Final = "due times"

CERTAIN: Final = frozenset({LOGS, ARCHIVE, RECORDS})
"""The audits whose differences cannot be explained by a slow projector."""

_MAX_SHOWN: Final = 1_000

Found: TypeAlias = Difference | BrokenLog | str


def _ignore(_end: StreamEnd) -> None:
    pass


class Finding(NamedTuple):
    """A difference, and the name of the audit that has found it."""

    audit: str
    found: Found

    def __str__(self) -> str:
        if isinstance(self.found, BrokenLog):
            return _broken(self.found)
        return _different(self.found) if isinstance(self.found, Difference) else self.found


class Awaited(NamedTuple):
    """Missing data that may still arrive, and the name of the audit that waits for it."""

    audit: str
    item: Any


class Audited(NamedTuple):
    """The outcome of the audit of one partition.

    Attributes:
        claims: the results of tables that its tournaments report. Their tables may be in other partitions.
        ends: the digests of such results by its own tables.
    """

    findings: list[Finding]
    awaited: list[Awaited]
    claims: list[Claim]
    ends: dict[str, bytes]


def names(service: Service, *, quick: bool = False) -> tuple[str, ...]:
    """Returns the names of all audits, in the order of their findings."""
    first = (LOGS, RECORDS) if service.archive is None else (LOGS, ARCHIVE, RECORDS)
    return first if quick else (*first, *service.projectors, RATINGS, DUE_TIMES)


def audit_all(
    service: Service,
    notes: Notes,
    *,
    on_progress: OnProgress = ignore_progress,
    done: Callable[[StreamEnd], object] = _ignore,
    patience_seconds: float = PATIENCE_SECONDS,
) -> list[Finding]:
    """Runs all audits, one partition after the other, and returns their findings in order."""
    audits = names(service)
    parts = [
        audit_partition(service, notes, partition, audits, on_progress=on_progress, done=done)
        for partition in range(service.settings.partitions)
    ]
    return conclude(service, [*parts, audit_other_data(service)], audits, patience_seconds=patience_seconds)


def audit_partition(  # noqa: PLR0913
    service: Service,
    notes: Notes,
    partition: int,
    audits: Collection[str],
    *,
    with_archive: bool = True,
    on_progress: OnProgress = ignore_progress,
    done: Callable[[StreamEnd], object] = _ignore,
) -> Audited:
    """Audits a partition.

    Args:
        service: whose data are audited.
        notes: the record of the partition's verified logs.
        partition: its number.
        audits: the names of the audits.
        with_archive: whether to read archived logs.
        on_progress: called while logs are verified, with the number of events.
        done: called with each stream once it is audited.
    """
    findings = list[Finding]()
    # Projections are read now, and logs later, so that events appended meanwhile are awaited and not missing.
    parts = {
        name: auditor.of(partition, is_whole=not notes.is_complete)
        for name, auditor in _auditors(service).items()
        if name in audits
    }
    claims, table_ends = list[Claim](), dict[str, bytes]()
    logs = LogAudit(store=service.store, notes=notes, on_progress=on_progress)
    for end in ends(service, notes, partition, with_archive=with_archive):
        stored = None if end.is_archived else service.stored_records.find(end.stream)
        log, broken = logs.look_at(end.stream, stored)
        if broken is not None and LOGS in audits:
            findings.append(Finding(LOGS, broken))
        claims += log.claims if LOGS in audits else ()
        if log.end:
            table_ends[log.stream.id] = log.end
        for name, part in parts.items():
            findings += [Finding(name, found) for found in part.add(log)]
        done(end)
    if ARCHIVE in audits and service.archive is not None:
        faults = service.archive.faults(partition, thoroughly=False)
        findings += [Finding(ARCHIVE, found) for found in faults]
    for name, part in parts.items():
        findings += [Finding(name, found) for found in part.finish()]
    # Looked at once more, but not waited for: `conclude` waits for the data of all partitions together.
    awaited = [Awaited(name, item) for name, part in parts.items() for item in part.awaited]
    return Audited(findings, _overdue(service, awaited, patience_seconds=0), claims, table_ends)


def audit_other_data(service: Service) -> Audited:
    """Audits the data that belong to no stream, such as names."""
    return Audited([Finding(RECORDS, found) for found in _stored_audit(service).of_other_data()], [], [], {})


def ends(service: Service, notes: Notes, partition: int, *, with_archive: bool = True) -> Iterator[StreamEnd]:
    """Yields the ends of the streams that an audit with these notes looks at."""
    for end in service.stored_records.ends(partition):
        is_unchanged = notes.is_complete and notes.is_verified(end.stream, end.version, end.head)
        if not is_unchanged and (with_archive or not end.is_archived):
            yield end


def conclude(
    service: Service, parts: Collection[Audited], audits: Collection[str], *, patience_seconds: float
) -> list[Finding]:
    """Returns all findings in the order of the audits, after a wait for the data that may still arrive."""
    findings = [finding for part in parts for finding in part.findings]
    findings += [Finding(LOGS, broken) for broken in _wrong_claims(service, parts)]
    awaited = [it for part in parts for it in part.awaited]
    awaiting = _awaiting(service)
    findings += [
        Finding(name, awaiting[name].difference(item))
        for name, item in _overdue(service, awaited, patience_seconds=patience_seconds)
    ]
    places = {name: place for place, name in enumerate(audits)}
    return sorted(findings, key=lambda finding: places[finding.audit])


def _wrong_claims(service: Service, parts: Collection[Audited]) -> Iterator[BrokenLog]:
    """Yields the first result in the log of each tournament that the table's own log contradicts.

    Logs of tables that were not audited, or have changed since the report, are read for this.
    """
    ends = {table: digest for part in parts for table, digest in part.ends.items()}
    claims = [claim for part in parts for claim in part.claims if ends.get(claim.table) != claim.digest]
    for _, of_tournament in groupby(claims, attrgetter("tournament")):
        found = (wrong_claim(service.store, claim) for claim in of_tournament)
        yield from islice(filter(None, found), 1)


def _overdue(service: Service, awaited: Collection[Awaited], *, patience_seconds: float) -> list[Awaited]:
    awaiting = _awaiting(service)

    def is_missing(it: Awaited) -> bool:
        return awaiting[it.audit].is_missing(it.item)

    return overdue(awaited, is_missing, service.clock, patience_seconds)


def _auditors(service: Service) -> Mapping[str, Auditor]:
    return {RECORDS: _stored_audit(service), **_awaiting(service)}


def _awaiting(service: Service) -> Mapping[str, AwaitingAuditor]:
    """Returns the auditors of data that the projector or the rater stores later than the events."""
    store, target = service.store, service.projection_store
    projections = {it.name: ProjectionAudit(projection=it, store=store, target=target) for it in PROJECTIONS}
    ratings = RatingAudit(store=store, owners=service.players.owners, partition_of=target.partition)
    return {**projections, RATINGS: ratings, DUE_TIMES: service.due_audit()}


def _stored_audit(service: Service) -> StoredAudit:
    return StoredAudit(store=service.store, records=service.stored_records)


def unfinished(service: Service) -> str | None:
    """Returns a message if commits have waited too long for a projector, otherwise `None`."""
    # Lists, ratings and due times do not include these commits, and an operator should not mistake that for damage.
    waiting = max(lags(service.feed).values(), key=lambda lag: lag.age_ms)
    if waiting.age_ms <= 1_000 * PATIENCE_SECONDS:  # a busy projector may lag by as much
        return None
    return (
        f"No projector is running: {waiting.entries} commits are waiting, the oldest for {waiting.age_ms // 1_000} seconds. "
        "Start a projector and audit again: lists, ratings and due times do not include these commits yet."
    )


def _broken(broken: BrokenLog) -> str:
    event = "" if broken.finding.version is None else f", event {broken.finding.version}"
    return f"log: {broken.stream.category}:{broken.stream.id}{event}: {broken.finding.code}: {broken.finding.detail}"


def _different(difference: Difference) -> str:
    live, replayed = _shown(difference.live), _shown(difference.replayed)
    return f"{difference.source}: {difference.location}: is {live}, should be {replayed}"


def _shown(value: Any) -> str:
    if value is None:
        return "missing"
    text = str(value)
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}… ({len(text):,} characters)"
