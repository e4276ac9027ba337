"""Players who never took part in anything are deleted."""

from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from hoodwink.domain.kernel import Event
from hoodwink.domain.players import SOMEONE_WHO_LEFT
from hoodwink.domain.series.events import SERIES_EVENTS, TournamentCounted
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.actor import HOST, ORGANISER, by_entrant
from hoodwink.domain.tables.events import TABLE_EVENTS
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.life import events as at
from hoodwink.service.application.commands.forgetting import SETTLE_MS
from hoodwink.service.application.errors import NotFound, SignedOut
from hoodwink.service.application.players.bots import Description
from hoodwink.service.application.players.players import Registration
from hoodwink.service.application.players.pushes import PushAddress
from hoodwink.service.application.ports import IdempotencyKey
from hoodwink.service.application.streams.aggregates import NAMING
from hoodwink.service.bootstrap import Service
from tests.service.application.test_tournament_worker import setup_of
from tests.service.application.world import HOUR_MS, SEED, World

MONTH_MS = 30 * 24 * HOUR_MS

NO_PLAYERS = {
    *("admin", "commitment", "entries", "explanations", "game", "head", "key", "name", "options", "parent"),
    *("policy", "reason", "relaxed", "rematch_of", "schedule", "seed", "seed_commitment", "series"),
    *("server_seed", "setup", "table", "tables", "text", "tournament"),
}
"""Fields with texts that are not the ids of players. `admin` is an administrator; `setup` may keep apart who never enter."""

FOLLOWING = {
    *(at.TournamentStarted, at.RoundsAdded, at.Described, at.Announced, at.TeamChosen, TournamentCounted),
    *(at.EntryAccepted, at.EntryDeclined, at.RequestWithdrawn, at.OffersWithdrawn, at.OfferDeclined),
    *(at.EntrantWithdrew, at.EntrantExpelled, at.EntrantsOrdered, at.EntrantWithdrawn, at.MarkedAbsent),
    *(at.AbsenceReversed, at.WithdrawalReversed, at.CheckedIn, at.SaidAbsent, at.ByeRequested),
    *(at.ByeAssigned, at.SeedsCalled, at.EntrantSeedRevealed, at.EntrantSeedsMissed, at.SeatGivenUp),
    *(at.TableStopped, at.ResultRuled, at.ArbiterRemoved, at.CoOrganiserRemoved, at.PlaceDeclined),
    *(at.EntrantSubstituted, at.SubstitutionReversed),
}
"""The events whose players were all named by an earlier event of a permanent log."""


@pytest.fixture
def world() -> World:
    return World()


def register(world: World, name: str | None = None, key: str | None = None) -> Registration:
    return world.service.players.register(name=name, key=key)


def forget(service: Service) -> None:
    """Runs the periodic deletion."""
    while service.forgetting.forget(count=2):
        pass


def forget_in_the_end(world: World) -> None:
    """Runs the deletion after a month, and again after the hour between erasure and deletion."""
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


def open_table(world: World, host: str, table: str = "t1") -> str:
    command = commands.OpenTable(
        table=table, game="blindside", seats=2, options={}, host=host, server_seed=SEED
    )
    world.service.tables.open(table, command, by=HOST, key=IdempotencyKey(f"open {table}", ""))
    return table


@pytest.mark.parametrize("name", [None, "Ada"], ids=["guest", "named"])
def test_an_unused_account_is_erased_after_a_month_and_then_deleted(world, name):
    player, token = register(world, name).player, register(world, key="k" * 16).token
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


def test_nothing_remains_of_deleted_players(world):
    before = set(world.client.keys("hw:*"))
    for number in range(5):
        player = register(world, f"Eve {number}").player
        address = PushAddress(f"https://push.example/{number}", "p256dh", "auth")
        world.service.push_subscriptions.add(player.id, address, id_="s", token_hash=player.token_hash)
    forget_in_the_end(world)
    assert {key for key in world.client.keys("hw:*") if b"players" not in key} - before == {b"hw:secret"}


def host(world: World, player: str, other: str) -> None:
    open_table(world, player)


def sit_and_leave(world: World, player: str, other: str) -> None:
    world.do(open_table(world, other), commands.TakeSeat(player=player, seat=0), by="player:0")
    world.do("t1", commands.LeaveSeat(0), by="player:0")


def be_offered_a_seat(world: World, player: str, other: str) -> None:
    world.do(open_table(world, other), commands.OfferSeat(player, 0), by="host")
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


def be_offered_an_entry(world: World, player: str, other: str) -> None:
    tournament = opened_cup(world, other)
    execute = world.service.tournaments.execute
    execute(tournament, lambda _: (life.OpenRegistration(), ORGANISER))
    execute(tournament, lambda _: (life.OfferEntries((player,)), ORGANISER))
    execute(tournament, lambda _: (life.WithdrawOffers((player,)), ORGANISER))


@pytest.mark.parametrize("take_part", [organise_and_cancel, enter_and_withdraw, be_offered_an_entry])
def test_entrants_and_organisers_are_never_deleted(world, take_part):
    player, other = register(world).player.id, register(world).player.id
    take_part(world, player, other)
    forget_in_the_end(world)
    assert not world.service.players.get(player).is_erased


def has_text(hint: Any) -> bool:
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return any(map(has_text, get_type_hints(hint).values()))
    return hint is str or any(map(has_text, get_args(hint)))


def names_players(kind: type[Event]) -> bool:
    hints = get_type_hints(kind)
    return any(has_text(hints[field]) for field in kind.__struct_fields__ if field not in NO_PLAYERS)


def test_every_event_that_may_name_a_player_first_counts_as_taking_part():
    kinds = {*TABLE_EVENTS, *at.TOURNAMENT_EVENTS, *SERIES_EVENTS}
    naming = {kind for kind in kinds if kind.wire in NAMING}
    assert {kind for kind in kinds if names_players(kind)} == naming | FOLLOWING
    assert not naming & FOLLOWING


@pytest.mark.parametrize("take_part", [host, sit_and_leave, be_offered_a_seat, become_host])
def test_players_who_took_part_are_never_deleted(world, take_part):
    player, other = register(world).player.id, register(world).player.id
    take_part(world, player, other)
    forget_in_the_end(world)
    for kept in {player, world.now_at("t1").host}:
        assert not world.service.players.get(kept).is_erased
    assert world.client.keys("hw:*:newcomers") == []


def test_an_unused_bot_is_deleted_with_its_description_but_never_its_owner(world):
    owner = register(world, "Ada").player
    bot = world.service.bots.register(
        owner,
        "Maia",
        Description(home_page="https://example.org"),
        key=None,
        fingerprint="",
        count=lambda: None,
    ).player
    forget_in_the_end(world)
    assert not is_stored(world, bot.id)
    assert world.service.bot_descriptions.of(owner.id) == {}
    assert not world.service.players.get(owner.id).is_erased


def test_a_player_seated_during_the_erasure_leaves_but_stays_stored(world):
    player, other = register(world).player.id, register(world).player.id
    table = open_table(world, other)
    world.clock.now += MONTH_MS
    forget(world.service)
    world.do(
        table, commands.TakeSeat(player=player, seat=0), by="player:0"
    )  # by a process without notice of the change
    left: list[str] = []
    world.service.forgetting._leave = left.append
    world.clock.now += SETTLE_MS
    forget(world.service)
    assert left == [player]
    assert world.service.players.get(player).is_erased


def test_erased_and_signed_out_players_are_deleted_too(world):
    gone, ended = register(world, "Ada").player, register(world, "Bob").player
    world.service.players.erase(gone, None)
    world.service.players.end_sessions(ended, lambda _: True)
    forget_in_the_end(world)
    assert not is_stored(world, gone.id)
    assert not is_stored(world, ended.id)


def test_a_deleted_player_can_register_again_with_the_same_key(world):
    first = register(world, "Ada", key="k" * 16)
    forget_in_the_end(world)
    again = register(world, "Ada", key="k" * 16)
    assert again == first or again.player.id == first.player.id
    assert world.service.players.authenticate(again.token)


def test_a_player_missing_from_the_store_is_dropped_from_the_list(world):
    player = register(world).player.id
    world.client.delete(*[key for key in world.client.keys("hw:*") if player.encode() in key])
    world.service.players.forget()
    forget_in_the_end(world)
    assert world.client.keys("hw:*:newcomers") == []


def test_two_processes_can_delete_players_together(world):
    player = register(world).player.id
    other = Service(world.service.settings, client=world.client, clock=world.clock)
    noted: Any = world.service.forgetting._newcomers
    world.clock.now += MONTH_MS
    due = noted.due(world.clock.now - MONTH_MS, count=9)
    forget(other)
    for id_, noted_for in due.items():
        world.service.forgetting._forget(id_, noted_for, took_part=False)
    with pytest.raises(SignedOut):
        world.service.players.erase(world.service.players.get(player), None)
    world.clock.now += SETTLE_MS
    forget(other)
    forget(world.service)
    assert not is_stored(world, player)


def test_deletion_of_unused_accounts_can_be_disabled():
    world = World(forget_days=0)
    player = register(world).player.id
    forget_in_the_end(world)
    assert not world.service.players.get(player).is_erased


def test_players_of_an_earlier_release_are_not_deleted(world):
    """Earlier releases did not record participation."""
    player = register(world).player.id
    world.client.delete(*world.client.keys("hw:*:newcomers"))
    forget_in_the_end(world)
    assert not world.service.players.get(player).is_erased
