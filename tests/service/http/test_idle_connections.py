"""Only idle connections over a limit are cut off, the longest silent first."""

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
    not hasattr(socket, "TCP_INFO"), reason="only Linux says how long a client is silent"
)


def bounds(per_address=2, max_idle=100, proxies=()):
    return IdleConnections(port=1, per_address=per_address, max_idle=max_idle, proxies=proxies)


def test_an_address_over_its_bound_loses_the_longest_silent():
    silent = {"192.0.2.1:1": 50, "192.0.2.1:2": 10, "192.0.2.1:3": 900, "192.0.2.2:1": 9_000}

    assert bounds().excess(silent) == {"192.0.2.1:3"}


def test_idle_connections_are_bounded_across_addresses():
    silent = {f"192.0.2.{number}:1": number for number in range(1, 8)}

    assert bounds(max_idle=5).excess(silent) == {"192.0.2.6:1", "192.0.2.7:1"}


def test_an_ipv6_network_counts_as_one_client_and_a_proxy_does_not():
    silent = {f"[2001:db8::{number}]:1": number for number in (1, 2, 3)}
    of_proxy = {f"192.0.2.9:{port}": 5 for port in range(1, 5)}

    assert bounds(proxies=[ip_network("192.0.2.9")]).excess(silent | of_proxy) == {"[2001:db8::3]:1"}


@pytest.fixture(params=["127.0.0.1", "::1"])
def door(request):
    family = socket.AF_INET6 if ":" in request.param else socket.AF_INET
    try:
        made = socket.create_server((request.param, 0), family=family, backlog=50)
    except OSError:
        pytest.skip(f"this machine has no {request.param}")
    with closing(made):
        yield made


class Guests:
    """Both ends of connections to a listening socket."""

    def __init__(self, door, stack, count):
        self.port = door.getsockname()[1]
        self.ends = [
            stack.enter_context(socket.create_connection(door.getsockname()[:2])) for _ in range(count)
        ]
        self.accepted = [stack.enter_context(door.accept()[0]) for _ in self.ends]
        host = door.getsockname()[0]
        shown = f"[{host}]" if ":" in host else host
        self.names = [f"{shown}:{end.getsockname()[1]}" for end in self.ends]

    def cut_off(self):
        """Returns the indexes of closed connections."""
        return [number for number, end in enumerate(self.ends) if is_cut_off(end)]


def is_cut_off(end):
    end.settimeout(0.01)
    try:
        return end.recv(1) == b""
    except TimeoutError:
        return False


def test_only_clients_of_the_port_are_found(door):
    with ExitStack() as stack:
        guests = Guests(door, stack, 3)
        assert set(silences(guests.port)) == set(guests.names)
        host = door.getsockname()[0]
        elsewhere = stack.enter_context(socket.create_server((host, 0), family=door.family))
        assert silences(elsewhere.getsockname()[1]) == {}


def test_idle_connections_are_cut_off_and_busy_ones_are_not(door):
    with ExitStack() as stack:
        guests = Guests(door, stack, 12)
        idle = IdleConnections(port=guests.port, per_address=4, max_idle=100)
        busy = set(guests.names[:6])

        asyncio.run(idle.tick(busy))

        cut = guests.cut_off()
        assert len(cut) == 2
        assert not {guests.names[number] for number in cut} & busy


def test_a_few_connections_are_not_examined(door, monkeypatch):
    monkeypatch.setattr(sockets, "_borrow", lambda number: pytest.fail("it was looked at"))
    asyncio.run(IdleConnections(port=1, per_address=10_000, max_idle=10_000).tick(set()))


def test_connections_inherit_the_timeout_for_vanished_clients(door):
    limit_silence(door.getsockname()[1] + 1, seconds=7)
    limit_silence(door.getsockname()[1], seconds=30)
    with ExitStack() as stack:
        (accepted,) = Guests(door, stack, 1).accepted
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 30_000


@pytest.mark.parametrize(
    ("soft", "hard", "raised", "room"),
    [
        (1024, 524_288, 16_640, 16_384),
        (1024, resource.RLIM_INFINITY, 16_640, 16_384),
        (1024, 4096, 4096, 3840),
        (256, 256, None, 128),
        (20_000, 20_000, None, 16_384),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, None, 16_384),
    ],
)
def test_the_descriptor_limit_is_raised_as_needed_and_allowed(soft, hard, raised, room, monkeypatch):
    limits = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, given: limits.append(given))

    assert max_connections() == room
    assert limits == ([] if raised is None else [(raised, hard)])
