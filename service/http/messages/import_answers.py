"""The API's answers about imported logs, and about invalid logs."""

from typing import Literal

import msgspec

from hoodwink.domain.kernel import Names, Viewer
from hoodwink.domain.tables.proving.proof import Finding
from hoodwink.domain.tables.view import TableView, view_table
from hoodwink.service.application.commands.import_shelf import Found
from hoodwink.service.application.streams.tables import LoadedTable
from hoodwink.service.http.messages.problems import HttpCode, Problem


class ImportAnswer(msgspec.Struct, frozen=True, gc=False):
    """An imported table, which counts in no ledger, history, statistics or rating.

    Attributes:
        id: the id of the import; the same log always gets the same id.
        imported: always true.
        expires_at: when it is deleted unless somebody views it, in ms since the epoch.
        is_yours: whether you imported it, and so may delete it.
        version: the version of the table that `view` shows.
        head: the hash of the event at that version.
        view: the table, with its id on the service where it was played.
    """

    id: str
    imported: Literal[True]
    expires_at: int
    is_yours: bool
    version: int
    head: str
    view: TableView


class ImportRow(msgspec.Struct, frozen=True, gc=False):
    """An import of yours.

    Attributes:
        table: the id of the table on the service where it was played.
        size: the bytes of the log.
        imported_at: when it was first imported, by you or another player, in ms since the epoch.
        expires_at: when it is deleted unless somebody views it, in ms since the epoch.
    """

    id: str
    table: str
    game: str
    size: int
    events: int
    imported_at: int
    expires_at: int


class MyImportsAnswer(msgspec.Struct, frozen=True, gc=False):
    """Your imports; the one that expires first comes first."""

    imports: tuple[ImportRow, ...]


class DeletedImport(msgspec.Struct, frozen=True, gc=False):
    """The effect of deleting an import.

    Attributes:
        is_gone: whether nobody can see it any more; false if another player has imported it, too.
    """

    id: str
    is_gone: bool


def import_answer(
    named: str, found: Found, loaded: LoadedTable, viewer: Viewer, names: Names
) -> ImportAnswer:
    return ImportAnswer(
        id=named,
        imported=True,
        expires_at=found.expires_at,
        is_yours=found.is_own,
        version=loaded.state.version,
        head=loaded.head,
        # At the time of its last event: no clock runs at an import.
        view=view_table(loaded.state, viewer, names, now=loaded.at),
    )


def import_row(named: str, found: Found) -> ImportRow:
    """Returns an import as a row in its player's list."""
    shelved = found.shelved
    return ImportRow(
        id=named,
        table=shelved.table,
        game=shelved.game,
        size=shelved.size,
        events=shelved.events,
        imported_at=shelved.at,
        expires_at=found.expires_at,
    )


def invalid_log(finding: Finding) -> Problem:
    """Returns the problem of a log that does not verify."""
    return Problem(HttpCode.INVALID_LOG, f"The log does not verify: {finding.detail}.", finding=finding)
