"""Checks who may see a tournament (T-24), watch a table or sit down there, by the invitation code in the request (G-3).

Every operation of a table has one of these checks, before it reveals anything else, such as whether the table is over.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from hoodwink.domain.tables.deciding.rooms import is_secret, may_sit_down, may_watch
from hoodwink.domain.tables.state import Phase, Table
from hoodwink.domain.tournaments.life import Tournament, is_listed
from hoodwink.service.application.errors import Forbidden, ForbiddenCode, NotFound, NotFoundCode
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import Call
from hoodwink.service.http.framework.streaming import Visitor
from hoodwink.service.http.messages.requests import INVITATION

DEAL_IN_PLAY: Final = (
    "Other tables play the same deal. You can look at this one when the last of them has ended."
)
"""Why nobody else may see a table; no invitation helps."""

Admission: TypeAlias = Callable[[Service, Call, Table], None]
"""Raises `Forbidden` unless the request has access to the table."""


def can_watch(service: Service, call: Call, table: Table) -> bool:
    if table.watch == "everyone" and not table.is_embargoed:  # nearly all tables: all that an action costs
        return True
    player = None if call.player is None else call.player.id
    if may_watch(table, player, is_invited=False):  # a player's action, which reads no tournament
        return True
    return may_watch(table, player, is_invited=is_invited(service, call, table))


def check_watcher(service: Service, call: Call, table: Table) -> None:
    """Raises `Forbidden` or `NotFound` unless the sender of the request may see the table."""
    if can_watch(service, call, table):
        return
    if is_secret(table) and not is_invited(service, call, table):
        raise NotFound(NotFoundCode.TABLE_NOT_FOUND)
    if table.is_embargoed:
        raise Forbidden(ForbiddenCode.NOT_INVITED, DEAL_IN_PLAY)
    raise Forbidden(ForbiddenCode.NOT_INVITED)


def check_guest(service: Service, call: Call, table: Table) -> None:
    """Raises `Forbidden` unless the sender of the request may sit down at the table, or see that it is too late."""
    if table.phase is not Phase.OPEN:  # "the table has started" is an answer for those who may watch
        check_watcher(service, call, table)
    elif not may_sit_down(table, call.actor.id, is_invited=is_invited(service, call, table)):
        raise Forbidden(ForbiddenCode.NOT_INVITED)


def admit_administrator(_service: Service, _call: Call, _table: Table) -> None:
    """Admits an administrator to every table; the operation has checked the token."""


def is_invited(service: Service, call: Call, table: Table) -> bool:
    """Returns whether a request has the invitation code of the table, or a stream token that replaces it."""
    # `EventSource` sends no header, and the code itself must not be in an address, because it never changes.
    token = call.query.get("token")
    if has_invitation(service, call, table.id) or (
        token is not None and service.stream_tokens.invites(token, table.id)
    ):
        return True
    if table.tournament is None or not is_secret(table):
        return False
    tournament = service.tournaments.load(table.tournament.tournament).state
    return visitor_of(service, call, tournament).may_see(tournament)


def has_invitation(service: Service, call: Call, to: str) -> bool:
    """Returns whether a request has an invitation code, named as in `Identities`."""
    given = call.request.headers.get(INVITATION.lower())
    return given is not None and service.identities.is_invitation(to, given)


def visitor_of(service: Service, call: Call, tournament: Tournament) -> Visitor:
    player = None if call.player is None else call.player.id
    return Visitor(player, tournament.invitations if is_invited_to(service, call, tournament) else None)


def is_invited_to(service: Service, call: Call, tournament: Tournament) -> bool:
    return has_invitation(service, call, invitation_to(tournament))


def invitation_to(tournament: Tournament) -> str:
    """Returns the name of the current invitation code of a tournament; each replacement has a new one (T-25)."""
    return f"{tournament.id}:{tournament.invitations}"


def check_visitor(service: Service, call: Call, tournament: Tournament) -> None:
    """Raises `NotFound`, as if there were no such tournament, unless the sender of the request may see it."""
    if is_listed(tournament) or call.is_by_administrator:  # nearly all tournaments
        return
    if not visitor_of(service, call, tournament).may_see(tournament):
        raise NotFound(NotFoundCode.TOURNAMENT_NOT_FOUND)
