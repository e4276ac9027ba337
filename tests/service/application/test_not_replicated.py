"""A commit without the replicas' confirmation is stored, but neither cached nor acknowledged until they confirm."""

from collections.abc import Callable
from typing import Any

import pytest

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.projections.lobby import LOBBY
from hoodwink.domain.tables.commands import (
    LeaveSeat,
    Resign,
    TakeSeat,
)
from hoodwink.domain.tournaments import life
from hoodwink.service.adapters.store.event_store import RedisEventStore
from hoodwink.service.application.commands.rematches import Rematches
from hoodwink.service.application.errors import KeyReused
from hoodwink.service.application.ports import Appended, Duplicate, IdempotencyKey, NotReplicated, StreamId
from tests.service.application import test_tournament_worker as tournaments
from tests.service.application.world import World

KEY = IdempotencyKey("sit-down-quietly", "take seat 1")
EVERYTHING = frozenset({"player", "table", "tournament"})


class Replicas:
    """Replicas that can be down for some streams, as if these were on separate servers.

    Attributes:
        away_from: the ids or the categories of these streams.
        lacking: the streams with unconfirmed commits.
    """

    def __init__(self) -> None:
        self.away_from: frozenset[str] = frozenset()
        self.lacking: set[StreamId] = set()

    def confirm(self, *streams: StreamId) -> None:
        if any(not self.away_from.isdisjoint((stream.category, stream.id)) for stream in streams):
            raise NotReplicated
        self.lacking -= set(streams)


@pytest.fixture
def world():
    world = World()
    world.table("ada", "bo", start=False)
    world.do("t1", LeaveSeat(1), by="player:1")
    return world


@pytest.fixture
def replicas(monkeypatch):
    replicas, append = Replicas(), RedisEventStore.append

    def append_and_confirm(store, commit):
        result = append(store, commit)
        if isinstance(result, Appended | Duplicate):
            replicas.lacking.add(commit.stream)
            replicas.confirm(commit.stream)
        return result

    monkeypatch.setattr(RedisEventStore, "append", append_and_confirm)
    monkeypatch.setattr(RedisEventStore, "confirm", lambda _, stream: replicas.confirm(stream))
    monkeypatch.setattr(RedisEventStore, "confirm_all", lambda _: replicas.confirm(*replicas.lacking))
    return replicas


def unconfirmed_until_the_replicas_are_back(
    replicas: Replicas,
    away_from: set[str],
    command: Callable[[], Any],
    meanwhile: Callable[[], object] = bool,
) -> Any:
    """Runs a command twice without the replicas and once with them; returns the last result.

    Asserts that it is acknowledged only when the replicas have every stored commit.
    """
    replicas.away_from = frozenset(away_from)
    for _ in range(2):
        with pytest.raises(NotReplicated):
            command()
        meanwhile()
    assert replicas.lacking
    replicas.away_from = frozenset()
    acknowledged = command()
    assert not replicas.lacking
    return acknowledged


def sit_down(world, key=KEY):
    return world.service.tables.execute("t1", lambda _: (TakeSeat(player="cy", seat=1), "player:1"), key=key)


def test_a_repeated_command_waits_again_and_returns_the_first_result(world, replicas):
    replicas.away_from = EVERYTHING
    for _ in range(2):
        with pytest.raises(NotReplicated):
            sit_down(world)
    stored = world.now_at("t1").version

    replicas.away_from = frozenset()
    accepted = sit_down(world)

    assert accepted.after.state.version == stored == world.now_at("t1").version
    assert sit_down(world) == accepted


def test_the_next_command_builds_on_the_unconfirmed_commit(world, replicas):
    replicas.away_from = EVERYTHING
    with pytest.raises(NotReplicated):
        sit_down(world)
    replicas.away_from = frozenset()

    with pytest.raises(RuleViolation):
        sit_down(world, IdempotencyKey("another-request", "take seat 1"))
    with pytest.raises(KeyReused):
        sit_down(world, IdempotencyKey(KEY.id, "take seat 0"))


class TestFoundDone:
    """A repeated command finds its effect stored, appends nothing, and still waits for the replicas."""

    def test_an_unreplicated_rename_is_not_acknowledged(self, world, replicas):
        ada = world.service.players.register(name="Ada").player

        renamed = unconfirmed_until_the_replicas_are_back(
            replicas, {"player"}, lambda: world.service.players.rename(ada, "Augusta")
        )

        assert (renamed.name, renamed.version) == ("Augusta", 2)

    def test_an_unreplicated_token_is_not_acknowledged(self, world, replicas):
        players = world.service.players
        ada = players.register(name="Ada").player

        made = unconfirmed_until_the_replicas_are_back(
            replicas, {"player"}, lambda: players.replace_token(ada, KEY, "secret")
        )

        assert players.authenticate(made.token) == made.player

    @pytest.mark.parametrize("key", [None, KEY])
    def test_an_unreplicated_erasure_is_not_acknowledged(self, world, replicas, key):
        erased = unconfirmed_until_the_replicas_are_back(
            replicas, {"player"}, erasure_of_seated_player(world, key)
        )

        assert (erased.is_erased, erased.version) == (True, 2)

    def test_unreplicated_exits_of_an_erased_player_are_not_acknowledged(self, world, replicas):
        erase = erasure_of_seated_player(world, KEY)
        player = world.now_at("t1").seats[1].player

        # Before the second attempt, the projection has updated the player's list of tables, which an erasure reads.
        unconfirmed_until_the_replicas_are_back(replicas, {"table"}, erase, lambda: project(world))

        assert world.now_at("t1").seats[1] is None
        assert not world.service.queries.live_tables_of(player, before=None, count=1).rows

    @pytest.mark.parametrize("which", ["the ended table", "the rematch"])
    def test_an_unreplicated_rematch_is_not_acknowledged(self, world, replicas, which):
        played_by_one(world)
        away_from = "t2" if which == "the ended table" else world.service.identities.rematch_id("t2", 0)

        opened = unconfirmed_until_the_replicas_are_back(
            replicas, {away_from}, lambda: world.service.rematches.open("t2", "ada")
        )

        assert world.now_at("t2").rematch == opened.state.id

    def test_an_unreplicated_rematch_of_another_request_is_not_acknowledged(
        self, world, replicas, monkeypatch
    ):
        played_by_one(world)
        announce = Rematches._announce

        def announced_by_another(*given):
            replicas.away_from = frozenset({"table"})
            with pytest.raises(NotReplicated):
                announce(*given)
            return announce(*given)

        with monkeypatch.context() as patched:
            patched.setattr(Rematches, "_announce", announced_by_another)
            with pytest.raises(NotReplicated):
                world.service.rematches.open("t2", "ada")

    def test_an_unreplicated_expulsion_is_not_acknowledged(self, world, replicas):
        tournaments.start(world, "ann", "ben", "cy")
        world.settle()
        tournaments.do(world, life.Expel("ann", "for testing"))

        unconfirmed_until_the_replicas_are_back(
            replicas, {"table"}, lambda: world.service.tournament_worker.run_due(tournaments.ID)
        )

        assert tournaments.cup(world).given_up


def erasure_of_seated_player(world, key):
    """Returns a function that erases a seated player on a request with the first token."""
    players = world.service.players
    eve = players.register(name="Eve")
    world.do("t1", TakeSeat(player=eve.player.id, seat=1), by="player:1")
    project(world)
    return lambda: world.service.erasure.erase(players.authenticate(eve.token, ends_it=True), key)


def project(world):
    """Updates the lists of tables."""
    entries = world.read(LOBBY.name)
    world.service.projectors[LOBBY.name].project(entries)
    world.service.feed.ack(LOBBY.name, entries)


def played_by_one(world):
    """Plays the table `t2` of a person and a bot to its end."""
    world.table("ada", "bot", table="t2", rounds=1)
    world.do("t2", Resign(0), by="player:0")
    world.settle()
