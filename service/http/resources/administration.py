"""The decisions of administrators. Each is an event with the administrator's name and reason."""

from domain.tables.codes import TableCode
from service.application import intents
from service.bootstrap import Service
from service.http.framework.operations import Access, Call, Reply, Tag
from service.http.messages.schemas import ConfirmationSchema, reason_field
from service.http.resources.admission import admit_administrator
from service.http.resources.commands import Commands, table_operation


class VoidSchema(ConfirmationSchema):
    """The reason why a table is voided."""

    reason = reason_field()


class AdministrationResource:
    """Voids tables, and ends those of bots alone."""

    def __init__(self, service: Service) -> None:
        self._commands = Commands(service)

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
        "End a table at which only bots play; only an administrator may",
        "The table is over.",
        tag=Tag.ADMINISTRATION,
        description="What its host may do with `/close`, for whichever table takes up the service: it ends without a "
        "result, and rounds that were scored stay in the books.",
        access=Access.ADMINISTRATOR,
        query=None,
        body=ConfirmationSchema(),
        refuses=(TableCode.TABLE_NOT_STARTED, TableCode.TABLE_STARTED, TableCode.TABLE_OVER),
    )
    def end_table(self, call: Call) -> Reply:
        return self._commands.execute(call, intents.end, admit=admit_administrator)
