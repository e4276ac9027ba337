"""Taking back the last action of a table (G-20); the laws check what everybody sees and knows afterwards."""

import pytest
from msgspec.structs import replace

from hoodwink.domain.cards import Card
from hoodwink.domain.games.blindside.actions import DiscardCard, DrawCard, KeepCard
from hoodwink.domain.games.double_blind.actions import ExposeSleeve
from hoodwink.domain.games.shithead.actions import DeclareReady, SwapCards
from hoodwink.domain.kernel import Stage
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.allowed_actors import allowed_actors
from hoodwink.domain.tables.attention import news_of
from hoodwink.domain.tables.events import ActionTakenBack
from hoodwink.domain.tables.participation import participation
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.domain.tables.state import deadline_of
from hoodwink.domain.tables.taking_back import TAKE_BACK_MS
from hoodwink.domain.tables.view import TakeBackView, view_table
from tests.domain.tables.forger import changed, version_of
from tests.domain.tables.sitting import Sitting, playing
from tests.domain.tables.test_clocks import run_out_in_a_row
from tests.domain.tables.test_tournament_table import sitting_of


def drawn(**opening: object) -> Sitting:
    """Returns a table where seat 1 has drawn from the stock and keeps a card next."""
    opening = {"take_backs": True, "five_card": True} | opening
    sitting = playing("ada", "bo", "cy", **opening).play_to_turn_of(1)
    sitting.act(1, DrawCard("stock"))
    return sitting


def kept(**opening: object) -> Sitting:
    sitting = drawn(**opening)
    sitting.act(1, KeepCard(hand(sitting)[0]))
    return sitting


def discarded(**opening: object) -> Sitting:
    sitting = kept(**opening)
    sitting.act(1, DiscardCard(hand(sitting)[0]))
    return sitting


def hand(sitting: Sitting, seat: int = 1) -> tuple[Card, ...]:
    cards: tuple[Card, ...] = sitting.table.state.hands[seat]
    return cards


def take_back(sitting: Sitting, seat: int = 1, *, after_ms: int = 0) -> None:
    sitting.do(commands.TakeBack(seat), by=f"player:{seat}", after_ms=after_ms)


def refused(sitting: Sitting, seat: int = 1) -> str:
    return sitting.refusal(commands.TakeBack(seat))


def test_g_20_a_discard_can_be_taken_back_until_the_next_seat_acts():
    sitting = kept()
    before = sitting.table
    sitting.act(1, DiscardCard(hand(sitting)[0]))
    assert sitting.do(commands.TakeBack(1), by="player:1") == (ActionTakenBack(1, before.version),)
    assert sitting.table.state == before.state

    sitting = discarded()
    sitting.act(2, DrawCard("discard"))
    assert refused(sitting) == "nothing_to_take_back"


def test_g_20_a_card_drawn_from_the_stock_stays_drawn():
    assert refused(drawn()) == "nothing_to_take_back"


def test_g_20_only_the_seat_that_acted_can_take_it_back():
    sitting = discarded()
    assert {refused(sitting, seat) for seat in (0, 2)} == {"nothing_to_take_back"}
    assert refused(sitting, 3) == "no_such_seat"
    assert allowed_actors(sitting.table, commands.TakeBack(1)) == ("player:1",)


def test_g_20_whatever_happens_at_the_table_makes_it_final():
    sitting = discarded()
    sitting.resign(0)
    assert refused(sitting) == "nothing_to_take_back"


def test_g_20_there_are_ten_seconds_to_take_an_action_back():
    sitting = discarded()
    assert view_table(sitting.table, 2).take_back == TakeBackView(1, sitting.now + TAKE_BACK_MS)
    sitting.now += TAKE_BACK_MS
    assert refused(sitting) == "take_back_over"
    take_back(sitting, after_ms=-1)
    assert view_table(sitting.table, 1).take_back is None


def test_g_20_the_turn_keeps_its_deadline_and_ends_with_it():
    sitting = kept(turn_seconds=12)
    deadline = deadline_of(sitting.table, 1)
    assert deadline is not None
    sitting.act(1, DiscardCard(hand(sitting)[0]), after_ms=5_000)
    assert view_table(sitting.table, 1).take_back == TakeBackView(1, deadline)
    take_back(sitting, after_ms=6_999)
    assert deadline_of(sitting.table, 1) == deadline == sitting.now + 1


def test_g_20_one_action_can_be_taken_back_in_a_turn():
    sitting = kept()
    take_back(sitting)
    sitting.act(1, KeepCard(hand(sitting)[0]))
    assert refused(sitting) == "already_taken_back"
    sitting.act(1, DiscardCard(hand(sitting)[0]))
    assert refused(sitting) == "already_taken_back"
    sitting.play_to_turn_of(0).play_to_turn_of(1)
    sitting.act(1, DrawCard("discard"))
    take_back(sitting)


@pytest.mark.parametrize(
    ("opening", "is_on"),
    [
        ({"rated": True, "take_backs": None}, False),
        ({"rated": False, "take_backs": None}, True),
        ({"rated": True, "take_backs": True}, True),
        ({"rated": False, "take_backs": False}, False),
    ],
)
def test_g_20_actions_can_be_taken_back_at_unrated_tables_unless_the_host_decides_otherwise(opening, is_on):
    sitting = discarded(**opening)
    assert view_table(sitting.table, "spectator").take_backs is is_on
    if is_on:
        take_back(sitting)
    else:
        assert refused(sitting) == "take_backs_off"


def test_g_20_nothing_can_be_taken_back_at_a_tournament():
    assert not sitting_of("ada", "bo").table.take_backs


def test_g_20_secret_choices_are_final():
    sitting = playing("ada", "bo", "cy", take_backs=True, five_card=False)
    sitting.act(0)
    assert refused(sitting, 0) == "nothing_to_take_back"

    sitting = playing("ada", "bo", game="shithead", take_backs=True)
    hands, face_up = sitting.table.state.hands, sitting.table.state.face_up
    sitting.act(0, SwapCards(hands[0][0], face_up[0][0]))
    assert refused(sitting, 0) == "nothing_to_take_back"
    sitting.act(0, DeclareReady())
    assert refused(sitting, 0) == "nothing_to_take_back"


def test_g_20_an_offence_is_final():
    sitting = playing("ada", "bo", "cy", game="double_blind", take_backs=True, exposure_actions=True)
    exposed = ExposeSleeve(sitting.table.state.sleeves[0][0])
    # Even if the bank is empty, so that the seat gets no other card.
    state = replace(sitting.table.state, bank=())
    sitting.table = replace(sitting.table, state=state)
    sitting.act(0, exposed)
    assert refused(sitting, 0) == "nothing_to_take_back"


def test_g_20_the_end_of_a_round_is_final():
    sitting = playing("ada", "bo", "cy", take_backs=True).play_to(Stage.TO_SCORE)
    assert {refused(sitting, seat) for seat in range(3)} == {"nothing_to_take_back"}


def test_g_20_what_a_bot_did_is_final():
    sitting = playing("ada", "bot", "cy", take_backs=True, five_card=True).play_to_turn_of(2)
    assert refused(sitting) == "not_a_person"
    assert sitting.table.undoable is None


def test_g_20_a_player_who_returned_with_an_action_stays():
    sitting = playing("ada", "bo", "cy", take_backs=True, five_card=True, turn_seconds=5)
    seat = run_out_in_a_row(sitting, 1)
    assert sitting.owing() == seat
    sitting.act(seat, KeepCard(hand(sitting, seat)[0]))
    assert refused(sitting, seat) == "nothing_to_take_back"


def test_g_20_decisions_of_bots_fit_no_later_state():
    sitting = kept()
    counts = [sitting.table.round_actions]
    sitting.act(1, DiscardCard(hand(sitting)[0]))
    counts.append(sitting.table.round_actions)
    take_back(sitting)
    counts.append(sitting.table.round_actions)
    assert counts == sorted(set(counts))


def test_a_take_back_brings_its_player_no_news():
    sitting = kept()
    sitting.act(1, DiscardCard(hand(sitting)[0]))
    before = sitting.table
    take_back(sitting)
    assert news_of(before, sitting.table, "bo") == ()


def test_an_action_taken_back_is_no_turn_of_its_player():
    sitting = kept()
    before = participation(sitting.entries)
    sitting.act(1, DiscardCard(hand(sitting)[0]))
    take_back(sitting)
    assert participation(sitting.entries) == before


def finished() -> Sitting:
    """Returns a table that ended after an action was taken back and another one taken."""
    sitting = discarded()
    take_back(sitting)
    sitting.act(1, DiscardCard(hand(sitting)[-1]))
    sitting.resign(0)
    sitting.resign(2)
    return sitting


@pytest.mark.parametrize(
    ("forged", "code"), [({"seat": 0}, "illegal"), ({"seat": 9}, "illegal"), ({"version": 1}, "altered")]
)
def test_g_20_the_log_proves_what_was_taken_back(forged, code):
    log = finished().log()
    assert verify_log(log).valid
    version = version_of(log, ActionTakenBack.wire)
    finding = verify_log(changed(log, version, lambda fields: fields.update(forged))).finding
    assert finding is not None
    assert (finding.code, finding.version) == (code, version)
