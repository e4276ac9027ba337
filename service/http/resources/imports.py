"""`/v1/imports`: logs of other services, to view and to play on from."""

from functools import partial
from typing import Literal

import msgspec

from domain.kernel import Names, Viewer
from domain.tables import TableView, view_table
from service.application.errors import ConflictCode, NotFoundCode
from service.application.imports import LARGEST_LOG, InvalidLog
from service.application.tables import LoadedTable
from service.bootstrap import Service
from service.http.framework.operations import (
    JSON,
    NDJSON,
    Access,
    Answer,
    Call,
    RawBody,
    Reply,
    Tag,
    operation,
)
from service.http.messages.answers import EventRecord, EventsAnswer
from service.http.messages.problems import SEAT_NOT_FOUND, HttpCode, Problem
from service.http.resources.access import ViewSchema, etag_of, import_id, viewer_of
from service.http.resources.history import LOG, attached
from service.http.resources.logs import EventsSchema, listed
from service.http.resources.tables import PRIVATE
from service.http.resources.verifying import one_at_a_time


class ImportAnswer(msgspec.Struct, frozen=True, gc=False):
    """An imported table. It counts in no ledger, history, statistics or rating.

    Attributes:
        id: the id of the import; the same log always gets the same id.
        imported: always true.
        version: the version of the table that `view` shows.
        head: the hash of the event at that version.
        view: the table, with the id that it had where it was played.
    """

    id: str
    imported: Literal[True]
    version: int
    head: str
    view: TableView


class ImportResource:
    """Imports logs and shows them."""

    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="POST",
        path="/v1/imports",
        tag=Tag.IMPORTS,
        summary="Import a log",
        description="The log is verified first; one that does not verify is refused with the first error (`finding`). "
        "Importing the same log again returns the same import. Imports appear in no lobby, ledger, history, statistics "
        "or rating.",
        access=Access.PLAYER,
        body=RawBody(NDJSON, LARGEST_LOG, "An exported log, byte for byte."),
        answer=Answer("The import.", {JSON: ImportAnswer}, 201, ("Location", "ETag")),
        refuses=(HttpCode.INVALID_LOG, HttpCode.BUSY),
    )
    def import_log(self, call: Call) -> Reply:
        with one_at_a_time():
            try:
                made = self._service.imports.add(call.raw)
            except InvalidLog as error:
                raise _refused(error) from None
        loaded = self._service.imports.load(made)
        headers = {"Location": f"/v1/imports/{made}", "ETag": etag_of(loaded.position)}
        return Reply(_answer(made, loaded, "everybody", self._service.imports.names(made)), headers)

    @operation(
        method="GET",
        path="/v1/imports/{import_id}",
        tag=Tag.IMPORTS,
        summary="View an imported table",
        description="Shows its end or any earlier version, as any viewer could see it then.",
        query=ViewSchema(),
        answer=Answer("The table.", {JSON: ImportAnswer}, 200, ("ETag",)),
        refuses=(NotFoundCode.VERSION_NOT_FOUND, SEAT_NOT_FOUND),
    )
    def get_import(self, call: Call) -> Reply:
        named = import_id(call)
        loaded = self._service.imports.load(named)
        viewer = viewer_of(loaded.state, None, call.query.get("viewer"))
        if "version" in call.query:
            loaded = self._service.imports.load(named, call.query["version"])
        names = self._service.imports.names(named)
        return Reply(_answer(named, loaded, viewer, names), {"ETag": etag_of(loaded.position), **PRIVATE})

    @operation(
        method="GET",
        path="/v1/imports/{import_id}/events",
        tag=Tag.IMPORTS,
        summary="List an imported table's events",
        description="Returns a page of JSON, or NDJSON with an event a line.",
        query=EventsSchema(),
        answer=Answer("The events.", {JSON: EventsAnswer, NDJSON: EventRecord}),
        refuses=(SEAT_NOT_FOUND, ConflictCode.HISTORY_CHANGED),
    )
    def list_import_events(self, call: Call) -> Reply:
        named = import_id(call)
        table = self._service.imports.load(named).state
        viewer = viewer_of(table, None, call.query.get("viewer"))
        imports = self._service.imports
        return listed(
            call, table, viewer, partial(imports.following, named), names=lambda _: imports.names(named)
        )

    @operation(
        method="GET",
        path="/v1/imports/{import_id}/log",
        tag=Tag.IMPORTS,
        summary="Download an imported log",
        description="The bytes are those that were imported. Only players of this service have their present names in the "
        "first line.",
        answer=LOG,
    )
    def download_import(self, call: Call) -> Reply:
        named = import_id(call)
        log = self._service.imports.log(named)
        return attached(f"{named}.ndjson", log, NDJSON)


def _answer(named: str, loaded: LoadedTable, viewer: Viewer, names: Names) -> ImportAnswer:
    return ImportAnswer(
        id=named,
        imported=True,
        version=loaded.state.version,
        head=loaded.head,
        view=view_table(loaded.state, viewer, names, now=loaded.at),
    )


def _refused(error: InvalidLog) -> Problem:
    finding = error.finding
    return Problem(HttpCode.INVALID_LOG, f"The log does not verify: {finding.detail}.", finding=finding)
