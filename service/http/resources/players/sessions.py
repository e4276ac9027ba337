"""`/v1/me/sessions`: the devices and programs that are signed in as a player."""

import re
from datetime import UTC, datetime
from typing import Final

import msgspec
from marshmallow import fields, validate

from hoodwink.domain.kernel import NAME_PATTERN
from hoodwink.domain.players import Player, SignIn
from hoodwink.service.application.errors import BusyCode, NotFound, NotFoundCode
from hoodwink.service.application.players.sessions import MAX_DEVICE_NAME, MAX_SESSIONS, NotedSession
from hoodwink.service.application.players.stored_players import CATEGORY
from hoodwink.service.application.ports import StreamId
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.messages.fields import Whole
from hoodwink.service.http.messages.schemas import StrictSchema

_NUMBER: Final = re.compile("[1-9][0-9]{0,8}")
_DAY_SECONDS: Final = 86_400


class SessionCard(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A device or program that is signed in as you.

    Attributes:
        device: its name, or empty if it is not known yet.
        how: how it signed in.
        opened_at: when it signed in, in ms since the epoch.
        last_used: the day of its last request, in UTC, such as `2026-11-28`.
        current: whether it sent this request.
    """

    session: int
    device: str
    how: SignIn
    opened_at: int
    last_used: str
    current: bool


class SessionsAnswer(msgspec.Struct, frozen=True, gc=False):
    """Your sessions, the oldest first."""

    sessions: tuple[SessionCard, ...]


class DeviceSchema(StrictSchema):
    """The name of a device."""

    device = fields.String(
        required=True,
        validate=[
            validate.Length(min=1, max=MAX_DEVICE_NAME),
            Whole(NAME_PATTERN, "Must be visible characters, with single blanks between them."),
        ],
        metadata={"description": "A name that tells you which device it is. Nobody else sees it."},
    )


class SessionResource:
    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="GET",
        path="/v1/me/sessions",
        tag=Tag.PLAYERS,
        summary="List the devices that are signed in as you",
        description=f"A session begins when you register or sign in, and has a token of its own. You can have {MAX_SESSIONS}. "
        "When another one begins, the one that has not been used for the longest time ends.",
        access=Access.PLAYER,
        answer=Answer("Your sessions.", {JSON: SessionsAnswer}),
    )
    def list_sessions(self, call: Call) -> Reply:
        return self._list(call.actor)

    @operation(
        method="PATCH",
        path="/v1/me/sessions/{session}",
        tag=Tag.PLAYERS,
        summary="Name one of your devices",
        description="Until you name it, a device is named after the browser and the system that it reports.",
        access=Access.PLAYER,
        body=DeviceSchema(),
        answer=Answer("Your sessions.", {JSON: SessionsAnswer}),
    )
    def name_session(self, call: Call) -> Reply:
        self._service.sessions.rename(call.actor, _session(call), call.form["device"])
        self._service.store.confirm(StreamId(CATEGORY, call.actor.id))
        return self._list(call.actor)

    @operation(
        method="DELETE",
        path="/v1/me/sessions/{session}",
        tag=Tag.PLAYERS,
        summary="End one of your sessions",
        description="Its token is no longer valid, and the live streams that it opened end.",
        access=Access.PLAYER,
        answer=Answer("Your other sessions.", {JSON: SessionsAnswer}),
        refuses=(BusyCode.PLAYER_BUSY,),
    )
    def end_session(self, call: Call) -> Reply:
        return self._list(self._service.sessions.end(call.actor, _session(call)))

    @operation(
        method="DELETE",
        path="/v1/me/sessions",
        tag=Tag.PLAYERS,
        summary="End all your sessions but this one",
        description="Their tokens are no longer valid, and the live streams that they opened end.",
        access=Access.PLAYER,
        answer=Answer("Your session.", {JSON: SessionsAnswer}),
        refuses=(BusyCode.PLAYER_BUSY,),
    )
    def end_other_sessions(self, call: Call) -> Reply:
        return self._list(self._service.sessions.end_others(call.actor))

    def _list(self, player: Player) -> Reply:
        return Reply(
            SessionsAnswer(tuple([_card(noted, player) for noted in self._service.sessions.of(player)]))
        )


def _session(call: Call) -> int:
    """Returns the session in the path; raises `NotFound` if it is not a number."""
    named = call.path["session"]
    if not _NUMBER.fullmatch(named):
        raise NotFound(NotFoundCode.SESSION_NOT_FOUND)
    return int(named)


def _card(noted: NotedSession, player: Player) -> SessionCard:
    session, note = noted
    return SessionCard(
        session=session.number,
        device=note.name,
        how=session.how,
        opened_at=session.opened_at,
        last_used=f"{datetime.fromtimestamp(note.day * _DAY_SECONDS, UTC):%Y-%m-%d}",
        current=session.token_hash == player.token_hash,
    )
