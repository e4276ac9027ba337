"""Large bodies in transit are bounded per process and per address."""

from contextlib import ExitStack

import pytest

from hoodwink.service.adapters.limits.counters import Counters
from hoodwink.service.application.errors import LimitReached
from hoodwink.service.application.limits import Limit
from hoodwink.service.http.messages.problems import Problem
from hoodwink.service.http.serving.guards.large_bodies import LargeBodies

HOME, SCHOOL = "192.0.2.1", "192.0.2.2"


def bodies(max_bytes=100, **bounds):
    counters = Counters({Limit[name.upper()]: bound for name, bound in bounds.items()})
    return LargeBodies(lambda: counters, max_bytes=max_bytes)


def is_refused(bodies, length, address=HOME):
    with ExitStack() as stack:
        try:
            stack.enter_context(bodies.reserve(length, address))
        except Problem as problem:
            return (problem.status, problem.document.code) == (503, "too_many_bodies")
    return False


def test_bytes_of_a_process_are_bounded_until_answers_are_sent():
    here = bodies(100)
    with here.reserve(60, HOME):
        assert is_refused(here, 41)
        assert is_refused(here, 41, SCHOOL)
        assert not is_refused(here, 40)
        with pytest.raises(Problem) as refused, here.reserve(41, HOME):
            pass
        assert refused.value.headers["Retry-After"] == "5"
    assert not is_refused(here, 100)


def test_bodies_are_bounded_per_address():
    here = bodies(bodies_per_address=1)
    with here.reserve(10, HOME):
        with pytest.raises(LimitReached) as refused, here.reserve(10, HOME):
            pass
        assert refused.value.limit is Limit.BODIES_PER_ADDRESS
        assert not is_refused(here, 10, SCHOOL)
    assert not is_refused(here, 10)


def test_failed_and_refused_requests_reserve_nothing():
    here = bodies(100, bodies_per_address=1)
    with pytest.raises(ZeroDivisionError), here.reserve(100, HOME):
        raise ZeroDivisionError
    assert is_refused(here, 101)
    assert not is_refused(here, 100)
