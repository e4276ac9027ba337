"""Imports are limited per player and address, expire, and are evicted from the largest owner first."""

import pytest

from hoodwink.service.adapters.store import import_shelf
from hoodwink.service.application.commands.import_retention import ImportRetention
from hoodwink.service.application.commands.import_shelf import BY_OPERATOR, DAY_MS, Dropped, Keeper, Shelved
from hoodwink.service.application.errors import Forbidden, LimitReached, NotFound
from hoodwink.service.application.limits import Limit
from hoodwink.service.application.ports import StreamId
from tests.service.application.world import StandingClock, service_on
from tests.service.databases import new_redis

MIB = 1 << 20
ADA, BOB = Keeper("ada", "home"), Keeper("bob", "home")
EVE = Keeper("eve", "elsewhere")


@pytest.fixture
def clock():
    return StandingClock()


@pytest.fixture
def service(clock):
    return service_on(new_redis(), clock)


@pytest.fixture
def keeping(service):
    return bounded_keeping(service)


def bounded_keeping(service, *, max_bytes=100 * MIB, **bounds):
    return ImportRetention(
        shelf=service.import_retention.shelf,
        clock=service.clock,
        bounds={limit: bounds[limit] for limit in Limit if limit in bounds},
        max_bytes=max_bytes,
        stays_ms=30 * DAY_MS,
    )


def shelf_entry(clock, size=MIB, at=None):
    return Shelved(
        table="there",
        game="blindside",
        size=size,
        events=5,
        at=clock.now if at is None else at,
        introduced=("p",),
        others=(),
        names={"p": "Pat"},
    )


def stored_keys(keeping):
    """Returns the names of all remaining import keys."""
    return sorted(key.decode() for key in keeping.shelf._transport._client.keys("hw:{imports}:*"))


def test_everybody_finds_an_import_and_its_owner_lists_it(keeping, clock):
    keeping.keep("log", ADA, shelf_entry(clock))
    found = keeping.find("log", "ada")
    assert (found.shelved.names, found.is_own, found.expires_at) == (
        {"p": "Pat"},
        True,
        clock.now + 30 * DAY_MS,
    )
    assert not keeping.find("log").is_own
    with pytest.raises(NotFound):
        keeping.find("other")


@pytest.mark.parametrize(
    ("bounds", "limit"),
    [
        ({"imports_per_player": 2}, Limit.IMPORTS_PER_PLAYER),
        ({"import_megabytes_per_player": 2}, Limit.IMPORT_MEGABYTES_PER_PLAYER),
        ({"imports_per_address": 2}, Limit.IMPORTS_PER_ADDRESS),
        ({"import_megabytes_per_address": 2}, Limit.IMPORT_MEGABYTES_PER_ADDRESS),
    ],
)
def test_a_limit_is_reached_and_freed_again(service, clock, bounds, limit):
    keeping = bounded_keeping(service, **bounds)
    second = BOB if limit.is_per_address else ADA
    keeping.keep("one", ADA, shelf_entry(clock))
    keeping.keep("two", second, shelf_entry(clock))

    for attempt in (
        lambda: keeping.check("three", second, 1),
        lambda: keeping.keep("three", second, shelf_entry(clock, size=1)),
    ):
        with pytest.raises(LimitReached) as reached:
            attempt()
        assert reached.value.limit is limit
    keeping.check("two", second, MIB)  # a log one already keeps can be imported again
    keeping.keep("two", second, shelf_entry(clock))
    keeping.keep("three", EVE, shelf_entry(clock))
    keeping.keep("four", BY_OPERATOR, shelf_entry(clock))

    keeping.give_up("one", "ada")
    keeping.keep("three", second, shelf_entry(clock, size=1))
    assert keeping.figures().imports == 3


def test_checking_limits_records_nothing(service, clock):
    keeping = bounded_keeping(service, imports_per_player=1)
    keeping.check("one", ADA, MIB)
    assert stored_keys(keeping) == []


def test_a_shared_log_counts_for_both_owners_until_the_last_leaves(keeping, clock):
    keeping.keep("log", ADA, shelf_entry(clock))
    keeping.keep("log", BOB, shelf_entry(clock))
    assert keeping.figures()[:2] == (1, MIB)
    assert [len(keeping.kept_by(player)) for player in ("ada", "bob")] == [1, 1]

    assert keeping.give_up("log", "ada") is Dropped.KEPT_BY_OTHERS
    assert keeping.find("log", "bob").is_own
    with pytest.raises(Forbidden):
        keeping.give_up("log", "ada")
    assert keeping.give_up("log", "bob") is Dropped.GONE
    with pytest.raises(NotFound):
        keeping.give_up("log", "bob")
    assert keeping.figures() == (0, 0, {"deleted": 1})


def test_a_deleted_import_leaves_only_counters(keeping, clock):
    keeping.keep("log", ADA, shelf_entry(clock))
    keeping.keep("log", BOB, shelf_entry(clock))
    clock.now += 30 * DAY_MS
    with pytest.raises(NotFound):
        keeping.find("log")
    assert not keeping.tidy(count=10)
    assert keeping.figures() == (0, 0, {"expired": 1})
    assert stored_keys(keeping) == ["hw:{imports}:removed", "hw:{imports}:total"]


def test_an_unexpired_import_stays(keeping, clock):
    keeping.keep("log", ADA, shelf_entry(clock))
    clock.now += 30 * DAY_MS - 1
    keeping.tidy(count=10)
    assert keeping.find("log")


def test_views_extend_an_import_once_a_day_up_to_a_year(keeping, clock, monkeypatch):
    began, renewed = clock.now, []
    renew = keeping.shelf.renew

    def count_renewal(*given):
        renewed.append(given)
        renew(*given)

    monkeypatch.setattr(keeping.shelf, "renew", count_renewal)
    keeping.keep("log", ADA, shelf_entry(clock))
    keeping.view("log")
    clock.now += DAY_MS - 1
    keeping.view("log")
    assert renewed == []
    clock.now += 1
    assert keeping.view("log").expires_at == keeping.find("log").expires_at == clock.now + 30 * DAY_MS
    assert len(renewed) == 1

    with pytest.raises(NotFound):
        while True:
            clock.now += 10 * DAY_MS
            keeping.view("log")
    assert clock.now - began in range(365 * DAY_MS, 375 * DAY_MS)


def test_an_erased_player_keeps_no_imports(keeping, clock):
    keeping.keep("one", ADA, shelf_entry(clock))
    keeping.keep("both", ADA, shelf_entry(clock))
    keeping.keep("both", BOB, shelf_entry(clock))
    keeping.erase("ada")
    assert keeping.kept_by("ada") == []
    assert [import_id for import_id, _ in keeping.kept_by("bob")] == ["both"]
    assert keeping.figures() == (1, MIB, {"erased": 1})


def test_a_flood_of_imports_evicts_its_own(service, clock):
    keeping = bounded_keeping(service, max_bytes=10 * MIB)
    keeping.keep("ada", ADA, shelf_entry(clock, size=4 * MIB))
    for number in range(30):  # each account brings little, and all of them come from one address
        clock.now += 1
        keeping.keep(f"flood{number}", Keeper(f"eve{number}", "elsewhere"), shelf_entry(clock))
    kept = {import_id for number in range(30) for import_id, _ in keeping.kept_by(f"eve{number}")}
    assert keeping.find("ada")
    assert len(kept) == 6
    assert "flood29" in kept
    assert keeping.figures()[:2] == (7, 10 * MIB)


def test_the_oldest_import_of_the_largest_owner_is_evicted(service, clock):
    keeping = bounded_keeping(service, max_bytes=10 * MIB)
    for name, keeper, size in (("a1", ADA, 3), ("b1", BOB, 2), ("a2", ADA, 3), ("b2", BOB, 2)):
        clock.now += 1
        keeping.keep(name, keeper, shelf_entry(clock, size=size * MIB))
    keeping.keep("b3", BOB, shelf_entry(clock, size=1))
    assert [import_id for import_id, _ in keeping.kept_by("ada")] == ["a2"]
    assert len(keeping.kept_by("bob")) == 3


def test_a_new_import_is_not_evicted_by_itself(service, clock):
    keeping = bounded_keeping(service, max_bytes=10 * MIB)
    keeping.keep("small", ADA, shelf_entry(clock, size=MIB))
    keeping.keep("large", EVE, shelf_entry(clock, size=10 * MIB))
    assert keeping.find("large")
    with pytest.raises(NotFound):
        keeping.find("small")


def test_an_expired_import_can_be_imported_again_before_deletion(service, keeping, clock):
    keeping.keep("log", ADA, shelf_entry(clock))
    clock.now += 31 * DAY_MS
    keeping.keep("log", BOB, shelf_entry(clock))
    assert keeping.find("log", "bob").is_own
    assert not keeping.find("log", "ada").is_own
    assert keeping.figures() == (1, MIB, {"expired": 1})


def test_an_interrupted_deletion_is_completed(service, keeping, clock, monkeypatch):
    keeping.keep("log", ADA, shelf_entry(clock))
    monkeypatch.setattr(keeping.shelf, "delete", lambda *_args, **_named: None)
    keeping.give_up("log", "ada")
    monkeypatch.undo()
    with pytest.raises(NotFound):
        keeping.find("log")
    keeping.tidy(count=10)
    assert keeping.figures() == (0, 0, {"deleted": 1})
    assert service.store.version(StreamId("import", "log")) == 0


def test_a_view_cannot_renew_an_import_during_its_deletion(keeping, clock, monkeypatch):
    keeping.shelf.keep("log", ADA, shelf_entry(clock), {}, now=clock.now, until=clock.now + DAY_MS)
    clock.now += DAY_MS
    unlink = import_shelf._UNLINK.run

    def unlink_after_view(*arguments):
        keeping.shelf.renew("log", clock.now + DAY_MS)
        return unlink(*arguments)

    monkeypatch.setattr(import_shelf._UNLINK, "run", unlink_after_view)
    keeping.shelf.delete("log", now=clock.now)
    assert keeping.figures() == (0, 0, {"expired": 1})
