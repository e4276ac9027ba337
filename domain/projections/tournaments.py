"""The list of tournaments, by what each is doing, and each player's tournaments."""

import msgspec

from domain.projections.effects import Effect, Projection, Put, other_phase_indexes, phase_indexes
from domain.tables import Recorded
from domain.tournaments.life import Participant, Phase, Tournament
from domain.tournaments.life.events import (
    Entered,
    EntrantExpelled,
    EntrantWithdrew,
    RegistrationOpened,
    RoundCompleted,
    RoundStarted,
    SeedRevealed,
    TableVoided,
    TournamentCancelled,
    TournamentFinished,
    TournamentOpened,
    TournamentPaused,
    TournamentResumed,
    TournamentStarted,
    VoidScored,
)
from domain.tournaments.life.results import standings_of
from domain.tournaments.life.state import setup_of
from domain.tournaments.terms import Format


class TournamentRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One tournament.

    Attributes:
        seats: the size that is aimed at for a table.
        entrants: who entered and has not left, those who wait for a place included.
        rounds: started so far.
        rounds_planned: `None` where the number follows from the entrants and the tournament has not started.
        changed_at: in ms since the epoch.
    """

    id: str
    name: str
    format: Format
    game: str
    seats: int
    phase: Phase
    organiser: str
    entrants: int
    rounds: int
    rounds_planned: int | None
    changed_at: int


class PlayerTournamentRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One tournament of one player.

    Attributes:
        entered: whether the player still takes part, or did until the end.
        rank: in the end; `None` before that, and for a player who was expelled.
        changed_at: in ms since the epoch.
    """

    player: str
    tournament: str
    name: str
    format: Format
    game: str
    phase: Phase
    entered: bool
    rank: int | None
    changed_at: int


def _project(tournament: Tournament, recorded: Recorded) -> tuple[Effect, ...]:
    listed = _listed(tournament, recorded)
    match recorded.event:
        case Entered() | EntrantWithdrew() | EntrantExpelled():
            who = recorded.event.entrant
            touched = tuple([one for one in tournament.entrants if one.id == who])
            return listed, *_of_players(tournament, touched, recorded.at, {})
        case _ if _changes_every_row(recorded):
            ranks = _ranks(tournament) if tournament.phase is Phase.FINISHED else {}
            return listed, *_of_players(tournament, tournament.entrants, recorded.at, ranks)
        case _:
            return (listed,)


def _changes_every_row(recorded: Recorded) -> bool:
    kinds = (
        TournamentStarted,
        TournamentFinished,
        TournamentCancelled,
        SeedRevealed,
        TableVoided,
        VoidScored,
    )
    return isinstance(recorded.event, kinds)


def _ranks(tournament: Tournament) -> dict[int, int | None]:
    return {row.entrant: row.rank for row in standings_of(tournament).rows}


def _listed(tournament: Tournament, recorded: Recorded) -> Put:
    setup, terms = setup_of(tournament), tournament.terms
    row = TournamentRow(
        id=tournament.id,
        name=setup.name,
        format=setup.format,
        game=setup.game,
        seats=setup.seats,
        phase=tournament.phase,
        organiser=tournament.organiser,
        entrants=sum(not one.has_left for one in tournament.entrants),
        rounds=sum(round_.is_started for round_ in tournament.rounds),
        rounds_planned=setup.rounds if terms is None else terms.rounds,
        changed_at=recorded.at,
    )
    return Put(
        key=tournament.id,
        row=row,
        order=recorded.at,
        indexes=phase_indexes(tournament.phase, setup.game),
        leaves=other_phase_indexes(tournament.phase, Phase, setup.game),
    )


def _of_players(
    tournament: Tournament, entrants: tuple[Participant, ...], at: int, ranks: dict[int, int | None]
) -> tuple[Put, ...]:
    setup = setup_of(tournament)
    return tuple(
        Put(
            key=f"{one.id}:{tournament.id}",
            row=PlayerTournamentRow(
                player=one.id,
                tournament=tournament.id,
                name=setup.name,
                format=setup.format,
                game=setup.game,
                phase=tournament.phase,
                entered=not one.has_left,
                rank=ranks.get(one.number),
                changed_at=at,
            ),
            order=at,
            indexes=(f"player:{one.id}",),
        )
        for one in entrants
        if one.policy is None
    )


TOURNAMENTS = Projection(
    name="tournaments",
    category="tournament",
    wires=frozenset(
        kind.wire
        for kind in (
            TournamentOpened,
            RegistrationOpened,
            Entered,
            EntrantWithdrew,
            EntrantExpelled,
            TournamentStarted,
            RoundStarted,
            RoundCompleted,
            TournamentPaused,
            TournamentResumed,
            TournamentFinished,
            TournamentCancelled,
            SeedRevealed,
            TableVoided,
            VoidScored,
        )
    ),
    project=_project,
)
