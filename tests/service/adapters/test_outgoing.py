"""Requests to strangers' servers reach only the public internet, and end in time; messages follow RFC 8291 and 8292."""

import json
import socket
from ipaddress import ip_address

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from hoodwink.service.adapters.outgoing.guard import (
    Guard,
    Head,
    Refused,
    Unanswered,
    is_public,
    parse_url,
    pause_ms,
)
from hoodwink.service.adapters.outgoing.web_push import (
    WebPush,
    as_bytes,
    as_text,
    encrypt,
    signing_key,
)
from hoodwink.service.application.players.pushes import PushAddress, PushOutcome
from tests.service.push_server import Browser, push_server


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with push_server(tmp_path_factory.mktemp("push")) as running:
        yield running


def resolving(*addresses):
    """Returns a resolver that knows every name, and the names it was asked for."""
    asked = []

    def resolve(host, port, **_):
        asked.append(host)
        families = [socket.AF_INET6 if ":" in address else socket.AF_INET for address in addresses]
        return [
            (family, socket.SOCK_STREAM, 6, "", (address, port))
            for family, address in zip(families, addresses, strict=True)
        ]

    return resolve, asked


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
        *("224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "240.0.0.1"),
        *(
            "::1",
            "::",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
        ),
        *("2002:7f00:1::1", "2001::1", "2001:db8::1", "fe80::1", "fc00::1", "fec0::1", "ff02::1"),
    ],
)
def test_addresses_outside_the_public_internet_are_refused(address):
    assert not is_public(ip_address(address), 443)
    resolve, asked = resolving(address)

    with pytest.raises(Refused):
        Guard(resolve=resolve).post("https://push.example.org/x", b"", {})

    assert asked == ["push.example.org"]


def test_public_addresses_are_allowed_at_the_port_of_https():
    for address in ("8.8.8.8", "93.184.215.14", "2606:4700::1111"):
        assert is_public(ip_address(address), 443)
        assert not is_public(ip_address(address), 22)


@pytest.mark.parametrize(
    "url",
    [
        *(
            "http://example.org/",
            "https://example.org",
            "https:///x",
            "https://user@example.org/",
            "ftp://a/",
        ),
        *("https://[::1]/", "https://example.org/a b", "https://example.org/\r\nX: y", "https://é.org/"),
        *("https://example.org\\@a/", f"https://example.org/{'x' * 2_000}", "https://-a/", "//example.org/"),
    ],
)
def test_other_addresses_than_https_are_refused(url):
    with pytest.raises(Refused):
        parse_url(url)


def test_the_connection_goes_to_the_address_that_was_checked(server):
    resolve, asked = resolving("10.0.0.1", "127.0.0.1")
    guard = server.guard(is_allowed=lambda address, _: address == ip_address("127.0.0.1"), resolve=resolve)

    assert guard.post(server.url("/checked"), b"body", {"TTL": "1"}) == Head(201)

    assert asked == ["localhost"]
    path, headers, body = server.requests[-1]
    assert (path, body, headers["TTL"]) == ("/checked", b"body", "1")
    assert headers["Host"] == f"localhost:{server.port}"


def test_redirects_are_not_followed(server):
    assert server.guard().post(server.url("/redirect"), b"", {}).status == 307

    assert "/there" not in [path for path, _, _ in server.requests]


def test_only_the_head_of_a_response_is_read(server):
    assert server.guard().post(server.url("/huge"), b"", {}).status == 201
    assert server.guard().post(server.url("/interim"), b"", {}).status == 201
    for path in ("/large", "/nonsense"):
        with pytest.raises(Unanswered):
            server.guard().post(server.url(path), b"", {})


@pytest.mark.parametrize("path", ["/slow", "/drip"])
def test_a_slow_response_is_cut_off(server, path):
    with pytest.raises(Unanswered):
        server.guard(seconds=0.3).post(server.url(path), b"", {})


def test_a_slow_handshake_or_name_server_is_cut_off(server):
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(Unanswered):
        server.guard(seconds=0.3).post(f"https://localhost:{silent.getsockname()[1]}/", b"", {})
    with pytest.raises(Unanswered):
        server.guard(seconds=0.1, resolve=lambda *_, **__: server.stopping.wait(2)).post(
            server.url("/"), b"", {}
        )


def test_an_unknown_certificate_is_not_trusted(server):
    with pytest.raises(Unanswered, match="SSLCertVerificationError"):
        Guard(is_allowed=lambda *_: True).post(server.url("/"), b"", {})


def test_messages_are_encrypted_as_in_rfc_8291():
    """The example of its appendix A."""
    own = ec.derive_private_key(
        int.from_bytes(as_bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")), ec.SECP256R1()
    )
    to = PushAddress(
        "",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
    )

    message = encrypt(
        b"When I grow up, I want to be a watermelon", to, salt=as_bytes("DGv6ra1nlYgDCS1FRnbzlw"), own=own
    )

    assert as_text(message) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_y"
        "l95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_a_push_contains_only_the_link_and_is_signed_for_its_service(server):
    browser, secret = Browser(), b"s" * 32
    push = WebPush(
        guard=server.guard(), secret=lambda: secret, contact="mailto:x@example.org", now_ms=lambda: 5_000
    )
    to = PushAddress(server.url("/ok"), **browser.keys)

    assert push.send(to, "/tables/abcd", topic="abcd") == (PushOutcome.SENT, 0)

    _, headers, body = server.requests[-1]
    assert browser.read(body) == {"url": "/tables/abcd"}
    assert headers["Content-Encoding"] == "aes128gcm"
    assert len(headers["Topic"]) <= 32
    assert "abcd" not in str(headers)
    token, key = headers["Authorization"].removeprefix("vapid t=").split(", k=")
    head, claims, signature = map(as_bytes, token.split("."))
    assert json.loads(head) == {"typ": "JWT", "alg": "ES256"}
    assert json.loads(claims) == {
        "aud": server.url(""),
        "exp": 5 + 12 * 3_600,
        "sub": "mailto:x@example.org",
    }
    assert key == push.public_key()
    r, s = int.from_bytes(signature[:32]), int.from_bytes(signature[32:])
    signing_key(secret).public_key().verify(
        encode_dss_signature(r, s), token.rpartition(".")[0].encode(), ec.ECDSA(hashes.SHA256())
    )


@pytest.mark.parametrize(
    ("path", "outcome"),
    [
        ("/gone", PushOutcome.ENDED),
        ("/redirect", PushOutcome.FAILED),
        ("/large", PushOutcome.DELAYED),
        ("/broken", PushOutcome.DELAYED),
    ],
)
def test_outcomes_of_pushes(server, path, outcome):
    push = WebPush(guard=server.guard(), secret=lambda: b"s" * 32, contact="mailto:x@y.z", now_ms=lambda: 0)

    assert push.send(PushAddress(server.url(path), **Browser().keys), "/", topic="t") == (outcome, 0)
    refused = push.send(PushAddress("http://example.org/", **Browser().keys), "/", topic="t")
    assert refused.outcome is PushOutcome.REFUSED


def test_a_busy_push_service_says_how_long_to_wait(server):
    push = WebPush(guard=server.guard(), secret=lambda: b"s" * 32, contact="mailto:x@y.z", now_ms=lambda: 0)
    to = PushAddress(server.url("/busy"), **Browser().keys)

    assert push.send(to, "/", topic="t") == (PushOutcome.DELAYED, 40_000)


@pytest.mark.parametrize(
    "sent", ["", "-1", "1e3", "9" * 40, "Thu, 99 Foo 1970", "Thu, 01 Jan 1970 00:00:00 GMT"]
)
def test_a_pause_that_is_no_pause_does_not_count(sent):
    assert pause_ms(sent, 1_000) == 0
