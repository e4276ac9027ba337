"""Streams send heartbeats and end, and clients that do not read are cut off."""

import asyncio
import errno
import socket
from contextlib import closing, suppress

import pytest
from msgspec.structs import replace
from prometheus_client import REGISTRY

from hoodwink.domain.kernel import without_name
from hoodwink.service.adapters.limits.counters import Counters
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.http.framework.streaming import TableSubscription
from hoodwink.service.http.messages.problems import Problem
from hoodwink.service.http.serving import sockets
from hoodwink.service.http.serving.sockets import cut_off, unsent_bytes
from hoodwink.service.http.serving.streams.frames import HEARTBEAT, OPENING
from hoodwink.service.http.serving.streams.places import Places
from hoodwink.service.http.serving.streams.streams import Streams
from tests.service.application.world import put_back
from tests.service.http.streams.test_hub import until


class Connection:
    """The server's side of a request, written straight to a socket or kept."""

    def __init__(self, line=None):
        self.line = line
        self.sent = []
        self.head = None
        self.gone = asyncio.Event()

    def response_stream(self, status, headers):
        self.head = (status, headers)
        return self

    def send_bytes(self, data):
        self.sent.append(data)
        if self.line is not None:
            with suppress(BlockingIOError):
                self.line.send(data)

    async def client_disconnect(self):
        await self.gone.wait()


class Table:
    """A hub that accepts every watcher and sends nothing."""

    def __init__(self, fails=False):
        self.present = 0
        self.fails = fails

    async def join(self, stream, watch):
        if self.fails:
            raise StoreUnavailable("gone")
        self.present += 1
        self.stream = stream
        return self.leave

    def leave(self):
        self.present -= 1

    async def close(self):
        pass


def nobody():
    raise AssertionError("no token came with the request")


def streaming(scenario):
    def test(api, ada, bob):
        path = api.playing(ada, bob)
        watch = TableSubscription(loaded=api.service.tables.load(path.rpartition("/")[2]), names=without_name)
        asyncio.run(scenario(watch))

    return test


def sending(hub, *, max_streams=100, players=nobody, **timing):
    """Returns the streams of a process without limits of players and addresses."""
    return Streams(
        hub, players=players, places=Places(lambda: Counters({}), max_streams=max_streams), **timing
    )


def with_place(streams, watch):
    return replace(watch, place=streams.take_place(watch, "127.0.0.1"))


async def open_stream(streams, connection, watch, client="127.0.0.1:1"):
    """Opens a stream and returns its running task."""
    watch = with_place(streams, watch)
    task = asyncio.create_task(streams.send(connection, client, [("x", "y")], watch))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return task


@streaming
async def test_a_stream_is_open_until_its_client_disconnects(watch):
    table, connection = Table(), Connection()
    streams = sending(table)
    task = await open_stream(streams, connection, watch)
    assert (connection.head, connection.sent, table.present) == ((200, [("x", "y")]), [OPENING], 1)

    connection.gone.set()
    await task

    assert table.present == 0


@streaming
async def test_metrics_count_open_streams(watch):
    before, connection = running_streams(), Connection()
    task = await open_stream(sending(Table()), connection, watch)
    assert running_streams() == before + 1
    connection.gone.set()
    await task
    assert running_streams() == before


def running_streams():
    return REGISTRY.get_sample_value("hoodwink_event_streams", {"follower": "anonymous"}) or 0


@streaming
async def test_a_stream_that_cannot_start_ends(watch):
    streams = sending(Table(fails=True))
    await asyncio.wait_for(streams.send(Connection(), "127.0.0.1:1", [], with_place(streams, watch)), 5)


@streaming
async def test_streams_occupy_places_until_they_end(watch):
    streams = sending(Table(), max_streams=1)
    connection = Connection()
    task = await open_stream(streams, connection, watch)
    assert is_full(streams, watch)
    connection.gone.set()
    await task
    assert not is_full(streams, watch)


@streaming
async def test_a_stream_ends_when_it_gives_way(watch):
    streams = sending(Table())
    held = with_place(streams, watch)
    task = asyncio.create_task(streams.send(Connection(), "127.0.0.1:1", [], held))
    await asyncio.sleep(0)
    held.place.give_way()
    await asyncio.wait_for(task, 5)


@streaming
async def test_a_stream_that_gave_way_before_its_start_ends(watch):
    streams = sending(Table())
    held = with_place(streams, watch)
    held.place.give_way()
    await asyncio.wait_for(streams.send(Connection(), "127.0.0.1:1", [], held), 5)


def is_full(streams, watch):
    try:
        streams.take_place(watch, "127.0.0.1").release()
    except Problem as problem:
        return problem.status == 503
    return False


@streaming
async def test_an_idle_stream_gets_heartbeats_and_a_busy_one_does_not(watch):
    table, connection = Table(), Connection()
    now = iter((0, 9, 10, 20, 30))
    streams = sending(table, heartbeat_seconds=10, clock=lambda: next(now))
    task = await open_stream(streams, connection, watch)
    for _ in range(4):
        await streams.send_heartbeats()
    assert connection.sent == [OPENING, HEARTBEAT, HEARTBEAT]
    table.stream.write(b"news")
    await streams.send_heartbeats()
    assert connection.sent[-1] == b"news"
    connection.gone.set()
    await task


@streaming
async def test_closing_ends_all_streams_and_refuses_new_ones(watch):
    streams = sending(Table())
    tasks = [await open_stream(streams, Connection(), watch) for _ in range(3)]

    await streams.close()

    await asyncio.wait_for(asyncio.gather(*tasks), 5)
    assert is_full(streams, watch)


class Followers:
    """Streams opened by Ada and Bob with their tokens."""

    def __init__(self, api, *people):
        path = api.playing(*people)
        loaded = api.service.tables.load(path.rpartition("/")[2])
        self.players = api.service.players
        self.watches = [
            TableSubscription(
                loaded=loaded, names=without_name, actor=self.players.authenticate(person.token)
            )
            for person in people
        ]
        self.table = Table()
        self.streams = sending(self.table, players=lambda: self.players)

    async def open(self, *watches):
        """Opens streams and returns their tasks after the start."""
        tasks = [await open_stream(self.streams, Connection(), watch) for watch in watches]
        await until(lambda: self.table.present == len(tasks))
        return tasks


@pytest.mark.parametrize("change", ["replace_token", "end_sessions", "erase", "vanish"])
@pytest.mark.parametrize("is_named", [True, False], ids=["named", "any"])
def test_streams_end_with_their_token_and_others_continue(api, ada, bob, change, is_named):
    followers = Followers(api, ada, bob)

    async def scenario():
        hers, his, without = await followers.open(
            *followers.watches, replace(followers.watches[0], actor=None)
        )
        await asyncio.to_thread(changes(api, ada)[change])
        await followers.streams.check_tokens({ada.id} if is_named else None)
        await asyncio.wait_for(hers, 5)
        await followers.streams.check_tokens({bob.id} if is_named else None)
        assert (his.done(), without.done()) == (False, False)
        await followers.streams.close()
        await asyncio.gather(his, without)

    asyncio.run(scenario())


def changes(api, person):
    players = api.service.players

    def vanish():
        put_back(api.service, person.id, 0, category="player")
        players.forget()

    return {
        "replace_token": lambda: players.replace_token(players.get(person.id), None, "secret"),
        "end_sessions": lambda: players.end_sessions(players.get(person.id), lambda _: True),
        "erase": lambda: players.erase(players.get(person.id), None),
        "vanish": vanish,
    }


def test_a_stream_survives_a_rename_of_its_player(api, ada, bob):
    followers = Followers(api, ada, bob)

    async def scenario():
        (hers,) = await followers.open(followers.watches[0])
        await asyncio.to_thread(api.service.players.rename, api.service.players.get(ada.id), "Augusta")
        await followers.streams.check_tokens({ada.id})
        assert not hers.done()
        await followers.streams.close()
        await hers

    asyncio.run(scenario())


def test_a_stream_whose_token_ended_before_its_start_ends(api, ada, bob):
    followers = Followers(api, ada, bob)
    api.service.players.end_sessions(api.service.players.get(ada.id), lambda _: True)

    async def scenario():
        await asyncio.wait_for(await open_stream(followers.streams, Connection(), followers.watches[0]), 5)

    asyncio.run(scenario())


@pytest.fixture
def pair():
    """The client's and the server's end of a connection."""
    with closing(socket.create_server(("127.0.0.1", 0))) as door:
        client = socket.create_connection(door.getsockname())
        server, _ = door.accept()
    server.setblocking(False)
    with closing(client), closing(server):
        yield client, server


def address_of(line):
    host, port = line.getsockname()
    return f"{host}:{port}"


def fill(line):
    """Sends until the buffers are full."""
    try:
        while True:
            line.send(bytes(65536))
    except BlockingIOError:
        pass


def test_the_unread_bytes_of_a_client_are_counted(pair):
    client, server = pair
    assert unsent_bytes({address_of(client)}) == {address_of(client): 0}

    fill(server)

    assert unsent_bytes({address_of(client), "127.0.0.1:1"})[address_of(client)] > 100_000
    assert unsent_bytes(set()) == {}


def test_a_connection_that_the_server_closes_meanwhile_has_no_unread_bytes(pair, monkeypatch):
    client, _ = pair

    def closed(_):
        raise OSError(errno.EBADF, "Bad file descriptor")

    monkeypatch.setattr(sockets, "_unsent", closed)
    assert unsent_bytes({address_of(client)}) == {}


def test_cutting_off_closes_only_that_connection(pair):
    client, server = pair
    cut_off({"127.0.0.1:1"})
    server.send(b"still there")
    assert client.recv(100) == b"still there"

    cut_off({address_of(client)})

    assert client.recv(100) == b""


def test_a_client_that_does_not_read_is_cut_off_but_a_slow_one_is_not(api, ada, bob, pair):
    client, server = pair

    async def scenario(watch):
        table = Table()
        now = iter((0, 9, 11, 20, 31))
        streams = sending(table, slow_seconds=10, clock=lambda: next(now))
        task = await open_stream(streams, Connection(server), watch, address_of(client))
        fill(server)
        table.stream.write(b"x")
        await streams.cut_off_slow_clients()
        await streams.cut_off_slow_clients()
        assert not task.done()
        drain(client)
        await streams.cut_off_slow_clients()  # everything was read by now
        assert not task.done()
        fill(server)
        table.stream.write(b"x")
        await streams.cut_off_slow_clients()
        await streams.cut_off_slow_clients()
        await asyncio.wait_for(task, 5)

    streaming(scenario)(api, ada, bob)
    assert drain(client) == "cut off"


def drain(line):
    """Reads all available bytes; returns whether the connection has ended."""
    line.settimeout(0.5)
    try:
        while line.recv(1 << 20):
            pass
    except TimeoutError:
        return "open"
    return "cut off"
