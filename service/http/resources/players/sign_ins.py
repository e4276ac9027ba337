"""`/v1/sign-ins`: signing in on another device, or again after all devices were lost."""

import msgspec
from marshmallow import fields, validate

from hoodwink.domain.players import Player
from hoodwink.service.application.errors import BusyCode, ForbiddenCode
from hoodwink.service.application.limits import Limit, LimitCode
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.client_address import counted_as
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.messages.answers import Registered
from hoodwink.service.http.messages.schemas import StrictSchema


class LinkAnswer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A link with which you can sign in on another device, once.

    Attributes:
        url: the link; its code follows `#`, a part of the address that browsers send to nobody.
        code: the code alone, for POST /v1/sign-ins.
        expires_at: in ms since the epoch.
    """

    url: str
    code: str
    expires_at: int


class RecoveryCodeAnswer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A code to print, with which you can sign in once if you have lost all your devices.

    Attributes:
        code: in groups of four letters and digits; capitals and hyphens do not matter.
        url: a link that signs in with the code.
    """

    code: str
    url: str


class PasskeyCard(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A passkey of yours.

    Attributes:
        device: the browser and system with which it was made.
        made_at: in ms since the epoch.
    """

    passkey: str
    device: str
    made_at: int


class WaysAnswer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """How you can sign in if you lose this device.

    Attributes:
        recovery_code_made_at: in ms since the epoch; `null` if you have none that works.
        passkeys: the oldest first.
    """

    recovery_code_made_at: int | None
    passkeys: tuple[PasskeyCard, ...]


def ways_of(service: Service, player: Player) -> WaysAnswer:
    code = player.recovery_code
    return WaysAnswer(
        recovery_code_made_at=None if code is None else code.made_at,
        passkeys=tuple(
            [
                PasskeyCard(passkey=id_, device=passkey.device, made_at=passkey.made_at)
                for id_, passkey in service.passkeys.of(player).items()
            ]
        ),
    )


class SignInSchema(StrictSchema):
    """A code."""

    # Without a pattern: a malformed code gets the same refusal as a wrong one.
    code = fields.String(
        required=True,
        validate=validate.Length(min=1, max=200),
        metadata={"description": "The code of a link, which begins with `hwl_`, or a recovery code."},
    )


class SignInResource:
    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="POST",
        path="/v1/me/sign-in-links",
        tag=Tag.PLAYERS,
        summary="Make a link that signs you in on another device",
        description="It works once, for ten minutes, and only while your session lasts. It replaces the link that you made "
        "before. Show it to nobody else: it signs in anybody as you.",
        access=Access.PLAYER,
        answer=Answer("The link.", {JSON: LinkAnswer}, 201),
        refuses=(ForbiddenCode.NOT_FOR_BOTS,),
        stores_nothing=True,  # that lasts
    )
    def make_sign_in_link(self, call: Call) -> Reply:
        link = self._service.sign_ins.new_link(call.actor, call.key)
        return Reply(LinkAnswer(url=self._url(link.code), code=link.code, expires_at=link.expires_at))

    @operation(
        method="POST",
        path="/v1/me/recovery-code",
        tag=Tag.PLAYERS,
        summary="Make a recovery code to print",
        description="It is returned only in this response, because the service stores only its hash. It replaces the code that you "
        "had before, and works once, at any time. A session that begins with it says so in your list.",
        access=Access.PLAYER,
        answer=Answer("The code.", {JSON: RecoveryCodeAnswer}, 201),
        refuses=(ForbiddenCode.NOT_FOR_BOTS, BusyCode.PLAYER_BUSY),
    )
    def make_recovery_code(self, call: Call) -> Reply:
        code = self._service.sign_ins.new_recovery_code(call.actor, call.key)
        return Reply(RecoveryCodeAnswer(code=code, url=self._url(code)))

    @operation(
        method="GET",
        path="/v1/me/sign-in",
        tag=Tag.PLAYERS,
        summary="Show how you can sign in again",
        access=Access.PLAYER,
        answer=Answer("The ways.", {JSON: WaysAnswer}),
    )
    def show_sign_in(self, call: Call) -> Reply:
        return Reply(ways_of(self._service, call.actor))

    def _url(self, code: str) -> str:
        return f"{self._service.settings.own_origin}/signin#{code}"

    @operation(
        method="POST",
        path="/v1/sign-ins",
        tag=Tag.PLAYERS,
        summary="Sign in on this device",
        description="Begins a session with a token of its own, which is returned only in this response. A code works once. Repeating "
        "the request with the same Idempotency-Key returns the same response while the session lasts. Every code that is of no "
        "use gets the same refusal.",
        body=SignInSchema(),
        answer=Answer("The player, with the token.", {JSON: Registered}, 201),
        refuses=(ForbiddenCode.SIGN_IN_REFUSED, LimitCode.TOO_MANY_SIGN_INS, BusyCode.PLAYER_BUSY),
    )
    def sign_in(self, call: Call) -> Reply:
        # First of all, because guesses count.
        self._service.limits.admit(Limit.SIGN_INS_PER_ADDRESS, counted_as(call.request.address))
        user_agent = call.request.headers.get("user-agent") or ""
        made = self._service.sign_ins.redeem(call.form["code"], call.key, user_agent)
        return Reply(Registered(made.player.id, made.player.name, made.token))
