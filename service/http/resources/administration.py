"""What administrators decide. Each act is an event that names who decided it, and why."""

from marshmallow import fields

from domain.tables import REASON_PATTERN
from service.application import intents
from service.bootstrap import Service
from service.http.framework.operations import JSON, Access, Answer, Call, Reply, Tag, operation
from service.http.messages.answers import AcceptedAnswer
from service.http.messages.fields import Whole
from service.http.messages.schemas import ConfirmationSchema
from service.http.resources.commands import Commands


class VoidSchema(ConfirmationSchema):
    """Why a table is voided."""

    reason = fields.String(
        required=True,
        validate=Whole(REASON_PATTERN, "Must be 1 to 500 characters on one line."),
        metadata={"description": "Why, for everybody to read, on one line."},
    )


class AdministrationResource:
    """Takes results back."""

    def __init__(self, service: Service) -> None:
        self._commands = Commands(service)

    @operation(
        method="POST",
        path="/v1/tables/{table_id}/void",
        tag=Tag.ADMINISTRATION,
        summary="Void a table that is over; only an administrator may",
        description="Its result counts no longer: the books reverse each of its entries, and statistics and "
        "histories go on as if it had ended without result. What was played stays, and its log still verifies.",
        access=Access.ADMINISTRATOR,
        body=VoidSchema(),
        answer=Answer("The table is void.", {JSON: AcceptedAnswer}, 200, ("ETag",)),
        refuses=(403, 404, 409, 412, 422),
        reads=("If-Match",),
    )
    def void_table(self, call: Call) -> Reply:
        return self._commands.carry_out(call, intents.void(call.administrator, call.form["reason"]))
