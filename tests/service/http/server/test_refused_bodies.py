"""Bodies of refused requests are read and discarded within limits."""

import asyncio

import pytest
from granian.rsgi import ProtocolError  # type: ignore[attr-defined]

from hoodwink.service.http.serving.guards.refused_bodies import RefusedBodies


class Arrival:
    """Waits for a future. Like Granian's awaitables, it has no `throw`."""

    def __init__(self, future):
        self._steps = future.__await__()

    def __await__(self):
        return self

    def __next__(self):
        return next(self._steps)


class Body:
    """A body in chunks; after an incomplete one, nothing more arrives."""

    def __init__(self, *chunks, is_whole=True):
        self.left = list(chunks)
        self._is_whole = is_whole

    def __aiter__(self):
        return self

    def __anext__(self):
        arriving = asyncio.get_running_loop().create_future()
        if self.left:
            arriving.set_result(self.left.pop(0))
        elif self._is_whole:
            arriving.set_exception(StopAsyncIteration())
        return Arrival(arriving)


class Read:
    """A body that was read before."""

    def __aiter__(self):
        raise ProtocolError


def discard(*bodies, **bounds):
    refused = RefusedBodies(**bounds)

    async def discard_each():
        await asyncio.gather(*map(refused.discard, bodies))

    asyncio.run(discard_each())
    return refused


def test_a_refused_body_is_read_to_its_end():
    body = Body(b"ab", b"c")
    discard(body)
    assert body.left == []


def test_a_refused_body_over_the_byte_limit_is_left_unread():
    body = Body(b"ab", b"cd", b"ef")
    discard(body, max_bytes=3)
    assert body.left == [b"ef"]


def test_refused_bodies_over_the_number_limit_are_left_unread():
    first, second, third = Body(b"a"), Body(b"b"), Body(b"c")
    refused = discard(first, second, max_discarding=1)
    assert (first.left, second.left) == ([], [b"b"])
    asyncio.run(refused.discard(third))
    assert third.left == []


@pytest.mark.parametrize("bound", [{"seconds": 0.01}, {"stall_seconds": 0.01}], ids=["in all", "next chunk"])
def test_an_absent_or_already_read_body_frees_its_place(bound):
    refused = discard(Body(is_whole=False), max_discarding=1, **bound)
    asyncio.run(refused.discard(Read()))
    last = Body(b"a")
    asyncio.run(refused.discard(last))
    assert last.left == []
