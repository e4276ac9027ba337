"""A push service on this machine, with a certificate of its own, and the keys of a browser."""

import json
import ssl
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from threading import Event, Thread
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.x509.oid import NameOID

from hoodwink.service.adapters.outgoing.guard import Guard


class Browser:
    """The keys of a subscription; reads its messages independently of the code that writes them."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = b"sixteen bytes   "

    @property
    def keys(self) -> dict[str, str]:
        point = _point(self._key.public_key())
        return {name: _text(part) for name, part in (("p256dh", point), ("auth", self._auth))}

    def read(self, message: bytes) -> Any:
        salt, sender, sealed = message[:16], message[21:86], message[86:]
        assert message[16:21] == b"\0\0\x10\0A"
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        info = b"WebPush: info\0" + _point(self._key.public_key()) + sender
        material = _derive(self._auth, info, 32, self._key.exchange(ec.ECDH(), theirs))
        key = _derive(salt, b"Content-Encoding: aes128gcm\0", 16, material)
        text = AESGCM(key).decrypt(_derive(salt, b"Content-Encoding: nonce\0", 12, material), sealed, None)
        return json.loads(text.rstrip(b"\0").removesuffix(b"\x02"))


class PushServer:
    """A running server; the path of an endpoint decides what it answers."""

    def __init__(self, server: ThreadingHTTPServer, authority: str) -> None:
        self.port = server.server_port
        self.authority = authority
        self.requests: list[tuple[str, dict[str, str], bytes]] = []
        self.stopping = Event()

    def url(self, path: str) -> str:
        return f"https://localhost:{self.port}{path}"

    def guard(self, **given: Any) -> Guard:
        """Returns a guard that trusts this server and its address."""
        context = ssl.create_default_context(cafile=self.authority)
        return Guard(**{"is_allowed": lambda *_: True, "context": context, "seconds": 30.0, **given})


@contextmanager
def push_server(folder: Path) -> Iterator[PushServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # type: ignore[method-assign]  # clients break off
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(_certificate(folder))
    # Not in the thread that accepts: one slow handshake would stop all others.
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    running = PushServer(server, str(folder / "push.pem"))
    server.running = running  # type: ignore[attr-defined]
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield running
    finally:
        running.stopping.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Any

    def do_POST(self) -> None:
        running: PushServer = self.server.running
        body = self.rfile.read(int(self.headers["Content-Length"]))
        running.requests.append((self.path, dict(self.headers), body))
        match self.path.split("/")[1]:
            case "gone":
                self._answer(b"HTTP/1.1 410 Gone\r\n\r\n")
            case "busy":
                self._answer(b"HTTP/1.1 429 Too Many Requests\r\nretry-after: 40\r\n\r\n")
            case "broken":
                self._answer(b"HTTP/1.1 503 Service Unavailable\r\n\r\n")
            case "redirect":
                self._answer(
                    f"HTTP/1.1 307 Temporary Redirect\r\nLocation: {running.url('/there')}\r\n\r\n".encode()
                )
            case "interim":
                self._answer(b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 201 Created\r\n\r\n")
            case "slow":
                running.stopping.wait()
            case "drip":
                while not running.stopping.wait(0.05):
                    self._answer(b"H")
            case "large":
                self._answer(b"HTTP/1.1 201 Created\r\n")
                while True:
                    self._answer(b"X: " + b"x" * 1_000 + b"\r\n")
            case "huge":
                self._answer(b"HTTP/1.1 201 Created\r\n\r\n")
                while True:
                    self._answer(b"x" * 10_000)
            case "nonsense":
                self._answer(b"220 mail.example.org ESMTP\r\n\r\n")
            case _:
                self._answer(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")

    def _answer(self, data: bytes) -> None:
        self.wfile.write(data)
        self.close_connection = True

    def log_message(self, *_: Any) -> None:
        """Says nothing."""


def _certificate(folder: Path) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "push.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    return path


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def _derive(salt: bytes, info: bytes, length: int, material: bytes) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(material)


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")
