"""`…/fork`: opens a table that continues from any version of an ended or imported table."""

from collections.abc import Callable, Sequence

from hoodwink.domain.kernel import SharedCode
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.entries import Entry
from hoodwink.service.application.commands.forks import Fork
from hoodwink.service.application.errors import NotFoundCode
from hoodwink.service.application.players.identity import idempotency_key
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, H, Reply, Tag, operation
from hoodwink.service.http.messages.answers import AcceptedAnswer
from hoodwink.service.http.messages.forms import ForkSchema
from hoodwink.service.http.messages.problems import TABLE_NOT_OVER, Refusal
from hoodwink.service.http.resources.access import (
    EffectSchema,
    check_over,
    import_id,
    names_at,
    table_id,
    viewer_of,
)
from hoodwink.service.http.resources.admission import check_watcher
from hoodwink.service.http.resources.commands import effect_reply
from hoodwink.service.http.resources.opening import TABLE_CODES, count_opening

_DESCRIPTION = (
    "Opens a table with the same game, seats and options, in the state of that version. You become its host, and it stays "
    "open for players until you start it. The table is unrated and counts in no ledger, history or statistics. A round in "
    "play keeps its deck, which everybody can read in the other table's log (`known_deck`); later rounds are shuffled with "
    "the fork's own seeds."
)

_REFUSES = (
    NotFoundCode.VERSION_NOT_FOUND,
    SharedCode.NO_SUCH_SEAT,
    TableCode.ALREADY_SEATED,
    TableCode.NOTHING_TO_PLAY,
    TableCode.TOO_MANY_FORKS,
    TableCode.PARENT_TOO_LONG,
)


def _fork_operation(path: str, tag: Tag, summary: str, *refuses: Refusal) -> Callable[[H], H]:
    return operation(
        method="POST",
        path=path,
        tag=tag,
        summary=summary,
        description=_DESCRIPTION,
        access=Access.PLAYER,
        query=EffectSchema(),
        body=ForkSchema(),
        answer=Answer("The fork, open for players.", {JSON: AcceptedAnswer}, 201, ("Location", "ETag")),
        refuses=(*refuses, *_REFUSES, *TABLE_CODES),
    )


class ForkResource:
    def __init__(self, service: Service) -> None:
        self._service = service

    @_fork_operation(
        "/v1/tables/{table_id}/fork",
        Tag.TABLES,
        "Fork a table that is over, from any version",
        TABLE_NOT_OVER,
    )
    def fork_table(self, call: Call) -> Reply:
        parent, tables = table_id(call), self._service.tables
        state = tables.load(parent).state
        check_watcher(self._service, call, state)
        check_over(state)
        # The fork begins with these events and not with a pointer, so it can be verified without its parent.
        return self._fork(call, tables.entries(parent))

    @_fork_operation("/v1/imports/{import_id}/fork", Tag.IMPORTS, "Fork an imported table, from any version")
    def fork_import(self, call: Call) -> Reply:
        imports, parent = self._service.imports, import_id(call)
        # Raises for an import that has expired or is incomplete, and makes any other stay longer.
        imports.look(parent)
        return self._fork(call, imports.entries(parent))

    def _fork(self, call: Call, parent: Sequence[Entry]) -> Reply:
        identities, form = self._service.identities, call.form
        key = identities.key_or_fresh(call.key)
        opened = identities.table_id(call.actor.id, key)
        count_opening(self._service, call, opened)
        fork = Fork(
            table=opened,
            host=call.actor,
            version=form["version"],
            turn_seconds=form.get("turn_seconds"),
            bot_delay=form.get("bot_delay"),
            round_pause=form.get("round_pause"),
            seed_commitment=form.get("seed_commitment", ""),
            seats=form.get("seats", ()),
        )
        # The path is part of the fingerprint, because forks of two tables can have the same body.
        own_key = idempotency_key(call.actor.id, key, call.request.path.encode() + b"\n" + call.raw)
        accepted = self._service.forks.open(fork, parent, key=own_key)
        viewer = viewer_of(accepted.after.state, call.actor, None)
        names = names_at(self._service, accepted.after.state)
        return effect_reply(call, accepted, viewer, names, f"/v1/tables/{fork.table}")
