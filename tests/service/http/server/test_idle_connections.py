"""Only idle connections beyond a limit are cut off, those silent longest first."""

import asyncio
import resource
import socket
from contextlib import ExitStack, closing
from ipaddress import ip_network

import pytest

from hoodwink.service.http.serving import sockets
from hoodwink.service.http.serving.guards.idle_connections import IdleConnections
from hoodwink.service.http.serving.sockets import limit_silence, max_connections, silences

pytestmark = pytest.mark.skipif(
    not hasattr(socket, "TCP_INFO"), reason="only Linux reports how long a client has been silent"
)


def limits(per_address=2, max_idle=100, proxies=()):
    return IdleConnections(port=1, per_address=per_address, max_idle=max_idle, proxies=proxies)


def test_an_address_over_its_limit_loses_the_connections_silent_longest():
    silent_ms = {"192.0.2.1:1": 50, "192.0.2.1:2": 10, "192.0.2.1:3": 900, "192.0.2.2:1": 9_000}

    assert limits().excess(silent_ms) == {"192.0.2.1:3"}


def test_idle_connections_are_limited_across_addresses():
    silent_ms = {f"192.0.2.{number}:1": number for number in range(1, 8)}

    assert limits(max_idle=5).excess(silent_ms) == {"192.0.2.6:1", "192.0.2.7:1"}


def test_an_ipv6_network_counts_as_one_client_and_a_proxy_does_not():
    silent_ms = {f"[2001:db8::{number}]:1": number for number in (1, 2, 3)}
    proxy_ms = {f"192.0.2.9:{port}": 5 for port in range(1, 5)}

    assert limits(proxies=[ip_network("192.0.2.9")]).excess(silent_ms | proxy_ms) == {"[2001:db8::3]:1"}


@pytest.fixture(params=["127.0.0.1", "::1"])
def listener(request):
    family = socket.AF_INET6 if ":" in request.param else socket.AF_INET
    try:
        listening = socket.create_server((request.param, 0), family=family, backlog=50)
    except OSError:
        pytest.skip(f"this machine has no {request.param}")
    with closing(listening):
        yield listening


class Connections:
    """Both ends of connections to a listening socket."""

    def __init__(self, listener, stack, count):
        self.port = listener.getsockname()[1]
        self.ends = [
            stack.enter_context(socket.create_connection(listener.getsockname()[:2])) for _ in range(count)
        ]
        self.accepted = [stack.enter_context(listener.accept()[0]) for _ in self.ends]
        host = listener.getsockname()[0]
        written = f"[{host}]" if ":" in host else host
        self.names = [f"{written}:{end.getsockname()[1]}" for end in self.ends]

    def cut_off(self):
        """Returns the indexes of closed connections."""
        return [number for number, end in enumerate(self.ends) if is_cut_off(end)]


def is_cut_off(end):
    end.settimeout(0.01)
    try:
        return end.recv(1) == b""
    except TimeoutError:
        return False


def test_only_clients_of_the_given_port_are_found(listener):
    with ExitStack() as stack:
        connections = Connections(listener, stack, 3)
        assert set(silences(connections.port)) == set(connections.names)
        host = listener.getsockname()[0]
        other_server = stack.enter_context(socket.create_server((host, 0), family=listener.family))
        assert silences(other_server.getsockname()[1]) == {}


def test_idle_connections_are_cut_off_and_busy_ones_are_not(listener):
    with ExitStack() as stack:
        connections = Connections(listener, stack, 12)
        idle = IdleConnections(port=connections.port, per_address=4, max_idle=100)
        busy = set(connections.names[:6])

        asyncio.run(idle.tick(busy))

        cut = connections.cut_off()
        assert len(cut) == 2
        assert not {connections.names[number] for number in cut} & busy


def test_a_few_connections_are_not_inspected(listener, monkeypatch):
    monkeypatch.setattr(sockets, "_borrow", lambda number: pytest.fail("a connection was inspected"))
    asyncio.run(IdleConnections(port=1, per_address=10_000, max_idle=10_000).tick(set()))


def test_connections_inherit_the_timeout_for_vanished_clients(listener):
    limit_silence(listener.getsockname()[1] + 1, seconds=7)
    limit_silence(listener.getsockname()[1], seconds=30)
    with ExitStack() as stack:
        (accepted,) = Connections(listener, stack, 1).accepted
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 30_000


@pytest.mark.parametrize(
    ("soft", "hard", "raised", "expected"),
    [
        (1024, 524_288, 16_640, 16_384),
        (1024, resource.RLIM_INFINITY, 16_640, 16_384),
        (1024, 4096, 4096, 3840),
        (256, 256, None, 128),
        (20_000, 20_000, None, 16_384),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, None, 16_384),
    ],
)
def test_the_descriptor_limit_is_raised_as_needed_and_allowed(soft, hard, raised, expected, monkeypatch):
    applied = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, given: applied.append(given))

    assert max_connections() == expected
    assert applied == ([] if raised is None else [(raised, hard)])
