"""Checks the answers of authenticators with py_webauthn."""

import json
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from hoodwink.domain.players import Player
from hoodwink.service.application.players.passkeys import Claim, Passkey, Refused

_SERVICE: Final = "Hoodwink"
_TIMEOUT_MS: Final = 240_000

# py_webauthn is imported where it is used: it takes longer than the start of most commands, and most players have no passkey.
# ruff: noqa: PLC0415


class WebAuthn:
    """The relying party at an origin, which alone decides its id. Safe to share between threads."""

    def __init__(self, origin: str) -> None:
        self._origin = origin
        self._id = urlsplit(origin).hostname or ""

    @property
    def can_be_used(self) -> bool:
        # Browsers offer passkeys only to names, and only in a secure context.
        return not _is_address(self._id) and (self._origin.startswith("https:") or self._id == "localhost")

    def to_make(self, player: Player, challenge: bytes, known: list[str]) -> dict[str, Any]:
        from webauthn import base64url_to_bytes, generate_registration_options
        from webauthn.helpers import options_to_json_dict
        from webauthn.helpers.structs import (
            AuthenticatorSelectionCriteria,
            PublicKeyCredentialDescriptor,
            ResidentKeyRequirement,
            UserVerificationRequirement,
        )

        options = generate_registration_options(
            rp_id=self._id,
            rp_name=_SERVICE,
            user_name=player.name,
            user_id=player.id.encode(),
            challenge=challenge,
            timeout=_TIMEOUT_MS,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.REQUIRED,
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(id_)) for id_ in known],
        )
        return options_to_json_dict(options)

    def to_sign(self, challenge: bytes) -> dict[str, Any]:
        from webauthn import generate_authentication_options
        from webauthn.helpers import options_to_json_dict
        from webauthn.helpers.structs import UserVerificationRequirement

        options = generate_authentication_options(
            rp_id=self._id,
            challenge=challenge,
            timeout=_TIMEOUT_MS,
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        return options_to_json_dict(options)

    def claim(self, answer: Mapping[str, Any]) -> Claim:
        from webauthn import base64url_to_bytes

        try:
            response = answer["response"]
            challenge = json.loads(base64url_to_bytes(response["clientDataJSON"]))["challenge"]
            handle = response.get("userHandle") or ""
            credential = str(answer["id"])
            return Claim(base64url_to_bytes(challenge), credential, base64url_to_bytes(handle).decode())
        except Exception as error:  # strangers may send anything
            raise Refused from error

    def made(self, answer: Mapping[str, Any], challenge: bytes) -> tuple[str, str, int]:
        from webauthn import verify_registration_response
        from webauthn.helpers import bytes_to_base64url

        try:
            found = verify_registration_response(
                credential=dict(answer),
                expected_challenge=challenge,
                expected_rp_id=self._id,
                expected_origin=self._origin,
                require_user_verification=True,
            )
        except Exception as error:  # the parsers of attestations raise many kinds
            raise Refused from error
        credential = bytes_to_base64url(found.credential_id)
        return credential, found.credential_public_key.hex(), found.sign_count

    def signed(self, answer: Mapping[str, Any], challenge: bytes, passkey: Passkey) -> int:
        from webauthn import verify_authentication_response

        try:
            found = verify_authentication_response(
                credential=dict(answer),
                expected_challenge=challenge,
                expected_rp_id=self._id,
                expected_origin=self._origin,
                credential_public_key=bytes.fromhex(passkey.public_key),
                credential_current_sign_count=passkey.count,
                require_user_verification=True,
            )
        except Exception as error:
            raise Refused from error
        return found.new_sign_count


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
