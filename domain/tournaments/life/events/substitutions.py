"""The events of substitutions (T-19), and those by which administrators reverse decisions about entrants and rounds (V-7)."""

from typing import ClassVar

from hoodwink.domain.kernel import Public
from hoodwink.domain.tournaments.life.events.base import TournamentEventBase


class PlaceOffered(TournamentEventBase, frozen=True):
    """An official offered the place of an entrant to another player (T-19)."""

    wire: ClassVar[str] = "tournament.place_offered"
    entrant: Public[str]
    player: Public[str]
    official: Public[str]
    reason: Public[str]


class PlaceDeclined(TournamentEventBase, frozen=True):
    """The player declined the place of an entrant, or it is no longer offered."""

    wire: ClassVar[str] = "tournament.place_declined"
    entrant: Public[str]
    player: Public[str]


class EntrantSubstituted(TournamentEventBase, frozen=True):
    """A player took over the place of an entrant, who still holds it in rounds up to `until` (T-19)."""

    wire: ClassVar[str] = "tournament.entrant_substituted"
    entrant: Public[str]
    player: Public[str]
    until: Public[int]
    seed_commitment: Public[str]


class AbsenceReversed(TournamentEventBase, frozen=True):
    """An administrator reversed the decision that an entrant is absent (V-7)."""

    wire: ClassVar[str] = "tournament.absence_reversed"
    entrant: Public[str]
    reason: Public[str]


class WithdrawalReversed(TournamentEventBase, frozen=True):
    """An administrator reversed the decision of an official to withdraw an entrant (V-7)."""

    wire: ClassVar[str] = "tournament.withdrawal_reversed"
    entrant: Public[str]
    reason: Public[str]


class SubstitutionReversed(TournamentEventBase, frozen=True):
    """An administrator gave an entrant's place back to the `player` before, for rounds after `until` (V-7)."""

    wire: ClassVar[str] = "tournament.substitution_reversed"
    entrant: Public[str]
    player: Public[str]
    until: Public[int]
    reason: Public[str]


class AddedRoundsReversed(TournamentEventBase, frozen=True):
    """An administrator took back the rounds that an official had added last (V-7)."""

    wire: ClassVar[str] = "tournament.added_rounds_reversed"
    rounds: Public[int]
    reason: Public[str]
