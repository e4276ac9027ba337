"""The commands of a tournament. The caller checks who may give them."""

from fractions import Fraction
from typing import TypeAlias

import msgspec

from hoodwink.domain.tables.events import Outcome
from hoodwink.domain.tournaments.life.admission import OPEN_TO_ALL, Admission
from hoodwink.domain.tournaments.life.editions import LATEST_EDITION
from hoodwink.domain.tournaments.life.events import Seats
from hoodwink.domain.tournaments.life.setup import ArenaTimes, Setup
from hoodwink.domain.tournaments.terms import Compare, Tiebreak


class Command(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Base of the tournament commands."""


class OpenTournament(Command, frozen=True, kw_only=True):
    """Open a tournament as a draft.

    Attributes:
        server_seed: 64 hex digits of fresh entropy.
        compare: how seats are compared if all tables of a round play the same deal; `None` if each has its own (D-1).
        arena: the times of an arena, and `None` for all other formats.
    """

    tournament: str
    organiser: str
    setup: Setup
    server_seed: str
    edition: int = LATEST_EDITION
    compare: Compare | None = None
    admission: Admission = OPEN_TO_ALL
    arena: ArenaTimes | None = None


class OpenRegistration(Command, frozen=True):
    """Let entrants enter."""


class Enter(Command, frozen=True, kw_only=True):
    """Enter a player, or ask for it (T-26), or enter a bot with a `policy` and an empty `player`."""

    player: str
    policy: str | None = None
    seed_commitment: str = ""


class Withdraw(Command, frozen=True):
    """Leave the tournament, or no longer ask to enter."""

    entrant: str


class Expel(Command, frozen=True):
    entrant: str
    reason: str


class OrderEntrants(Command, frozen=True):
    """Set the order of the starting ranks; other entrants follow in order of arrival."""

    entrants: tuple[str, ...]


class AcceptEntry(Command, frozen=True):
    """Enter a player who asked for it (T-26)."""

    entrant: str


class DeclineEntry(Command, frozen=True):
    entrant: str


class ReplaceInvitation(Command, frozen=True):
    """Make the invitation code and all links with it invalid (T-25)."""


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


class SealTable(Command, frozen=True):
    """Record that a table whose deal others may still play has ended; `head` is the last hash of its log (D-7)."""

    round: int
    board: int
    table: str
    head: str


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


class MarkAbsent(Command, frozen=True):
    """Mark an entrant as absent from the current sitting (T-18)."""

    entrant: str
    official: str
    reason: str


class WithdrawEntrant(Command, frozen=True):
    """Withdraw an entrant who has not done so (T-18)."""

    entrant: str
    official: str
    reason: str


class AddRounds(Command, frozen=True):
    """Add rounds to the last sitting, before the last planned one is paired (T-22)."""

    rounds: int
    official: str
    reason: str


class Describe(Command, frozen=True):
    """Write, replace or, without a text, remove the description (T-60); `text` is its salted hash."""

    official: str
    text: str


class Announce(Command, frozen=True):
    """Announce something to everybody (T-61); `text` is its salted hash."""

    official: str
    text: str


class NameArbiter(Command, frozen=True):
    """Let a player decide about tables and absences (T-23)."""

    player: str


class RemoveArbiter(Command, frozen=True):
    player: str


class StopTable(Command, frozen=True):
    """End a table in play without a result (V-4); `deal` is the board's last one."""

    round: int
    board: int
    deal: int
    official: str
    reason: str


class RuleResult(Command, frozen=True, kw_only=True):
    """Rule on the result of a board (V-5); see `ResultRuled`."""

    round: int
    board: int
    official: str
    places: tuple[int | None, ...] | None = None
    points: tuple[int, ...] | None = None
    score: Fraction | None = None
    reason: str


class ReverseRuling(Command, frozen=True):
    """Let the result of a board's table count again (V-6)."""

    round: int
    board: int
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


class RingBell(Command, frozen=True):
    """End the time of an arena (T-47)."""


class EndOvertime(Command, frozen=True):
    """End the tables that are left some time after the bell of an arena (T-47)."""


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
    | AcceptEntry
    | DeclineEntry
    | ReplaceInvitation
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
    | SealTable
    | ReportTable
    | VoidTable
    | ScoreVoid
    | NameArbiter
    | RemoveArbiter
    | AddRounds
    | Describe
    | Announce
    | MarkAbsent
    | WithdrawEntrant
    | StopTable
    | RuleResult
    | ReverseRuling
    | ChangeTiebreaks
    | Reschedule
    | Pause
    | Resume
    | MoveClocks
    | RingBell
    | EndOvertime
    | Finish
    | Cancel
)
