"""The clients of the benchmarks, against servers with prepared answers."""

import asyncio
from unittest.mock import Mock

import pytest

from bench.connection import Connection, Refused, follow, head, with_json, without_body
from bench.load import lateness_ms
from bench.xadd import loop_rate, parse_rate
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis


def exchange(client, *pieces):
    """Returns the client's result and request with a server that answers in these pieces."""
    heard = []

    async def answer(reader, writer):
        heard.append(await reader.read(1000))
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)
        writer.close()

    async def both():
        async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
            return await client(server.sockets[0].getsockname()[1])

    return asyncio.run(both()), heard


async def asked_checked(port):
    connection = await Connection.connect("127.0.0.1", port)
    try:
        return await connection.ask_checked(without_body(head("GET", "/here")))
    finally:
        connection.close()


def test_a_request_is_plain_http():
    assert without_body(head("GET", "/here", token="t", headers={"Accept": "a/b"})) == (
        b"GET /here HTTP/1.1\r\nHost: hoodwink\r\nAccept: a/b\r\nAuthorization: Bearer t\r\n\r\n"
    )
    assert with_json(head("POST", "/x"), b"{}") == (
        b"POST /x HTTP/1.1\r\nHost: hoodwink\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
    )


def test_an_answer_in_pieces_is_joined():
    body, heard = exchange(asked_checked, b"HTTP/1.1 200 OK\r\ncontent-", b"length: 5\r\n\r\nhe", b"llo")

    assert body == b"hello"
    assert heard == [b"GET /here HTTP/1.1\r\nHost: hoodwink\r\n\r\n"]


def test_a_refusal_is_raised_with_the_request_and_the_answer():
    with pytest.raises(Refused, match="GET /here was answered 404: gone"):
        exchange(asked_checked, b"HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone")


def test_a_lost_connection_is_raised():
    with pytest.raises(Refused, match="lost"):
        exchange(asked_checked, b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe")


def test_a_watcher_records_the_arrival_of_each_version():
    async def watched(port):
        watcher = await follow(Settings(port=port), "t1")
        await watcher.wait_until_ended()
        return watcher

    head_ = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\nretry: 1000\n\n"
    watcher, heard = exchange(
        watched,
        head_,
        b'id: 3-ab\nevent: snapshot\ndata: {"id: 9-ab":1}\n\nid: 4-ab\nda',
        b"ta: {}\n\nid: 6-ab\ndata: {}\n\n",
        b"id: 7-ab\nevent: end\ndata: {}\n\n",
    )

    assert heard[0].startswith(b"GET /v1/tables/t1/events HTTP/1.1\r\n")
    assert watcher.arrival_of(3) <= watcher.arrival_of(5) == watcher.arrival_of(6) <= watcher.arrival_of(7)


def test_lateness_is_the_last_watchers_and_never_negative():
    def watcher(*arrivals):
        seen = Mock()
        seen.arrival_of = lambda version: arrivals[version - 1]
        return seen

    answered = {1: 10.0, 2: 20.0}

    assert lateness_ms(answered, [watcher(10.002, 19.0), watcher(10.004, 19.5)]) == pytest.approx([4, 0])


@pytest.mark.parametrize(
    "output",
    [
        '"test","rps","avg_latency_ms"\n"XADD k * f {"a":"9S"}","61349.69","0.421"\n',  # as of version 7
        '"XADD k * f {"a":"9S"}","61349.69"\n',
    ],
)
def test_the_rate_of_redis_benchmark_is_parsed(output):
    assert parse_rate(output) == 61349.69


def test_entries_are_counted_without_redis_benchmark(tmp_path):
    with EmbeddedRedis(folder=tmp_path / "redis") as redis:
        assert loop_rate(Settings(redis_url=redis.url), 0.02) > 0
