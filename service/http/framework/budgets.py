"""Budgets of reads: the CPU time of a costly read is charged to its player and its address."""

from collections.abc import Callable, Iterator
from time import thread_time
from typing import Final, Protocol

from hoodwink.service.application.limits import Limit, Limits
from hoodwink.service.http.framework.client_address import counted_as
from hoodwink.service.http.framework.operations import Call, Cost, Reply, accepts_only_streams
from hoodwink.service.http.messages.answers import encode

FREE_MS: Final = 1.0
"""Reads that cost no more, such as a page of a hundred events, are free."""


class HasLimits(Protocol):
    @property
    def limits(self) -> Limits: ...


def budgeted(cost: Cost, handler: Callable[[Call], Reply], limited: HasLimits) -> Callable[[Call], Reply]:
    """Returns a handler that refuses calls once a budget is spent, and otherwise charges their CPU time.

    The cost is known only afterwards, so a request may overdraw a budget; the next one then waits longer.
    """

    def answer(call: Call) -> Reply:
        if not _is_costly(cost, call):
            return handler(call)
        limits, budgets = limited.limits, tuple(_budgets(call))
        for limit, who in budgets:
            limits.check_budget(limit, who)
        # CPU time of this thread: waiting for Redis, or resting between the parts of a long read, is free.
        began = thread_time()
        try:
            reply = handler(call)
            # Encoded here and not by the endpoint, because encoding a long list is part of the cost.
            return reply if isinstance(reply.body, bytes) else reply._replace(body=encode(reply.body))
        finally:  # a read that fails after a long replay has cost as much
            spent = 1000 * (thread_time() - began)
            if spent > FREE_MS:
                for limit, who in budgets:
                    limits.draw(limit, who, spent)

    return answer


def _is_costly(cost: Cost, call: Call) -> bool:
    match cost:
        case Cost.MUCH_AT_VERSION:
            return "version" in call.query
        case Cost.MUCH_UNLESS_LIVE:
            return not accepts_only_streams(call.request.headers.get("accept", ""))
        case _:
            return True


def _budgets(call: Call) -> Iterator[tuple[Limit, str]]:
    if call.player is not None:
        yield Limit.READS_PER_PLAYER, call.player.id
    yield Limit.READS_PER_ADDRESS, counted_as(call.request.address)
