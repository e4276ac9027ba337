"""`/v1/tables`: opens, shows, starts and closes tables, seats players, and reveals seeds."""

from typing import Final

from hoodwink.domain.kernel import SharedCode, Viewer, without_name
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.state import Table, waits_until
from hoodwink.service.application.commands import intents
from hoodwink.service.application.errors import ForbiddenCode, NotFoundCode
from hoodwink.service.application.limits import Limit
from hoodwink.service.application.streams.tables import LoadedTable
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Cost, Reply, Tag, operation
from hoodwink.service.http.messages.answers import AcceptedAnswer, TableAnswer, table_answer
from hoodwink.service.http.messages.fields import NamesField
from hoodwink.service.http.messages.forms import TABLE_FORMS, SeatSchema, SeedSchema
from hoodwink.service.http.messages.problems import invalid
from hoodwink.service.http.messages.schemas import ConfirmationSchema, ExpectationSchema
from hoodwink.service.http.resources.access import (
    AT_OWN_SEAT,
    LEGAL_ACTIONS,
    LOOKING,
    EffectSchema,
    ViewSchema,
    etag_of,
    is_known,
    names_at,
    seat_number,
    table_id,
    viewer_of,
    wants_legal_actions,
)
from hoodwink.service.http.resources.admission import check_guest, check_watcher
from hoodwink.service.http.resources.commands import Commands, effect_reply, table_operation
from hoodwink.service.http.resources.opening import TABLE_CODES, count_bot_table, open_table

BEFORE_START: Final = (TableCode.TABLE_STARTED, TableCode.TABLE_OVER)


class TableSchema(ViewSchema):
    """The version and the viewer of a table, and additional fields."""

    include = NamesField(LEGAL_ACTIONS)


class TableResource:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._commands = Commands(service)

    @operation(
        method="POST",
        path="/v1/tables",
        tag=Tag.TABLES,
        summary="Open a table",
        description="You become the host of the table, without a seat.",
        access=Access.PLAYER,
        query=EffectSchema(),
        body=TABLE_FORMS,
        answer=Answer("The table, open for players.", {JSON: AcceptedAnswer}, 201, ("Location", "ETag")),
        refuses=(SharedCode.INVALID_OPTIONS, TableCode.UNLISTED_UNRATED, *TABLE_CODES),
    )
    def open_table(self, call: Call) -> Reply:
        opened, accepted = open_table(self._service, call)
        # Nobody has a seat yet, so no name can be asked for.
        return effect_reply(call, accepted, "spectator", without_name, f"/v1/tables/{opened}")

    @operation(
        method="GET",
        path="/v1/tables/{table_id}",
        cost=Cost.MUCH_AT_VERSION,
        tag=Tag.TABLES,
        summary="View a table",
        description="Shows the table now or at an earlier version, as the viewer could see it then. Without `version`, the "
        "response has the time (`now`) and a weak entity tag. With `version`, it is always the same, byte for byte.",
        access=Access.OPTIONAL,
        query=TableSchema(),
        answer=Answer("The table.", {JSON: TableAnswer}, 200, ("ETag",)),
        refuses=(NotFoundCode.VERSION_NOT_FOUND, *LOOKING),
        reads=("If-None-Match",),
        runs_on_loop=True,
    )
    def get_table(self, call: Call) -> Reply:
        tables, table = self._service.tables, table_id(call)
        loaded = tables.load(table)
        check_watcher(self._service, call, loaded.state)
        # By the table as it is now, for an earlier version as well: at its end, all of its past can be seen.
        viewer = viewer_of(loaded.state, call.player, call.query.get("viewer"))
        version = call.query.get("version")
        if version is not None:
            return self._at_version(call, loaded, viewer, version)
        with_legal = wants_legal_actions(call)
        names = names_at(self._service, loaded.state)
        headers = {"ETag": etag_of(loaded.position, names, is_weak=True)}
        # The answer also changes without an event, when a seat has waited long enough to act (CO-37).
        if is_known(call, loaded.position, names) and not waits_until(loaded.state):
            return Reply(b"", headers, status=304)
        now = self._service.clock.now_ms()
        return Reply(table_answer(loaded, viewer, names, now=now, with_legal=with_legal), headers)

    def _at_version(self, call: Call, loaded: LoadedTable, viewer: Viewer, version: int) -> Reply:
        if wants_legal_actions(call):
            raise invalid(
                "query",
                [("include", "There are no legal actions at an earlier version; leave out `version`.")],
            )
        if version != loaded.state.version:
            loaded = self._service.tables.load_at(loaded.state.id, version)
        names = names_at(self._service, loaded.state)
        # Strong: without the time, the bytes never change.
        headers = {"ETag": etag_of(loaded.position, names)}
        if is_known(call, loaded.position, names):
            return Reply(b"", headers, status=304)
        return Reply(table_answer(loaded, viewer, names, now=None), headers)

    @table_operation(
        "/seats",
        "Take a seat, or seat a bot",
        "The seat is taken.",
        tag=Tag.TABLES,
        status=201,
        body=SeatSchema(),
        refuses=(
            ForbiddenCode.NOT_HOST,
            *BEFORE_START,
            SharedCode.NO_SUCH_SEAT,
            TableCode.ALREADY_SEATED,
            TableCode.TABLE_FULL,
            TableCode.SEAT_TAKEN,
            TableCode.SEAT_OFFERED,
            TableCode.TWO_SEEDS,
            TableCode.BOT_SEED,
            ForbiddenCode.BOTS_NEED_AN_OFFER,
        ),
        runs_on_loop=True,
    )
    def take_seat(self, call: Call) -> Reply:
        form = call.form
        seat, policy = form.get("seat"), form.get("policy")
        seeds = {"seed": form.get("seed", ""), "seed_commitment": form.get("seed_commitment", "")}
        if policy is None:
            intent = intents.sit_down(call.actor, seat=seat, **seeds)
        else:
            intent = intents.seat_bot(call.actor.id, policy=policy, seat=seat, **seeds)
        return self._commands.execute(call, intent, admit=check_guest)

    @table_operation(
        "/seats/{seat}",
        "Leave your seat or decline an offer; the host may free any seat",
        "The seat is empty.",
        method="DELETE",
        tag=Tag.TABLES,
        refuses=(ForbiddenCode.NOT_HOST, *BEFORE_START, TableCode.SEAT_EMPTY),
    )
    def leave_seat(self, call: Call) -> Reply:
        seat, before = seat_number(call), list[Table]()
        leave = intents.leave(call.actor.id, seat)

        def intent(table: Table) -> intents.Asked:
            before[:] = [table]  # the last attempt counts; its command was decided on this state
            return leave(table)

        reply = self._commands.execute(call, intent)
        # The claim of an offer would outlive it by some seconds, in which a host at the limit could offer nothing.
        for table in before:
            offered_to, occupant = table.offered[seat], table.seats[seat]
            if player := offered_to or (occupant and occupant.player):
                self._service.hosted_tables.forget_offer(table.host, table.id, player)
        return reply

    @table_operation(
        "/start",
        "Start the table (host only)",
        "The table is in play.",
        tag=Tag.TABLES,
        description="The first deal follows immediately. If there are seed commitments, it waits until every seed is "
        "revealed, for ten seconds at most.",
        body=ExpectationSchema(),
        refuses=(
            ForbiddenCode.NOT_HOST,
            *BEFORE_START,
            TableCode.SEATS_EMPTY,
            Limit.BOT_TABLES_PER_HOST.code,
        ),
        runs_on_loop=True,
    )
    def start_table(self, call: Call) -> Reply:
        host, table = call.actor.id, table_id(call)
        return self._commands.execute(
            call, intents.start(host, admit_bots=lambda: count_bot_table(self._service, host, table))
        )

    @table_operation(
        "/seed",
        "Reveal the seed that you committed to",
        "The seed is revealed.",
        tag=Tag.TABLES,
        description="Send it within ten seconds after the start; otherwise the seed counts as empty. A host with a seat "
        "reveals the two seeds in separate requests.",
        body=SeedSchema(),
        refuses=(
            *AT_OWN_SEAT,
            TableCode.NO_SEED_AWAITED,
            TableCode.ALREADY_REVEALED,
            TableCode.REVEAL_OVER,
            TableCode.WRONG_SEED,
        ),
    )
    def reveal_seed(self, call: Call) -> Reply:
        return self._commands.execute(call, intents.reveal_seed(call.actor.id, call.form["seed"]))

    @table_operation(
        "/close",
        "Close a table that has not started, or at which only bots play (host only)",
        "The table is over.",
        tag=Tag.TABLES,
        description="A table at which only bots have ever played can be closed at any time. It ends without a result; scored "
        "rounds stay in the books.",
        body=ConfirmationSchema(),
        refuses=(ForbiddenCode.NOT_HOST, *BEFORE_START),
    )
    def close_table(self, call: Call) -> Reply:
        return self._commands.execute(call, intents.close(call.actor.id))
