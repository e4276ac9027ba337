"""Messages of Web Push: encrypted for a browser (RFC 8291) and signed by this installation (VAPID, RFC 8292)."""

import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from typing import Final

import msgspec
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from hoodwink.service.adapters.outgoing.guard import Guard, Refused, Unanswered, parse_url, pause_ms
from hoodwink.service.application.players.pushes import PushAddress, PushOutcome, PushResult

_CURVE: Final = ec.SECP256R1()
_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_RECORD_SIZE: Final = 4096
_LAST_RECORD: Final = b"\x02"  # any other end would announce a further record (RFC 8188)
_SALT_BYTES: Final = 16

STAYS_SECONDS: Final = 3_600
"""How long a push service keeps a message for a browser that is not running."""

# Half of what RFC 8292 allows, because the clocks of push services may differ from ours.
_SIGNED_SECONDS: Final = 12 * 3_600
_SUCCESS: Final = range(200, 300)
_ENDED: Final = frozenset({404, 410})
_TOO_MANY: Final = 429
_OUT_OF_ORDER: Final = range(500, 600)


def signing_key(secret: bytes) -> ec.EllipticCurvePrivateKey:
    """Returns the key that belongs to 32 secret bytes."""
    # A private key is a number from 1 to the order of the curve minus 1.
    return ec.derive_private_key(int.from_bytes(secret) % (_ORDER - 1) + 1, _CURVE)


def public_text(key: ec.EllipticCurvePrivateKey) -> str:
    """Returns the public part of a key in the notation of Web Push."""
    return as_text(_point(key.public_key()))


def encrypt(
    text: bytes, to: PushAddress, *, salt: bytes | None = None, own: ec.EllipticCurvePrivateKey | None = None
) -> bytes:
    """Returns a message that only one browser can read; tests give the random parts."""
    salt, own = salt or secrets.token_bytes(_SALT_BYTES), own or ec.generate_private_key(_CURVE)
    theirs, sender = as_bytes(to.p256dh), _point(own.public_key())
    shared = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, theirs))
    material = _hkdf(as_bytes(to.auth), b"WebPush: info\0" + theirs + sender, 32, shared)
    key = _hkdf(salt, b"Content-Encoding: aes128gcm\0", 16, material)
    nonce = _hkdf(salt, b"Content-Encoding: nonce\0", 12, material)
    head = salt + _RECORD_SIZE.to_bytes(4) + len(sender).to_bytes(1) + sender
    return head + AESGCM(key).encrypt(nonce, text + _LAST_RECORD, None)


class WebPush:
    """Sends messages to browsers through the push services that their subscriptions name."""

    def __init__(
        self, *, guard: Guard, secret: Callable[[], bytes], contact: str, now_ms: Callable[[], int]
    ) -> None:
        """Takes what signs the messages: the installation's secret for it, and how its operator can be reached."""
        self._guard = guard
        self._secret = secret
        self._contact = contact
        self._now_ms = now_ms

    def public_key(self) -> str:
        """Returns the key that browsers need for a subscription; raises `StoreUnavailable`."""
        return public_text(signing_key(self._secret()))

    def send(self, to: PushAddress, link: str, *, topic: str) -> PushResult:
        """Sends a link to a browser. A message with the same topic that still waits there is replaced."""
        key = signing_key(self._secret())
        try:
            headers = {
                "Authorization": f"vapid t={self._token(key, parse_url(to.endpoint).origin)}, k={public_text(key)}",
                "Content-Encoding": "aes128gcm",
                "Content-Type": "application/octet-stream",
                "TTL": str(STAYS_SECONDS),
                "Topic": self._hidden(topic),
                "Urgency": "high",
            }
            answer = self._guard.post(to.endpoint, encrypt(msgspec.json.encode({"url": link}), to), headers)
        except (Refused, ValueError):  # or the key is no point of the curve
            return PushResult(PushOutcome.REFUSED)
        except Unanswered:
            return PushResult(PushOutcome.DELAYED)
        if answer.status == _TOO_MANY or answer.status in _OUT_OF_ORDER:
            return PushResult(PushOutcome.DELAYED, pause_ms(answer.retry_after, self._now_ms()))
        if answer.status in _ENDED:
            return PushResult(PushOutcome.ENDED)
        return PushResult(PushOutcome.SENT if answer.status in _SUCCESS else PushOutcome.FAILED)

    def _hidden(self, topic: str) -> str:
        # With the secret, because a push service could hash the ids of all public tables. A topic has up to 32 characters.
        return as_text(sha256(self._secret() + topic.encode()).digest()[:18])

    def _token(self, key: ec.EllipticCurvePrivateKey, audience: str) -> str:
        expires = self._now_ms() // 1_000 + _SIGNED_SECONDS
        parts = ({"typ": "JWT", "alg": "ES256"}, {"aud": audience, "exp": expires, "sub": self._contact})
        signed = ".".join(as_text(msgspec.json.encode(part)) for part in parts)
        # A JWT has the two numbers next to each other (RFC 7518), and not in DER.
        r, s = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        return f"{signed}.{as_text(r.to_bytes(32) + s.to_bytes(32))}"


def as_text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def as_bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _hkdf(salt: bytes, info: bytes, length: int, material: bytes) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(material)
