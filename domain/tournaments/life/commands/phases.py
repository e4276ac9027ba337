"""The commands that change the phase or the settings of a tournament."""

from hoodwink.domain.tournaments.life.admission import OPEN_TO_ALL, Admission
from hoodwink.domain.tournaments.life.commands.base import Command
from hoodwink.domain.tournaments.life.editions import LATEST_EDITION
from hoodwink.domain.tournaments.life.setup import ArenaTimes, SeriesPlace, Setup, TeamTerms
from hoodwink.domain.tournaments.terms import Compare, Tiebreak


class OpenTournament(Command, frozen=True, kw_only=True):
    """Open a tournament as a draft.

    Attributes:
        server_seed: 64 hex digits of fresh entropy.
        compare: how seats are compared if all tables of a round play the same deal; `None` if each has its own (D-1).
        deals_per_pairing: how many rounds in a row the same opponents then play.
        arena: the times of an arena, and `None` for all other formats.
        teams: the terms for teams, if there are any (T-30).
        series: the series for which the service opens it, if any (S-3).
    """

    tournament: str
    organiser: str
    setup: Setup
    server_seed: str
    edition: int = LATEST_EDITION
    compare: Compare | None = None
    deals_per_pairing: int = 1
    admission: Admission = OPEN_TO_ALL
    arena: ArenaTimes | None = None
    teams: TeamTerms | None = None
    series: SeriesPlace | None = None


class OpenRegistration(Command, frozen=True):
    """Let entrants enter."""


class ReplaceInvitation(Command, frozen=True):
    """Make the invitation code and all links with it invalid (T-25)."""


class StartTournament(Command, frozen=True):
    """Fix the starting ranks and begin; `ratings` are mu - 3 sigma in millionths, by id, of the rated entrants."""

    ratings: dict[str, int]


class StartOnTime(Command, frozen=True):
    """Start a tournament of a series at its time, or cancel it if it cannot start (S-4)."""

    ratings: dict[str, int]


class ChangeTiebreaks(Command, frozen=True):
    tiebreaks: tuple[Tiebreak, ...]
    reason: str = ""


class Reschedule(Command, frozen=True):
    sitting: int
    starts_at: int | None
    reason: str = ""


class Pause(Command, frozen=True):
    reason: str = ""


class Resume(Command, frozen=True):
    """Continue after a pause."""


class MoveClocks(Command, frozen=True):
    """Move the running deadlines because the service was away from `since` to `until`, in ms (T-16)."""

    since: int
    until: int


class RingBell(Command, frozen=True):
    """End the time of an arena (T-47)."""


class EndOvertime(Command, frozen=True):
    """End the tables that are left some time after the bell of an arena (T-47)."""


class Finish(Command, frozen=True):
    """End the tournament; needs a reason before the last round is complete."""

    reason: str = ""


class Cancel(Command, frozen=True):
    reason: str
