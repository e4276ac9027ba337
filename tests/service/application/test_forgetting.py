"""Players who never took part in anything are forgotten."""

from typing import Any

import pytest

from hoodwink.domain.players import SOMEONE_WHO_LEFT
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.actor import HOST, ORGANISER, by_entrant
from hoodwink.domain.tournaments import life
from hoodwink.service.application.commands.forgetting import SETTLE_MS
from hoodwink.service.application.errors import NotFound, SignedOut
from hoodwink.service.application.players.players import Registration
from hoodwink.service.application.ports import IdempotencyKey
from hoodwink.service.bootstrap import Service
from tests.service.application.test_tournament_worker import setup_of
from tests.service.application.world import HOUR_MS, SEED, World

MONTH_MS = 30 * 24 * HOUR_MS


@pytest.fixture
def world() -> World:
    return World()


def registered(world: World, name: str | None = None, key: str | None = None) -> Registration:
    return world.service.players.register(name=name, key=key)


def forget(service: Service) -> None:
    """Does what the service does from time to time."""
    while service.forgetting.forget(count=2):
        pass


def forget_in_the_end(world: World) -> None:
    """Lets a month pass, and then the hour between the erasure and the deletion."""
    for passing in (MONTH_MS, SETTLE_MS):
        world.clock.now += passing
        forget(world.service)


def is_stored(world: World, player: str) -> bool:
    keys = [key for key in world.client.keys("hw:*") if player.encode() in key]
    noted = [
        key for key in world.client.keys("hw:*:newcomers") if world.client.zscore(key, player) is not None
    ]
    names = [key for key in world.client.keys("hw:*:names") if world.client.hexists(key, player)]
    return bool(keys or noted or names)


def opened(world: World, host: str, table: str = "t1") -> str:
    command = commands.OpenTable(
        table=table, game="blindside", seats=2, options={}, host=host, server_seed=SEED
    )
    world.service.tables.open(table, command, by=HOST, key=IdempotencyKey(f"open {table}", ""))
    return table


@pytest.mark.parametrize("name", [None, "Ada"], ids=["guest", "named"])
def test_a_player_who_never_took_part_is_erased_after_a_month_and_deleted_an_hour_later(world, name):
    player, token = registered(world, name).player, registered(world, key="k" * 16).token
    world.clock.now += MONTH_MS - 1
    forget(world.service)
    assert world.service.players.authenticate(token)
    world.clock.now += 1
    forget(world.service)
    erased = world.service.players.get(player.id)
    assert (erased.is_erased, erased.name) == (True, SOMEONE_WHO_LEFT)
    assert world.service.players.authenticate(token) is None
    world.clock.now += SETTLE_MS - 1
    forget(world.service)
    assert is_stored(world, player.id)
    world.clock.now += 1
    forget(world.service)
    assert not is_stored(world, player.id)
    with pytest.raises(NotFound):
        Service(world.service.settings, client=world.client).players.get(player.id)


def test_nothing_else_is_stored_of_those_who_were_forgotten(world):
    before = set(world.client.keys("hw:*"))
    for number in range(5):
        registered(world, f"Eve {number}")
    forget_in_the_end(world)
    assert {key for key in world.client.keys("hw:*") if b"players" not in key} - before == {b"hw:secret"}


def host(world: World, player: str, other: str) -> None:
    opened(world, player)


def sit_and_leave(world: World, player: str, other: str) -> None:
    world.do(opened(world, other), commands.TakeSeat(player=player, seat=0), by="player:0")
    world.do("t1", commands.LeaveSeat(0), by="player:0")


def be_offered_a_seat(world: World, player: str, other: str) -> None:
    world.do(opened(world, other), commands.OfferSeat(player, 0), by="host")
    world.do("t1", commands.WithdrawOffer(0), by="host")


def become_host(world: World, player: str, other: str) -> None:
    sit_and_leave(world, player, other)
    world.do("t1", commands.TakeSeat(player=player, seat=0), by="player:0")
    world.do("t1", commands.ChangeHost(player), by="host")


def opened_cup(world: World, organiser: str) -> str:
    command = life.OpenTournament(tournament="cup", organiser=organiser, setup=setup_of(), server_seed=SEED)
    world.service.tournaments.open("cup", command, by=ORGANISER, key=IdempotencyKey("open cup", ""))
    return "cup"


def organise_and_cancel(world: World, player: str, other: str) -> None:
    tournament = opened_cup(world, player)
    world.service.tournaments.execute(tournament, lambda _: (life.Cancel("It rains."), ORGANISER))


def enter_and_withdraw(world: World, player: str, other: str) -> None:
    tournament = opened_cup(world, other)
    execute = world.service.tournaments.execute
    execute(tournament, lambda _: (life.OpenRegistration(), ORGANISER))
    execute(tournament, lambda _: (life.Enter(player=player), by_entrant(player)))
    execute(tournament, lambda _: (life.Withdraw(player), by_entrant(player)))


@pytest.mark.parametrize("take_part", [organise_and_cancel, enter_and_withdraw])
def test_whoever_entered_or_organised_a_tournament_is_kept(world, take_part):
    player, other = registered(world).player.id, registered(world).player.id
    take_part(world, player, other)
    forget_in_the_end(world)
    assert not world.service.players.get(player).is_erased


@pytest.mark.parametrize("take_part", [host, sit_and_leave, be_offered_a_seat, become_host])
def test_whoever_took_part_in_anything_is_kept(world, take_part):
    player, other = registered(world).player.id, registered(world).player.id
    take_part(world, player, other)
    forget_in_the_end(world)
    for kept in {player, world.now_at("t1").host}:
        assert not world.service.players.get(kept).is_erased
    assert world.client.keys("hw:*:newcomers") == []


def test_a_player_who_sits_down_at_the_moment_of_the_erasure_leaves_the_seat_and_stays_stored(world):
    player, other = registered(world).player.id, registered(world).player.id
    table = opened(world, other)
    world.clock.now += MONTH_MS
    forget(world.service)
    world.do(
        table, commands.TakeSeat(player=player, seat=0), by="player:0"
    )  # by a process that has not heard of it
    left: list[str] = []
    world.service.forgetting._leave = left.append
    world.clock.now += SETTLE_MS
    forget(world.service)
    assert left == [player]
    assert world.service.players.get(player).is_erased


def test_players_who_left_or_ended_their_token_are_deleted_as_well(world):
    gone, ended = registered(world, "Ada").player, registered(world, "Bob").player
    world.service.players.erase(gone, None)
    world.service.players.end_token(ended)
    forget_in_the_end(world)
    assert not is_stored(world, gone.id)
    assert not is_stored(world, ended.id)


def test_a_forgotten_player_may_register_again_with_the_same_key(world):
    first = registered(world, "Ada", key="k" * 16)
    forget_in_the_end(world)
    again = registered(world, "Ada", key="k" * 16)
    assert again == first or again.player.id == first.player.id
    assert world.service.players.authenticate(again.token)


def test_a_player_whom_the_store_lost_is_noted_no_more(world):
    player = registered(world).player.id
    world.client.delete(*[key for key in world.client.keys("hw:*") if player.encode() in key])
    world.service.players.forget()
    forget_in_the_end(world)
    assert world.client.keys("hw:*:newcomers") == []


def test_two_processes_that_forget_do_no_harm(world):
    player = registered(world).player.id
    other = Service(world.service.settings, client=world.client, clock=world.clock)
    noted: Any = world.service.forgetting._newcomers
    world.clock.now += MONTH_MS
    due = noted.due(world.clock.now - MONTH_MS, count=9)
    forget(other)
    for id_, at in due.items():
        world.service.forgetting._forget(id_, at, took_part=False)
    with pytest.raises(SignedOut):
        world.service.players.erase(world.service.players.get(player), None)
    world.clock.now += SETTLE_MS
    forget(other)
    forget(world.service)
    assert not is_stored(world, player)


def test_forgetting_can_be_switched_off():
    world = World(forget_days=0)
    player = registered(world).player.id
    forget_in_the_end(world)
    assert not world.service.players.get(player).is_erased


def test_players_of_an_earlier_release_are_kept(world):
    """Nobody noted then who took part."""
    player = registered(world).player.id
    world.client.delete(*world.client.keys("hw:*:newcomers"))
    forget_in_the_end(world)
    assert not world.service.players.get(player).is_erased
