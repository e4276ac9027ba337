"""Finds the address of the client that sent a request, also behind the proxies that a setting names."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any, Final, Protocol, TypeAlias

from werkzeug.datastructures import Headers


class Scope(Protocol):
    """The part of the server's request that names the client."""

    @property
    def client(self) -> str:
        """The address that opened the connection, and its port."""
        ...

    @property
    def headers(self) -> Any: ...


AddressOf: TypeAlias = Callable[[Scope], str]
"""Returns the address of a request's client, without a port."""

Networks: TypeAlias = Sequence[IPv4Network | IPv6Network]
Address: TypeAlias = IPv4Address | IPv6Address

_MAX_CACHED: Final = 10_000
_MAX_LENGTH: Final = 500
"""A longer header counts as unreadable: headers are cache keys, and a client chooses their length."""
# No address has this form, so the request counts as the proxy's own.
_UNREADABLE: Final = "?"

_PORT: Final = re.compile(r":[0-9]{1,5}")
_PAIR: Final = r"""[ \t]*([\w!#$%&'*+.^`|~-]+)=([\w!#$%&'*+.^`|~:\[\]-]+|"(?:[^"\\]|\\.)*")[ \t]*"""
_PAIRS: Final = re.compile(rf"{_PAIR}([,;]|$)", re.ASCII)
_FORWARDED: Final = re.compile(rf"{_PAIR}(?:[,;]{_PAIR})*", re.ASCII)


def client_address(proxies: Networks) -> AddressOf:
    """Returns a function that finds the address of a request's client.

    Usually that is the peer of the connection. If the peer is one of the proxies, it is the rightmost address in
    `Forwarded` (RFC 7239) or `X-Forwarded-For` that is not a proxy, because a client can forge everything to the left
    of it. If that address cannot be read, or the two headers disagree, it is the proxy's own address.
    """

    # Every action asks for its address, and the same few clients send most of them.
    @lru_cache(_MAX_CACHED)
    def peer_of(client: str) -> tuple[str, bool]:
        address = _node(client)
        return (client if address is None else str(address)), address is not None and _is_in(address, proxies)

    @lru_cache(_MAX_CACHED)
    def client_behind(proxy: str, forwarded: str, forwarded_for: str) -> str:
        lists = (_forwarded(forwarded), _forwarded_for(forwarded_for))
        # A proxy appends to one of the headers and passes the other on as the client sent it. Either may be forged.
        named = {_rightmost(nodes, proxies) for nodes in lists if nodes}
        found = named.pop() if len(named) == 1 else None
        return proxy if found is None else str(found)

    def address_of(scope: Scope) -> str:
        address, is_proxy = peer_of(scope.client)
        if not is_proxy:
            return address
        received = scope.headers.items()
        return client_behind(address, _joined(received, "forwarded"), _joined(received, "x-forwarded-for"))

    return address_of


def counted_client(proxies: Networks) -> Callable[[str], str | None]:
    """Returns a function from the peer of a connection, `host:port`, to its address as limits count it; `None` for a proxy."""

    def counted(client: str) -> str | None:
        address = _node(client)
        if address is None:
            return client
        return None if _is_in(address, proxies) else counted_as(str(address))

    return counted


DIRECT: Final = client_address(())
"""Finds the client of a request where there is no proxy."""


_FORWARDING: Final = ("forwarded", "via", "x-forwarded-", "x-real-ip")


def is_from_this_machine(address: str, headers: Headers | Mapping[str, str]) -> bool:
    """Returns whether a request comes from this machine and no header shows that a proxy forwarded it."""
    found = _address(address)
    if found is None or not found.is_loopback:
        return False
    # Any such header counts, because a proxy on this machine may be missing from the settings.
    return not any(value and name.lower().startswith(_FORWARDING) for name, value in headers.items())


@lru_cache(_MAX_CACHED)
def counted_as(address: str) -> str:
    """Returns the address as limits count it: the first 64 bits of an IPv6 address, since one client has all the rest.

    >>> counted_as("2001:db8::7:1"), counted_as("192.0.2.1")
    ('2001:db8::', '192.0.2.1')
    """
    found = _address(address)
    if not isinstance(found, IPv6Address):
        return address
    return str(IPv6Address(int(found) >> 64 << 64))


def _joined(received: Sequence[tuple[str, str]], name: str) -> str:
    """Joins the values of a repeated header to one list (RFC 9110, 5.3)."""
    joined = ",".join([value for header, value in received if header == name])
    return joined if len(joined) <= _MAX_LENGTH else _UNREADABLE


def _forwarded(header: str) -> list[str]:
    """Returns the `for=` node of each element, or a single empty node if the header is malformed."""
    # As a whole first: an opening quotation mark from the client must not swallow what the proxy appended.
    if not header or not _FORWARDED.fullmatch(header):
        return [""] if header else []
    nodes = [""]
    for name, value, end in _PAIRS.findall(header):
        if name.lower() == "for":
            nodes[-1] = _unquoted(value)
        if end == ",":
            nodes.append("")
    return nodes


def _unquoted(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value[1:-1]) if value.startswith('"') else value


def _forwarded_for(header: str) -> list[str]:
    return [node.strip() for node in header.split(",")] if header else []


def _rightmost(nodes: Sequence[str], proxies: Networks) -> Address | None:
    """Returns the last address that is not a proxy, or else the first; `None` if it meets an unreadable one."""
    address = None
    for node in reversed(nodes):
        address = _node(node)
        if address is None or not _is_in(address, proxies):
            return address
    return address


def _node(text: str) -> Address | None:
    """Returns the address of `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` or `[2001:db8::1]:80`; `None` for anything else."""
    if text.startswith("["):
        inside, bracket, port = text[1:].partition("]")
        return _address(inside) if bracket and (not port or _PORT.fullmatch(port)) else None
    if text.count(":") == 1:
        text, _, port = text.partition(":")
        return _address(text) if _PORT.fullmatch(f":{port}") else None
    return _address(text)


def _address(text: str) -> Address | None:
    """Returns an address without its zone; an IPv4 address mapped to IPv6 becomes the IPv4 address."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    # A socket that listens on `::` reports IPv4 peers in this form, which no IPv4 network in the settings contains.
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def _is_in(address: Address, networks: Networks) -> bool:
    return any(address in network for network in networks)
