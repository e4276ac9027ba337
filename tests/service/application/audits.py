"""Runs single audits over all partitions."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from hoodwink.service.adapters.process.audit_notes import AuditNotes
from hoodwink.service.application.ports import StreamId
from hoodwink.service.auditing import audit_other_data, audit_partition, conclude
from hoodwink.service.bootstrap import Service
from hoodwink.workers.scrubber import NoNotes


def differences(
    service: Service,
    *audits: str,
    folder: Path | None = None,
    done: Callable[[StreamId], object] = lambda _stream: None,
    patience_seconds: float = 0,
) -> list[Any]:
    """Returns what the audits with these names find.

    Args:
        service: whose data are audited.
        audits: the names, as in `service.auditing`.
        folder: of the notes, if they are kept.
        done: called with each stream once it is audited.
        patience_seconds: how long data may lag behind the logs.
    """
    parts = []
    for partition in range(service.settings.partitions):
        notes = AuditNotes(folder, partition) if folder else NoNotes()
        parts.append(audit_partition(service, notes, partition, audits, done=lambda end: done(end.stream)))
        if isinstance(notes, AuditNotes):
            notes.close()
    if "records" in audits:
        parts.append(audit_other_data(service))
    return [found for _, found in conclude(service, parts, audits, patience_seconds=patience_seconds)]
