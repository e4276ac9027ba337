"""`/v1/players`: registers and shows players; lets them rename and erase themselves and replace their tokens."""

from typing import Final

from marshmallow import fields, validate

from hoodwink.domain.kernel import MAX_NAME_LENGTH, NAME_PATTERN
from hoodwink.service.application.errors import BusyCode, ConflictCode
from hoodwink.service.application.limits import Limit, LimitCode
from hoodwink.service.application.players.new_names import PlayerCode
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.client_address import counted_as
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.messages.answers import OwnCard, PlayerCard, Registered
from hoodwink.service.http.messages.fields import Whole, name_rules
from hoodwink.service.http.messages.schemas import ConfirmSchema, StrictSchema
from hoodwink.service.http.resources.access import command_key

_NAME_RULES: Final = name_rules("Its letters")
_NAME: Final = [
    validate.Length(min=1, max=MAX_NAME_LENGTH),
    Whole(NAME_PATTERN, "Must be visible characters, with single blanks between them."),
]


class PlayerSchema(StrictSchema):
    """A new player. A guest, who sends no name, gets one."""

    name = fields.String(validate=_NAME, metadata={"description": f"The name that others see. {_NAME_RULES}"})


class NameSchema(StrictSchema):
    """Your new name."""

    name = fields.String(
        required=True,
        validate=_NAME,
        metadata={"description": f"The name that others see from now on. {_NAME_RULES}"},
    )


class EmptySchema(StrictSchema):
    """No fields."""


class PlayerResource:
    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="POST",
        path="/v1/players",
        tag=Tag.PLAYERS,
        summary="Register a player or a guest",
        description="The token is returned only in this response; the service stores only its hash. For ten minutes, repeating "
        "the request with the same Idempotency-Key and name returns the token again, so choose a random key and keep it secret. "
        "Later, or with another name, the key registers another player.",
        body=PlayerSchema(),
        answer=Answer("The player, with the token.", {JSON: Registered}, 201, ("Location",)),
        refuses=(PlayerCode.NAME_RESERVED, PlayerCode.NAME_ILLEGIBLE, LimitCode.TOO_MANY_REGISTRATIONS),
    )
    def register_player(self, call: Call) -> Reply:
        limits, address = self._service.limits, counted_as(call.request.address)
        made = self._service.players.register(
            name=call.form.get("name"),
            key=call.key,
            # Not counted here, because a repetition must return its token even beyond the limit.
            count=lambda: limits.admit(Limit.REGISTRATIONS_PER_ADDRESS, address),
        )
        player = made.player
        answer = Registered(player.id, player.name, made.token)
        return Reply(answer, {"Location": f"/v1/players/{player.id}"})

    @operation(
        method="GET",
        path="/v1/players/me",
        tag=Tag.PLAYERS,
        summary="Show your own data",
        access=Access.PLAYER,
        answer=Answer("Your data.", {JSON: OwnCard}),
    )
    def get_me(self, call: Call) -> Reply:
        me = call.actor
        return Reply(OwnCard(me.id, me.name, me.registered_at))

    @operation(
        method="PATCH",
        path="/v1/players/me",
        tag=Tag.PLAYERS,
        summary="Rename yourself",
        description="From now on everybody sees the new name, even at tables that are over. Your id stays the same.",
        access=Access.PLAYER,
        body=NameSchema(),
        answer=Answer("Your data, with the new name.", {JSON: OwnCard}),
        refuses=(PlayerCode.NAME_RESERVED, PlayerCode.NAME_ILLEGIBLE, BusyCode.PLAYER_BUSY),
    )
    def rename_me(self, call: Call) -> Reply:
        # Needs no key: to take the same name again changes nothing.
        me = self._service.players.rename(call.actor, call.form["name"])
        return Reply(OwnCard(me.id, me.name, me.registered_at))

    @operation(
        method="POST",
        path="/v1/players/me/token",
        tag=Tag.PLAYERS,
        summary="Replace your token",
        description="The old token of this session and the live streams that it opened end; the new token is returned only in "
        "this answer. "
        "Repeating the request with the same Idempotency-Key, and with the token that it ended, returns the same response.",
        access=Access.PLAYER,
        ends_token=True,
        body=EmptySchema(),
        answer=Answer("Your data, with the new token.", {JSON: Registered}, 201),
        refuses=(ConflictCode.TOKEN_SUPERSEDED, BusyCode.PLAYER_BUSY),
    )
    def replace_token(self, call: Call) -> Reply:
        # The new token derives from the key, so that a client that missed the answer gets the same one again.
        secret = self._service.identities.key_or_fresh(call.key)
        made = self._service.players.replace_token(call.actor, command_key(call), secret)
        return Reply(Registered(made.player.id, made.player.name, made.token))

    @operation(
        method="DELETE",
        path="/v1/players/me/token",
        tag=Tag.PLAYERS,
        summary="Revoke your token, which ends your session",
        description="Live streams that it opened end, too. This cannot be undone, and if it was your only session, nobody may be "
        "able to sign in as you any more. Your name, seats and results stay; to leave completely, erase yourself.",
        access=Access.PLAYER,
        answer=Answer("Your data.", {JSON: OwnCard}),
        refuses=(BusyCode.PLAYER_BUSY,),
    )
    def end_token(self, call: Call) -> Reply:
        # A repetition gets 401, which tells the client the same: the token has ended.
        me = call.actor
        self._service.players.end_sessions(me, lambda session: session.token_hash == me.token_hash)
        return Reply(OwnCard(me.id, me.name, me.registered_at))

    @operation(
        method="POST",
        path="/v1/players/me/erase",
        tag=Tag.PLAYERS,
        summary="Erase yourself",
        description="All your sessions end, and everybody sees `someone who left` instead of your name. You resign from tables in "
        "play, leave tables that have not started, close those of them that you host, decline offered seats, and withdraw from "
        "tournaments. Your results stay, under your id. This cannot be undone. If the request fails, send it again, even if "
        "the token has ended: that completes it, and returns the same response.",
        access=Access.PLAYER,
        ends_token=True,
        body=ConfirmSchema(),
        answer=Answer("Your data, as others see it from now on.", {JSON: PlayerCard}),
        refuses=(
            ConflictCode.STILL_ORGANISING,
            BusyCode.PLAYER_BUSY,
            BusyCode.TABLE_BUSY,
            BusyCode.TOURNAMENT_BUSY,
        ),
    )
    def erase_me(self, call: Call) -> Reply:
        me = self._service.erasure.erase(call.actor, command_key(call))
        return Reply(PlayerCard(me.id, me.name))
