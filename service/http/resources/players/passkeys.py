"""Makes and removes passkeys, and signs players in with them."""

from typing import Any

import msgspec
from marshmallow import fields

from hoodwink.service.application.errors import BusyCode, ConflictCode, ForbiddenCode
from hoodwink.service.application.limits import Limit, LimitCode
from hoodwink.service.application.players.devices import device_name
from hoodwink.service.application.players.passkeys import MAX_PASSKEYS, check_credential
from hoodwink.service.application.players.stored_players import CATEGORY
from hoodwink.service.application.ports import StreamId
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.client_address import counted_as
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.messages.answers import Registered
from hoodwink.service.http.messages.schemas import StrictSchema
from hoodwink.service.http.resources.access import command_key
from hoodwink.service.http.resources.players.sign_ins import WaysAnswer, ways_of


class PasskeyOptions(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What a browser needs for a passkey, valid for five minutes and for one use.

    Attributes:
        origin: the address at which the passkey works.
        public_key: for `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`.
    """

    origin: str
    public_key: dict[str, Any]


class CredentialSchema(StrictSchema):
    """The response of an authenticator."""

    credential = fields.Dict(
        required=True,
        keys=fields.String(),
        metadata={"description": "What `toJSON` of the `PublicKeyCredential` returns."},
    )


class PasskeyResource:
    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="POST",
        path="/v1/me/passkeys/options",
        tag=Tag.PLAYERS,
        summary="Begin to make a passkey",
        description="Pass the options to `navigator.credentials.create`, on a page at the `origin` in the response.",
        access=Access.PLAYER,
        answer=Answer("The options.", {JSON: PasskeyOptions}),
        refuses=(ForbiddenCode.NOT_FOR_BOTS, ConflictCode.NO_PASSKEYS_HERE),
        stores_nothing=True,
    )
    def begin_passkey(self, call: Call) -> Reply:
        return self._options(self._service.passkeys.to_make(call.actor))

    @operation(
        method="POST",
        path="/v1/me/passkeys",
        tag=Tag.PLAYERS,
        summary="Keep a passkey",
        description=f"The service stores its public key. You can have {MAX_PASSKEYS}, and they are erased with you.",
        access=Access.PLAYER,
        body=CredentialSchema(),
        answer=Answer("How you can sign in.", {JSON: WaysAnswer}, 201),
        refuses=(ForbiddenCode.PASSKEY_REFUSED, ConflictCode.TOO_MANY_PASSKEYS, BusyCode.PLAYER_BUSY),
    )
    def keep_passkey(self, call: Call) -> Reply:
        # `add` uses the key together with its challenge, so it would not notice another command with the same key.
        if (key := command_key(call)) is not None:
            self._service.players.check_key(call.actor, key)
        device = device_name(call.request.headers.get("user-agent") or "")
        self._service.passkeys.add(call.actor, call.form["credential"], call.key, device)
        return self._confirm_change(call)

    @operation(
        method="DELETE",
        path="/v1/me/passkeys/{passkey}",
        tag=Tag.PLAYERS,
        summary="Remove a passkey",
        description="Nobody can sign in with it any more. Sessions that began with it go on.",
        access=Access.PLAYER,
        answer=Answer("How you can sign in.", {JSON: WaysAnswer}),
    )
    def remove_passkey(self, call: Call) -> Reply:
        self._service.passkeys.remove(call.actor, check_credential(call.path["passkey"]))
        return self._confirm_change(call)

    @operation(
        method="POST",
        path="/v1/sign-ins/options",
        tag=Tag.PLAYERS,
        summary="Begin to sign in with a passkey",
        description="Pass the options to `navigator.credentials.get`, on a page at the `origin` in the response.",
        answer=Answer("The options.", {JSON: PasskeyOptions}),
        refuses=(ConflictCode.NO_PASSKEYS_HERE,),
        stores_nothing=True,
    )
    def begin_sign_in(self, call: Call) -> Reply:
        return self._options(self._service.passkeys.to_sign())

    @operation(
        method="POST",
        path="/v1/sign-ins/passkey",
        tag=Tag.PLAYERS,
        summary="Sign in with a passkey",
        description="Begins a session with a token of its own, which is returned only in this response. Repeating the request with "
        "the same Idempotency-Key returns the same response while the session lasts.",
        body=CredentialSchema(),
        answer=Answer("The player, with the token.", {JSON: Registered}, 201),
        refuses=(ForbiddenCode.PASSKEY_REFUSED, LimitCode.TOO_MANY_SIGN_INS, BusyCode.PLAYER_BUSY),
    )
    def sign_in_with_passkey(self, call: Call) -> Reply:
        # First of all, because attempts count, and not only those that succeed.
        self._service.limits.admit(Limit.SIGN_INS_PER_ADDRESS, counted_as(call.request.address))
        user_agent = call.request.headers.get("user-agent") or ""
        made = self._service.passkeys.sign_in(call.form["credential"], call.key, user_agent)
        return Reply(Registered(made.player.id, made.player.name, made.token))

    def _options(self, public_key: dict[str, Any]) -> Reply:
        return Reply(PasskeyOptions(origin=self._service.settings.own_origin, public_key=public_key))

    def _confirm_change(self, call: Call) -> Reply:
        self._service.store.confirm(StreamId(CATEGORY, call.actor.id))
        return Reply(ways_of(self._service, call.actor))
