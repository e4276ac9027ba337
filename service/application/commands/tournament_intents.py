"""People's commands in a tournament, each with its permission check, as functions that return an `Intent`."""

from collections.abc import Callable
from typing import Final, TypeAlias

from hoodwink.domain.phrases import counted
from hoodwink.domain.players import Player
from hoodwink.domain.projections import StandingRow
from hoodwink.domain.ratings.model import MILLION
from hoodwink.domain.tables.actor import ADMIN, Actor, by_entrant
from hoodwink.domain.tournaments.life import (
    AcceptEntry,
    ChooseTeam,
    DeclineEntry,
    Enter,
    Expel,
    OpenRound,
    Participant,
    ReplaceTeamCode,
    StartTournament,
    Tournament,
    TournamentCommand,
    Withdraw,
    participant,
)
from hoodwink.domain.tournaments.life.commands.allowed_actors import allowed_actors, official_actor
from hoodwink.domain.tournaments.life.commands.rights import RIGHTS, Role
from hoodwink.domain.tournaments.life.facts import (
    applicant,
    holders_of,
    is_over,
    next_round,
    offered,
    organises,
    players_of,
    remaining,
    setup_of,
)
from hoodwink.domain.tournaments.life.state import Applicant
from hoodwink.service.application.errors import Forbidden, ForbiddenCode, NotFound, NotFoundCode
from hoodwink.service.application.ports import Owners
from hoodwink.service.application.streams.tournaments import Intent

Asked: TypeAlias = tuple[TournamentCommand, Actor]

INVITED_ONLY: Final = (
    "Only invited players enter this tournament; ask its organiser for the invitation, then open its link or enter its "
    "code. An earlier code may have been replaced."
)


def organise(player_id: str, command: TournamentCommand) -> Intent:
    """Executes a command of an official."""
    return lambda tournament: as_official(tournament, player_id, command)


def as_official(tournament: Tournament, player_id: str, command: TournamentCommand) -> Asked:
    """Returns a command of an official with its actor; raises `Forbidden` unless the player has the right to it (T-50)."""
    actor = official_actor(tournament, player_id, command)
    if actor is None:
        is_for_arbiters = Role.ARBITER in RIGHTS[type(command)]
        raise Forbidden(ForbiddenCode.NOT_OFFICIAL if is_for_arbiters else ForbiddenCode.NOT_ORGANISER)
    return command, actor


def check_organiser(tournament: Tournament, player_id: str) -> None:
    """Raises `Forbidden` unless the player is the organiser or a co-organiser."""
    if not organises(tournament, player_id):
        raise Forbidden(ForbiddenCode.NOT_ORGANISER)


def enter(
    player: Player,
    *,
    seed_commitment: str,
    owners: Owners,
    is_invited: Callable[[Tournament], bool],
    standing: Callable[[str], StandingRow | None],
) -> Intent:
    """Enters a player.

    Args:
        is_invited: returns whether they have the invitation code.
        standing: returns their standing in a game.
    """
    command = Enter(player=player.id, seed_commitment=seed_commitment)

    def intent(tournament: Tournament) -> Asked:
        if player.owner is not None and not setup_of(tournament).outside_bots:
            raise Forbidden(ForbiddenCode.BOTS_NOT_ALLOWED)
        # Those who organise know the code (T-25), and an offer replaces it (T-28).
        is_welcome = organises(tournament, player.id) or player.id in offered(tournament)
        needs_code = tournament.admission.invited_only and not is_welcome
        if needs_code and not is_invited(tournament):
            raise Forbidden(ForbiddenCode.NOT_INVITED, INVITED_ONLY)
        check_bounds(tournament, standing)
        if tournament.compare is not None and setup_of(tournament).outside_bots:
            check_only_one(tournament, player.id, owners)
        return command, by_entrant(player.id)

    return intent


def check_bounds(tournament: Tournament, standing: Callable[[str], StandingRow | None]) -> None:
    """Raises `Forbidden` unless the player's rating and number of rated tables are within the bounds (T-27)."""
    low, high = tournament.admission.min_rating, tournament.admission.max_rating
    min_tables = tournament.admission.min_rated_tables
    if low is None and high is None and not min_tables:
        return
    found = standing(setup_of(tournament).game)
    if min_tables > (0 if found is None else found.tables):
        raise Forbidden(
            ForbiddenCode.TOO_FEW_RATED_TABLES, f"You need {counted(min_tables, 'rated table')} of the game."
        )
    if low is not None and (found is None or found.rating.ordinal < low * MILLION):
        raise Forbidden(
            ForbiddenCode.RATING_OUT_OF_BOUNDS, f"You need a rating of at least {low} in this game."
        )
    if high is not None and found is not None and found.rating.ordinal > high * MILLION:
        raise Forbidden(
            ForbiddenCode.RATING_OUT_OF_BOUNDS, f"Your rating in this game must be at most {high}."
        )


def accept(organiser: str, entrant_id: str, *, owners: Owners, exists: Callable[[str], bool]) -> Intent:
    """Accepts a player who asked to enter; `exists` returns whether a player has not been erased since."""

    def intent(tournament: Tournament) -> Asked:
        check_organiser(tournament, organiser)
        asked = _applicant_of(tournament, entrant_id)
        if not exists(asked.id):
            raise NotFound(NotFoundCode.ENTRANT_NOT_FOUND, "This player has been deleted.")
        if tournament.compare is not None and setup_of(tournament).outside_bots:
            check_only_one(tournament, asked.id, owners)
        return as_official(tournament, organiser, AcceptEntry(asked.id))

    return intent


def decline(organiser: str, entrant_id: str) -> Intent:
    def intent(tournament: Tournament) -> Asked:
        check_organiser(tournament, organiser)
        return as_official(tournament, organiser, DeclineEntry(_applicant_of(tournament, entrant_id).id))

    return intent


def _applicant_of(tournament: Tournament, entrant_id: str) -> Applicant:
    asked = applicant(tournament, entrant_id)
    if asked is None:
        raise NotFound(NotFoundCode.ENTRANT_NOT_FOUND, "This player does not ask to enter.")
    return asked


def check_only_one(tournament: Tournament, player_id: str, owners: Owners) -> None:
    """Raises `Forbidden` if somebody of the same owner plays: they would see a shared deal at two tables (D-7)."""
    others = holders_of(remaining(tournament))
    owner_of = owners([*others, player_id])
    own = owner_of.get(player_id, player_id)
    if any(owner_of.get(other, other) == own for other in others if other != player_id):
        raise Forbidden(ForbiddenCode.OWN_BOT_PLAYS)


def enter_bot(player_id: str, policy: str, *, seed_commitment: str, admit: Callable[[int], None]) -> Intent:
    """Enters a bot, which only organisers may do. A seed for it is passed on, because the tournament refuses it.

    `admit` is called first with the number of bots that have entered, and may raise.
    """
    command = Enter(player="", policy=policy, seed_commitment=seed_commitment)

    def intent(tournament: Tournament) -> Asked:
        check_organiser(tournament, player_id)
        # Bots withdrawn after the start count, too: they finish their tables, so others would come on top.
        if not is_over(tournament):
            admit(sum(entrant.policy is not None for entrant in tournament.entrants))
        return as_official(tournament, player_id, command)

    return intent


def take_part(player_id: str, command: TournamentCommand) -> Intent:
    def intent(tournament: Tournament) -> Asked:
        if participant(tournament, player_id) is None:
            raise Forbidden(ForbiddenCode.NOT_ENTERED)
        return command, by_entrant(player_id)

    return intent


def found_team(player_id: str, entrant_id: str, name: str) -> Intent:
    """Founds a team for an entrant, who is the player unless an organiser asks; `name` is the hash of its name."""

    def intent(tournament: Tournament) -> Asked:
        # Numbered here, because at a repeated attempt another team may have been founded.
        command = ChooseTeam(entrant_id, len(tournament.teams) + 1, name)
        if entrant_id == player_id and by_entrant(player_id) in allowed_actors(tournament, command):
            return take_part(player_id, command)(tournament)
        return as_official(tournament, player_id, command)

    return intent


def join_team(player_id: str, has_code: Callable[[Tournament, int], bool]) -> Intent:
    """Lets an entrant join the team whose code the request has (T-31)."""

    def intent(tournament: Tournament) -> Asked:
        teams = range(1, len(tournament.teams) + 1)
        team = next((team for team in teams if has_code(tournament, team)), None)
        # In a tournament without teams, its own refusal says more than a missing code.
        if team is None and tournament.team_terms is not None:
            raise Forbidden(ForbiddenCode.NOT_INVITED, "No team has this code. Ask your team-mates for it.")
        return take_part(player_id, ChooseTeam(player_id, team))(tournament)

    return intent


def set_team(player_id: str, entrant_id: str, team: int | None) -> Intent:
    """Lets an entrant leave the team; organisers may put any entrant into any team."""

    def intent(tournament: Tournament) -> Asked:
        entrant_of(tournament, entrant_id)
        command = ChooseTeam(entrant_id, team)
        if entrant_id == player_id and team is None:
            return command, by_entrant(player_id)
        return as_official(tournament, player_id, command)

    return intent


def replace_team_code(player_id: str, team: int) -> Intent:
    """Replaces the code of a team, which its entrants and organisers may do (T-34)."""
    command = ReplaceTeamCode(team)

    def intent(tournament: Tournament) -> Asked:
        if any(mate.id == player_id for mate in players_of(tournament, team)):
            return command, by_entrant(player_id)
        return as_official(tournament, player_id, command)

    return intent


def withdraw(player_id: str, entrant_id: str) -> Intent:
    """Withdraws the player; organisers may also withdraw a bot."""

    def intent(tournament: Tournament) -> Asked:
        asked = applicant(tournament, entrant_id)
        if entrant_id == player_id and asked is not None and not asked.is_declined:
            return Withdraw(player_id), by_entrant(player_id)
        if entrant_of(tournament, entrant_id).policy is not None:
            return as_official(tournament, player_id, Withdraw(entrant_id))
        if entrant_id != player_id:
            raise Forbidden(ForbiddenCode.NOT_YOU)
        return Withdraw(entrant_id), by_entrant(player_id)

    return intent


def expel(player_id: str, entrant_id: str, *, reason: str) -> Intent:
    """Expels an entrant, which only organisers may do."""

    def intent(tournament: Tournament) -> Asked:
        check_organiser(tournament, player_id)
        return as_official(tournament, player_id, Expel(entrant_of(tournament, entrant_id).id, reason))

    return intent


def entrant_of(tournament: Tournament, entrant_id: str) -> Participant:
    """Returns the entrant with that id; raises `NotFound`."""
    found = participant(tournament, entrant_id)
    if found is None:
        raise NotFound(NotFoundCode.ENTRANT_NOT_FOUND)
    return found


def start(player_id: str, ratings: Callable[[Tournament], dict[str, int]]) -> Intent:
    """Starts the tournament; `ratings` returns the ratings from which starting ranks may be derived."""

    def intent(tournament: Tournament) -> Asked:
        check_organiser(tournament, player_id)
        # Ratings are in other streams, which `decide` must not read, so the command carries them.
        return as_official(tournament, player_id, StartTournament(ratings(tournament)))

    return intent


def administer(command: TournamentCommand) -> Intent:
    """Executes a command of an administrator. The caller has to check that one asks."""
    return lambda _: (command, ADMIN)


def open_round(player_id: str, *, early: bool, reason: str) -> Intent:
    def intent(tournament: Tournament) -> Asked:
        # Before the start there are no terms and thus no next round; the tournament refuses any number.
        number = next_round(tournament) if tournament.terms is not None else 1
        return as_official(tournament, player_id, OpenRound(number, early=early, reason=reason))

    return intent
