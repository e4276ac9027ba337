"""The Double Blind: what each viewer sees."""

from itertools import permutations

import msgspec
import pytest
from msgspec.structs import replace

from hoodwink.domain.games.double_blind import GAME
from hoodwink.domain.games.double_blind.actions import ExposePocket, PlayPocket
from hoodwink.domain.games.double_blind.events import CaperDealt, InterestPaid
from hoodwink.domain.games.double_blind.options import Options
from hoodwink.domain.kernel import Stage
from tests.domain.games.double_blind_table import (
    Stacked,
    after,
    bribe,
    cards,
    dealt,
    events,
    look,
    only,
    pocket,
    shown,
    situation,
)

POCKETS = ("9C 8C 7C 6C 5C", "2D 3D 4D 5D 6D", "KH QH JH TH 9H")
SLEEVES = ("2S 3S 4S", "5S 6S 7S", "8S 9S TS")


def table(bank="2C 3C 4C TC", **changes):
    return situation(POCKETS, SLEEVES, bank, hatter=2, exposure_actions=True, **changes)


@pytest.mark.parametrize("seat", range(3))
def test_a_pocket_is_seen_by_all_players_but_its_owner(seat):
    seen = look(table(), seat)
    for owner in range(3):
        assert seen.pockets[owner] == (cards("?? ?? ?? ?? ??") if owner == seat else cards(POCKETS[owner]))
        assert seen.sleeves[owner] == (cards(SLEEVES[owner]) if owner == seat else cards("?? ?? ??"))


def test_g_1_a_spectator_sees_no_pocket_no_sleeve_and_no_bank():
    seen = look(table(), "spectator")
    assert set(seen.pockets) == {cards("?? ?? ?? ?? ??")}
    assert set(seen.sleeves) == {cards("?? ?? ??")}
    assert (seen.stock_count, seen.bank) == (4, None)


@pytest.mark.parametrize("stage", list(Stage))
@pytest.mark.parametrize("viewer", [0, 1, 2, "spectator"])
def test_g_1_bank_and_loot_stay_hidden_after_a_caper_too(stage, viewer):
    seen = look(table(stage=stage), viewer)
    assert (seen.bank, seen.loot) == (None, None)


def test_db_40_the_owner_knows_which_slots_are_filled():
    state = after(table(), (2, PlayPocket(1)))
    assert look(state, 1).pockets[1] == pocket("?? -- ?? ?? ??")


def test_g_7_the_number_of_cards_in_every_zone_is_public():
    state = after(table(), (2, bribe("8S")))
    seen = look(state, "spectator")
    assert [len(sleeve) for sleeve in seen.sleeves] == [3, 3, 2]
    assert (seen.stock_count, len(seen.middle), seen.loot_counts, seen.lost) == (4, 1, (0, 0, 0), ())


def test_g_3_everybody_sees_all_cards_at_every_version():
    state = after(table(), (2, PlayPocket(0)), (1, PlayPocket(0)), (0, PlayPocket(0)))
    seen = look(state, "everybody")
    assert (seen.pockets, seen.sleeves) == (state.pockets, state.sleeves)
    assert (seen.bank, seen.loot) == (state.bank, state.loot)


def test_the_deal_shows_each_player_the_others_pockets_and_their_own_sleeve():
    [event] = GAME.deal(GAME.initial(Options(), 3), Stacked())
    state = dealt(3)
    seen = shown(event, 1)
    assert seen.pockets == (state.pockets[0], cards("?? ?? ?? ?? ??"), state.pockets[2])
    assert seen.sleeves == (cards("?? ?? ??"), state.sleeves[1], cards("?? ?? ??"))
    assert (set(seen.bank), len(seen.bank)) == ({"??"}, 30)


def test_g_1_the_deal_shows_a_spectator_nothing():
    event = only(GAME.deal(GAME.initial(Options(), 3), Stacked()), CaperDealt)
    seen = shown(event, "spectator")
    assert {card for zone in (*seen.pockets, *seen.sleeves, seen.bank) for card in zone} == {"??"}


def test_refills_do_not_show_the_owner_the_new_cards():
    state = after(table(), (2, bribe("8S")), (1, PlayPocket(0)))
    paid = only(events(state, 0, PlayPocket(0)), InterestPaid)
    assert (paid.pockets, paid.sleeves) == ((cards("2C"), (), cards("3C")), ((), (), cards("4C")))
    assert shown(paid, 0) == replace(
        paid, pockets=(cards("??"), (), cards("3C")), sleeves=((), (), cards("??"))
    )
    assert shown(paid, 2) == replace(paid, pockets=(cards("2C"), (), cards("??")))
    assert shown(paid, "spectator") == InterestPaid((cards("??"), (), cards("??")), ((), (), cards("??")))


def test_db_41_the_owner_receives_nothing_derived_from_their_pocket():
    pictures = set()
    for faces in permutations(("9C", "8C", "5C", "5C")):
        state = situation((" ".join(faces), *POCKETS[1:]), SLEEVES, "2C", hatter=2, exposure_actions=True)
        state = after(state, (2, PlayPocket(0)))
        pictures.add(
            msgspec.json.encode(
                (
                    look(state, 0),
                    GAME.legal_actions(state, 0, 0),
                    GAME.turn(state),
                    GAME.stage(state),
                )
            )
        )
    assert len(pictures) == 1


def test_db_41_the_left_neighbours_actions_are_in_slot_order():
    for faces in ("9C 8C 5C", "5C 8C 9C"):
        state = situation((faces, *POCKETS[1:]), ("", "", ""), hatter=1)
        assert GAME.legal_actions(state, 1, 0) == (PlayPocket(0), PlayPocket(1), PlayPocket(2))


def test_db_41_a_players_own_pocket_can_be_named_by_slot_only():
    legal = GAME.legal_actions(table(), 0, 0)
    assert [action for action in legal if isinstance(action, ExposePocket) and action.owner == 0] == [
        ExposePocket(0, slot) for slot in range(5)
    ]


def test_players_in_a_trick_are_public_until_the_caper_ends():
    state = situation(("KC 7C", "KD 7D", "2H 3H"), SLEEVES, hatter=2)
    state = after(state, (2, PlayPocket(0)), (1, PlayPocket(0)), (0, PlayPocket(0)))
    for viewer in (0, 1, 2, "spectator"):
        seen = look(state, viewer)
        assert (seen.contenders, seen.to_move, seen.leader, seen.bonus) == ((2, 1), 2, 2, 10)
    seen = look(replace(state, stage=Stage.TO_SCORE), 0)
    assert (seen.contenders, seen.to_move, seen.leader) == ((), None, None)


def test_the_middle_is_public():
    state = after(table(), (2, PlayPocket(0)), (1, bribe("7S")))
    pictures = {look(state, viewer).middle for viewer in (0, 1, 2, "spectator", "everybody")}
    assert pictures == {state.middle}
