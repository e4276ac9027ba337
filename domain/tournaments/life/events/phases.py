"""The events of a whole tournament: its opening, phases, settings and seed (T-2, T-14)."""

from typing import ClassVar

from hoodwink.domain.kernel import Public, Secret
from hoodwink.domain.tournaments.life.events.base import TournamentEventBase
from hoodwink.domain.tournaments.life.setup import Setup
from hoodwink.domain.tournaments.terms import Tiebreak


class TournamentOpened(TournamentEventBase, frozen=True):
    """A tournament was opened. `server_seed` stays secret until it is revealed; its hash is public (T-14).

    `edition` is that of the part of docs/FAIRNESS.md about tournaments.
    """

    wire: ClassVar[str] = "tournament.opened@3"
    tournament: Public[str]
    organiser: Public[str]
    setup: Public[Setup]
    commitment: Public[str]
    server_seed: Secret
    edition: Public[int]


class RegistrationOpened(TournamentEventBase, frozen=True):
    """The organiser opened registration."""

    wire: ClassVar[str] = "tournament.registration_opened"


class SeriesJoined(TournamentEventBase, frozen=True):
    """The service opened the tournament for a date of a series (S-3)."""

    wire: ClassVar[str] = "tournament.series_joined"
    series: Public[str]
    number: Public[int]


class TournamentStarted(TournamentEventBase, frozen=True):
    """The tournament began, and the starting ranks were fixed.

    `ratings` determined the ranks: mu - 3 sigma in millionths, by entrant. `entrants` are in order of starting rank. In a
    round robin, `schedule` has the seats of every table of every round.
    """

    wire: ClassVar[str] = "tournament.started"
    ratings: Public[dict[str, int]]
    entrants: Public[tuple[str, ...]]
    rounds: Public[int]
    schedule: Public[tuple[tuple[tuple[int, ...], ...], ...]]


class TiebreaksChanged(TournamentEventBase, frozen=True):
    """The organiser changed the tie-breaks."""

    wire: ClassVar[str] = "tournament.tiebreaks_changed"
    tiebreaks: Public[tuple[Tiebreak, ...]]
    reason: Public[str]


class SittingRescheduled(TournamentEventBase, frozen=True):
    """The organiser changed the start of a sitting, in ms since the epoch; `None` for no set time."""

    wire: ClassVar[str] = "tournament.sitting_rescheduled"
    sitting: Public[int]
    starts_at: Public[int | None]
    reason: Public[str]


class TournamentPaused(TournamentEventBase, frozen=True):
    """The organiser paused the tournament."""

    wire: ClassVar[str] = "tournament.paused"
    reason: Public[str]


class TournamentResumed(TournamentEventBase, frozen=True):
    """The organiser resumed the paused tournament."""

    wire: ClassVar[str] = "tournament.resumed"


class ClocksMoved(TournamentEventBase, frozen=True):
    """The service was away from `since` to `until`, in ms; running deadlines were postponed by that time (T-16)."""

    wire: ClassVar[str] = "tournament.clocks_moved"
    since: Public[int]
    until: Public[int]


class TournamentFinished(TournamentEventBase, frozen=True):
    """The tournament ended; `reason` is not empty if this was before the last round was complete."""

    wire: ClassVar[str] = "tournament.finished"
    reason: Public[str]


class TournamentCancelled(TournamentEventBase, frozen=True):
    """The organiser or an administrator cancelled the tournament."""

    wire: ClassVar[str] = "tournament.cancelled"
    reason: Public[str]


class SeedRevealed(TournamentEventBase, frozen=True):
    """The last table has ended and the seed was revealed, so that anyone can recompute every lot and every shuffle."""

    wire: ClassVar[str] = "tournament.seed_revealed"
    server_seed: Public[str]
