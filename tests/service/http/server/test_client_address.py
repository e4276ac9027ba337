"""The address of a client, from its connection or forwarded by proxies."""

from ipaddress import ip_network
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoodwink.service.http.framework.client_address import DIRECT, client_address, counted_as
from tests.service.http.both_ways import FakeHeaders

PROXY, NEAR, FAR = "10.0.0.1:4000", "10.0.0.2", "203.0.113.9"
PROXIES = (ip_network("10.0.0.0/8"), ip_network("2001:db8:ffff::/48"))
behind_proxies = client_address(PROXIES)


def seen(client, *headers, by=behind_proxies):
    return by(SimpleNamespace(client=client, headers=FakeHeaders(list(headers))))


@pytest.mark.parametrize(
    ("client", "address"),
    [
        ("192.0.2.1:50000", "192.0.2.1"),
        ("192.0.2.1", "192.0.2.1"),
        ("[2001:db8::1]:50000", "2001:db8::1"),
        ("2001:db8::1", "2001:db8::1"),
        ("[::ffff:192.0.2.1]:50000", "192.0.2.1"),
        ("[fe80::1%eth0]:50000", "fe80::1"),
        ("unix:/run/hoodwink.sock", "unix:/run/hoodwink.sock"),
        ("unix:", "unix:"),
        ("", ""),
    ],
)
def test_without_proxy_the_client_is_the_peer_address(client, address):
    assert seen(client, by=DIRECT) == address
    assert seen(client) == address


SPOOFED = (("x-forwarded-for", "198.51.100.7"), ("forwarded", "for=198.51.100.7"))


@pytest.mark.parametrize("header", SPOOFED)
@pytest.mark.parametrize("client", ["192.0.2.1:50000", "[2001:db8::1]:50000", "unix:", ""])
def test_forwarding_headers_are_trusted_only_from_known_proxies(client, header):
    assert seen(client, header) == seen(client)
    assert seen(PROXY, header, by=DIRECT) == "10.0.0.1"


@pytest.mark.parametrize(
    ("header", "address"),
    [
        ("203.0.113.9", FAR),
        ("203.0.113.9:4711", FAR),
        (" 203.0.113.9 ", FAR),
        ("::ffff:203.0.113.9", FAR),
        ("2001:db8::9", "2001:db8::9"),
        ("[2001:db8::9]:80", "2001:db8::9"),
        ("[2001:db8::9]", "2001:db8::9"),
        ("198.51.100.7, 203.0.113.9", FAR),  # the first was written by the client
        ("203.0.113.9, 10.0.0.2", FAR),
        ("203.0.113.9, 10.0.0.2, 2001:db8:ffff::1", FAR),
        ("198.51.100.7, 203.0.113.9, 10.0.0.2", FAR),
        ("nonsense, 203.0.113.9", FAR),
        ("10.0.0.3, 10.0.0.2", "10.0.0.3"),  # all of them proxies
        ("203.0.113.9, nonsense", "10.0.0.1"),
        ("203.0.113.9,", "10.0.0.1"),
        ("203.0.113.9, 10.0.0.2, unknown", "10.0.0.1"),
        ("[2001:db8::9", "10.0.0.1"),
        ("[2001:db8::9]80", "10.0.0.1"),
        ("203.0.113.9:http", "10.0.0.1"),
        ("203.0.113.999", "10.0.0.1"),
        ("for=203.0.113.9", "10.0.0.1"),
        ("", "10.0.0.1"),
        (",,,", "10.0.0.1"),
    ],
)
def test_x_forwarded_for_from_a_proxy_names_the_client(header, address):
    assert seen(PROXY, ("x-forwarded-for", header)) == address


@pytest.mark.parametrize(
    ("header", "address"),
    [
        ("for=203.0.113.9", FAR),
        ("For=203.0.113.9", FAR),
        ('for="203.0.113.9:4711"', FAR),
        ("for=203.0.113.9;proto=https;by=10.0.0.1", FAR),
        ("proto=https; for=203.0.113.9", FAR),
        ('for="[2001:db8::9]:4711"', "2001:db8::9"),
        ('FOR="[2001:db8::9]"', "2001:db8::9"),
        (r'for="203.0.113\.9"', FAR),  # a quoted pair
        ("for=198.51.100.7, for=203.0.113.9", FAR),
        ("for=203.0.113.9, for=10.0.0.2", FAR),
        ('for=203.0.113.9;by="a, for=198.51.100.7"', FAR),
        ('for=198.51.100.7;by="a\\", for=1.2.3.4", for=203.0.113.9', FAR),
        ("for=unknown, for=203.0.113.9", FAR),
        ("for=203.0.113.9:4711", FAR),  # some proxies omit the quotes
        ("for=[2001:db8::9]:4711", "2001:db8::9"),
        ('for=198.51.100.7;x=", for=203.0.113.9', "10.0.0.1"),  # an unterminated quotation from the client
        ('for=198.51.100.7;x=", for="[2001:db8::9]:1"', "10.0.0.1"),
        ('for=198.51.100.7, x=", for="[2001:db8::9]:1"', "10.0.0.1"),
        ("nonsense, for=203.0.113.9", "10.0.0.1"),
        ("for=10.0.0.3, for=10.0.0.2", "10.0.0.3"),
        ("for=203.0.113.9, for=unknown", "10.0.0.1"),
        ("for=203.0.113.9, for=_hidden", "10.0.0.1"),
        ("for=203.0.113.9, proto=https", "10.0.0.1"),
        ("for=198.51.100.7;for=203.0.113.9", FAR),
        ('for="203.0.113.9', "10.0.0.1"),
        ("203.0.113.9", "10.0.0.1"),
        ("xfor=203.0.113.9", "10.0.0.1"),
        ('for=""', "10.0.0.1"),
        ("", "10.0.0.1"),
    ],
)
def test_forwarded_from_a_proxy_names_the_client(header, address):
    assert seen(PROXY, ("forwarded", header)) == address


def test_repeated_headers_form_one_list():
    lines = (("x-forwarded-for", "198.51.100.7"), ("x-forwarded-for", "203.0.113.9"))

    assert seen(PROXY, *lines) == FAR


def test_the_header_not_set_by_the_proxy_can_be_forged():
    """A proxy sets one of the two headers and may forward the client's other one unchanged."""
    said = ("x-forwarded-for", FAR)

    assert seen(PROXY, said, ("forwarded", "for=203.0.113.9")) == FAR
    assert seen(PROXY, said, ("forwarded", "for=198.51.100.7")) == "10.0.0.1"
    assert seen(PROXY, said, ("forwarded", "nonsense")) == "10.0.0.1"


@pytest.mark.parametrize("name", ["forwarded", "x-forwarded-for"])
def test_an_overlong_header_is_ignored(name):
    assert seen(PROXY, (name, "for=198.51.100.7," * 100 + "for=203.0.113.9")) == "10.0.0.1"


@given(
    st.sampled_from(["forwarded", "x-forwarded-for"]),
    st.text(st.sampled_from('for=;,"\\[]:. 0129a_%'), max_size=40),
)
def test_any_header_gives_a_valid_address(name, value):
    address = seen(PROXY, (name, value))

    assert counted_as(address)
    assert seen(f"{address}") == address


def test_an_ipv6_address_counts_as_its_network():
    assert counted_as("2001:db8:1:2:3:4:5:6") == counted_as("2001:db8:1:2::") == "2001:db8:1:2::"
    assert counted_as("2001:db8:1:3::") != counted_as("2001:db8:1:2::")
    assert [counted_as(text) for text in ("192.0.2.1", "unix:", "")] == ["192.0.2.1", "unix:", ""]
