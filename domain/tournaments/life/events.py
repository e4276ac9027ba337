"""The events of a tournament."""

from fractions import Fraction
from typing import ClassVar, TypeAlias, TypeGuard, get_args

from hoodwink.domain.kernel import Event, Public, Secret
from hoodwink.domain.tables.events import Outcome
from hoodwink.domain.tournaments.crosstable import Unplayed
from hoodwink.domain.tournaments.life.admission_events import AdmissionChosen as AdmissionChosen  # noqa: PLC0414 - exported from here
from hoodwink.domain.tournaments.life.admission_events import EntryAccepted as EntryAccepted  # noqa: PLC0414 - as above
from hoodwink.domain.tournaments.life.admission_events import EntryDeclined as EntryDeclined  # noqa: PLC0414 - as above
from hoodwink.domain.tournaments.life.admission_events import EntryRequested as EntryRequested  # noqa: PLC0414 - as above
from hoodwink.domain.tournaments.life.admission_events import InvitationReplaced as InvitationReplaced  # noqa: PLC0414 - as above
from hoodwink.domain.tournaments.life.admission_events import RequestWithdrawn as RequestWithdrawn  # noqa: PLC0414 - as above
from hoodwink.domain.tournaments.life.arena_events import ArenaChosen as ArenaChosen  # noqa: PLC0414 - as above
from hoodwink.domain.tournaments.life.arena_events import BellRung as BellRung  # noqa: PLC0414 - as above
from hoodwink.domain.tournaments.life.arena_events import OvertimeEnded as OvertimeEnded  # noqa: PLC0414 - as above
from hoodwink.domain.tournaments.life.contact_events import Announced as Announced  # noqa: PLC0414 - as above
from hoodwink.domain.tournaments.life.contact_events import Described as Described  # noqa: PLC0414 - as above
from hoodwink.domain.tournaments.life.deal_events import DealReleased as DealReleased  # noqa: PLC0414 - as above
from hoodwink.domain.tournaments.life.deal_events import DuplicateChosen as DuplicateChosen  # noqa: PLC0414 - as above
from hoodwink.domain.tournaments.life.deal_events import OfTournament
from hoodwink.domain.tournaments.life.deal_events import TableSealed as TableSealed  # noqa: PLC0414 - as above
from hoodwink.domain.tournaments.life.ruling_events import ArbiterNamed as ArbiterNamed  # noqa: PLC0414 - as above
from hoodwink.domain.tournaments.life.ruling_events import ArbiterRemoved as ArbiterRemoved  # noqa: PLC0414 - as above
from hoodwink.domain.tournaments.life.ruling_events import EntrantWithdrawn as EntrantWithdrawn  # noqa: PLC0414 - as above
from hoodwink.domain.tournaments.life.ruling_events import MarkedAbsent as MarkedAbsent  # noqa: PLC0414 - as above
from hoodwink.domain.tournaments.life.ruling_events import ResultRuled as ResultRuled  # noqa: PLC0414 - as above
from hoodwink.domain.tournaments.life.ruling_events import RoundsAdded as RoundsAdded  # noqa: PLC0414 - as above
from hoodwink.domain.tournaments.life.ruling_events import RulingReversed as RulingReversed  # noqa: PLC0414 - as above
from hoodwink.domain.tournaments.life.ruling_events import TableStopped as TableStopped  # noqa: PLC0414 - as above
from hoodwink.domain.tournaments.life.setup import Setup
from hoodwink.domain.tournaments.pairing.case import Explanation
from hoodwink.domain.tournaments.terms import Tiebreak

Seats = tuple[int | None, ...]
"""The starting ranks at a table in seat order; `None` is a bot that fills it."""


class TournamentOpened(OfTournament, frozen=True):
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


class RegistrationOpened(OfTournament, frozen=True):
    """The organiser opened registration."""

    wire: ClassVar[str] = "tournament.registration_opened"


class Entered(OfTournament, frozen=True):
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


class EntrantWithdrew(OfTournament, frozen=True):
    """An entrant withdrew, but finishes tables in play. `left_after` is their last round, 0 before round 1."""

    wire: ClassVar[str] = "tournament.withdrew"
    entrant: Public[str]
    left_after: Public[int]


class EntrantExpelled(OfTournament, frozen=True):
    """The organiser expelled an entrant; their seats are resigned immediately (T-7)."""

    wire: ClassVar[str] = "tournament.expelled"
    entrant: Public[str]
    left_after: Public[int]
    reason: Public[str]


class EntrantsOrdered(OfTournament, frozen=True):
    """The organiser set an order of entrants for the starting ranks (T-3)."""

    wire: ClassVar[str] = "tournament.entrants_ordered"
    entrants: Public[tuple[str, ...]]


class TournamentStarted(OfTournament, frozen=True):
    """The tournament began, and the starting ranks were fixed.

    `ratings` determined the ranks: mu - 3 sigma in millionths, by entrant. `entrants` are in order of starting rank. In a
    round robin, `schedule` has the seats of every table of every round.
    """

    wire: ClassVar[str] = "tournament.started"
    ratings: Public[dict[str, int]]
    entrants: Public[tuple[str, ...]]
    rounds: Public[int]
    schedule: Public[tuple[tuple[tuple[int, ...], ...], ...]]


class CheckInOpened(OfTournament, frozen=True):
    """Entrants may check in for a sitting; its first round is not paired before `until`, in ms (T-4)."""

    wire: ClassVar[str] = "tournament.check_in_opened"
    sitting: Public[int]
    until: Public[int]


class CheckedIn(OfTournament, frozen=True):
    """An entrant checked in for a sitting; `seed_commitment` is to a new seed, or empty."""

    wire: ClassVar[str] = "tournament.checked_in"
    entrant: Public[str]
    sitting: Public[int]
    seed_commitment: Public[str]


class SaidAbsent(OfTournament, frozen=True):
    """An entrant announced that they will not play in a sitting; they may still check in again."""

    wire: ClassVar[str] = "tournament.said_absent"
    entrant: Public[str]
    sitting: Public[int]


class SeedsCalled(OfTournament, frozen=True):
    """A round is about to open; these entrants have ten seconds to reveal their seeds (T-14).

    `early` and `reason` come from the command that opens the round.
    """

    wire: ClassVar[str] = "tournament.seeds_called"
    round: Public[int]
    entrants: Public[tuple[str, ...]]
    early: Public[bool]
    reason: Public[str]


class EntrantSeedRevealed(OfTournament, frozen=True):
    """An entrant revealed the seed that they had committed to."""

    wire: ClassVar[str] = "tournament.entrant_seed_revealed"
    entrant: Public[str]
    seed: Public[str]


class EntrantSeedsMissed(OfTournament, frozen=True):
    """These entrants did not reveal their seeds in time; the seeds count as empty."""

    wire: ClassVar[str] = "tournament.entrant_seeds_missed"
    entrants: Public[tuple[str, ...]]


class ByeRequested(OfTournament, frozen=True):
    """An entrant requested a bye in a later round."""

    wire: ClassVar[str] = "tournament.bye_requested"
    entrant: Public[str]
    round: Public[int]


class ByeAssigned(OfTournament, frozen=True):
    """The organiser gave an entrant a bye with this score in a later round (T-9)."""

    wire: ClassVar[str] = "tournament.bye_assigned"
    entrant: Public[str]
    round: Public[int]
    score: Public[Fraction]
    reason: Public[str]


class RoundOpened(OfTournament, frozen=True):
    """A round was paired.

    `tables` are the seats of each board; `absent` are the entrants there who are no-shows from the start. `unplayed` are
    all other entrants. `objective`, `relaxed`, `explanations` and `bracket` come from the pairing engine. `early` is true
    if tables of earlier rounds could be unfinished (T-11).
    """

    wire: ClassVar[str] = "tournament.round_opened"
    round: Public[int]
    sitting: Public[int]
    early: Public[bool]
    reason: Public[str]
    tables: Public[tuple[Seats, ...]]
    absent: Public[tuple[int, ...]]
    unplayed: Public[tuple[Unplayed, ...]]
    objective: Public[tuple[Fraction, ...]]
    relaxed: Public[tuple[str, ...]]
    explanations: Public[tuple[Explanation, ...]]
    bracket: Public[tuple[int | None, ...]]


class PairingChanged(OfTournament, frozen=True):
    """The organiser changed a pairing; `proposed` are the engine's own tables and byes (T-13)."""

    wire: ClassVar[str] = "tournament.pairing_changed"
    round: Public[int]
    tables: Public[tuple[Seats, ...]]
    byes: Public[tuple[int, ...]]
    reason: Public[str]
    proposed_tables: Public[tuple[Seats, ...]]
    proposed_byes: Public[tuple[int, ...]]


class PairingDropped(OfTournament, frozen=True):
    """The pairing of a round that had not started was dropped: the round is paired again, or the tournament is over."""

    wire: ClassVar[str] = "tournament.pairing_dropped"
    round: Public[int]


class RoundStarted(OfTournament, frozen=True):
    """A round began, and its tables are being opened."""

    wire: ClassVar[str] = "tournament.round_started"
    round: Public[int]


class TablesOpened(OfTournament, frozen=True):
    """The service has opened and started these tables."""

    wire: ClassVar[str] = "tournament.tables_opened"
    tables: Public[tuple[str, ...]]


class SeatGivenUp(OfTournament, frozen=True):
    """The service has resigned an expelled entrant's seat at a table."""

    wire: ClassVar[str] = "tournament.seat_given_up"
    entrant: Public[str]
    table: Public[str]


class TableReported(OfTournament, frozen=True):
    """A table ended. `version` and `head` are those of its log; `places` and `points` are by seat.

    `no_shows`, `resigned` and `by_bot` are the seats of entrants who did not appear, who resigned, and for whom a bot took
    more than half of the turns.
    """

    wire: ClassVar[str] = "tournament.table_reported@2"
    round: Public[int]
    board: Public[int]
    deal: Public[int]
    table: Public[str]
    version: Public[int]
    head: Public[str]
    outcome: Public[Outcome]
    places: Public[tuple[int, ...] | None]
    points: Public[tuple[int, ...] | None]
    no_shows: Public[tuple[int, ...]]
    resigned: Public[tuple[int, ...]]
    by_bot: Public[tuple[int, ...]]


class DealAdded(OfTournament, frozen=True):
    """Entrants who are tied for the last places to advance from a knockout table play another deal (P-6)."""

    wire: ClassVar[str] = "tournament.deal_added"
    round: Public[int]
    board: Public[int]
    deal: Public[int]
    seats: Public[Seats]
    absent: Public[tuple[int, ...]]


class RoundCompleted(OfTournament, frozen=True):
    """Every table of a round has ended."""

    wire: ClassVar[str] = "tournament.round_completed"
    round: Public[int]


class TableVoided(OfTournament, frozen=True):
    """An administrator voided a finished table (T-12)."""

    wire: ClassVar[str] = "tournament.table_voided"
    round: Public[int]
    board: Public[int]
    deal: Public[int]
    reason: Public[str]


class VoidScored(OfTournament, frozen=True):
    """The organiser set the score of a voided table for each of its entrants (T-12)."""

    wire: ClassVar[str] = "tournament.void_scored"
    round: Public[int]
    board: Public[int]
    score: Public[Fraction]
    reason: Public[str]


class TiebreaksChanged(OfTournament, frozen=True):
    """The organiser changed the tie-breaks."""

    wire: ClassVar[str] = "tournament.tiebreaks_changed"
    tiebreaks: Public[tuple[Tiebreak, ...]]
    reason: Public[str]


class SittingRescheduled(OfTournament, frozen=True):
    """The organiser changed the start of a sitting, in ms since the epoch; `None` for no set time."""

    wire: ClassVar[str] = "tournament.sitting_rescheduled"
    sitting: Public[int]
    starts_at: Public[int | None]
    reason: Public[str]


class TournamentPaused(OfTournament, frozen=True):
    """The organiser paused the tournament."""

    wire: ClassVar[str] = "tournament.paused"
    reason: Public[str]


class TournamentResumed(OfTournament, frozen=True):
    """The organiser resumed the paused tournament."""

    wire: ClassVar[str] = "tournament.resumed"


class ClocksMoved(OfTournament, frozen=True):
    """The service was away from `since` to `until`, in ms; running deadlines were postponed by that time (T-16)."""

    wire: ClassVar[str] = "tournament.clocks_moved"
    since: Public[int]
    until: Public[int]


class TournamentFinished(OfTournament, frozen=True):
    """The tournament ended; `reason` is not empty if this was before the last round was complete."""

    wire: ClassVar[str] = "tournament.finished"
    reason: Public[str]


class TournamentCancelled(OfTournament, frozen=True):
    """The organiser or an administrator cancelled the tournament."""

    wire: ClassVar[str] = "tournament.cancelled"
    reason: Public[str]


class SeedRevealed(OfTournament, frozen=True):
    """The last table has ended and the seed was revealed, so that anyone can recompute every lot and every shuffle."""

    wire: ClassVar[str] = "tournament.seed_revealed"
    server_seed: Public[str]


RoundEvent: TypeAlias = (
    RoundOpened
    | PairingChanged
    | PairingDropped
    | RoundStarted
    | TablesOpened
    | SeatGivenUp
    | TableSealed
    | DealReleased
    | TableReported
    | DealAdded
    | RoundCompleted
    | TableVoided
    | VoidScored
    | TableStopped
    | ResultRuled
    | RulingReversed
)
"""The events of rounds: pairing, tables, results."""

EntrantEvent: TypeAlias = (
    CheckedIn | SaidAbsent | MarkedAbsent | ByeRequested | ByeAssigned | EntrantSeedRevealed
)
"""The events that change one entrant."""

RequestEvent: TypeAlias = EntryRequested | EntryAccepted | EntryDeclined | RequestWithdrawn
"""The events about players who ask to enter (T-26)."""

TournamentEvent: TypeAlias = (
    TournamentOpened
    | DuplicateChosen
    | AdmissionChosen
    | InvitationReplaced
    | RequestEvent
    | ArenaChosen
    | RegistrationOpened
    | Entered
    | EntrantWithdrew
    | EntrantExpelled
    | EntrantsOrdered
    | TournamentStarted
    | CheckInOpened
    | CheckedIn
    | SaidAbsent
    | MarkedAbsent
    | EntrantWithdrawn
    | SeedsCalled
    | EntrantSeedRevealed
    | EntrantSeedsMissed
    | ByeRequested
    | ByeAssigned
    | RoundEvent
    | RoundsAdded
    | ArbiterNamed
    | ArbiterRemoved
    | Described
    | Announced
    | TiebreaksChanged
    | SittingRescheduled
    | TournamentPaused
    | TournamentResumed
    | ClocksMoved
    | BellRung
    | OvertimeEnded
    | TournamentFinished
    | TournamentCancelled
    | SeedRevealed
)

TOURNAMENT_EVENTS: tuple[type[TournamentEvent], ...] = get_args(TournamentEvent)


def is_of_tournament(event: Event) -> TypeGuard[TournamentEvent]:
    return isinstance(event, OfTournament)
