"""The lists of tournaments: by phase, by player, and by organiser."""

from typing import TypeAlias, assert_never, get_args

import msgspec

from hoodwink.domain.projections.effects import (
    Effect,
    Projection,
    Put,
    Remove,
    other_phase_indexes,
    phase_indexes,
)
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tournaments.life import (
    Participant,
    Phase,
    Tournament,
    events,
    final_standings,
    is_listed,
    participant,
    placings_in,
    trophies_of,
)
from hoodwink.domain.tournaments.life.facts import holders_of, is_over, offered, offered_places, setup_of
from hoodwink.domain.tournaments.life.state import is_bot_entrant
from hoodwink.domain.tournaments.terms import Format

Followed: TypeAlias = (
    events.TournamentOpened
    | events.RegistrationOpened
    | events.Entered
    | events.EntrantWithdrew
    | events.EntrantWithdrawn
    | events.EntrantExpelled
    | events.EntriesOffered
    | events.OffersWithdrawn
    | events.OfferDeclined
    | events.PlaceOffered
    | events.PlaceDeclined
    | events.OfficialEvent
    | events.TournamentStarted
    | events.RoundStarted
    | events.RoundCompleted
    | events.TournamentPaused
    | events.TournamentResumed
    | events.TournamentFinished
    | events.TournamentCancelled
    | events.SeedRevealed
    | events.TableVoided
    | events.VoidScored
    | events.RoundsAdded
    | events.ResultRuled
    | events.RulingReversed
    | events.EntrantSubstituted
    | events.SubstitutionReversed
    | events.WithdrawalReversed
    | events.AddedRoundsReversed
)


class TournamentRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One tournament.

    Attributes:
        seats: the intended number of seats at a table.
        entrants: the number of entrants who have not left, including those on the waiting list.
        rounds: the number of rounds started so far.
        rounds_planned: `None` for an arena, or if the number depends on the entrants and the tournament has not started.
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
    """One tournament of one player. A player who leaves before the start, or never gets a place, has no row.

    A place that was handed over has a row for each of its players, and the rank is that of its last one (T-19).

    Attributes:
        entered: whether the player still takes part, or did until the end.
        offered: whether the player is offered an entry or the place of an entrant; only in the player's own list.
        trophy: 1, 2 or 3 for a trophy (S-11), otherwise `None`.
        rank: the final rank, once the tournament has finished and its last table has ended; `None` before that, and
            for a player who was expelled.
        changed_at: in ms since the epoch.
    """

    player: str
    tournament: str
    name: str
    format: Format
    game: str
    phase: Phase
    entered: bool
    offered: bool = False
    rank: int | None
    changed_at: int
    trophy: int | None = None


def organised_index(player: str) -> str:
    """Returns the list of the tournaments that a player organises and that are not over."""
    return f"organiser:{player}"


def officiated_index(player: str) -> str:
    """Returns the list of a player's tournaments as a co-organiser or arbiter that are not over."""
    return f"official:{player}"


def tournaments_index(player: str, *, unlisted: bool) -> str:
    """Returns the list of a player's tournaments that everybody finds, or of the others (T-24)."""
    return f"unlisted:{player}" if unlisted else f"player:{player}"


def trophies_index(player: str, *, unlisted: bool) -> str:
    """Returns the list of a player's trophies that everybody sees, or of the others (S-11)."""
    return f"unlisted trophies:{player}" if unlisted else f"trophies:{player}"


def _project(tournament: Tournament, recorded: Recorded) -> tuple[Effect, ...]:
    return _listed(tournament, recorded), *_of_players(tournament, recorded)


def _of_players(tournament: Tournament, recorded: Recorded) -> tuple[Effect, ...]:
    event, at = recorded.event, recorded.entry.at
    assert isinstance(event, Followed), "it follows nothing else"
    if isinstance(event, events.OfficialEvent | events.RoundsAdded | events.AddedRoundsReversed):
        return ()
    match event:
        case (
            events.Entered()
            | events.EntrantWithdrew()
            | events.EntrantWithdrawn()
            | events.WithdrawalReversed()
        ):
            return _rows_of_one(tournament, event.entrant, at)
        case events.EntrantExpelled():
            return *_rows_of_one(tournament, event.entrant, at), *_rows_of_lapsed(tournament, at)
        case events.EntrantSubstituted():
            return _rows_of_one(tournament, event.player, at)
        case events.SubstitutionReversed():
            return *_rows_of_one(tournament, event.player, at), *_rows_of_lapsed(tournament, at)
        case events.EntriesOffered() | events.OffersWithdrawn():
            return _rows_of_offered(tournament, event.players, at)
        case events.OfferDeclined() | events.PlaceOffered() | events.PlaceDeclined():
            return _rows_of_offered(tournament, (event.player,), at)
        case events.TournamentStarted():
            return *_removed(tournament, tournament.unplaced), *_rows_of_all(tournament, at)
        case (
            events.TournamentPaused()
            | events.TournamentResumed()
            | events.TournamentFinished()
            | events.TournamentCancelled()
        ):
            return _rows_of_all(tournament, at)
        case (
            events.SeedRevealed()
            | events.TableVoided()
            | events.VoidScored()
            | events.ResultRuled()
            | events.RulingReversed()
        ):
            return _rows(tournament, tournament.entrants, at)
        case (
            events.TournamentOpened()
            | events.RegistrationOpened()
            | events.RoundStarted()
            | events.RoundCompleted()
        ):
            return ()
        case _:
            assert_never(event)


def _listed(tournament: Tournament, recorded: Recorded) -> Put:
    setup, terms, event = setup_of(tournament), tournament.terms, recorded.event
    phases = phase_indexes(tournament.phase, setup.game)
    officials = (*tournament.co_organisers, *tournament.arbiters)
    own = (organised_index(tournament.organiser), *map(officiated_index, officials))
    removed: tuple[str, ...] = ()
    if isinstance(event, events.CoOrganiserRemoved | events.ArbiterRemoved):
        removed = (officiated_index(event.player),)
    others = other_phase_indexes(tournament.phase, Phase, setup.game)
    row = TournamentRow(
        id=tournament.id,
        name=setup.name,
        format=setup.format,
        game=setup.game,
        seats=setup.seats,
        phase=tournament.phase,
        organiser=tournament.organiser,
        entrants=sum(not entrant.has_left for entrant in tournament.entrants),
        rounds=sum(round_.is_started for round_ in tournament.rounds),
        rounds_planned=setup.rounds if terms is None or tournament.arena is not None else terms.rounds,
        changed_at=recorded.entry.at,
    )
    return Put(
        key=tournament.id,
        row=row,
        order=recorded.entry.at,
        indexes=(*(phases if is_listed(tournament) else ()), *(() if is_over(tournament) else own)),
        leaves=(*others, *(own if is_over(tournament) else removed)),
    )


def _removed(tournament: Tournament, entrants: tuple[str, ...]) -> tuple[Remove, ...]:
    """Returns the removal of the tournament from the lists of these entrants."""
    return tuple(
        Remove(_key(tournament, entrant), (tournaments_index(entrant, unlisted=not is_listed(tournament)),))
        for entrant in entrants
        if not is_bot_entrant(entrant)
    )


def _rows_of_one(tournament: Tournament, player: str, at: int) -> tuple[Effect, ...]:
    """Returns the rows of all who hold or held the place of a player, or the removal of the player's own."""
    entrant = participant(tournament, player)
    return _rows(tournament, (entrant,), at) if entrant else _removed(tournament, (player,))


def _rows(tournament: Tournament, entrants: tuple[Participant, ...], at: int) -> tuple[Put, ...]:
    is_unlisted, final = not is_listed(tournament), final_standings(tournament)
    ranks = {row.entrant: row.rank for row in final.rows} if final else {}
    placings = placings_in(tournament, final) if final else ()
    trophies = trophies_of(tuple((placing.player, placing.place) for placing in placings))
    holders = [
        (player, entrant)
        for entrant in entrants
        for player in dict.fromkeys([entrant.id, *[before.player for before in entrant.predecessors]])
    ]
    return tuple(
        _row(
            tournament,
            player,
            at,
            entered=player == entrant.id and not entrant.has_left,
            rank=ranks.get(entrant.number) if player == entrant.id else None,
            trophy=trophies.get(player),
            unlisted=is_unlisted,
        )
        for player, entrant in holders
        if not is_bot_entrant(player)
    )


def _rows_of_all(tournament: Tournament, at: int) -> tuple[Effect, ...]:
    """Returns the rows of entrants and players with an open offer after a change of the phase."""
    called = (*offered(tournament), *offered_places(tournament))
    return *_rows(tournament, tournament.entrants, at), *_rows_of_offered(tournament, called, at)


def _rows_of_lapsed(tournament: Tournament, at: int) -> tuple[Effect, ...]:
    return _rows_of_offered(tournament, (tournament.lapsed,) if tournament.lapsed else (), at)


def _rows_of_offered(tournament: Tournament, players: tuple[str, ...], at: int) -> tuple[Effect, ...]:
    """Returns the rows of players with an open offer, which only they see, and removes those of others (T-19, T-28)."""
    still = set[str]() if is_over(tournament) else {*offered(tournament), *offered_places(tournament)}
    holders = {*holders_of(tournament.entrants)}  # who entered meanwhile, or is offered a place again
    return tuple(
        _row(tournament, player, at, entered=False, offered=True, unlisted=True)
        if player in still
        else Remove(_key(tournament, player), (tournaments_index(player, unlisted=True),))
        for player in players
        if player not in holders
    )


def _row(  # noqa: PLR0913 - the fields that differ
    tournament: Tournament,
    player: str,
    at: int,
    *,
    entered: bool,
    unlisted: bool,
    offered: bool = False,
    rank: int | None = None,
    trophy: int | None = None,
) -> Put:
    setup = setup_of(tournament)
    trophies = trophies_index(player, unlisted=unlisted)
    given, missed = ((trophies,), ()) if trophy else ((), (trophies,))
    return Put(
        key=_key(tournament, player),
        row=PlayerTournamentRow(
            player=player,
            tournament=tournament.id,
            name=setup.name,
            format=setup.format,
            game=setup.game,
            phase=tournament.phase,
            entered=entered,
            offered=offered,
            rank=rank,
            trophy=trophy,
            changed_at=at,
        ),
        order=at,
        indexes=(tournaments_index(player, unlisted=unlisted), *given),
        leaves=(tournaments_index(player, unlisted=not unlisted), *missed),
    )


def _key(tournament: Tournament, player: str) -> str:
    return f"{player}:{tournament.id}"


TOURNAMENTS = Projection(
    name="tournaments",
    category="tournament",
    event_types=frozenset(kind.wire for kind in get_args(Followed)),
    project=_project,
    revision=5,
)
