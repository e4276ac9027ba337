"""The acts of officials and administrators in the log of a tournament, and which of them were reversed (V-8)."""

from collections.abc import Iterable
from typing import Final, TypeAlias

import msgspec

from hoodwink.domain.tables.actor import ADMIN, co_organiser_of, is_organiser
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tournaments.life import events

_ALWAYS: Final = (events.ArbiterRemoved, events.CoOrganiserRemoved, events.TableVoided)
"""Acts that officials may do as players, and that the service may record for an administrator."""

_NEVER: Final = (
    events.DuplicateChosen,
    events.AdmissionChosen,
    events.ArenaChosen,
    events.PairingDropped,
    events.DealAdded,
    events.DealReleased,
    events.RoundCompleted,
    events.SeedRevealed,
)
"""What follows from an act in the same commit."""

_Subject: TypeAlias = tuple[object, ...]


class JournalAct(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An act of an official or administrator.

    Attributes:
        recorded: its event.
        official: the id of the official; `None` for an administrator.
        reversed_by: the version of the event that reversed it, or `None`.
    """

    recorded: Recorded
    official: str | None
    reversed_by: int | None


def journal_of(history: Iterable[Recorded], organiser: str) -> tuple[JournalAct, ...]:
    """Returns the acts in the whole history of a tournament, the latest first."""
    acts = [recorded for recorded in history if _is_act(recorded)]
    standing, reversed_by = dict[_Subject, list[int]](), dict[int, int]()
    for recorded in acts:
        version = recorded.entry.version
        if (subject := _subject_of(recorded)) is not None:
            standing.setdefault(subject, []).append(version)
        elif (subject := _reversed_subject(recorded)) is not None:
            reversed_by[standing[subject].pop()] = version
    return tuple(
        [
            JournalAct(
                recorded=recorded,
                official=_official_of(recorded, organiser),
                reversed_by=reversed_by.get(recorded.entry.version),
            )
            for recorded in reversed(acts)
        ]
    )


def _is_act(recorded: Recorded) -> bool:
    event, by = recorded.event, recorded.entry.by
    if isinstance(event, events.Entered) and event.policy is None:
        return False  # the acceptance before it is the act
    return isinstance(event, _ALWAYS) or ((is_organiser(by) or by == ADMIN) and not isinstance(event, _NEVER))


def _official_of(recorded: Recorded, organiser: str) -> str | None:
    event, by = recorded.event, recorded.entry.by
    if isinstance(event, _ALWAYS[:2]) and not is_organiser(by):
        return event.player
    if not is_organiser(by):
        return None
    return getattr(event, "official", None) or co_organiser_of(by) or organiser


def _subject_of(recorded: Recorded) -> _Subject | None:
    """Returns the subject of an act that can be reversed."""
    event = recorded.event
    match event:
        case events.ResultRuled():
            return events.ResultRuled, event.round, event.board
        case events.MarkedAbsent() | events.EntrantWithdrawn():
            return type(event), event.entrant
        case events.PlaceOffered():
            return events.PlaceOffered, event.player
        case events.RoundsAdded():
            return (events.RoundsAdded,)
        case _:
            return None


def _reversed_subject(recorded: Recorded) -> _Subject | None:
    event = recorded.event
    match event:
        case events.RulingReversed():
            return events.ResultRuled, event.round, event.board
        case events.AbsenceReversed():
            return events.MarkedAbsent, event.entrant
        case events.WithdrawalReversed():
            return events.EntrantWithdrawn, event.entrant
        case events.SubstitutionReversed():
            return events.PlaceOffered, event.entrant
        case events.AddedRoundsReversed():
            return (events.RoundsAdded,)
        case _:
            return None
