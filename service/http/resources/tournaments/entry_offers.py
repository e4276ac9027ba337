"""Offers of an entry to players, and lists of players in files (T-28, T-29)."""

from typing import Final

import msgspec
from marshmallow import fields, validate

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tournaments.life import WithdrawOffers
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.deciding.offers import MAX_OFFERED, OBSTACLES
from hoodwink.domain.tournaments.life.state import OfferStatus
from hoodwink.service.application.commands import entry_offers
from hoodwink.service.application.commands.entry_offers import EntrantListAnswer
from hoodwink.service.application.commands.player_lists import MalformedList, read_list
from hoodwink.service.application.commands.tournament_intents import check_organiser, organise
from hoodwink.service.application.errors import ForbiddenCode, NotFoundCode
from hoodwink.service.application.players.player_lookup import ID_PATTERN
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.messages.fields import TupleField, Whole
from hoodwink.service.http.messages.schemas import ExpectationSchema, StrictSchema
from hoodwink.service.http.resources.tournaments.commands import (
    TournamentCommands,
    load_tournament,
    tournament_operation,
)

_MAX_LIST: Final = 60_000


class EntryOffer(msgspec.Struct, frozen=True, gc=False):
    """The last offer of an entry to a player, with the current name."""

    player: str
    name: str
    status: OfferStatus


class EntryOffersAnswer(msgspec.Struct, frozen=True, gc=False):
    """The offers of entries in a tournament, in the order in which they were made."""

    offers: tuple[EntryOffer, ...]


class OfferedPlayersSchema(ExpectationSchema):
    """The players to whom an entry is offered, or no longer is."""

    players = TupleField(
        fields.String(validate=Whole(ID_PATTERN, "Must be the id of a player.")),
        required=True,
        validate=validate.Length(min=1, max=MAX_OFFERED),
        metadata={"description": "The ids of the players, in starting order."},
    )


class EntrantListSchema(StrictSchema):
    """A list of players."""

    list = fields.String(
        required=True,
        validate=validate.Length(min=1, max=_MAX_LIST),
        metadata={
            "description": "CSV with a header, or a tournament report (TRF). The columns of CSV are `id` (also `player`), `name` and "
            "`order` (also `rank` or `entrant`), separated by commas, semicolons or tabs; others are ignored. An id may also be the address "
            "of the player's page. Of a report, only columns 5 to 8 and 15 to 47 of the lines 001 are read, so the rest may be cut off."
        },
    )


class EntryOfferResource:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._commands = TournamentCommands(service)

    @operation(
        method="POST",
        path="/v1/tournaments/{tournament_id}/entrant-lists",
        tag=Tag.TOURNAMENTS,
        summary="Find the players of a list (organisers only)",
        description="Changes nothing. Returns the players to whom you can then offer an entry, and says for every other line why not. An id "
        "decides, and the name next to it does not matter. A name alone must be that of exactly one of the first 1,000 people on the "
        "game's leaderboard. A list has at most 500 players.",
        access=Access.PLAYER,
        body=EntrantListSchema(),
        answer=Answer("The players.", {JSON: EntrantListAnswer}),
        refuses=(ForbiddenCode.NOT_ORGANISER, TournamentCode.INVALID_LIST),
        stores_nothing=True,
    )
    def read_entrant_list(self, call: Call) -> Reply:
        tournament = load_tournament(self._service, call).state
        check_organiser(tournament, call.actor.id)
        try:
            listed = read_list(call.form["list"])
        except MalformedList as error:
            raise RuleViolation(TournamentCode.INVALID_LIST, str(error)) from None
        return Reply(self._service.entry_offers.read(tournament, listed))

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}/offers",
        tag=Tag.TOURNAMENTS,
        summary="List the offers of entries (organisers only)",
        access=Access.PLAYER,
        answer=Answer("The offers.", {JSON: EntryOffersAnswer}),
        refuses=(ForbiddenCode.NOT_ORGANISER,),
    )
    def list_entry_offers(self, call: Call) -> Reply:
        tournament = load_tournament(self._service, call).state
        check_organiser(tournament, call.actor.id)
        names = self._service.players.names([offer.player for offer in tournament.offers])
        offers = [EntryOffer(each.player, names(each.player), each.status) for each in tournament.offers]
        return Reply(EntryOffersAnswer(tuple(offers)))

    @tournament_operation(
        "/offers",
        "Offer an entry to players (organisers only)",
        "Each of the players has an open offer.",
        status=201,
        description="A player with an offer sees the tournament, and enters with `POST …/entrants`, without the invitation code and "
        "without approval, or declines. A player gets at most two offers, and none from somebody whom they have blocked. Either all "
        "of the players get one, or nobody does.",
        body=OfferedPlayersSchema(),
        refuses=(
            ForbiddenCode.NOT_ORGANISER,
            ForbiddenCode.OFFER_REFUSED,
            ForbiddenCode.BOTS_NOT_ALLOWED,
            NotFoundCode.PLAYER_NOT_FOUND,
            TournamentCode.TOURNAMENT_OVER,
            TournamentCode.REGISTRATION_CLOSED,
            TournamentCode.TOO_LATE,
            TournamentCode.TOURNAMENT_FULL,
            TournamentCode.INVALID_OFFER,
            TournamentCode.TOO_MANY_ENTRIES_OFFERED,
            *OBSTACLES,
        ),
    )
    def offer_entries(self, call: Call) -> Reply:
        return self._commands.execute(
            call, self._service.entry_offers.offer(call.actor.id, call.form["players"])
        )

    @tournament_operation(
        "/offers/withdrawal",
        "Take back offers of entries (organisers only)",
        "The players have no open offer.",
        body=OfferedPlayersSchema(),
        refuses=(
            ForbiddenCode.NOT_ORGANISER,
            TournamentCode.TOURNAMENT_OVER,
            TournamentCode.INVALID_OFFER,
            TournamentCode.NOT_OFFERED,
        ),
    )
    def withdraw_offers(self, call: Call) -> Reply:
        return self._commands.execute(call, organise(call.actor.id, WithdrawOffers(call.form["players"])))

    @tournament_operation(
        "/offers/refusal",
        "Decline the offer of an entry",
        "You have no open offer. Those who organise the tournament can make one more.",
        body=ExpectationSchema(),
        refuses=(TournamentCode.TOURNAMENT_OVER, TournamentCode.NOT_OFFERED),
    )
    def decline_offer(self, call: Call) -> Reply:
        return self._commands.execute(call, entry_offers.decline(call.actor.id))
