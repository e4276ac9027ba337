"""The decisions of administrators about tables and tournaments, and the reasons for them.

Each decision is recorded in the stream of the installation, with the administrator's name and a hash of any reason,
before it takes effect: a record without an effect does less harm than an effect without a record.
"""

import re
from typing import Final

import msgspec

from hoodwink.domain.administration import Act
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tournaments.life import Cancel
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.service.application.commands import intents
from hoodwink.service.application.commands.tournament_intents import administer
from hoodwink.service.application.errors import NotFound, NotFoundCode
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.messages.schemas import ConfirmationSchema, FinalReasonSchema
from hoodwink.service.http.resources.access import command_key, table_id
from hoodwink.service.http.resources.admission import admit_administrator
from hoodwink.service.http.resources.commands import Commands, table_operation
from hoodwink.service.http.resources.tournaments.commands import (
    TournamentCommands,
    tournament_operation,
)

_DIGEST: Final = re.compile("[0-9a-f]{64}")


class ReasonAnswer(msgspec.Struct, frozen=True, gc=False):
    """The reason for a decision, a description or an announcement.

    Attributes:
        reason: the text.
        salt: the event contains the SHA-256 of the salt, a colon and the reason, in UTF-8.
    """

    reason: str
    salt: str


class AdministrationResource:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._commands = Commands(service)
        self._tournament_commands = TournamentCommands(service)

    @table_operation(
        "/void",
        "Void a table that is over (administrators only)",
        "The table is void.",
        tag=Tag.ADMINISTRATION,
        description="The result no longer counts: each ledger entry of the table is reversed, and statistics and histories "
        "treat the table as if it had ended without a result. Its events stay, and its log still verifies. The event contains a "
        "salted hash of your reason; `GET /v1/reasons/{digest}` shows the text.",
        access=Access.ADMINISTRATOR,
        query=None,
        body=FinalReasonSchema(),
        refuses=(
            TableCode.TABLE_NOT_OVER,
            TableCode.ALREADY_VOIDED,
            TableCode.NOTHING_TO_VOID,
            TableCode.INVALID_REASON,
        ),
    )
    def void_table(self, call: Call) -> Reply:
        admin, table = call.administrator, table_id(call)
        digest = self._service.administration.record(
            admin,
            Act.VOID_TABLE,
            table,
            reason=call.form["reason"],
            # The salt is derived from the key, so a repeated request has the same digest and is recorded only once.
            key=command_key(call),
            # A command that would be refused is not recorded; `execute` below then raises the error.
            check=lambda digest: self._service.tables.check(table, intents.void(admin, digest)),
        )
        return self._commands.execute(call, intents.void(admin, digest), admit=admit_administrator)

    @table_operation(
        "/end",
        "End a table at which only bots still play (administrators only)",
        "The table is over.",
        tag=Tag.ADMINISTRATION,
        description="For a table that keeps the service busy although no person plays there any more: only bots have seats, or "
        "all people have resigned. The table ends without a result; rounds that were already scored stay in the ledger.",
        access=Access.ADMINISTRATOR,
        query=None,
        body=ConfirmationSchema(),
        refuses=(TableCode.TABLE_NOT_STARTED, TableCode.TABLE_STARTED, TableCode.TABLE_OVER),
    )
    def end_table(self, call: Call) -> Reply:
        table = table_id(call)
        self._service.administration.record(
            call.administrator,
            Act.END_TABLE,
            table,
            key=command_key(call),
            check=lambda _: self._service.tables.check(table, intents.end),
        )
        return self._commands.execute(call, intents.end, admit=admit_administrator)

    @tournament_operation(
        "/end",
        "End a tournament (administrators only)",
        "The tournament is cancelled, and its open tables end without a result.",
        tag=Tag.ADMINISTRATION,
        description="For a tournament that its organiser has abandoned. It is cancelled, as the organiser could do, with your "
        "reason.",
        access=Access.ADMINISTRATOR,
        body=FinalReasonSchema(),
        refuses=(TournamentCode.TOURNAMENT_OVER, TableCode.INVALID_REASON),
    )
    def end_tournament(self, call: Call) -> Reply:
        return self._tournament_commands.administer(
            call, Act.END_TOURNAMENT, lambda reason: administer(Cancel(reason))
        )

    @operation(
        method="GET",
        path="/v1/reasons/{digest}",
        tag=Tag.ADMINISTRATION,
        summary="Show the reason for a decision, or another text that an event refers to",
        description="An event contains only a salted hash of a reason, description, announcement or name of a team, `sha256:` and 64 hex digits, "
        "so that the text can be erased if necessary. `digest` is these 64 digits.",
        answer=Answer("The reason.", {JSON: ReasonAnswer}),
    )
    def get_reason(self, call: Call) -> Reply:
        digits = call.path["digest"]
        if not _DIGEST.fullmatch(digits):
            raise NotFound(NotFoundCode.REASON_NOT_FOUND)
        found = self._service.administration.reason(f"sha256:{digits}")
        return Reply(ReasonAnswer(found.text, found.salt))
