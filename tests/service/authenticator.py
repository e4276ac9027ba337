"""An authenticator in software, which answers the same to the same options."""

import hashlib
import json
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from webauthn.helpers import bytes_to_base64url, encode_cbor

_PRESENT_AND_VERIFIED = 0x05
_HAS_CREDENTIAL = 0x40


class Authenticator:
    """Holds one passkey, made for an origin."""

    def __init__(self, origin: str = "http://localhost:8000", party: str = "localhost") -> None:
        self._origin = origin
        self._party = hashlib.sha256(party.encode()).digest()
        self._key = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
        self._handle = ""
        self.count = 0
        self.id = bytes_to_base64url(b"c" * 16)

    def make(self, options: dict[str, Any]) -> dict[str, Any]:
        """Returns the answer of a browser to `navigator.credentials.create`."""
        self._handle = options["user"]["id"]
        public = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        key = encode_cbor({1: 1, 3: -8, -1: 6, -2: public})
        credential = bytes(16) + (16).to_bytes(2) + b"c" * 16 + key
        data = self._data(_PRESENT_AND_VERIFIED | _HAS_CREDENTIAL) + credential
        attestation = encode_cbor({"fmt": "none", "attStmt": {}, "authData": data})
        seen = self._client_data("webauthn.create", options)
        return self._answer(
            clientDataJSON=bytes_to_base64url(seen), attestationObject=bytes_to_base64url(attestation)
        )

    def sign(self, options: dict[str, Any]) -> dict[str, Any]:
        """Returns the answer of a browser to `navigator.credentials.get`."""
        self.count += 1
        seen, data = self._client_data("webauthn.get", options), self._data(_PRESENT_AND_VERIFIED)
        return self._answer(
            clientDataJSON=bytes_to_base64url(seen),
            authenticatorData=bytes_to_base64url(data),
            signature=bytes_to_base64url(self._key.sign(data + hashlib.sha256(seen).digest())),
            userHandle=self._handle,
        )

    def _data(self, flags: int) -> bytes:
        return self._party + bytes([flags]) + self.count.to_bytes(4)

    def _client_data(self, kind: str, options: dict[str, Any]) -> bytes:
        said = {"type": kind, "challenge": options["challenge"], "origin": self._origin}
        return json.dumps(said | {"crossOrigin": False}).encode()

    def _answer(self, **response: str) -> dict[str, Any]:
        return {"id": self.id, "rawId": self.id, "type": "public-key", "response": response}
