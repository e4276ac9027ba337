"""`/v1/tables/…`: invitation codes, offers of seats, hosts, rematches, and presence."""

from collections.abc import Callable
from functools import partial

import msgspec

from hoodwink.domain.kernel import RuleViolation, SharedCode
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.deciding.rooms import belongs_to
from hoodwink.domain.tables.state import seat_of
from hoodwink.service.application.commands import intents
from hoodwink.service.application.commands.hosted_tables import offer_of
from hoodwink.service.application.errors import (
    ApplicationError,
    BusyCode,
    Forbidden,
    ForbiddenCode,
    NotFoundCode,
)
from hoodwink.service.application.limits import Limit, LimitCode
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.messages.answers import TableAnswer, table_answer
from hoodwink.service.http.messages.forms import HostSchema, OfferSchema
from hoodwink.service.http.messages.problems import TABLE_NOT_OVER, Problem
from hoodwink.service.http.messages.requests import INVITATION
from hoodwink.service.http.resources.access import check_over, etag_of, names_at, table_id, viewer_of
from hoodwink.service.http.resources.admission import check_watcher
from hoodwink.service.http.resources.commands import Commands, table_operation
from hoodwink.service.http.resources.opening import TABLE_CODES, count_opening, hosted_tables
from hoodwink.service.http.resources.tables.tables import BEFORE_START


class Invitation(msgspec.Struct, frozen=True, gc=False):
    """The invitation code of a table. Send it in the header `Hoodwink-Invitation`, never in an address."""

    invitation: str


class PresenceAnswer(msgspec.Struct, frozen=True, gc=False):
    """Who is connected to a table.

    Attributes:
        seats: the seats whose players follow the table's events now, or did until a few seconds ago.
    """

    seats: tuple[int, ...]


class RoomResource:
    """Shows the invitation code, and handles offers, changes of the host, and rematches."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._commands = Commands(service)

    @operation(
        method="GET",
        path="/v1/tables/{table_id}/invitation",
        tag=Tag.TABLES,
        summary="Show the invitation code; only for the host and the players",
        description="Others need the code to sit down at a private table, and to watch a table whose `watch` is `invited`. "
        f"They send it in the header `{INVITATION}`; case and hyphens do not matter. The code never changes.",
        access=Access.PLAYER,
        answer=Answer("The code.", {JSON: Invitation}),
    )
    def get_invitation(self, call: Call) -> Reply:
        table = self._service.tables.load(table_id(call)).state
        # Watching is not enough: at a private table that everyone may watch, the code would let anybody sit down.
        if not belongs_to(table, call.actor.id):
            raise Forbidden(ForbiddenCode.NOT_INVITED)
        return Reply(Invitation(self._service.identities.invitation(table.id)))

    @operation(
        method="GET",
        path="/v1/tables/{table_id}/presence",
        tag=Tag.TABLES,
        summary="Show which players are connected",
        description="A player counts as connected while following the table's live stream with a token, and for up to "
        "15 seconds afterwards. Bots and spectators do not count. No event or log records who was connected.",
        access=Access.OPTIONAL,
        answer=Answer("The seats of these players.", {JSON: PresenceAnswer}),
    )
    def get_presence(self, call: Call) -> Reply:
        table = self._service.tables.load(table_id(call)).state
        check_watcher(self._service, call, table)
        connected = self._service.presence.connected(table.id, now=self._service.clock.now_ms())
        # Presence is noted by player, and somebody may have left the seat since.
        seats = [seat for player in connected if (seat := seat_of(table, player)) is not None]
        return Reply(PresenceAnswer(tuple(sorted(seats))))

    @table_operation(
        "/offers",
        "Offer a seat to a player; only the host may",
        "The seat is reserved for the player.",
        tag=Tag.TABLES,
        status=201,
        description="Only that player may take the seat (`POST …/seats`), even without the invitation code. The host can "
        "withdraw the offer, and the player can decline it, with `DELETE …/seats/{seat}`. A host may have five open offers, at "
        "all tables together. You cannot offer seats to players who have blocked you.",
        body=OfferSchema(),
        refuses=(
            ForbiddenCode.NOT_HOST,
            NotFoundCode.PLAYER_NOT_FOUND,
            ForbiddenCode.OFFER_REFUSED,
            LimitCode.TOO_MANY_OFFERS,
            *BEFORE_START,
            SharedCode.NO_SUCH_SEAT,
            TableCode.PLAYER_SEATED,
            TableCode.TABLE_FULL,
            TableCode.SEAT_TAKEN,
            TableCode.SEAT_OFFERED,
        ),
    )
    def offer_seat(self, call: Call) -> Reply:
        form, host, to = call.form, call.actor.id, call.form["player"]
        offer, take_back = offer_of(table_id(call), to), list[Callable[[], None]]()
        hosted = hosted_tables(self._service)
        # Counted within the intent, after its checks, so that a refused offer takes no room. Attempts count once.
        intent = intents.offer(
            host,
            to=to,
            seat=form.get("seat"),
            exists=self._service.players.exists,
            is_refused=lambda player: self._service.blocks.has(player, host),
            admit=lambda: take_back.append(hosted.admit(Limit.OFFERS_PER_HOST, host, offer)),
        )
        try:
            return self._commands.execute(call, intent)
        except (ApplicationError, RuleViolation, Problem):
            # Not if the store fails, because then the offer may have been stored.
            for each in take_back:
                each()
            raise

    @table_operation(
        "/host",
        "Make another player the host; only the host may",
        "The other player is the host.",
        tag=Tag.TABLES,
        description="Possible until the table is over, but not while seeds are awaited, and not at a tournament's table. A new "
        "host can do this after a minute. A seed that the old host committed to and has not revealed no longer counts.",
        body=HostSchema(),
        refuses=(
            ForbiddenCode.NOT_HOST,
            TableCode.TABLE_OVER,
            TableCode.SEEDS_AWAITED,
            TableCode.NO_NEW_HOST,
            TableCode.HOST_IS_NEW,
        ),
    )
    def change_host(self, call: Call) -> Reply:
        return self._commands.execute(call, intents.hand_over(call.actor.id, to=call.form["player"]))

    @operation(
        method="POST",
        path="/v1/tables/{table_id}/rematch",
        tag=Tag.TABLES,
        summary="Play again with the same people; only those who had a seat may ask",
        description="The first request opens a table with the same game, options, pace, privacy and rating; everybody moves "
        "one seat further. Its sender is the host. The host and the bots get their seats immediately, and the others are "
        "offered theirs. Later requests return the same table. If it was closed before its start, they open another one. "
        "The ended table's view has the latest one (`rematch`), and the event `table.rematch_opened` informs those who "
        "still watch. The seats of players who were erased or have blocked the sender stay free. Offers of a rematch do "
        "not count against the limit.",
        access=Access.PLAYER,
        answer=Answer("The rematch, as it is now.", {JSON: TableAnswer}, 201, ("Location", "ETag")),
        refuses=(
            ForbiddenCode.NOT_SEATED,
            TABLE_NOT_OVER,
            TableCode.NO_REMATCH,
            BusyCode.TABLE_BUSY,
            *TABLE_CODES,
        ),
    )
    def open_rematch(self, call: Call) -> Reply:
        ended = self._service.tables.load(table_id(call)).state
        check_watcher(self._service, call, ended)
        check_over(ended)
        # Counted only when the id is known, which depends on earlier rematches, and only if another one is needed.
        count = partial(count_opening, self._service, call)
        opened = self._service.rematches.open(ended.id, call.actor.id, count=count)
        # Somebody else may have opened it, and offered this player no seat there.
        check_watcher(self._service, call, opened.state)
        viewer = viewer_of(opened.state, call.actor, None)
        names = names_at(self._service, opened.state)
        answer = table_answer(opened, viewer, names, now=self._service.clock.now_ms())
        tag = etag_of(opened.position, names, is_weak=True)
        return Reply(answer, {"Location": f"/v1/tables/{opened.state.id}", "ETag": tag})
