"""The reasons of administrators, kept apart from the events."""

from hoodwink.service.adapters.store.reasons import RedisReasons
from hoodwink.service.application.players.administration import Reason
from tests.service.application.world import fake_redis


def test_an_erased_reason_does_not_come_back():
    reasons = RedisReasons(client=fake_redis())
    reasons.keep("sha256:1", Reason("salt", "It rains."))
    reasons.erase("sha256:1")

    reasons.keep("sha256:1", Reason("salt", "It rains."))

    assert reasons.find(["sha256:1", "sha256:2"]) == [None, None]


def test_a_reason_is_found_as_it_was_kept():
    reasons = RedisReasons(client=fake_redis())
    reasons.keep("sha256:1", Reason("salt", "It rains, and pours."))

    assert reasons.find(["sha256:1"]) == [Reason("salt", "It rains, and pours.")]
