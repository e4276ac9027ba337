"""`/v1/tables/…`: invitation codes, hosts, rematches, presence, and what players say."""

from functools import partial

import msgspec

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.deciding.rooms import belongs_to
from hoodwink.domain.tables.deciding.talking import check_saying
from hoodwink.domain.tables.state import seats_of
from hoodwink.service.application.commands import intents
from hoodwink.service.application.commands.intents import own_seat
from hoodwink.service.application.errors import (
    BusyCode,
    Forbidden,
    ForbiddenCode,
)
from hoodwink.service.application.limits import Limit, LimitCode
from hoodwink.service.application.work.tasks import Task
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.messages.answers import (
    PresenceAnswer,
    SaidAnswer,
    TableAnswer,
    encode,
    table_answer,
)
from hoodwink.service.http.messages.forms import HostSchema, SayingSchema
from hoodwink.service.http.messages.problems import TABLE_NOT_OVER
from hoodwink.service.http.messages.requests import INVITATION
from hoodwink.service.http.resources.access import check_over, etag_of, names_at, table_id, viewer_of
from hoodwink.service.http.resources.admission import check_watcher
from hoodwink.service.http.resources.commands import Commands, table_operation
from hoodwink.service.http.resources.opening import TABLE_CODES, count_opening


class Invitation(msgspec.Struct, frozen=True, gc=False):
    """The invitation code of a table or tournament. Send it in the header `Hoodwink-Invitation`, never in an address."""

    invitation: str


class RoomResource:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._commands = Commands(service)

    @operation(
        method="GET",
        path="/v1/tables/{table_id}/invitation",
        tag=Tag.TABLES,
        summary="Show the invitation code (host and players only)",
        description="Others need the code to sit down at a private table, and to watch a table whose `watch` is `invited`. "
        f"They send it in the header `{INVITATION}`; case and hyphens do not matter. The code never changes.",
        access=Access.PLAYER,
        answer=Answer("The code.", {JSON: Invitation}),
    )
    def get_invitation(self, call: Call) -> Reply:
        table = self._service.tables.load(table_id(call)).state
        # Watching is not enough: at a private table that everyone may watch, the code would let anybody sit down.
        if not belongs_to(table, call.actor.id):
            check_watcher(self._service, call, table)
            raise Forbidden(ForbiddenCode.NOT_INVITED)
        return Reply(Invitation(self._service.identities.invitation(table.id)))

    @operation(
        method="GET",
        path="/v1/tables/{table_id}/presence",
        tag=Tag.TABLES,
        summary="Show which players are connected",
        description="A player counts as connected while following the table's live stream with a token, and for up to "
        "six seconds afterwards, or 15 if the connection broke. Bots and spectators do not count. No event or log records who "
        "was connected. A live stream of the table with `include=company` says when it changes.",
        access=Access.OPTIONAL,
        answer=Answer("The seats of these players.", {JSON: PresenceAnswer}),
    )
    def get_presence(self, call: Call) -> Reply:
        table = self._service.tables.load(table_id(call)).state
        check_watcher(self._service, call, table)
        connected = self._service.presence.connected(table.id, now=self._service.clock.now_ms())
        return Reply(PresenceAnswer(seats_of(table, connected)))

    @operation(
        method="POST",
        path="/v1/tables/{table_id}/sayings",
        tag=Tag.TABLES,
        summary="Say one of the game's phrases, or nudge a player (players of the table only)",
        description="Everybody who follows the table with `include=company` receives it, as a message `said`. It is not stored: no "
        "event or log contains it. With `nudge` and `to`, it reminds a player whose turn has lasted for 20 seconds, once in each "
        "turn. A player who has subscribed to pushes also gets one. During the rounds of rated tables and of tournaments, nobody "
        "may say anything.",
        access=Access.PLAYER,
        body=SayingSchema(),
        answer=Answer("It has been said.", {JSON: SaidAnswer}),
        refuses=(
            ForbiddenCode.NOT_SEATED,
            TableCode.QUIET_TABLE,
            TableCode.UNKNOWN_SAYING,
            TableCode.NOT_TO_NUDGE,
            LimitCode.TOO_MANY_SAYINGS,
        ),
        is_fleeting=True,
    )
    def say(self, call: Call) -> Reply:
        table = self._service.tables.load(table_id(call)).state
        check_watcher(self._service, call, table)
        seat, now = own_seat(table, call.actor.id), self._service.clock.now_ms()
        saying, to = call.form["saying"], call.form.get("to")
        check_saying(table, seat, saying, to=to, now=now)
        # Before the nudge is noted: a refused one must not use up the only one of this turn.
        self._service.limits.admit(Limit.SAYINGS_PER_PLAYER, call.actor.id)
        if to is not None and not self._service.sayings.nudge(table.id, to, table.owing_since[to] or 0):
            raise RuleViolation(TableCode.NOT_TO_NUDGE)
        said = SaidAnswer(seat, saying, to, now)
        self._service.sayings.tell(table.id, encode(said))
        if to is not None:
            self._service.tasks.send(Task.NUDGE, table.id)
        return Reply(said)

    @table_operation(
        "/host",
        "Make another player the host (host only)",
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
        summary="Play again with the same people (players of the table only)",
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
