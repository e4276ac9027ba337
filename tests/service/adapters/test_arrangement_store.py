"""Arrangements of round robins in Redis."""

import pytest

from hoodwink.domain.tournaments.pairing.round_robin import Shape
from hoodwink.service.adapters.tasks.arrangement_store import RedisArrangementStore, arrangement_key

SHAPE = Shape(entrants=5, tables=1, waiting=1, rounds=2)
ARRANGED = (4, 3, 2, 1, 0, 0, 1, 2, 3, 4)


@pytest.fixture
def store(client):
    made = RedisArrangementStore(client=client)
    made.write(SHAPE, ARRANGED)
    return made


def test_an_arrangement_round_trips(store):
    assert store.read(SHAPE) == ARRANGED


@pytest.mark.parametrize("field", ["entrants", "tables", "waiting", "rounds"])
def test_an_unknown_shape_has_no_arrangement(store, field):
    fields = {name: getattr(SHAPE, name) for name in SHAPE.__struct_fields__}
    assert store.read(Shape(**(fields | {field: 3}))) is None


def test_every_flipped_bit_is_detected(store, client):
    key = arrangement_key(SHAPE)
    stored = client.get(key)
    for bit in range(8 * len(stored)):
        damaged = bytearray(stored)
        damaged[bit // 8] ^= 1 << bit % 8
        client.set(key, bytes(damaged))
        assert store.read(SHAPE) is None


def test_an_arrangement_expires_ninety_days_after_its_last_use(store, client):
    key = arrangement_key(SHAPE)
    client.expire(key, 10)
    store.read(SHAPE)
    assert 89 * 86_400 < client.ttl(key) <= 90 * 86_400
