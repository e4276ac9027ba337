"""Rooms: who may sit down and who may watch."""

import pytest
from msgspec.structs import replace

from hoodwink.domain.cards import commitment
from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.allowed_actors import allowed_actors
from hoodwink.domain.tables.deciding.rooms import (
    MIN_HOST_MS,
    free_seats,
    is_listed,
    is_secret,
    may_sit_down,
    may_watch,
)
from hoodwink.domain.tables.events import HostChanged, OfferWithdrawn, SeatOffered, SeatTaken
from hoodwink.domain.tables.fairness import NO_SEED, SharedDeal
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.domain.tables.state import Phase, is_supervised, seats_of, unrevealed
from tests.domain.tables.forger import entries_of, rechained, version_of
from tests.domain.tables.sitting import SEED, Sitting, playing
from tests.domain.tables.test_tournament_table import opening as tournament_opening

WATCHES = ("everyone", "invited", "nobody")


def room(*players, rated=False, **opening):
    return Sitting(rated=rated, **opening).sit(*players).table


@pytest.mark.parametrize(("watch", "by_code"), [("everyone", True), ("invited", True), ("nobody", False)])
def test_g_3_the_table_decides_who_may_watch(watch, by_code):
    table = room("ada", watch=watch)

    assert may_watch(table, "ada", is_invited=False)
    assert may_watch(table, "holly", is_invited=False)
    assert may_watch(table, "eve", is_invited=False) is may_watch(table, None, is_invited=False)
    assert may_watch(table, "eve", is_invited=False) is (watch == "everyone")
    assert may_watch(table, None, is_invited=True) is by_code


@pytest.mark.parametrize("watch", WATCHES)
def test_t_24_a_table_is_secret_if_its_tournament_is_private(watch):
    order = tournament_opening("ada", "bo", "cy")
    watched = replace(order, opening=replace(order.opening, watch=watch, rated=watch == "everyone"))

    assert is_secret(Sitting(watched).table) is (watch != "everyone")
    assert not is_secret(room("ada", watch=watch))


def test_d_7_only_those_who_play_a_shared_deal_see_it_until_its_release():
    order = tournament_opening("ada", "bo", "cy")
    sitting = Sitting(replace(order, shared=SharedDeal(1, "ab" * 32)))
    sitting.resign(2)

    def seen_by() -> list[str | None]:
        people = ("ada", "cy", "eve", sitting.table.host, None)
        return [who for who in people if may_watch(sitting.table, who, is_invited=True)]

    assert seen_by() == ["ada"]
    sitting.resign(1)
    assert sitting.table.phase is Phase.ENDED
    assert seen_by() == ["ada"]
    sitting.do(commands.ReleaseDeal())
    assert seen_by() == ["ada", "cy", "eve", sitting.table.host, None]


def test_the_seats_of_players_are_listed_in_order_and_without_bots():
    table = room("ada", "bot", "cy")

    assert seats_of(table, ["cy", "eve", "bot:random", "ada"]) == (0, 2)


def test_only_host_and_invited_players_sit_at_a_private_table():
    table = room("ada", private=True)

    assert may_sit_down(table, "holly", is_invited=False)
    assert may_sit_down(table, "eve", is_invited=True)
    assert not may_sit_down(table, "eve", is_invited=False)
    assert may_sit_down(room("ada"), "eve", is_invited=False)


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("watch", WATCHES)
def test_r_1_only_a_public_table_that_everyone_may_watch_is_listed_and_can_be_rated(private, watch):
    table = room(private=private, watch=watch)

    assert is_listed(table) is (not private and watch == "everyone")
    if is_listed(table):
        assert room(rated=True).rated
    else:
        with pytest.raises(RuleViolation, match="unlisted_unrated"):
            room(private=private, watch=watch, rated=True)


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("watch", WATCHES)
def test_g_3_a_fork_is_as_hidden_as_its_parent_and_private_unless_the_parent_is_listed(private, watch):
    parent = playing("ada", "bo", private=private, watch=watch, rated=False)
    parent.play_out()

    fork = Sitting(
        commands.ForkTable(table="f1", host="ada", server_seed=SEED, entries=tuple(parent.entries[:5]))
    )

    assert (fork.table.watch, fork.table.private) == (watch, not is_listed(parent.table))


@pytest.mark.parametrize("watch", WATCHES)
def test_the_log_of_a_private_table_verifies(watch):
    sitting = playing("ada", "bo", private=True, watch=watch, rated=False)
    sitting.play_out()

    assert verify_log(sitting.log()).valid


def test_an_offered_seat_is_for_one_player_alone():
    sitting = Sitting(private=True, rated=False)
    assert sitting.do(commands.OfferSeat("bo", 1), by="host") == (SeatOffered(1, "bo"),)

    assert sitting.table.offered == (None, "bo", None)
    assert may_sit_down(sitting.table, "bo", is_invited=False)
    assert may_watch(sitting.table, "bo", is_invited=False)
    assert sitting.refusal(commands.TakeSeat(player="ada", seat=1)) == "seat_offered"
    assert sitting.refusal(commands.TakeSeat(player="bot:random", policy="random", seat=1)) == "seat_offered"
    assert free_seats(sitting.table, "ada") == free_seats(sitting.table, None) == [0, 2]
    assert free_seats(sitting.table, "bo") == [1, 0, 2]
    (taken,) = sitting.do(commands.TakeSeat(player="bo"), by="player:1")
    assert isinstance(taken, SeatTaken)
    assert taken.seat == 1
    assert {*sitting.table.offered} == {None}


def test_a_player_who_sits_elsewhere_needs_no_offer():
    sitting = Sitting()
    sitting.do(commands.OfferSeat("bo", 2), by="host")
    sitting.do(commands.TakeSeat(player="bo", seat=0), by="player:0")
    assert sitting.table.offered == (None, None, None)


def test_offered_seats_do_not_count_as_taken():
    sitting = Sitting(seats=2).sit("ada")
    sitting.do(commands.OfferSeat("bo"), by="host")
    assert sitting.refusal(commands.StartTable()) == "seats_empty"
    assert sitting.refusal(commands.TakeSeat(player="cy")) == "table_full"
    assert sitting.refusal(commands.OfferSeat("cy")) == "table_full"


def test_nobody_is_offered_two_seats_or_a_taken_one():
    sitting = Sitting().sit("ada")
    sitting.do(commands.OfferSeat("bo"), by="host")
    assert (
        sitting.refusal(commands.OfferSeat("bo"))
        == sitting.refusal(commands.OfferSeat("ada"))
        == "player_seated"
    )
    assert sitting.refusal(commands.OfferSeat("cy", 0)) == "seat_taken"
    assert sitting.refusal(commands.OfferSeat("cy", 1)) == "seat_offered"
    assert sitting.refusal(commands.OfferSeat("cy", 7)) == "no_such_seat"
    assert playing("ada", "bo").refusal(commands.OfferSeat("cy")) == "table_started"


def test_an_offer_is_withdrawn_by_the_host_or_declined_by_the_player():
    sitting = Sitting()
    offered = commands.OfferSeat("bo", 1)
    sitting.do(offered, by="host")
    assert allowed_actors(sitting.table, commands.WithdrawOffer(1)) == ("player:1", "host")
    assert sitting.do(commands.WithdrawOffer(1), by="host") == (OfferWithdrawn(1),)
    assert sitting.table.offered == (None, None, None)
    assert sitting.refusal(commands.WithdrawOffer(1)) == "seat_empty"
    assert sitting.refusal(commands.WithdrawOffer(7)) == "no_such_seat"
    assert allowed_actors(sitting.table, offered) == ("host",)


def test_the_host_may_free_the_seat_of_a_person():
    sitting = Sitting().sit("ada", "bot")
    assert allowed_actors(sitting.table, commands.LeaveSeat(0)) == ("player:0", "host")
    assert allowed_actors(sitting.table, commands.LeaveSeat(1)) == ("host",)


@pytest.mark.parametrize("started", [False, True])
def test_the_host_hands_over_to_a_player_at_the_table(started):
    sitting = playing("ada", "bo") if started else Sitting().sit("ada", "bo")
    assert allowed_actors(sitting.table, commands.ChangeHost("bo")) == ("host",)
    assert sitting.do(commands.ChangeHost("bo"), by="host") == (HostChanged("bo"),)
    assert sitting.table.host == "bo"


def test_the_new_host_holds_a_seat():
    sitting = playing("ada", "bo", "bot")
    sitting.resign(0)
    for player in ("holly", "ada", "cy", "bot:random"):
        assert sitting.refusal(commands.ChangeHost(player)) == "no_new_host"
    assert sitting.play_out().refusal(commands.ChangeHost("bo")) == "table_over"


def test_a_new_host_hands_over_after_a_minute_at_the_earliest():
    sitting = playing("ada", "bo")
    sitting.do(commands.ChangeHost("bo"), by="host")
    sitting.now += MIN_HOST_MS - 1
    assert sitting.refusal(commands.ChangeHost("ada")) == "host_is_new"
    sitting.do(commands.ChangeHost("ada"), by="host", after_ms=1)
    assert verify_log(sitting.play_out().log()).valid


def test_db_34_a_table_that_was_handed_over_is_not_supervised():
    sitting = playing("ada", "bo", game="double_blind", exposure_actions=True)
    assert is_supervised(sitting.table)
    sitting.do(commands.ChangeHost("bo"), by="host")
    assert not is_supervised(sitting.table)


def test_a_hosts_commitment_lapses_on_handing_over():
    sitting = Sitting(seats=2, seed_commitment=commitment("a" * 32)).sit("ada", "bo")
    sitting.do(commands.ChangeHost("ada"), by="host")
    assert sitting.table.host_seed == NO_SEED
    assert unrevealed(sitting.start().table) == ()


def test_no_host_hands_over_while_seeds_are_awaited():
    sitting = Sitting(seats=2, seed_commitment=commitment("a" * 32)).sit("ada", "bo").start()
    assert sitting.refusal(commands.ChangeHost("ada")) == "seeds_awaited"
    sitting.do(commands.RevealSeed(None, "a" * 32), by="host")
    sitting.do(commands.ChangeHost("ada"), by="host")
    assert sitting.table.host_seed.text == "a" * 32


def test_the_log_of_a_table_with_offers_and_another_host_verifies():
    sitting = Sitting(seats=2).sit("ada")
    sitting.do(commands.OfferSeat("cy", 1), by="host")
    sitting.do(commands.WithdrawOffer(1), by="player:1")
    sitting.do(commands.OfferSeat("bo", 1), by="host")
    sitting.do(commands.TakeSeat(player="bo", seat=1), by="player:1")
    sitting.do(commands.LeaveSeat(1), by="host")
    sitting.sit("bo").do(commands.ChangeHost("bo"), by="host")
    log = sitting.start().play_out().log()

    assert verify_log(log).valid
    for type_, by in [
        ("table.seat_offered", "player:1"),
        ("table.host_changed", "player:1"),
        ("table.offer_withdrawn", "player:0"),
    ]:
        entries = entries_of(log)
        version = version_of(log, type_)
        entries[version - 1] = replace(entries[version - 1], by=by)
        finding = verify_log(rechained(entries)).finding
        assert finding is not None
        assert (finding.code, finding.version) == ("illegal", version)
