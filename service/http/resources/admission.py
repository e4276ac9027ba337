"""Access to tables, for watching and for sitting down: the check of the invitation code that a request carries (G-3)."""

from collections.abc import Callable
from typing import TypeAlias

from hoodwink.domain.tables.deciding.rooms import may_sit_down, may_watch
from hoodwink.domain.tables.state import Phase, Table
from hoodwink.service.application.errors import Forbidden, ForbiddenCode
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import Call
from hoodwink.service.http.messages.requests import INVITATION

Admission: TypeAlias = Callable[[Service, Call, Table], None]
"""Raises `Forbidden` unless a request may go on to the table."""


def sees(service: Service, call: Call, table: Table) -> bool:
    if table.watch == "everyone":  # the most tables, and the fast lane
        return True
    player = None if call.player is None else call.player.id
    return may_watch(table, player, is_invited=is_invited(service, call, table))


def check_watcher(service: Service, call: Call, table: Table) -> None:
    """Raises `Forbidden` unless the sender of a request may see the table."""
    if not sees(service, call, table):
        raise Forbidden(ForbiddenCode.NOT_INVITED)


def check_guest(service: Service, call: Call, table: Table) -> None:
    """Raises `Forbidden` unless the sender of a request may sit down at the table, or see that it is too late."""
    if table.phase is not Phase.OPEN:
        check_watcher(service, call, table)
    elif not may_sit_down(table, call.actor.id, is_invited=is_invited(service, call, table)):
        raise Forbidden(ForbiddenCode.NOT_INVITED)


def admit_administrator(_service: Service, _call: Call, _table: Table) -> None:
    """Lets an administrator in, at every table; the operation has checked the token."""


def is_invited(service: Service, call: Call, table: Table) -> bool:
    """Returns whether a request has the invitation code of the table, or a token for streams that stands for it."""
    token = call.query.get("token")
    return has_invitation(service, call, table.id) or (
        token is not None and service.stream_tokens.invites(token, table.id)
    )


def has_invitation(service: Service, call: Call, table_id: str) -> bool:
    """Returns whether a request has the invitation code of the table in its header."""
    given = call.request.headers.get(INVITATION.lower())
    return given is not None and service.identities.is_invitation(table_id, given)
