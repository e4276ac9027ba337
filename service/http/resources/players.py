"""`/v1/players`: registers players and shows them."""

from typing import Final

from marshmallow import fields, validate

from domain.players import LONGEST_NAME, NAME_PATTERN
from service.bootstrap import Service
from service.http.framework.operations import JSON, Answer, Call, Reply, Tag, operation
from service.http.messages.answers import PlayerCard, Registered
from service.http.messages.fields import Whole
from service.http.messages.schemas import StrictSchema


class PlayerSchema(StrictSchema):
    """A new player. A guest, who sends no name, gets one."""

    name = fields.String(
        validate=[
            validate.Length(min=1, max=LONGEST_NAME),
            Whole(NAME_PATTERN, "Must be visible characters, with single blanks between them."),
        ],
        metadata={"description": "The name that others see; it need not be unique."},
    )


SECRET: Final = {"Cache-Control": "no-store"}


class PlayerResource:
    """Registers players and shows them."""

    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="POST",
        path="/v1/players",
        tag=Tag.PLAYERS,
        summary="Register a player or a guest",
        description="The token is returned only in this answer; the service stores only its hash. Repeating the request "
        "with the same Idempotency-Key returns the token again, so choose that key at random and keep it secret.",
        body=PlayerSchema(),
        answer=Answer("The player, with the token.", {JSON: Registered}, 201, ("Location",)),
    )
    def register_player(self, call: Call) -> Reply:
        made = self._service.players.register(name=call.form.get("name"), key=call.key)
        player = made.player
        answer = Registered(player.id, player.name, made.token)
        return Reply(answer, {"Location": f"/v1/players/{player.id}", **SECRET})

    @operation(
        method="GET",
        path="/v1/players/{player_id}",
        tag=Tag.PLAYERS,
        summary="Show a player",
        answer=Answer("The player.", {JSON: PlayerCard}),
    )
    def get_player(self, call: Call) -> Reply:
        player = self._service.players.get(call.path["player_id"])
        return Reply(PlayerCard(player.id, player.name))
