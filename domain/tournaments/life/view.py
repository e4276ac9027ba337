"""The public view of a tournament: everything except its server seed, which is hidden until it is revealed."""

from enum import StrEnum
from fractions import Fraction
from typing import Final, Literal, TypeAlias

import msgspec

from hoodwink.domain.kernel import Names, without_name
from hoodwink.domain.tournaments.crosstable import Unplayed
from hoodwink.domain.tournaments.life.arena import begins_at, bell_at, overtime_until
from hoodwink.domain.tournaments.life.events import Seats
from hoodwink.domain.tournaments.life.facts import (
    full_setup_of,
    has_organised,
    is_embargoed,
    is_over,
    is_waiting,
    offered,
    setup_of,
)
from hoodwink.domain.tournaments.life.full_setup import FullSetup
from hoodwink.domain.tournaments.life.setup import SeriesPlace
from hoodwink.domain.tournaments.life.state import (
    Announcement,
    Call,
    Deal,
    Match,
    PairedRound,
    Participant,
    Phase,
    Report,
    Ruling,
    Tournament,
    name_of,
)
from hoodwink.domain.tournaments.life.tables import tables_awaited

MAX_ANNOUNCEMENTS_SHOWN: Final = 10

EntrantStatus: TypeAlias = Literal["entered", "waiting", "withdrawn", "expelled"]


class RoundStatus(StrEnum):
    """The progress of a round."""

    PAIRED = "paired"
    PLAYING = "playing"
    COMPLETE = "complete"


class AssignedBye(msgspec.Struct, frozen=True, gc=False):
    """A round in which the organiser gave an entrant a bye, and the score for it."""

    round: int
    score: Fraction


class PersonView(msgspec.Struct, frozen=True, gc=False):
    """A player, with the current name."""

    id: str
    name: str


class PredecessorView(msgspec.Struct, frozen=True, gc=False):
    """A player who held the place of an entrant before, up to the round `until`; 0 for none."""

    id: str
    name: str
    until: int


class EntrantView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The public view of an entrant.

    Attributes:
        id: the id of the player or of the bot.
        name: the current name of the player, or the name of the bot.
        policy: the bot's policy, or `None` for a person.
        number: the starting rank; `None` before the start.
        from_round: the first round in which they can play.
        left_after: the last round before they withdrew or were expelled, or `None`.
        is_organiser: whether they organise the tournament, or have done so.
        seed: the seed used in draws; empty if there is none or it is not revealed yet.
        seed_commitment: the SHA-256 of a seed that is not revealed yet, or empty.
        checked_in: the last sitting for which they checked in; 0 for none.
        absent_in: the last sitting for which they announced an absence; 0 for none.
        requested_byes: the rounds for which they requested a bye.
        assigned_byes: the byes that the organiser gave them, by round.
        offered_to: the player to whom an official offers the place, or `None`.
        predecessors: the players who held the place before, the first ones first.
        team: the number of their team, or `None`.
    """

    id: str
    name: str
    policy: str | None
    status: EntrantStatus
    number: int | None
    from_round: int
    left_after: int | None
    is_organiser: bool
    seed: str
    seed_commitment: str
    checked_in: int
    absent_in: int
    requested_byes: tuple[int, ...]
    assigned_byes: tuple[AssignedBye, ...]
    offered_to: PersonView | None
    predecessors: tuple[PredecessorView, ...]
    team: int | None


class ApplicantView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A player who asked to enter.

    Attributes:
        is_declined: whether the organiser has declined the entry; otherwise the organiser has not decided yet.
    """

    id: str
    name: str
    is_declined: bool


class DealView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One deal of a board.

    Attributes:
        table: the id of the table, or `None` if none was needed because at most one entrant was present.
        seats: starting ranks in seat order; `None` for a bot that fills the table.
        absent: the starting ranks of the entrants who are no-shows from the start.
        is_open: whether the table has been opened.
        is_void: whether an administrator took its result back.
        is_stopped: whether an official ended it.
        report: the end of the table, by seat; `None` before that.
    """

    table: str | None
    seats: Seats
    absent: tuple[int, ...]
    is_open: bool
    is_void: bool
    is_stopped: bool
    report: Report | None


class RulingView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A ruling on the result of a board.

    Attributes:
        official: the id of the player who ruled.
        places: by seat, `None` for an entrant who counts as absent; `None` if the result does not count.
        points: by seat, if points decide the score.
        score: the score of each entrant if the result does not count; `None` for half of a first place.
        reason: the salted hash of the reason; see `GET /v1/reasons/{digest}`.
    """

    official: str
    places: tuple[int | None, ...] | None
    points: tuple[int, ...] | None
    score: Fraction | None
    reason: str


class BoardView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A board of a round.

    Attributes:
        board: from 1.
        tables: one table, and in a knockout another one for each further deal between tied entrants.
        void_score: the score that the organiser gave each entrant of the voided table, or `None`.
        ruling: the ruling that counts in place of the result of the tables, or `None`. It has no effect until they have
            ended, nor after the table is voided.
    """

    board: int
    tables: tuple[DealView, ...]
    void_score: Fraction | None
    ruling: RulingView | None


class RoundView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A round of a tournament.

    Attributes:
        round, sitting: from 1.
        is_changed: whether the organiser changed the pairing.
        is_embargoed: whether its tables share a deal that not all of them have ended, so that only their players see them.
        unplayed: the entrants without a table, with the reason and the score.
        objective: the values of the pairing, in the order of its criteria.
    """

    round: int
    sitting: int
    status: RoundStatus
    is_changed: bool
    is_embargoed: bool
    boards: tuple[BoardView, ...]
    unplayed: tuple[Unplayed, ...]
    objective: tuple[Fraction, ...]


class ArenaView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The course of an arena that has started. All times are in ms since the epoch; pauses and outages move the ends.

    Attributes:
        begins_at: when the first tables are opened.
        bell_at: when the time is over.
        ends_by: by when tables in play have to end.
        is_bell_rung: whether the time is over, so that no more tables are opened.
    """

    begins_at: int
    bell_at: int
    ends_by: int
    is_bell_rung: bool


class TournamentView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A tournament at one version.

    Attributes:
        edition: the edition of the fairness protocol for tournaments.
        organiser: the id of the player who opened it.
        co_organisers: the players whom the organiser lets organise the tournament, too.
        arbiters: the players whom the organiser lets decide about tables and absences.
        applicants: the players who asked to enter and were not accepted so far, in order of arrival.
        offered: the ids of the players with an open offer of an entry.
        description: the salted hash of the description in Markdown, or `None`; see `GET /v1/reasons/{digest}`.
        announcements: the latest ten, the latest first.
        rounds_planned: `None` for an arena, or if the number follows from the entrants and the tournament has not started.
        commitment: the SHA-256 of the server seed, published from the start.
        server_seed: `None` until the tournament is over and its last table has ended.
        check_in: the last sitting whose check-in was opened; 0 if there is none yet.
        check_in_until: the end of that check-in, in ms since the epoch.
        call: the round that waits for entrants to reveal their seeds, or `None`.
        arena: the course of an arena; `None` before the start and for other formats.
        teams: the salted hashes of the names of all teams ever founded, in the order of their numbers, from 1.
        team_codes: how often the code of each of them was replaced.
        series: the series to which it belongs, or `None`.
        tables_in_play: the number of tables that have not ended, including those about to be opened.
    """

    id: str
    version: int
    edition: int
    phase: Phase
    organiser: str
    co_organisers: tuple[PersonView, ...]
    arbiters: tuple[PersonView, ...]
    description: str | None
    announcements: tuple[Announcement, ...]
    setup: FullSetup
    rounds_planned: int | None
    commitment: str
    server_seed: str | None
    entrants: tuple[EntrantView, ...]
    applicants: tuple[ApplicantView, ...]
    offered: tuple[str, ...]
    check_in: int
    check_in_until: int
    call: Call | None
    arena: ArenaView | None
    teams: tuple[str, ...]
    team_codes: tuple[int, ...]
    series: SeriesPlace | None
    tables_in_play: int
    rounds: tuple[RoundView, ...]


def view_tournament(tournament: Tournament, names: Names = without_name) -> TournamentView:
    """Returns the public view of a tournament that has been opened."""
    setup, terms = setup_of(tournament), tournament.terms
    return TournamentView(
        id=tournament.id,
        version=tournament.version,
        edition=tournament.edition,
        phase=tournament.phase,
        organiser=tournament.organiser,
        co_organisers=_people(tournament.co_organisers, names),
        arbiters=_people(tournament.arbiters, names),
        description=tournament.description or None,
        announcements=tournament.announcements[: -MAX_ANNOUNCEMENTS_SHOWN - 1 : -1],
        setup=full_setup_of(tournament),
        rounds_planned=setup.rounds if terms is None or tournament.arena is not None else terms.rounds,
        commitment=tournament.commitment,
        server_seed=tournament.server_seed if tournament.is_seed_revealed else None,
        entrants=tuple(
            [
                _entrant(tournament, position, entrant, names)
                for position, entrant in enumerate(tournament.entrants)
            ]
        ),
        applicants=tuple(
            [
                ApplicantView(id=each.id, name=names(each.id), is_declined=each.is_declined)
                for each in tournament.applicants
            ]
        ),
        offered=() if is_over(tournament) else offered(tournament),
        check_in=tournament.check_in,
        check_in_until=tournament.check_in_until,
        call=tournament.call,
        arena=_arena(tournament),
        teams=tournament.teams,
        team_codes=tournament.team_codes,
        series=tournament.series,
        tables_in_play=len(tables_awaited(tournament)),
        rounds=tuple([view_round(tournament, round_) for round_ in tournament.rounds]),
    )


def _people(players: tuple[str, ...], names: Names) -> tuple[PersonView, ...]:
    return tuple([PersonView(player, names(player)) for player in players])


def _arena(tournament: Tournament) -> ArenaView | None:
    if tournament.arena is None or not tournament.started_at:
        return None
    return ArenaView(
        begins_at=begins_at(tournament),
        bell_at=bell_at(tournament),
        ends_by=overtime_until(tournament),
        is_bell_rung=tournament.is_bell_rung,
    )


def _entrant(tournament: Tournament, position: int, entrant: Participant, names: Names) -> EntrantView:
    return EntrantView(
        id=entrant.id,
        name=name_of(entrant, names),
        policy=entrant.policy,
        status=_status(tournament, position, entrant),
        number=entrant.number or None,
        from_round=entrant.from_round,
        left_after=entrant.left_after,
        is_organiser=has_organised(tournament, entrant.id),
        seed=entrant.seed,
        seed_commitment=entrant.commitment,
        checked_in=entrant.checked_in,
        absent_in=entrant.absent_in,
        requested_byes=entrant.byes,
        assigned_byes=tuple([AssignedBye(*bye) for bye in sorted(entrant.assigned)]),
        offered_to=PersonView(entrant.offered_to, names(entrant.offered_to)) if entrant.offered_to else None,
        predecessors=tuple(
            [PredecessorView(each.player, names(each.player), each.until) for each in entrant.predecessors]
        ),
        team=entrant.team,
    )


def _status(tournament: Tournament, position: int, entrant: Participant) -> EntrantStatus:
    if entrant.is_expelled:
        return "expelled"
    if entrant.has_left:
        return "withdrawn"
    return "waiting" if is_waiting(tournament, position) else "entered"


def view_round(tournament: Tournament, round_: PairedRound) -> RoundView:
    status = RoundStatus.PLAYING if round_.is_started else RoundStatus.PAIRED
    return RoundView(
        round=round_.number,
        sitting=round_.sitting,
        status=RoundStatus.COMPLETE if round_.is_complete else status,
        is_changed=bool(round_.changed_at),
        is_embargoed=is_embargoed(tournament, round_),
        boards=tuple([_board(match) for match in round_.matches]),
        unplayed=round_.unplayed,
        objective=round_.objective,
    )


def _board(match: Match) -> BoardView:
    return BoardView(
        board=match.number,
        tables=tuple([_table(deal) for deal in match.deals]),
        void_score=match.void_score,
        ruling=None if match.ruling is None else _ruling(match.ruling),
    )


def _ruling(ruling: Ruling) -> RulingView:
    return RulingView(**{name: getattr(ruling, name) for name in RulingView.__struct_fields__})


def _table(deal: Deal) -> DealView:
    return DealView(
        table=deal.table or None,
        seats=deal.seats,
        absent=deal.absent,
        is_open=deal.is_opened,
        is_void=deal.is_void,
        is_stopped=deal.is_stopped,
        report=deal.report,
    )
