"""The commands of a tournament. The caller checks who may give them."""

from fractions import Fraction
from typing import TypeAlias

import msgspec

from hoodwink.domain.tables.events import Outcome
from hoodwink.domain.tournaments.life.editions import LATEST_EDITION
from hoodwink.domain.tournaments.life.events import Seats
from hoodwink.domain.tournaments.life.setup import Setup
from hoodwink.domain.tournaments.terms import Tiebreak


class Command(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Base of the tournament commands."""


class OpenTournament(Command, frozen=True, kw_only=True):
    """Open a tournament as a draft; `server_seed` is 64 hex digits of fresh entropy."""

    tournament: str
    organiser: str
    setup: Setup
    server_seed: str
    edition: int = LATEST_EDITION


class OpenRegistration(Command, frozen=True):
    """Let entrants enter."""


class Enter(Command, frozen=True, kw_only=True):
    """Enter a player, or a bot with a `policy` and an empty `player`."""

    player: str
    policy: str | None = None
    seed_commitment: str = ""


class Withdraw(Command, frozen=True):
    entrant: str


class Expel(Command, frozen=True):
    entrant: str
    reason: str


class OrderEntrants(Command, frozen=True):
    """Set the order of the starting ranks; other entrants follow in order of arrival."""

    entrants: tuple[str, ...]


class StartTournament(Command, frozen=True):
    """Fix the starting ranks and begin; `ratings` are mu - 3 sigma in millionths, by id, of the rated entrants."""

    ratings: dict[str, int]


class OpenCheckIn(Command, frozen=True):
    sitting: int


class CheckIn(Command, frozen=True):
    """Check in for the current sitting, optionally with a commitment to a new seed."""

    entrant: str
    seed_commitment: str = ""


class SayAbsent(Command, frozen=True):
    """Sit out the current sitting."""

    entrant: str


class RevealEntrantSeed(Command, frozen=True):
    entrant: str
    seed: str


class MissSeeds(Command, frozen=True):
    """Continue without the seeds that were not revealed in time."""


class RequestBye(Command, frozen=True):
    entrant: str
    round: int


class AssignBye(Command, frozen=True):
    entrant: str
    round: int
    score: Fraction
    reason: str


class OpenRound(Command, frozen=True):
    """Pair a round, or first call for the entrants' seeds; `early` allows unfinished tables of earlier rounds."""

    round: int
    early: bool = False
    reason: str = ""


class ChangePairing(Command, frozen=True):
    """Replace the pairing of a round that has not started (T-13)."""

    round: int
    tables: tuple[Seats, ...]
    byes: tuple[int, ...]
    reason: str


class StartRound(Command, frozen=True):
    round: int


class ConfirmTables(Command, frozen=True):
    """Record that the service has opened these tables."""

    tables: tuple[str, ...]


class ConfirmGivenUp(Command, frozen=True):
    """Record that the service has resigned an expelled entrant's seat."""

    entrant: str
    table: str


class ReportTable(Command, frozen=True, kw_only=True):
    """Record the end of a table, as in its log; see `TableReported`."""

    round: int
    board: int
    deal: int
    table: str
    version: int
    head: str
    outcome: Outcome
    places: tuple[int, ...] | None
    points: tuple[int, ...] | None
    no_shows: tuple[int, ...] = ()
    resigned: tuple[int, ...] = ()
    by_bot: tuple[int, ...] = ()


class VoidTable(Command, frozen=True):
    """Record that an administrator voided a table."""

    round: int
    board: int
    deal: int
    reason: str


class ScoreVoid(Command, frozen=True):
    round: int
    board: int
    score: Fraction
    reason: str


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


class Finish(Command, frozen=True):
    """End the tournament; needs a reason before the last round is complete."""

    reason: str = ""


class Cancel(Command, frozen=True):
    reason: str


TournamentCommand: TypeAlias = (
    OpenTournament
    | OpenRegistration
    | Enter
    | Withdraw
    | Expel
    | OrderEntrants
    | StartTournament
    | OpenCheckIn
    | CheckIn
    | SayAbsent
    | RevealEntrantSeed
    | MissSeeds
    | RequestBye
    | AssignBye
    | OpenRound
    | ChangePairing
    | StartRound
    | ConfirmTables
    | ConfirmGivenUp
    | ReportTable
    | VoidTable
    | ScoreVoid
    | ChangeTiebreaks
    | Reschedule
    | Pause
    | Resume
    | MoveClocks
    | Finish
    | Cancel
)
