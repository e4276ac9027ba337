"""A commit that the replicas do not confirm is stored, and in no process's memory."""

import pytest

from domain.kernel import RuleViolation
from domain.tables import LeaveSeat, TakeSeat
from service.adapters.event_store import RedisEventStore
from service.application.errors import KeyReused
from service.application.ports import IdempotencyKey, NotReplicated
from tests.service.application.world import World

KEY = IdempotencyKey("sit-down-quietly", "take seat 1")


@pytest.fixture
def world():
    world = World()
    world.table("ada", "bo", start=False)
    world.do("t1", LeaveSeat(1), by="player:1")
    return world


@pytest.fixture
def replicas(monkeypatch):
    """Returns a function that takes the replicas away, or brings them back."""
    append, known = RedisEventStore.append, RedisEventStore.known
    are_away = list[bool]()

    def confirmed(result):
        if are_away and result is not None:
            raise NotReplicated
        return result

    monkeypatch.setattr(RedisEventStore, "append", lambda *given: confirmed(append(*given)))
    monkeypatch.setattr(RedisEventStore, "known", lambda *given: confirmed(known(*given)))
    return lambda away: are_away.append(away) if away else are_away.clear()


def sit_down(world, key=KEY):
    return world.service.tables.execute("t1", lambda _: (TakeSeat(player="cy", seat=1), "player:1"), key=key)


def test_a_repetition_waits_again_and_gets_the_first_result(world, replicas):
    replicas(True)
    for _ in range(2):
        with pytest.raises(NotReplicated):
            sit_down(world)
    stored = world.now_at("t1").version

    replicas(False)
    accepted = sit_down(world)

    assert accepted.after.state.version == stored == world.now_at("t1").version
    assert sit_down(world) == accepted


def test_the_next_command_is_decided_on_the_commit_that_was_not_confirmed(world, replicas):
    replicas(True)
    with pytest.raises(NotReplicated):
        sit_down(world)
    replicas(False)

    with pytest.raises(RuleViolation):
        sit_down(world, IdempotencyKey("another-request", "take seat 1"))
    with pytest.raises(KeyReused):
        sit_down(world, IdempotencyKey(KEY.id, "take seat 0"))
