"""`/v1/imports`: logs of other services, to view and to fork."""

from functools import partial

from hoodwink.service.application.commands.import_shelf import Dropped, Keeper
from hoodwink.service.application.commands.imports import MAX_LOG, id_of
from hoodwink.service.application.errors import ConflictCode, ForbiddenCode, NotFoundCode
from hoodwink.service.application.jobs.jobs import JobKind
from hoodwink.service.application.limits import LimitCode
from hoodwink.service.application.reading.seen import EventRecord
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.client_address import counted_as
from hoodwink.service.http.framework.job_replies import begin_job
from hoodwink.service.http.framework.operations import (
    JSON,
    NDJSON,
    Access,
    Answer,
    Call,
    Cost,
    RawBody,
    Reply,
    Tag,
    operation,
)
from hoodwink.service.http.messages.answers import EventsAnswer
from hoodwink.service.http.messages.import_answers import (
    DeletedImport,
    ImportAnswer,
    MyImportsAnswer,
    import_answer,
    import_row,
)
from hoodwink.service.http.messages.problems import SEAT_NOT_FOUND, HttpCode
from hoodwink.service.http.resources.access import ViewSchema, etag_of, import_id, viewer_of
from hoodwink.service.http.resources.history import LOG, attachment
from hoodwink.service.http.resources.tables.logs import EventsSchema, table_events_reply


class ImportResource:
    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="POST",
        path="/v1/imports",
        tag=Tag.IMPORTS,
        summary="Import a log",
        description="The log is verified first; an invalid log is refused with its first error (`finding`). Importing the "
        "same log again returns the same import. Imports appear in no lobby, ledger, history, statistics or rating. An "
        "import that nobody views expires (`expires_at`). There are limits per player and per address; an import of several "
        "players counts for each of them.",
        access=Access.PLAYER,
        body=RawBody(NDJSON, MAX_LOG, "An exported log, byte for byte."),
        answer=Answer("The import.", {JSON: ImportAnswer}, 201, ("Location", "ETag")),
        refuses=(HttpCode.INVALID_LOG, LimitCode.TOO_MANY_IMPORTS),
        begins_job=True,
    )
    def import_log(self, call: Call) -> Reply:
        # Stored for as long as the import, so not the address itself.
        address = self._service.identities.hidden_address(counted_as(call.request.address))
        # Refuses before the log is stored and verified. The job checks again, since the
        # player may import something else meanwhile.
        self._service.import_retention.check(id_of(call.raw), Keeper(call.actor.id, address), len(call.raw))
        return begin_job(call, self._service.jobs, JobKind.IMPORT)

    @operation(
        method="GET",
        path="/v1/imports/{import_id}",
        cost=Cost.MUCH,
        tag=Tag.IMPORTS,
        summary="View an imported table",
        description="Shows its end or any earlier version, as any viewer could see it then. Each view makes it stay longer, up "
        "to a year after it was imported.",
        access=Access.OPTIONAL,
        query=ViewSchema(),
        answer=Answer("The table.", {JSON: ImportAnswer}, 200, ("ETag",)),
        refuses=(NotFoundCode.VERSION_NOT_FOUND, SEAT_NOT_FOUND),
    )
    def get_import(self, call: Call) -> Reply:
        named, imports = import_id(call), self._service.imports
        loaded, found = imports.look(named, _player(call))
        # Without the player: an id in a log from elsewhere proves nothing about players here.
        viewer = viewer_of(loaded.state, None, call.query.get("viewer"))
        if "version" in call.query:
            loaded = imports.load_at(named, call.query["version"])
        answer = import_answer(named, found, loaded, viewer, imports.names(found.shelved))
        return Reply(answer, {"ETag": etag_of(loaded.position)})

    @operation(
        method="DELETE",
        path="/v1/imports/{import_id}",
        tag=Tag.IMPORTS,
        summary="Delete an import of yours",
        description="It is gone immediately, unless another player has imported the same log: then it stays for that player "
        "and no longer counts for you. Tables that were forked from it stay.",
        access=Access.PLAYER,
        answer=Answer("The import is not yours any more.", {JSON: DeletedImport}),
        refuses=(ForbiddenCode.NOT_YOUR_IMPORT,),
    )
    def delete_import(self, call: Call) -> Reply:
        named = import_id(call)
        dropped = self._service.imports.give_up(named, call.actor.id)
        return Reply(DeletedImport(named, is_gone=dropped is Dropped.GONE))

    @operation(
        method="GET",
        path="/v1/me/imports",
        tag=Tag.IMPORTS,
        summary="List your imports",
        access=Access.PLAYER,
        answer=Answer("Your imports.", {JSON: MyImportsAnswer}),
    )
    def list_my_imports(self, call: Call) -> Reply:
        kept = self._service.import_retention.kept_by(call.actor.id)
        return Reply(MyImportsAnswer(tuple([import_row(named, found) for named, found in kept])))

    @operation(
        method="GET",
        path="/v1/imports/{import_id}/events",
        cost=Cost.MUCH,
        tag=Tag.IMPORTS,
        summary="List an imported table's events",
        description="Returns a page of JSON, or NDJSON with one event per line.",
        query=EventsSchema(),
        answer=Answer("The events.", {JSON: EventsAnswer, NDJSON: EventRecord}),
        refuses=(SEAT_NOT_FOUND, ConflictCode.HISTORY_CHANGED),
    )
    def list_import_events(self, call: Call) -> Reply:
        named, imports = import_id(call), self._service.imports
        loaded, found = imports.look(named)
        viewer = viewer_of(loaded.state, None, call.query.get("viewer"))
        return table_events_reply(
            call,
            loaded.state,
            viewer,
            partial(imports.following, named),
            # The record of the import has them, so the log need not be searched for people.
            names=lambda _: imports.names(found.shelved),
        )

    @operation(
        method="GET",
        path="/v1/imports/{import_id}/log",
        cost=Cost.MUCH,
        tag=Tag.IMPORTS,
        summary="Download an imported log",
        description="Returns the imported bytes, except that players of this service have their current names in the first "
        "line.",
        answer=LOG,
    )
    def download_import(self, call: Call) -> Reply:
        named = import_id(call)
        log = self._service.imports.log(named)
        return attachment(f"{named}.ndjson", log, NDJSON)


def _player(call: Call) -> str:
    return "" if call.player is None else call.player.id
