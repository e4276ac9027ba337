"""Bots: their registration and description, and the bots that are online."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

import msgspec
from marshmallow import fields, validate

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import MAX_NAME_LENGTH, NAME_PATTERN, Names
from hoodwink.domain.tables.pace import MAX_TURN_SECONDS
from hoodwink.service.application.errors import BusyCode, ConflictCode, ForbiddenCode
from hoodwink.service.application.limits import Limit, LimitCode
from hoodwink.service.application.players.bots import MAX_TABLES, SIZES, AcceptedTables, Bot, Description
from hoodwink.service.application.players.new_names import BOT_PREFIX, PlayerCode
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.client_address import counted_as
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.messages.answers import PlayerCard, Registered
from hoodwink.service.http.messages.fields import (
    IntegerField,
    TextIntegerField,
    TupleField,
    Whole,
    name_rules,
    within,
)
from hoodwink.service.http.messages.schemas import QuerySchema, StrictSchema
from hoodwink.service.http.resources.access import command_key

# Without quotes and brackets, so that no place that shows it has to escape it.
_HOME_PAGE: Final = r"^(https://[A-Za-z0-9.-]{1,100}(:[0-9]{1,5})?([/?#][A-Za-z0-9._~:/?#@!$&()*+,;=%-]*)?)?$"
_SIZE: Final = within(SIZES[0], SIZES[-1])


class AcceptsSchema(StrictSchema):
    """The tables at which a bot accepts a seat."""

    games = TupleField(
        fields.String(validate=validate.OneOf(list(GAMES))),
        validate=validate.Length(min=1, max=len(GAMES)),
        metadata={"description": "The games; by default all."},
    )
    seats = TupleField(
        IntegerField(validate=_SIZE),
        validate=validate.Length(min=1, max=len(SIZES)),
        metadata={"description": "The numbers of seats; by default all."},
    )
    tables = IntegerField(
        validate=within(1, MAX_TABLES),
        metadata={
            "description": "The number of tables at once, including those where a seat is offered.",
            "default": AcceptedTables().tables,
        },
    )
    turn_seconds = IntegerField(
        validate=within(1, MAX_TURN_SECONDS),
        metadata={
            "description": "The shortest turn clock, in seconds, that is enough for the bot.",
            "default": AcceptedTables().turn_seconds,
        },
    )


class DescriptionSchema(StrictSchema):
    """The description of a bot, which replaces the previous one."""

    version = fields.String(
        validate=[validate.Length(max=20), Whole("^[!-~]*$", "Must be printable ASCII without blanks.")],
        metadata={"description": "The version of the program, such as `1.4.2`.", "default": ""},
    )
    home_page = fields.String(
        validate=[validate.Length(max=200), Whole(_HOME_PAGE, "Must be an https URL, or empty.")],
        metadata={"description": "An https URL with more about the bot, or empty.", "default": ""},
    )
    accepts = fields.Nested(
        AcceptsSchema(), metadata={"description": "The tables at which the bot accepts a seat."}
    )


class BotSchema(DescriptionSchema):
    """A new bot."""

    name = fields.String(
        required=True,
        validate=[
            validate.Length(min=1, max=MAX_NAME_LENGTH - len(BOT_PREFIX)),
            Whole(NAME_PATTERN, "Must be visible characters, with single blanks between them."),
        ],
        metadata={
            "description": f"The name of the bot, which is shown after `{BOT_PREFIX.strip()}`. {name_rules('Its letters')}"
        },
    )


class OnlineSchema(QuerySchema):
    """The bots to list."""

    game = fields.String(
        validate=validate.OneOf(list(GAMES)), metadata={"description": "Only bots that play this game."}
    )
    seats = TextIntegerField(
        validate=_SIZE, metadata={"description": "Only bots that play at tables with this number of seats."}
    )


class BotCard(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A bot that a player owns.

    Attributes:
        owner: the id of the player to whom it belongs.
        version: of the program, as its author calls it.
        home_page: an https URL, or empty.
        accepts: the tables at which it accepts a seat.
        online: whether it follows its own stream now, or did until a few seconds ago.
    """

    id: str
    name: str
    bot: Literal[True] = True
    owner: str
    owner_name: str
    version: str
    home_page: str
    accepts: AcceptedTables
    online: bool


class BotsAnswer(msgspec.Struct, frozen=True, gc=False):
    """Bots that players own."""

    bots: tuple[BotCard, ...]


class PlayerAnswer(msgspec.Struct, frozen=True, gc=False):
    """The public data of a player.

    Attributes:
        name: the current name; `someone who left` if the player was erased.
        bot: the description of a bot; `null` for a person.
    """

    id: str
    name: str
    bot: BotCard | None


def description_of(form: Mapping[str, Any]) -> Description:
    """Returns the description in a form of a `DescriptionSchema`."""
    given = {name: value for name, value in form.items() if name in Description.__struct_fields__}
    return Description(**given | {"accepts": AcceptedTables(**form.get("accepts", {}))})


def bot_cards(bots: Iterable[tuple[Bot, bool]], owners: Names) -> tuple[BotCard, ...]:
    """Returns bots, each given with whether it is online."""
    return tuple(
        [
            BotCard(
                id=bot.player.id,
                name=bot.player.name,
                owner=bot.player.owner or "",
                owner_name=owners(bot.player.owner or ""),
                version=bot.description.version,
                home_page=bot.description.home_page,
                accepts=bot.description.accepts,
                online=is_online,
            )
            for bot, is_online in bots
        ]
    )


class BotResource:
    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="POST",
        path="/v1/me/bots",
        tag=Tag.PLAYERS,
        summary="Register a bot of yours",
        description="A bot is an account for a program. Its name begins with `BOT` wherever it is shown, it takes a seat only "
        "where it was offered one or at a table that it hosts, and it is rated among the bots. You can own five. The token is "
        "returned only in this response. For ten minutes, repeating the request with the same Idempotency-Key returns it again.",
        access=Access.PLAYER,
        body=BotSchema(),
        answer=Answer("The bot, with its token.", {JSON: Registered}, 201, ("Location",)),
        refuses=(
            ForbiddenCode.NOT_FOR_BOTS,
            ConflictCode.TOO_MANY_OWN_BOTS,
            PlayerCode.NAME_RESERVED,
            PlayerCode.NAME_ILLEGIBLE,
            LimitCode.TOO_MANY_REGISTRATIONS,
        ),
    )
    def register_bot(self, call: Call) -> Reply:
        limits, address, key = self._service.limits, counted_as(call.request.address), command_key(call)
        made = self._service.bots.register(
            call.actor,
            call.form["name"],
            description_of(call.form),
            key=call.key,
            fingerprint="" if key is None else key.fingerprint,
            count=lambda: limits.admit(Limit.REGISTRATIONS_PER_ADDRESS, address),
        )
        bot = made.player
        return Reply(Registered(bot.id, bot.name, made.token), {"Location": f"/v1/players/{bot.id}"})

    @operation(
        method="GET",
        path="/v1/me/bots",
        tag=Tag.PLAYERS,
        summary="List your bots",
        access=Access.PLAYER,
        answer=Answer("Your bots, in the order of their ids.", {JSON: BotsAnswer}),
    )
    def list_my_bots(self, call: Call) -> Reply:
        return Reply(BotsAnswer(self._cards(self._service.bots.of(call.actor.id))))

    @operation(
        method="DELETE",
        path="/v1/me/bots/{player_id}",
        tag=Tag.PLAYERS,
        summary="Erase a bot of yours",
        description="Its token ends, it gives up everything as a player who erases themselves, and everybody sees `someone who "
        "left` instead of its name. This cannot be undone. If the request fails, send it again. When you erase yourself, your "
        "bots are erased, too.",
        access=Access.PLAYER,
        answer=Answer("The bot, as others see it from now on.", {JSON: PlayerCard}),
        refuses=(BusyCode.PLAYER_BUSY, BusyCode.TABLE_BUSY, BusyCode.TOURNAMENT_BUSY),
    )
    def erase_bot(self, call: Call) -> Reply:
        bot = self._service.bots.own(call.actor.id, call.path["player_id"])
        erased = self._service.erasure.erase_other(bot.id)
        return Reply(PlayerCard(erased.id, erased.name))

    @operation(
        method="PUT",
        path="/v1/me/bot",
        tag=Tag.PLAYERS,
        summary="Describe yourself (bots only)",
        description="Replaces the whole description: what you leave out gets its default. The service refuses offers of seats "
        "that `accepts` does not allow.",
        access=Access.PLAYER,
        body=DescriptionSchema(),
        answer=Answer("Your data.", {JSON: BotCard}),
        refuses=(ForbiddenCode.ONLY_FOR_BOTS,),
    )
    def describe_bot(self, call: Call) -> Reply:
        self._service.bots.describe(call.actor, description_of(call.form))
        return Reply(self._cards(self._service.bots.described([call.actor]))[0])

    @operation(
        method="GET",
        path="/v1/bots",
        tag=Tag.PLAYERS,
        summary="List the bots that are online",
        description="A bot is online while it follows `GET /v1/me/events`, and for up to 15 seconds afterwards. Offer it a seat, "
        "or challenge it with `POST /v1/players/{player_id}/challenges`. At most 200 are listed.",
        query=OnlineSchema(),
        answer=Answer("The bots.", {JSON: BotsAnswer}),
    )
    def list_bots(self, call: Call) -> Reply:
        game, seats = call.query.get("game"), call.query.get("seats")
        found = [
            bot
            for bot in self._service.bots.online()
            if game in (None, *bot.description.accepts.games)
            and seats in (None, *bot.description.accepts.seats)
        ]
        # Not asked again, which would cost a round trip per bot.
        return Reply(BotsAnswer(self._cards(found, are_online=True)))

    @operation(
        method="GET",
        path="/v1/players/{player_id}",
        tag=Tag.PLAYERS,
        summary="Show a player",
        answer=Answer("The player.", {JSON: PlayerAnswer}),
    )
    def get_player(self, call: Call) -> Reply:
        # Erased players are found as well, because tables and logs still have their ids.
        player = self._service.players.get(call.path["player_id"])
        cards = self._cards(self._service.bots.described([player]))
        return Reply(PlayerAnswer(player.id, player.name, cards[0] if cards else None))

    def _cards(self, bots: Iterable[Bot], *, are_online: bool = False) -> tuple[BotCard, ...]:
        found = [(bot, are_online or self._service.bots.is_online(bot.player.id)) for bot in bots]
        owners = {bot.player.owner for bot, _ in found if bot.player.owner is not None}
        return bot_cards(found, self._service.players.names(owners))
