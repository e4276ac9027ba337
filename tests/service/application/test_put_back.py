"""Projections when Redis comes back older than what a process remembers."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from domain.projections import PROJECTIONS, Projection
from domain.tables import Act, Phase, turn_of
from service.application.ports import FeedEntry
from service.application.projections import Projector
from tests.service.application.test_projections import contents, entries, every_projection, projector
from tests.service.application.world import World, fake_redis

Snapshot = dict[bytes, bytes]


def snapshot(client: Any) -> Snapshot:
    return {key: client.dump(key) for key in client.keys("*")}


def put_back(client: Any, earlier: Snapshot) -> None:
    client.flushall()
    for key, value in earlier.items():
        client.restore(key, 0, value)


def play(client: Any, rounds: int, *, chance: int) -> None:
    """Plays up to so many rounds at the table, as services do that remember nothing of it."""
    world = World(client)
    world.clock.now += 1_000 * chance
    world._chance = Random(chance)
    world.settle()
    until = world.now_at("t1").rounds_scored + rounds
    while (table := world.now_at("t1")).phase is not Phase.ENDED and table.rounds_scored < until:
        seat = turn_of(table).owes[0]
        world.do("t1", Act(seat, world.choice("t1", seat)), by=f"player:{seat}")
        world.settle()


@pytest.fixture
def client():
    """A Redis with a table at which one of four rounds is over."""
    client = fake_redis()
    World(client).table("ada", "bo", rounds=4)
    play(client, 1, chance=1)
    return client


def right(client: Any, projection: Projection) -> Any:
    """Returns what the projection would keep if it were made of the streams as they are."""
    copy = fake_redis()
    put_back(copy, snapshot(client))
    for key in copy.keys(f"hw:*:{projection.name}:*"):
        copy.delete(key)
    for entry in entries(copy, projection):
        projector(copy, projection).project([entry])
    return contents(copy, projection)


def before_applying(one: Projector, happens: Callable[[], None], monkeypatch: Any) -> None:
    """Lets something happen right before the projector applies what it has read."""
    apply, happened = one._target.apply, list[bool]()

    def apply_late(*given: Any, **named: Any) -> bool:
        if not happened:
            happened.append(True)
            happens()
        return apply(*given, **named)

    monkeypatch.setattr(one._target, "apply", apply_late)


@every_projection
def test_what_the_store_no_longer_holds_is_not_applied(client, projection, monkeypatch):
    earlier = snapshot(client)
    play(client, 3, chance=2)
    one = projector(client, projection)
    before_applying(one, lambda: put_back(client, earlier), monkeypatch)
    one.project(entries(client, projection))
    assert contents(client, projection) == right(client, projection)


@every_projection
def test_what_was_read_for_another_projection_is_not_applied_either(client, projection, monkeypatch):
    """Readers of one process share what they read at an entry; the store may go back between two of them."""
    earlier = snapshot(client)
    play(client, 3, chance=2)
    delivered = entries(client, projection)
    others = [one for one in PROJECTIONS if one.name != projection.name]
    one = projector(client, projection)
    for other in others:
        reader = Projector(projection=other, chronicle=one._chronicle, target=one._target)
        reader.project(delivered)
    put_back(client, earlier)
    one.project(delivered)
    assert contents(client, projection) == right(client, projection)


def last(found: list[FeedEntry]) -> list[FeedEntry]:
    return found[-1:]


@every_projection
def test_a_projector_that_remembers_another_history_begins_again(client, projection):
    one = projector(client, projection)
    one.project(entries(client, projection))
    earlier = snapshot(client)
    play(client, 1, chance=2)
    one.project(entries(client, projection))
    put_back(client, earlier)
    play(client, 2, chance=3)
    projector(client, projection).project(entries(client, projection))  # another process is faster
    play(client, 1, chance=3)
    one.project(entries(client, projection))
    assert contents(client, projection) == right(client, projection)
