"""The acts of officials and administrators in the log of a tournament, and which of them were reversed (V-8)."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import msgspec

from hoodwink.domain.tables.actor import ADMIN, co_organiser_of, is_organiser
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tournaments.life import events

_REMOVALS: Final = (events.ArbiterRemoved, events.CoOrganiserRemoved)
"""Acts that officials may do as players, to resign."""

_ALWAYS: Final = (*_REMOVALS, events.TableVoided)
"""Acts by their kind alone; the service may record a void for an administrator."""

_NEVER: Final = (
    events.DuplicateChosen,
    events.DealsChosen,
    events.AdmissionChosen,
    events.ArenaChosen,
    events.TeamsChosen,
    events.PairingDropped,
    events.DealAdded,
    events.DealReleased,
    events.RoundCompleted,
    events.SeedRevealed,
)
"""The events that may follow from an act in the same commit."""

_Subject: TypeAlias = tuple[object, ...]


_REVERSIBLE: Final[Mapping[type, Callable[[Any], _Subject]]] = MappingProxyType(
    {
        events.ResultRuled: lambda event: (events.ResultRuled, event.round, event.board),
        events.MarkedAbsent: lambda event: (events.MarkedAbsent, event.entrant),
        events.EntrantWithdrawn: lambda event: (events.EntrantWithdrawn, event.entrant),
        events.PlaceOffered: lambda event: (events.PlaceOffered, event.player),
        events.RoundsAdded: lambda _: (events.RoundsAdded,),
    }
)
"""The subject of each act that can be reversed."""

_REVERSALS: Final[Mapping[type, Callable[[Any], _Subject]]] = MappingProxyType(
    {
        events.RulingReversed: lambda event: (events.ResultRuled, event.round, event.board),
        events.AbsenceReversed: lambda event: (events.MarkedAbsent, event.entrant),
        events.WithdrawalReversed: lambda event: (events.EntrantWithdrawn, event.entrant),
        events.SubstitutionReversed: lambda event: (events.PlaceOffered, event.entrant),
        events.AddedRoundsReversed: lambda _: (events.RoundsAdded,),
    }
)
"""The subject whose latest act each reversal reverses."""


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


def journal_of(latest: Iterable[Recorded], organiser: str) -> Iterator[JournalAct]:
    """Yields the acts among the events of a tournament; both have the latest first."""
    reversals = defaultdict[_Subject, list[int]](list)
    for recorded in latest:
        if not _is_act(recorded):
            continue
        kind, reversed_by = type(recorded.event), None
        if kind in _REVERSALS:
            reversals[_REVERSALS[kind](recorded.event)].append(recorded.entry.version)
        elif kind in _REVERSIBLE and (later := reversals[_REVERSIBLE[kind](recorded.event)]):
            reversed_by = later.pop()
        yield JournalAct(
            recorded=recorded, official=_official_of(recorded, organiser), reversed_by=reversed_by
        )


def _is_act(recorded: Recorded) -> bool:
    event, by = recorded.event, recorded.entry.by
    if isinstance(event, events.Entered) and event.policy is None:
        return False  # the acceptance before it is the act
    return isinstance(event, _ALWAYS) or ((is_organiser(by) or by == ADMIN) and not isinstance(event, _NEVER))


def _official_of(recorded: Recorded, organiser: str) -> str | None:
    event, by = recorded.event, recorded.entry.by
    if isinstance(event, _REMOVALS) and not is_organiser(by):
        return event.player
    if not is_organiser(by):
        return None
    return getattr(event, "official", None) or co_organiser_of(by) or organiser
