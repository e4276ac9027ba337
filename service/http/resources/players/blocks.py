"""`/v1/players/me/blocks`: the players whose offers of seats a player refuses."""

import msgspec

from hoodwink.service.application.errors import ApplicationError, BusyCode, ConflictCode
from hoodwink.service.application.players.stored_players import CATEGORY
from hoodwink.service.application.ports import StreamId
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.messages.answers import PlayerCard


class BlocksAnswer(msgspec.Struct, frozen=True, gc=False):
    """The players whom you have blocked, with their current names, in the order of their ids."""

    blocked: tuple[PlayerCard, ...]


class BlockResource:
    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="GET",
        path="/v1/players/me/blocks",
        tag=Tag.PLAYERS,
        summary="List the players whom you have blocked",
        access=Access.PLAYER,
        answer=Answer("The players.", {JSON: BlocksAnswer}),
    )
    def list_blocks(self, call: Call) -> Reply:
        return self._list(call)

    @operation(
        method="PUT",
        path="/v1/players/me/blocks/{player_id}",
        tag=Tag.PLAYERS,
        summary="Block a player, who can no longer offer you seats or entries",
        description="Their offers are refused with `offer_refused`, and a rematch that they open leaves your seat free. Their "
        "open offers are declined for you. Nobody else sees the list. The other player is not informed, but may guess why an "
        "offer is refused. The list can have 500 players, and is erased with you.",
        access=Access.PLAYER,
        answer=Answer("The players whom you have blocked.", {JSON: BlocksAnswer}),
        refuses=(ConflictCode.BLOCK_LIST_FULL, BusyCode.TABLE_BUSY),
    )
    def block_player(self, call: Call) -> Reply:
        blocked = self._service.players.get(call.path["player_id"])
        if not self._service.blocks.add(call.actor.id, blocked.id):
            raise ApplicationError(ConflictCode.BLOCK_LIST_FULL)
        # After the block is stored: in the other order, an offer could arrive in between.
        self._service.hosted_tables.decline_offers(blocked.id, call.actor.id)
        self._service.entry_offers.decline_all(blocked.id, call.actor.id)
        return self._change(call)

    @operation(
        method="DELETE",
        path="/v1/players/me/blocks/{player_id}",
        tag=Tag.PLAYERS,
        summary="Unblock a player",
        access=Access.PLAYER,
        answer=Answer("The players whom you have blocked.", {JSON: BlocksAnswer}),
    )
    def unblock_player(self, call: Call) -> Reply:
        named = call.path["player_id"]
        if not self._service.blocks.remove(call.actor.id, named):
            self._service.players.get(named)  # 404 for an unknown player; a repeated request gets the list
        return self._change(call)

    def _change(self, call: Call) -> Reply:
        """Returns the list, once enough replicas have it."""
        # Also if nothing has changed, because an earlier attempt may have failed to get a confirmation.
        self._service.store.confirm(StreamId(CATEGORY, call.actor.id))
        return self._list(call)

    def _list(self, call: Call) -> Reply:
        blocked = self._service.blocks.of(call.actor.id)
        names = self._service.players.names(blocked)
        return Reply(BlocksAnswer(tuple([PlayerCard(id_, names(id_)) for id_ in blocked])))
