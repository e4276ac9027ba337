"""Organisers offer the place of an entrant to another player, who takes it or declines (T-19)."""

from functools import partial

from marshmallow import fields

from hoodwink.domain.players import Player
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tournaments.life import Tournament
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.facts import organisers_of
from hoodwink.service.application.commands import substitution_intents as intents
from hoodwink.service.application.errors import Forbidden, ForbiddenCode, NotFoundCode
from hoodwink.service.application.players.player_lookup import ID_PATTERN
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import Call, Reply
from hoodwink.service.http.messages.fields import Whole
from hoodwink.service.http.messages.schemas import ExpectationSchema, ReasonSchema
from hoodwink.service.http.messages.tournament_forms import seed_commitment_field
from hoodwink.service.http.resources.tournaments.commands import (
    STARTED,
    TournamentCommands,
    tournament_operation,
)


class SubstituteSchema(ReasonSchema):
    """The player to whom the place is offered, and why."""

    player = fields.String(
        required=True,
        validate=Whole(ID_PATTERN, "Must be the id of a player."),
        metadata={"description": "The id of the player."},
    )


class TakenPlaceSchema(ExpectationSchema):
    """Your acceptance of the place."""

    seed_commitment = seed_commitment_field("the next round opens")


class DeclinedPlaceSchema(ExpectationSchema):
    """The player to whom the place is no longer offered; by default yourself."""

    player = fields.String(
        validate=Whole(ID_PATTERN, "Must be the id of a player."),
        metadata={"description": "The id of the player; without it, you decline for yourself."},
    )


class SubstitutionResource:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._commands = TournamentCommands(service)

    @tournament_operation(
        "/entrants/{entrant_id}/substitute",
        "Offer the place of an entrant to another player (organisers only)",
        "The player may take the place; it replaces an earlier offer.",
        description="The place keeps its score and its opponents. The player who takes it plays from the next round on, and the "
        "entrant finishes a table in play. The event contains a salted hash of your reason; `GET /v1/reasons/{digest}` shows the "
        "text to everybody. A place can be offered ten times.",
        body=SubstituteSchema(),
        refuses=(
            ForbiddenCode.NOT_ORGANISER,
            ForbiddenCode.BOTS_NOT_ALLOWED,
            ForbiddenCode.OFFER_REFUSED,
            NotFoundCode.PLAYER_NOT_FOUND,
            *STARTED,
            TournamentCode.NO_SUBSTITUTES,
            TournamentCode.ENTRANT_LEFT,
            TournamentCode.LAST_ROUND,
            TournamentCode.OWN_PLACE,
            TournamentCode.OWN_CONTEST,
            TournamentCode.ALREADY_ENTERED,
            TournamentCode.ARBITER_PLAYS,
            TournamentCode.ENTRANT_EXPELLED,
            TournamentCode.PLACE_OFFERED,
            TournamentCode.TOO_MANY_PLACE_OFFERS,
            TableCode.NOT_A_PERSON,
            TableCode.INVALID_REASON,
        ),
    )
    def offer_place(self, call: Call) -> Reply:
        players, entrant, substitute = self._service.players, call.path["entrant_id"], call.form["player"]
        official = call.actor.id
        return self._commands.execute_with_reason(
            call,
            lambda reason: intents.offer(
                official,
                entrant,
                reason=reason,
                # On the state on which the offer is decided, because those who organise it may change.
                substitute=lambda tournament: self._substitute(tournament, substitute),
                owners=players.owners,
            ),
        )

    def _substitute(self, tournament: Tournament, player_id: str) -> Player:
        """Returns the player; raises `Forbidden` if they have blocked one of those who organise the tournament."""
        if self._service.blocks.blocking([player_id], organisers_of(tournament)):
            raise Forbidden(ForbiddenCode.OFFER_REFUSED)
        return self._service.players.get(player_id)

    @tournament_operation(
        "/place",
        "Take the place that was offered to you",
        "You are the entrant from the next round on.",
        body=TakenPlaceSchema(),
        refuses=(
            ForbiddenCode.RATING_OUT_OF_BOUNDS,
            ForbiddenCode.TOO_FEW_RATED_TABLES,
            ForbiddenCode.BOTS_NOT_ALLOWED,
            ForbiddenCode.OWN_BOT_PLAYS,
            *STARTED,
            TournamentCode.NO_PLACE_OFFERED,
            TournamentCode.ENTRANT_LEFT,
            TournamentCode.LAST_ROUND,
            TournamentCode.ALREADY_ENTERED,
            TournamentCode.ARBITER_PLAYS,
        ),
    )
    def take_place(self, call: Call) -> Reply:
        taken = intents.take(
            call.actor,
            seed_commitment=call.form.get("seed_commitment", ""),
            owners=self._service.players.owners,
            standing=partial(self._service.queries.standing_of, player=call.actor),
        )
        return self._commands.execute(call, taken)

    @tournament_operation(
        "/place/refusal",
        "Decline the place that was offered to you; organisers may take an offer back",
        "The place is no longer offered to the player.",
        body=DeclinedPlaceSchema(),
        refuses=(
            ForbiddenCode.NOT_ORGANISER,
            TournamentCode.TOURNAMENT_OVER,
            TournamentCode.NO_PLACE_OFFERED,
        ),
    )
    def decline_place(self, call: Call) -> Reply:
        player = call.form.get("player", call.actor.id)
        return self._commands.execute(call, intents.decline(call.actor.id, player))
