"""The API's answer about the acts of officials."""

from collections.abc import Iterable

import msgspec

from hoodwink.domain.kernel import Names
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tournaments.life import Tournament
from hoodwink.domain.tournaments.life.proving.journal import JournalAct, journal_of
from hoodwink.domain.words import Cast, tournament_sentence


class JournalEntry(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An act of an official or administrator.

    Attributes:
        version: the number of its event in the tournament.
        at: in ms since the epoch.
        by: `organiser`, `co_organiser:<id>`, `entrant:<id>`, `worker` or `admin`, as in the event.
        official: the id of the official who acted; `null` for an administrator.
        type: the type of the event.
        words: a sentence.
        reason: the reason as in the event, or its salted hash (see `GET /v1/reasons/{digest}`); empty without one.
        reversed_by: the version of the event by which an administrator reversed it, or `null`.
    """

    version: int
    at: int
    by: str
    official: str | None
    type: str
    words: str
    reason: str
    reversed_by: int | None


class JournalAnswer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The acts of officials and administrators, the latest first.

    Attributes:
        cursor: the cursor of the next page; `null` on the last one.
    """

    acts: tuple[JournalEntry, ...]
    cursor: str | None


def journal_answer(
    tournament: Tournament, history: Iterable[Recorded], names: Names, *, before: int | None, count: int
) -> JournalAnswer:
    """Returns a page of acts; `before` is a version."""
    acts = [
        act
        for act in journal_of(history, tournament.organiser)
        if before is None or act.recorded.entry.version < before
    ]
    cast, shown = Cast(tournament, names), acts[:count]
    cursor = str(shown[-1].recorded.entry.version) if len(acts) > count else None
    return JournalAnswer(acts=tuple([_entry(act, cast) for act in shown]), cursor=cursor)


def _entry(act: JournalAct, cast: Cast) -> JournalEntry:
    entry, event = act.recorded.entry, act.recorded.event
    return JournalEntry(
        version=entry.version,
        at=entry.at,
        by=entry.by,
        official=act.official,
        type=event.wire,
        words=tournament_sentence(event, cast, by=entry.by),
        reason=getattr(event, "reason", ""),
        reversed_by=act.reversed_by,
    )
