"""Administrators' reasons are stored separately from events."""

from hoodwink.service.adapters.store.reasons import RedisReasons
from hoodwink.service.application.players.administration import Reason
from tests.service.databases import new_redis


def test_an_erased_reason_stays_erased():
    reasons = RedisReasons(client=new_redis())
    reasons.keep("sha256:1", Reason("salt", "It rains."))
    reasons.erase("sha256:1")

    reasons.keep("sha256:1", Reason("salt", "It rains."))

    assert reasons.find(["sha256:1", "sha256:2"]) == [None, None]


def test_a_reason_round_trips():
    reasons = RedisReasons(client=new_redis())
    reasons.keep("sha256:1", Reason("salt", "It rains, and pours."))

    assert reasons.find(["sha256:1"]) == [Reason("salt", "It rains, and pours.")]
