"""A table is its players', waits for some of them, and brings them news."""

from itertools import groupby

from hoodwink.domain.cards import commitment
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.attention import (
    NewsKind,
    news_of,
    people_of,
    waits_since,
)
from hoodwink.domain.tables.codec import decode_event
from hoodwink.domain.tables.entries import decoded
from hoodwink.domain.tables.evolve import evolve
from hoodwink.domain.tables.state import UNOPENED
from tests.domain.tables.sitting import START, Sitting, playing
from tests.domain.tables.test_tournament_table import sitting_of

SEED = "ab" * 16


def news(sitting, player):
    """Returns the news to a player in all commits of a table."""
    found, before = list[NewsKind](), UNOPENED
    for _, commit in groupby(decoded(sitting.entries, decode_event), key=lambda recorded: recorded.entry.cmd):
        after = before
        for recorded in commit:
            after = evolve(after, recorded)
        found += news_of(before, after, player)
        before = after
    return found


def test_a_table_belongs_to_its_host_and_seated_players():
    sitting = Sitting().sit("ada", "bot")
    assert people_of(sitting.table) == ("holly", "ada")
    sitting.do(commands.LeaveSeat(0))
    assert people_of(sitting.table) == ("holly",)
    assert people_of(Sitting().sit("holly", "ada").table) == ("holly", "ada")


def test_a_table_keeps_its_players_until_its_last_event():
    sitting = Sitting().sit("ada", "bot", "holly")
    for seat, left_by in ((0, "ada"), (1, ""), (2, "")):  # a bot, and a host who stays the host
        sitting.do(commands.LeaveSeat(seat), by="host")
        assert sitting.table.left_by == left_by
    sitting.sit("bo")
    sitting.do(commands.LeaveSeat(0), by="player:0")
    assert sitting.table.left_by == "bo"
    assert sitting.sit("cy").table.left_by == ""


def test_a_table_belongs_to_players_offered_a_seat():
    sitting = Sitting()
    sitting.do(commands.OfferSeat("bo"), by="host")
    assert people_of(sitting.table) == ("holly", "bo")
    assert news(sitting, "bo") == ["seat_offered"]
    assert news(sitting, "holly") == []
    sitting.do(commands.WithdrawOffer(0), by="host")
    assert people_of(sitting.table) == ("holly",)
    assert sitting.table.left_by == "bo"


def test_a_host_who_hands_over_without_a_seat_has_left():
    sitting = Sitting().sit("ada")
    sitting.do(commands.ChangeHost("ada"), by="host")
    assert people_of(sitting.table) == ("ada",)
    assert sitting.table.left_by == "holly"


def test_a_tournaments_table_belongs_only_to_its_entrants():
    assert people_of(sitting_of("ada", "bo", "steady").table) == ("ada", "bo")


def test_a_table_waits_for_the_player_whose_turn_it_is():
    sitting = playing("ada", "bo", game="blind_don")
    seat = sitting.owing()
    mover, other = (("ada", "bo")[at] for at in (seat, 1 - seat))
    assert (waits_since(sitting.table, mover), waits_since(sitting.table, other)) == (START, None)
    assert waits_since(sitting.table, "holly") is None


def test_a_table_waits_for_nobody_outside_play_or_after_resigning():
    assert waits_since(Sitting().sit("ada").table, "ada") is None
    sitting = playing("ada", "bo", "cy")
    assert waits_since(sitting.table, "ada") == START
    sitting.resign(0)
    assert waits_since(sitting.table, "ada") is None
    assert waits_since(sitting.play_out().table, "bo") is None


def test_a_table_waits_for_committed_seeds():
    sitting = Sitting(seats=2, seed_commitment=commitment(SEED)).sit_committed("ada", SEED[::-1]).sit("bo")
    sitting.start()
    assert [waits_since(sitting.table, who) for who in ("holly", "ada", "bo")] == [START, START, None]
    sitting.do(commands.RevealSeed(0, SEED[::-1]), by="player:0")
    assert [waits_since(sitting.table, who) for who in ("holly", "ada")] == [START, None]


def test_t_6_a_tournaments_table_waits_for_entrants_to_appear():
    sitting = sitting_of("ada", "bo")
    assert waits_since(sitting.table, "ada") == START
    sitting.do(commands.SayReady(0), by="player:0", after_ms=5)
    sitting.deal()
    assert waits_since(sitting.table, "ada") == START + 5


def test_the_start_each_turn_and_the_end_are_news():
    sitting = playing("ada", "bo", "bot", rounds=1)
    assert news(sitting, "ada") == news(sitting, "bo") == ["table_started", "your_turn"]
    assert news(sitting, "holly") == ["table_started"]
    assert news(sitting, "bot:random") == news(sitting, "cy") == []
    sitting.play_out()
    assert news(sitting, "holly") == ["table_started", "table_ended"]
    assert set(news(sitting, "ada")[1:-1]) == {"your_turn"}
    assert news(sitting, "ada")[-1] == "table_ended"


def test_each_turn_is_news_once():
    sitting = playing("ada", "bo", game="blind_don")
    seat = sitting.owing()
    player = ("ada", "bo")[seat]
    sitting.act(seat, after_ms=10)
    assert news(sitting, player) == ["table_started", "your_turn"]
    sitting.play_to_turn_of(seat)
    assert news(sitting, player) == ["table_started", "your_turn", "your_turn"]


def test_the_steps_of_a_turn_are_one_piece_of_news():
    sitting = playing("ada", "bo", game="blindside")
    sitting.act(0)
    sitting.act(1)  # all have passed a card
    seat = sitting.owing()
    player = ("ada", "bo")[seat]
    told = news(sitting, player)
    for _draw_keep_discard in range(3):
        sitting.act(seat, after_ms=10)
        assert news(sitting, player) == told
    sitting.play_to_turn_of(seat)
    assert news(sitting, player) == [*told, "your_turn"]


def test_a_closed_table_has_ended_and_a_void_is_no_news():
    sitting = Sitting().sit("ada")
    sitting.do(commands.CloseTable(), by="host")
    assert news(sitting, "ada") == ["table_ended"]
    over = playing("ada", "bo", rounds=1).play_out()
    before = news(over, "ada")
    over.do(commands.VoidTable("olga", "A shared screen."), by="admin")
    assert news(over, "ada") == before


def test_a_player_who_left_gets_no_news():
    sitting = Sitting(seats=2).sit("ada", "bo")
    sitting.do(commands.LeaveSeat(1), by="player:1")
    sitting.sit("cy").start()
    assert news(sitting, "bo") == []
    assert news(sitting, "cy") == ["table_started"]


def test_the_start_of_a_tournaments_table_opens_a_round():
    sitting = sitting_of("ada", "bo")
    assert news(sitting, "ada") == ["round_opened"]
    assert news(sitting.deal(), "ada") == ["round_opened", "your_turn"]
