"""Events as lines for a terminal."""

import pytest

from service.cli.narration import tell


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"seat": 0, "card": "TH", "source": "stock"}, "Ada           card kept  card 10♥  source stock"),
        ({"seat": 0, "card": "JK"}, "Ada           card kept  card Joker"),
        ({"cards": ["??", "??"]}, "card kept  cards 2 hidden"),
        ({"hands": (("9S", "??"), ("AS",))}, "card kept  hands (9♠ ??) (A♠)"),
        ({"drawn": [], "seed": "", "dealer": None, "pile": ()}, "card kept"),
        ({"secretly": False, "position": 0, "count": 1}, "card kept  secretly no  position 0  count 1"),
        ({"pockets": ("9S", None)}, "card kept  pockets 9♠ -"),
        (
            {"uncovered": [{"seat": 1, "position": 0, "card": "6D", "more": None}]},
            "card kept  uncovered (seat 1, position 0, card 6♦)",
        ),
        ({"options": {"five_card": False}}, "card kept  options five card no"),
    ],
)
def test_an_event_is_a_line(fields, told):
    assert tell("blindside.card_kept@2", fields, ["Ada"], by="player:0").plain == told


def test_db_42_what_the_host_entered_in_a_players_name_is_marked():
    fields = {"seat": 0, "owner": 0, "slot": 2}
    line = tell("double_blind.pocket_exposed", fields, ["Ada"], by="host").plain
    assert line == "Ada           pocket exposed  owner 0  slot 2  entered by the host"


def test_what_a_host_does_with_a_table_is_not_entered_for_anybody():
    assert tell("table.started", {}, ["Ada"], by="host").plain == "started"


@pytest.mark.parametrize(("seat", "who"), [(0, "Ada           "), (None, "host          ")])
def test_a_seed_is_a_players_or_the_hosts(seat, who):
    fields = {"seat": seat, "seed": "5eed"}
    assert (
        tell("table.player_seed_revealed", fields, ["Ada"], by="host").plain
        == f"{who}player seed revealed  seed 5eed"
    )
