"""Code without `await` is suspended on an event loop, in reusable greenlets."""

import asyncio
import gc
import weakref
from contextlib import suppress
from contextvars import ContextVar, copy_context
from functools import partial

import pytest
from greenlet import GreenletExit, getcurrent

from hoodwink.service.adapters.redis.greenlets import GreenletPool, suspend_until

PLACE: ContextVar[str] = ContextVar("place", default="nowhere")


@pytest.fixture
def pool():
    context = copy_context()
    context.run(PLACE.set, "in the pool")
    return GreenletPool(context)


async def after_a_turn(value):
    await asyncio.sleep(0)
    return value


def suspend(value=None):
    """Suspends itself for one turn of the loop; returns the value and its greenlet."""
    return suspend_until(after_a_turn(value)), getcurrent()


def test_an_awaited_result_returns_while_others_continue(pool):
    async def work():
        return await asyncio.gather(*[pool.run(suspend, number) for number in range(5)])

    outcomes = asyncio.run(work())

    assert [value for value, _ in outcomes] == [0, 1, 2, 3, 4]
    assert len({greenlet for _, greenlet in outcomes}) == 5


def test_a_greenlet_is_reused_after_success_and_error(pool):
    def wrong():
        suspend()
        raise ZeroDivisionError

    async def work():
        _, first = await pool.run(suspend)
        with pytest.raises(ZeroDivisionError):
            await pool.run(wrong)
        _, second = await pool.run(suspend)
        assert await pool.run(getcurrent) is first  # one that was never suspended, too
        return first is second

    assert asyncio.run(work())


def test_an_error_of_the_awaitable_is_raised_where_the_code_was_suspended(pool):
    async def fail():
        raise LookupError

    def careful():
        with pytest.raises(LookupError):
            suspend_until(fail())
        return suspend("went on")[0]

    assert asyncio.run(pool.run(careful)) == "went on"


def test_a_cancelled_request_cleans_up_and_its_greenlet_is_reused(pool):
    seen = []

    def waiting():
        try:
            suspend_until(asyncio.get_running_loop().create_future())
        finally:
            seen.append(getcurrent())

    async def work():
        request = asyncio.create_task(pool.run(waiting))
        await asyncio.sleep(0)
        request.cancel()
        with pytest.raises(asyncio.CancelledError):
            await request
        return await pool.run(suspend, "next")

    value, greenlet = asyncio.run(work())
    assert (value, [greenlet]) == ("next", seen)


def test_a_request_abandoned_at_shutdown_is_unwound(pool):
    unwound = []

    def waiting():
        try:
            suspend_until(asyncio.get_running_loop().create_future())
        finally:
            unwound.append(True)

    async def work():
        request = pool.run(waiting)
        request.send(None)  # it is suspended and will never be resumed
        request.close()

    asyncio.run(work())
    assert unwound == [True]


def test_a_dropped_pool_frees_its_idle_greenlets(pool):
    asyncio.run(pool.run(suspend))
    (idle,) = pool._idle
    del pool._idle[:]
    idle.throw()  # Python does this to an unreferenced greenlet
    gc.collect()

    assert idle.dead


class Body:
    """A target for weak references."""


def test_an_idle_greenlet_keeps_no_references(pool):
    def answer(body, setting, result, fault):
        suspend(body)
        PLACE.set(setting)
        if fault:
            raise fault
        return result

    async def work(fault):
        body, setting, result = Body(), Body(), Body()
        function = partial(answer, body, setting, result, fault)
        kept = [weakref.ref(part) for part in (function, body, setting, result)]
        with suppress(LookupError):
            await pool.run(function)
        return kept

    async def work_in_turn():  # the first starts a greenlet, the others reuse it
        return [kept for fault in (None, None, LookupError()) for kept in await work(fault)]

    kept = asyncio.run(work_in_turn())
    gc.collect()

    assert len(pool._idle) == 1
    assert [reference() for reference in kept] == [None] * 12


def test_an_ended_greenlet_is_not_reused(pool):
    def leave():
        suspend()
        raise GreenletExit

    async def work():
        with pytest.raises(GreenletExit):
            await pool.run(leave)
        return await pool.run(suspend, "next")

    assert asyncio.run(work())[0] == "next"


def test_each_run_starts_with_the_pools_context_variables(pool):
    def moved():
        before = PLACE.get()
        PLACE.set("elsewhere")
        suspend()
        return before, PLACE.get()

    async def work():
        return [await pool.run(moved) for _ in range(2)]

    assert asyncio.run(work()) == [("in the pool", "elsewhere")] * 2
    assert PLACE.get() == "nowhere"


def test_the_number_of_idle_greenlets_is_bounded(pool):
    async def work():
        await asyncio.gather(*[pool.run(suspend) for _ in range(200)])

    asyncio.run(work())
    assert len(pool._idle) == 64


def test_code_outside_a_pool_cannot_be_suspended():
    async def work():
        waiting = after_a_turn(1)
        with pytest.raises(AssertionError):
            suspend_until(waiting)
        waiting.close()

    asyncio.run(work())
