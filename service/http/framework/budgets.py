"""The budgets of reads: costly ones draw on a budget of their player and of their address, by what they really cost."""

from collections.abc import Callable, Iterator
from time import thread_time
from typing import Final, Protocol

from hoodwink.service.application.limits import Limit, Limits
from hoodwink.service.http.framework.client_address import counted_as
from hoodwink.service.http.framework.operations import EVENT_STREAM, Call, Cost, Reply
from hoodwink.service.http.messages.answers import encode

FREE_MS: Final = 1.0
"""Reads up to this cost are not counted, such as a page of a hundred events."""


class Limited(Protocol):
    """What has the limits."""

    @property
    def limits(self) -> Limits: ...


def budgeted(
    cost: Cost, handler: Callable[[Call], Reply], limited: Callable[[], Limited]
) -> Callable[[Call], Reply]:
    """Returns a handler that is refused once a budget is spent, and draws on it what it has taken of the processor.

    The cost is known only afterwards, so the last request may overdraw a budget; the next one waits the longer.
    """

    def answered(call: Call) -> Reply:
        if not _is_costly(cost, call):
            return handler(call)
        limits, budgets = limited().limits, tuple(_budgets(call))
        for limit, who in budgets:
            limits.check_budget(limit, who)
        began = thread_time()
        try:
            reply = handler(call)
            return reply if isinstance(reply.body, bytes) else reply._replace(body=encode(reply.body))
        finally:
            spent = 1000 * (thread_time() - began)
            if spent > FREE_MS:
                for limit, who in budgets:
                    limits.draw(limit, who, spent)

    return answered


def _is_costly(cost: Cost, call: Call) -> bool:
    match cost:
        case Cost.MUCH_AT_VERSION:
            return "version" in call.query
        case Cost.MUCH_UNLESS_LIVE:
            return EVENT_STREAM not in call.request.headers.get("accept", "")
        case _:
            return True


def _budgets(call: Call) -> Iterator[tuple[Limit, str]]:
    if call.player is not None:
        yield Limit.READS_PER_PLAYER, call.player.id
    yield Limit.READS_PER_ADDRESS, counted_as(call.request.address)
