"""The decisions of administrators. Each is an event with the administrator's name and reason."""

from domain.tables.codes import TableCode
from domain.tournaments.life.codes import TournamentCode
from service.application import intents, tournament_intents
from service.bootstrap import Service
from service.http.framework.operations import Access, Call, Reply, Tag
from service.http.messages.schemas import ConfirmationSchema, reason_field
from service.http.messages.tournament_forms import FinalReasonSchema
from service.http.resources.admission import admit_administrator
from service.http.resources.commands import Commands, table_operation
from service.http.resources.tournament_commands import TournamentCommands, tournament_operation


class VoidSchema(ConfirmationSchema):
    """The reason why a table is voided."""

    reason = reason_field()


class AdministrationResource:
    """Voids tables, and ends tournaments and the tables at which nobody plays any more."""

    def __init__(self, service: Service) -> None:
        self._commands = Commands(service)
        self._tournament_commands = TournamentCommands(service)

    @table_operation(
        "/void",
        "Void a table that is over; only an administrator may",
        "The table is void.",
        tag=Tag.ADMINISTRATION,
        description="The result no longer counts: each ledger entry of the table is reversed, and statistics and "
        "histories treat the table as one that ended without a result. Its events stay, and its log still verifies.",
        access=Access.ADMINISTRATOR,
        query=None,
        body=VoidSchema(),
        refuses=(
            TableCode.TABLE_NOT_OVER,
            TableCode.ALREADY_VOIDED,
            TableCode.NOTHING_TO_VOID,
            TableCode.INVALID_REASON,
        ),
    )
    def void_table(self, call: Call) -> Reply:
        intent = intents.void(call.administrator, call.form["reason"])
        return self._commands.execute(call, intent, admit=admit_administrator)

    @table_operation(
        "/end",
        "End a table at which only bots play or are left; only an administrator may",
        "The table is over.",
        tag=Tag.ADMINISTRATION,
        description="For a table that takes up the service although nobody plays there any more, because only bots sit at "
        "it or all people have resigned: it ends without a result, and rounds that were scored stay in the books.",
        access=Access.ADMINISTRATOR,
        query=None,
        body=ConfirmationSchema(),
        refuses=(TableCode.TABLE_NOT_STARTED, TableCode.TABLE_STARTED, TableCode.TABLE_OVER),
    )
    def end_table(self, call: Call) -> Reply:
        return self._commands.execute(call, intents.end, admit=admit_administrator)

    @tournament_operation(
        "/end",
        "End a tournament; only an administrator may",
        "The tournament is cancelled, and its open tables end without a result.",
        tag=Tag.ADMINISTRATION,
        description="For a tournament that takes up the service. It is cancelled as by its organiser, with your reason.",
        access=Access.ADMINISTRATOR,
        body=FinalReasonSchema(),
        refuses=(TournamentCode.TOURNAMENT_OVER, TableCode.INVALID_REASON),
    )
    def end_tournament(self, call: Call) -> Reply:
        return self._tournament_commands.execute(call, tournament_intents.end(call.form["reason"]))
