"""Imports are guests: bounded for each player and address, deleted after a time, evicted from the largest owner first."""

import pytest

from hoodwink.service.adapters.store import import_shelf
from hoodwink.service.application.commands.import_keeping import ImportKeeping
from hoodwink.service.application.commands.import_shelf import BY_OPERATOR, DAY_MS, Dropped, Keeper, Shelved
from hoodwink.service.application.errors import Forbidden, LimitReached, NotFound
from hoodwink.service.application.limits import Limit
from hoodwink.service.application.ports import StreamId
from tests.service.application.world import StandingClock, fake_redis, service_on

MIB = 1 << 20
ADA, BOB = Keeper("ada", "home"), Keeper("bob", "home")
EVE = Keeper("eve", "elsewhere")


@pytest.fixture
def clock():
    return StandingClock()


@pytest.fixture
def service(clock):
    return service_on(fake_redis(), clock)


@pytest.fixture
def keeping(service):
    return bounded(service)


def bounded(service, *, max_bytes=100 * MIB, **bounds):
    return ImportKeeping(
        shelf=service.import_keeping.shelf,
        clock=service.clock,
        bounds={limit: bounds[limit] for limit in Limit if limit in bounds},
        max_bytes=max_bytes,
        stays_ms=30 * DAY_MS,
    )


def shelved(clock, size=MIB, at=None):
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


def stored(keeping):
    """Returns the names of all keys of imports that are left."""
    return sorted(key.decode() for key in keeping.shelf._transport._client.keys("hw:{imports}:*"))


def test_it_is_found_by_everybody_and_is_own_for_its_keeper(keeping, clock):
    keeping.keep("log", ADA, shelved(clock))
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
def test_a_limit_is_reached_and_frees_again(service, clock, bounds, limit):
    keeping = bounded(service, **bounds)
    second = BOB if limit.is_per_address else ADA
    keeping.keep("one", ADA, shelved(clock))
    keeping.keep("two", second, shelved(clock))

    for attempt in (
        lambda: keeping.check("three", second, 1),
        lambda: keeping.keep("three", second, shelved(clock, size=1)),
    ):
        with pytest.raises(LimitReached) as reached:
            attempt()
        assert reached.value.limit is limit
    keeping.check("two", second, MIB)  # what one keeps already may be imported again
    keeping.keep("two", second, shelved(clock))
    keeping.keep("three", EVE, shelved(clock))
    keeping.keep("four", BY_OPERATOR, shelved(clock))

    keeping.give_up("one", "ada")
    keeping.keep("three", second, shelved(clock, size=1))
    assert keeping.figures().imports == 3


def test_a_check_notes_nothing(service, clock):
    keeping = bounded(service, imports_per_player=1)
    keeping.check("one", ADA, MIB)
    assert stored(keeping) == []


def test_the_same_log_counts_for_both_its_players_and_goes_with_the_last(keeping, clock):
    keeping.keep("log", ADA, shelved(clock))
    keeping.keep("log", BOB, shelved(clock))
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


def test_nothing_but_the_figures_is_left_of_an_import(keeping, clock):
    keeping.keep("log", ADA, shelved(clock))
    keeping.keep("log", BOB, shelved(clock))
    clock.now += 30 * DAY_MS
    with pytest.raises(NotFound):
        keeping.find("log")
    assert not keeping.tidy(count=10)
    assert keeping.figures() == (0, 0, {"expired": 1})
    assert stored(keeping) == ["hw:{imports}:removed", "hw:{imports}:total"]


def test_an_import_that_does_not_expire_yet_stays(keeping, clock):
    keeping.keep("log", ADA, shelved(clock))
    clock.now += 30 * DAY_MS - 1
    keeping.tidy(count=10)
    assert keeping.find("log")


def test_views_keep_an_import_for_a_year_at_most_and_write_once_a_day(keeping, clock, monkeypatch):
    began, renewed = clock.now, []
    renew = keeping.shelf.renew

    def counted(*given):
        renewed.append(given)
        renew(*given)

    monkeypatch.setattr(keeping.shelf, "renew", counted)
    keeping.keep("log", ADA, shelved(clock))
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


def test_an_erased_player_keeps_nothing(keeping, clock):
    keeping.keep("one", ADA, shelved(clock))
    keeping.keep("both", ADA, shelved(clock))
    keeping.keep("both", BOB, shelved(clock))
    keeping.erase("ada")
    assert keeping.kept_by("ada") == []
    assert [import_id for import_id, _ in keeping.kept_by("bob")] == ["both"]
    assert keeping.figures() == (1, MIB, {"erased": 1})


def test_a_flood_evicts_itself(service, clock):
    keeping = bounded(service, max_bytes=10 * MIB)
    keeping.keep("ada", ADA, shelved(clock, size=4 * MIB))
    for number in range(30):  # each account brings little, and all of them come from one address
        clock.now += 1
        keeping.keep(f"flood{number}", Keeper(f"eve{number}", "elsewhere"), shelved(clock))
    kept = {import_id for number in range(30) for import_id, _ in keeping.kept_by(f"eve{number}")}
    assert keeping.find("ada")
    assert len(kept) == 6
    assert "flood29" in kept
    assert keeping.figures()[:2] == (7, 10 * MIB)


def test_of_the_largest_player_the_oldest_import_is_evicted(service, clock):
    keeping = bounded(service, max_bytes=10 * MIB)
    for name, keeper, size in (("a1", ADA, 3), ("b1", BOB, 2), ("a2", ADA, 3), ("b2", BOB, 2)):
        clock.now += 1
        keeping.keep(name, keeper, shelved(clock, size=size * MIB))
    keeping.keep("b3", BOB, shelved(clock, size=1))
    assert [import_id for import_id, _ in keeping.kept_by("ada")] == ["a2"]
    assert len(keeping.kept_by("bob")) == 3


def test_what_is_new_is_never_evicted_by_itself(service, clock):
    keeping = bounded(service, max_bytes=10 * MIB)
    keeping.keep("small", ADA, shelved(clock, size=MIB))
    keeping.keep("large", EVE, shelved(clock, size=10 * MIB))
    assert keeping.find("large")
    with pytest.raises(NotFound):
        keeping.find("small")


def test_an_import_that_expired_and_is_not_deleted_yet_can_be_imported_again(service, keeping, clock):
    keeping.keep("log", ADA, shelved(clock))
    clock.now += 31 * DAY_MS
    keeping.keep("log", BOB, shelved(clock))
    assert keeping.find("log", "bob").is_own
    assert not keeping.find("log", "ada").is_own
    assert keeping.figures() == (1, MIB, {"expired": 1})


def test_a_deletion_that_was_killed_halfway_is_completed(service, keeping, clock, monkeypatch):
    keeping.keep("log", ADA, shelved(clock))
    monkeypatch.setattr(keeping.shelf, "delete", lambda *_args, **_named: None)
    keeping.give_up("log", "ada")
    monkeypatch.undo()
    with pytest.raises(NotFound):
        keeping.find("log")
    keeping.tidy(count=10)
    assert keeping.figures() == (0, 0, {"deleted": 1})
    assert service.store.version(StreamId("import", "log")) == 0


def test_a_view_cannot_renew_an_import_while_it_is_deleted(keeping, clock, monkeypatch):
    keeping.shelf.keep("log", ADA, shelved(clock), {}, now=clock.now, until=clock.now + DAY_MS)
    clock.now += DAY_MS
    unlink = import_shelf._UNLINK.run

    def viewed_meanwhile(*arguments):
        keeping.shelf.renew("log", clock.now + DAY_MS)
        return unlink(*arguments)

    monkeypatch.setattr(import_shelf._UNLINK, "run", viewed_meanwhile)
    keeping.shelf.delete("log", now=clock.now)
    assert keeping.figures() == (0, 0, {"expired": 1})
