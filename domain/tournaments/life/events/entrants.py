"""The events of entrants: entry, presence, seeds and byes (T-3 … T-9)."""

from fractions import Fraction
from typing import ClassVar

from hoodwink.domain.kernel import Public
from hoodwink.domain.tournaments.life.events.base import TournamentEventBase


class Entered(TournamentEventBase, frozen=True):
    """A player (`policy` is `None`) or a bot entered. Their name is not in the log.

    `entrant` is the player's id, or `bot:<n>`. `number` is 0 before the start, then the late entrant's starting rank;
    `from_round` is the first round that they can play in.
    """

    wire: ClassVar[str] = "tournament.entered@2"
    entrant: Public[str]
    policy: Public[str | None]
    seed_commitment: Public[str]
    number: Public[int]
    from_round: Public[int]


class EntrantWithdrew(TournamentEventBase, frozen=True):
    """An entrant withdrew, but finishes tables in play. `left_after` is their last round, 0 before round 1."""

    wire: ClassVar[str] = "tournament.withdrew"
    entrant: Public[str]
    left_after: Public[int]


class EntrantExpelled(TournamentEventBase, frozen=True):
    """The organiser expelled an entrant; their seats are resigned immediately (T-7)."""

    wire: ClassVar[str] = "tournament.expelled"
    entrant: Public[str]
    left_after: Public[int]
    reason: Public[str]


class EntrantsOrdered(TournamentEventBase, frozen=True):
    """The organiser set an order of entrants for the starting ranks (T-3)."""

    wire: ClassVar[str] = "tournament.entrants_ordered"
    entrants: Public[tuple[str, ...]]


class CheckInOpened(TournamentEventBase, frozen=True):
    """Entrants may check in for a sitting; its first round is not paired before `until`, in ms (T-4)."""

    wire: ClassVar[str] = "tournament.check_in_opened"
    sitting: Public[int]
    until: Public[int]


class CheckedIn(TournamentEventBase, frozen=True):
    """An entrant checked in for a sitting; `seed_commitment` is to a new seed, or empty."""

    wire: ClassVar[str] = "tournament.checked_in"
    entrant: Public[str]
    sitting: Public[int]
    seed_commitment: Public[str]


class SaidAbsent(TournamentEventBase, frozen=True):
    """An entrant announced that they will not play in a sitting; they may still check in again."""

    wire: ClassVar[str] = "tournament.said_absent"
    entrant: Public[str]
    sitting: Public[int]


class SeedsCalled(TournamentEventBase, frozen=True):
    """A round is about to open; these entrants have ten seconds to reveal their seeds (T-14).

    `early` and `reason` come from the command that opens the round.
    """

    wire: ClassVar[str] = "tournament.seeds_called"
    round: Public[int]
    entrants: Public[tuple[str, ...]]
    early: Public[bool]
    reason: Public[str]


class EntrantSeedRevealed(TournamentEventBase, frozen=True):
    """An entrant revealed the seed that they had committed to."""

    wire: ClassVar[str] = "tournament.entrant_seed_revealed"
    entrant: Public[str]
    seed: Public[str]


class EntrantSeedsMissed(TournamentEventBase, frozen=True):
    """These entrants did not reveal their seeds in time; the seeds count as empty."""

    wire: ClassVar[str] = "tournament.entrant_seeds_missed"
    entrants: Public[tuple[str, ...]]


class ByeRequested(TournamentEventBase, frozen=True):
    """An entrant requested a bye in a later round."""

    wire: ClassVar[str] = "tournament.bye_requested"
    entrant: Public[str]
    round: Public[int]


class ByeAssigned(TournamentEventBase, frozen=True):
    """The organiser gave an entrant a bye with this score in a later round (T-9)."""

    wire: ClassVar[str] = "tournament.bye_assigned"
    entrant: Public[str]
    round: Public[int]
    score: Public[Fraction]
    reason: Public[str]
