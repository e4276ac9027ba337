"""What everybody may see of a tournament: everything but its server seed, until that is revealed."""

from enum import StrEnum
from fractions import Fraction
from typing import Literal, TypeAlias

import msgspec

from domain.tournaments.crosstable import Unplayed
from domain.tournaments.life.events import Seats
from domain.tournaments.life.setup import Setup
from domain.tournaments.life.state import (
    Call,
    Deal,
    Match,
    PairedRound,
    Participant,
    Phase,
    Report,
    Tournament,
    is_waiting,
    setup_of,
)
from domain.tournaments.life.tables import tables_awaited

EntrantStatus: TypeAlias = Literal["entered", "waiting", "withdrawn", "expelled"]


class RoundStatus(StrEnum):
    """How far a round has come."""

    PAIRED = "paired"
    PLAYING = "playing"
    COMPLETE = "complete"


class AssignedBye(msgspec.Struct, frozen=True, gc=False):
    """A round in which an entrant has a bye by the organiser's decision, and what it scores."""

    round: int
    score: Fraction


class EntrantView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An entrant as everybody sees them.

    Attributes:
        id: the player's id, or that of a bot.
        policy: the bot's policy, or `None` for a person.
        number: the starting rank; `None` before the start.
        from_round: the first round that they can play in.
        left_after: the last round before they withdrew or were expelled, or `None`.
        seed: their part of the chance as it counts; empty without one, or before it is revealed.
        seed_commitment: the SHA-256 of a seed that is still to be revealed, or empty.
        checked_in: the last sitting for which they checked in; 0 for none.
        absent_in: the last sitting that they said they would miss; 0 for none.
        requested_byes: the rounds for which they asked for a bye.
        assigned_byes: those that the organiser gave them, by round.
    """

    id: str
    name: str
    policy: str | None
    status: EntrantStatus
    number: int | None
    from_round: int
    left_after: int | None
    seed: str
    seed_commitment: str
    checked_in: int
    absent_in: int
    requested_byes: tuple[int, ...]
    assigned_byes: tuple[AssignedBye, ...]


class DealView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One deal of a board.

    Attributes:
        table: the id of the table, or `None` where at most one entrant was there, so that none was needed.
        seats: starting ranks in seat order; `None` for a bot that fills the table.
        absent: the starting ranks of those who are no-shows from the start.
        is_open: the table has been opened.
        is_void: an administrator took its result back.
        report: what the table's log says of its end, by seat; `None` before that.
    """

    table: str | None
    seats: Seats
    absent: tuple[int, ...]
    is_open: bool
    is_void: bool
    report: Report | None


class BoardView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A board of a round.

    Attributes:
        board: from 1.
        tables: one; at a knockout's board, another one for each further deal between equals.
        void_score: what the organiser gave each entrant of the voided table, or `None`.
    """

    board: int
    tables: tuple[DealView, ...]
    void_score: Fraction | None


class RoundView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A round of a tournament.

    Attributes:
        round, sitting: from 1.
        is_changed: the organiser changed the pairing.
        unplayed: the entrants without a table, why, and what they score.
        objective: the values that the pairing reached, in the order of its criteria.
    """

    round: int
    sitting: int
    status: RoundStatus
    is_changed: bool
    boards: tuple[BoardView, ...]
    unplayed: tuple[Unplayed, ...]
    objective: tuple[Fraction, ...]


class TournamentView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A tournament at one version.

    Attributes:
        edition: of the fairness protocol for tournaments.
        organiser: the id of the player who opened it.
        rounds_planned: `None` where the number follows from the entrants and the tournament has not started.
        commitment: SHA-256 of the server seed, published from the start.
        server_seed: once no table can be opened any more.
        check_in: the last sitting for which entrants may check in; 0 for none so far.
        check_in_until: when it is over, in ms since the epoch.
        call: the round that waits for entrants' seeds to be revealed, or `None`.
        tables_in_play: of how many tables, opened or about to be, the end is still awaited.
    """

    id: str
    version: int
    edition: int
    phase: Phase
    organiser: str
    setup: Setup
    rounds_planned: int | None
    commitment: str
    server_seed: str | None
    entrants: tuple[EntrantView, ...]
    check_in: int
    check_in_until: int
    call: Call | None
    tables_in_play: int
    rounds: tuple[RoundView, ...]


def view_tournament(tournament: Tournament) -> TournamentView:
    """Returns what everybody may see of a tournament that has been opened."""
    setup, terms = setup_of(tournament), tournament.terms
    return TournamentView(
        id=tournament.id,
        version=tournament.version,
        edition=tournament.edition,
        phase=tournament.phase,
        organiser=tournament.organiser,
        setup=setup,
        rounds_planned=setup.rounds if terms is None else terms.rounds,
        commitment=tournament.commitment,
        server_seed=tournament.server_seed if tournament.is_seed_revealed else None,
        entrants=tuple(
            [_entrant(tournament, place, entrant) for place, entrant in enumerate(tournament.entrants)]
        ),
        check_in=tournament.check_in,
        check_in_until=tournament.check_in_until,
        call=tournament.call,
        tables_in_play=len(tables_awaited(tournament)),
        rounds=tuple([view_round(round_) for round_ in tournament.rounds]),
    )


def _entrant(tournament: Tournament, place: int, entrant: Participant) -> EntrantView:
    return EntrantView(
        id=entrant.id,
        name=entrant.name,
        policy=entrant.policy,
        status=_status(tournament, place, entrant),
        number=entrant.number or None,
        from_round=entrant.from_round,
        left_after=entrant.left_after,
        seed=entrant.seed,
        seed_commitment=entrant.commitment,
        checked_in=entrant.checked_in,
        absent_in=entrant.absent_in,
        requested_byes=entrant.byes,
        assigned_byes=tuple([AssignedBye(*bye) for bye in sorted(entrant.assigned)]),
    )


def _status(tournament: Tournament, place: int, entrant: Participant) -> EntrantStatus:
    if entrant.is_expelled:
        return "expelled"
    if entrant.has_left:
        return "withdrawn"
    return "waiting" if is_waiting(tournament, place) else "entered"


def view_round(round_: PairedRound) -> RoundView:
    """Returns what everybody may see of a round."""
    status = RoundStatus.PLAYING if round_.is_started else RoundStatus.PAIRED
    return RoundView(
        round=round_.number,
        sitting=round_.sitting,
        status=RoundStatus.COMPLETE if round_.is_complete else status,
        is_changed=round_.is_changed,
        boards=tuple([_board(match) for match in round_.matches]),
        unplayed=round_.unplayed,
        objective=round_.objective,
    )


def _board(match: Match) -> BoardView:
    return BoardView(
        board=match.number, tables=tuple([_table(deal) for deal in match.deals]), void_score=match.void_score
    )


def _table(deal: Deal) -> DealView:
    return DealView(
        table=deal.table or None,
        seats=deal.seats,
        absent=deal.absent,
        is_open=deal.is_opened,
        is_void=deal.is_void,
        report=deal.report,
    )
