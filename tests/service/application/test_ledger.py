"""The complete journal, and balances at any point in time."""

import pytest

from hoodwink.domain.kernel import Stage
from hoodwink.domain.projections import PROJECTIONS
from hoodwink.domain.tables.commands import Act
from hoodwink.domain.tables.events import RoundScored
from hoodwink.domain.tables.state import stage_of
from hoodwink.service.application.errors import NotFound
from tests.service.application.world import World


@pytest.fixture(scope="module")
def world():
    """Three tables, one after the other, and their journal."""
    world = World()
    for table, game in (("first", "blindside"), ("second", "blindside"), ("third", "blind_don")):
        world.clock.now += 1_000
        world.table("ada", "bot", table=table, game=game, rounds=2)
        play_on(world, table)
    project(world)
    return world


def play_on(world: World, table: str) -> None:
    """Plays a table to its end, one millisecond per action."""
    world.settle()
    while stage_of(world.now_at(table)) is Stage.IN_PLAY:
        world.clock.now += 1
        loaded = world.now_at(table)
        (seat,) = loaded.rulebook.turn(loaded.state).owes
        world.do(table, Act(seat, world.choice(table, seat)), by=f"player:{seat}")
        world.settle()


def project(world: World) -> None:
    for projection in PROJECTIONS:
        while entries := world.read(projection.name):
            world.service.projectors[projection.name].project(entries)


def scored_versions(world: World, table: str) -> list[int]:
    """Returns the versions where a table's rounds were scored."""
    history = world.service.tables.history(table)
    return [recorded.entry.version for recorded in history if recorded.event.wire == "table.round_scored"]


def balance(world: World, as_of: str, game: str = "blindside", account: str = "player:ada") -> int:
    before = world.service.ledger.right_after(as_of)
    balances = {
        balance.game: balance.amount for balance in world.service.ledger.balances(account, before=before)
    }
    return balances[game]


def test_the_journal_has_every_round_in_descending_order(world):
    ids = [entry.id for entry in world.service.ledger.journal()]
    assert ids == [
        f"{table}:{version}"
        for table in ("third", "second", "first")
        for version in reversed(scored_versions(world, table))
    ]


def test_the_journal_is_paged(world, monkeypatch):
    whole = list(world.service.ledger.journal())
    assert len(whole) > 4
    monkeypatch.setattr("hoodwink.service.application.reading.ledger._PAGE", 2)
    assert list(world.service.ledger.journal()) == whole


def test_a_balance_grows_with_the_rounds(world):
    deltas = [
        sum(posting.amount for posting in entry.postings if posting.account == "player:ada")
        for entry in reversed(list(world.service.ledger.journal()))
        if entry.game == "blindside"
    ]
    assert any(deltas)
    moments = [
        f"{table}:{version}" for table in ("first", "second") for version in scored_versions(world, table)
    ]
    for count, moment in enumerate(moments, start=1):
        table, _, version = moment.partition(":")
        assert balance(world, moment) == sum(deltas[:count])
        assert balance(world, f"{table}:{int(version) - 1}") == sum(deltas[: count - 1])


def test_the_last_balance_is_the_current_one(world):
    last = world.now_at("third").version
    before = world.service.ledger.right_after(f"third:{last}")
    present = world.service.queries.balances("ada")
    assert world.service.ledger.balances("player:ada", before=before) == present
    assert world.service.ledger.balances("player:ada") == present


def test_games_and_accounts_are_separate(world):
    last = f"third:{world.now_at('third').version}"
    assert balance(world, last, game="double_blind") == 0
    assert balance(world, last, account="bot:random") == -balance(world, last)
    assert balance(world, last, account="player:nobody") == 0


def test_entries_of_one_millisecond_are_ordered_by_version():
    world = World()
    table = world.table("bot", "bot", rounds=12)
    world.settle()
    project(world)
    versions = scored_versions(world, table)
    assert {len(str(version)) for version in versions} == {2, 3}
    totals = [
        recorded.event.totals[0]
        for recorded in world.service.tables.history(table)
        if isinstance(recorded.event, RoundScored)
    ]
    other = [-total for total in totals]
    for version, mine, theirs in zip(versions, totals, other, strict=True):
        assert balance(world, f"t1:{version}", account="bot:random") == mine + theirs


@pytest.mark.parametrize(
    "as_of", ["first:0", "first:9999", "nowhere:1", "first:", "first:-1", "first:²", "7"]
)
def test_an_unknown_moment_has_no_balance(world, as_of):
    with pytest.raises(NotFound):
        world.service.ledger.right_after(as_of)
