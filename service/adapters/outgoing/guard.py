"""Sends requests to addresses that strangers chose, without letting them reach this network or hold up a thread.

The name is resolved once, the address is checked, and the connection goes to that address, so a name that resolves
differently a moment later gains nothing. Redirects are not followed, and only the head of the response is read.
"""

import re
import socket
import ssl
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC
from email.utils import parsedate_to_datetime
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from threading import Timer
from time import monotonic
from typing import Any, Final, NamedTuple, TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address
IsAllowed: TypeAlias = Callable[[Address, int], bool]
"""Returns whether a connection to an address and port may be opened."""

MAX_URL: Final = 2_000
HOST: Final = r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?"
"""The pattern of a host. Stricter than any parser, so that no two parsers read an address differently."""

_URL: Final = re.compile(rf"(https://({HOST})(?::([0-9]{{1,5}}))?)(/[!-~]*)")
"""Origin, host, port and path."""

PORT: Final = 443
"""The only port to which requests go."""

_MAX_HEAD: Final = 16 * 1024
_INTERIM: Final = range(100, 200)
_STATUS: Final = re.compile(rb"HTTP/1\.[01] ([0-9]{3})[ \r]")
_RETRY_AFTER: Final = re.compile(rb"\r\nretry-after:[ \t]*([ -~]{1,40}?)[ \t]*(?:\r\n|$)", re.IGNORECASE)
_NUMBER: Final = re.compile("[0-9]{1,9}")
_END: Final = b"\r\n\r\n"

# Everything else in IPv6 is local, a multicast, or leads on to an IPv4 address that nobody has checked.
_UNICAST: Final = IPv6Network("2000::/3")
_LEADS_TO_IPV4: Final = IPv6Network("2002::/16")


class Refused(Exception):
    """The address is not one that this service sends to."""


class Unanswered(Exception):
    """The other server did not give a valid, short response in time."""


class Head(NamedTuple):
    """The head of a response.

    Attributes:
        retry_after: as it was sent; empty without one.
    """

    status: int
    retry_after: str = ""


class Url(NamedTuple):
    """The parts of an address; `origin` has the port only if it was given."""

    origin: str
    host: str
    port: int
    path: str


def parse_url(text: str) -> Url:
    """Returns the parts of an `https` address; raises `Refused` for anything else."""
    found = _URL.fullmatch(text) if len(text) <= MAX_URL else None
    if found is None:
        raise Refused("not an https address")
    return Url(found[1], found[2], int(found[3] or PORT), found[4])


def is_public(address: Address, port: int) -> bool:
    """Returns whether an address is on the public internet, and the port that of `https`.

    >>> is_public(ip_address("93.184.215.14"), 443), is_public(ip_address("::ffff:93.184.215.14"), 443)
    (True, False)
    """
    if address.version == 6 and (address not in _UNICAST or address in _LEADS_TO_IPV4):
        return False
    return port == PORT and address.is_global and not address.is_multicast


def pause_ms(retry_after: str, now_ms: int) -> int:
    """Returns the pause that a `Retry-After` asks for, in seconds or until a date; 0 without a valid one.

    >>> pause_ms("120", 0), pause_ms("Thu, 01 Jan 1970 00:00:07 GMT", 2_000), pause_ms("later", 0)
    (120000, 5000, 0)
    """
    if _NUMBER.fullmatch(retry_after):
        return int(retry_after) * 1_000
    try:
        until = parsedate_to_datetime(retry_after)
    except (ValueError, OverflowError):
        return 0
    return max(0, int(until.replace(tzinfo=until.tzinfo or UTC).timestamp() * 1_000) - now_ms)


class Guard:
    """Sends requests to strangers' servers. Safe to share between threads."""

    def __init__(
        self,
        *,
        is_allowed: IsAllowed = is_public,
        context: ssl.SSLContext | None = None,
        resolve: Callable[..., Any] = socket.getaddrinfo,
        seconds: float = 10.0,
    ) -> None:
        """Takes what tests replace: the check of addresses, the trusted certificates, the resolver, and the time for everything."""
        self._is_allowed = is_allowed
        self._context = context or ssl.create_default_context()
        self._resolve = resolve
        self._seconds = seconds
        # A name server can be slow for as long as it likes, and the system's resolver has no timeout.
        self._resolving = ThreadPoolExecutor(8, thread_name_prefix="resolve")

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> Head:
        """Sends a request and returns the head of the response.

        Raises:
            Refused: nothing was sent.
            Unanswered: there is no valid response, and the request may have arrived.
        """
        until = monotonic() + self._seconds
        target = parse_url(url)
        lines = [f"POST {target.path} HTTP/1.1", f"Host: {target.origin.removeprefix('https://')}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        lines += [f"Content-Length: {len(body)}", "Connection: close", "", ""]
        try:
            with self._connect(target, until) as connection:
                return _exchange(connection, "\r\n".join(lines).encode("ascii") + body, until)
        except (OSError, TimeoutError) as error:
            raise Unanswered(type(error).__name__) from error

    def _connect(self, target: Url, until: float) -> ssl.SSLSocket:
        """Returns a connection to an allowed address of the host, before the handshake."""
        resolving = self._resolving.submit(self._resolve, target.host, target.port, type=socket.SOCK_STREAM)
        for family, kind, protocol, _, address in resolving.result(timeout=until - monotonic()):
            if not self._is_allowed(ip_address(str(address[0]).partition("%")[0]), target.port):
                continue
            plain = socket.socket(family, kind, protocol)
            try:
                plain.settimeout(max(0.001, until - monotonic()))
                plain.connect(address)
                return self._context.wrap_socket(
                    plain, server_hostname=target.host, do_handshake_on_connect=False
                )
            except BaseException:
                plain.close()
                raise
        raise Refused("not a public address")


def _exchange(connection: ssl.SSLSocket, request: bytes, until: float) -> Head:
    """Sends a request and returns the head of its response."""
    # A timeout of the socket begins again with every byte, which a server could send one at a time.
    cut = Timer(max(0.0, until - monotonic()), _cut, (connection,))
    cut.daemon = True
    cut.start()
    try:
        connection.do_handshake()
        connection.sendall(request)
        return _read_head(connection)
    finally:
        cut.cancel()


def _read_head(connection: ssl.SSLSocket) -> Head:
    head = b""
    while True:
        while _END in head:
            found = _STATUS.match(head)
            if found is None:
                raise Unanswered("not HTTP")
            if int(found[1]) not in _INTERIM:
                later = _RETRY_AFTER.search(head.partition(_END)[0])
                return Head(int(found[1]), later[1].decode("ascii") if later else "")
            head = head.partition(_END)[2]
        if len(head) > _MAX_HEAD:
            raise Unanswered("too large")
        received = connection.recv(4096)
        if not received:
            raise Unanswered("incomplete")
        head += received


def _cut(connection: ssl.SSLSocket) -> None:
    with suppress(OSError):  # it has just ended
        # Not `SSLSocket.shutdown`, which would take the encryption away from the thread that uses it.
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
