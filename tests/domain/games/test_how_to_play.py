"""The rules in prose: a newcomer finds the aim first, every word and option, and an example that the code agrees with."""

import json
import re
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from hoodwink.domain.cards import Card
from hoodwink.domain.games import GAMES
from hoodwink.domain.games.blind_don.rules import card_points, is_beaten
from hoodwink.domain.games.blindside.options import Options as BlindsideOptions
from hoodwink.domain.games.blindside.rules import Contest, compared_value, contest, value_of
from hoodwink.domain.games.double_blind.actions import PlayPocket
from hoodwink.domain.games.double_blind.rules import value_of as hat_value
from hoodwink.domain.kernel import crib_of, terms_of
from tests.domain.games import coconut_table, double_blind_table, shithead_table
from tests.domain.games.double_blind_table import bribe

NUMBERS = ("", "", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
SECTIONS = ("Aim", "In short", "Words", "Cards", "The deal", "The play", "An example", "The end", "Options")

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def options_in(prose: str) -> dict[str, tuple[str, str]]:
    """Returns the default and the meaning of each option in the table of options."""
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*) \|$", prose, re.MULTILINE)
    return {name: (default, meaning) for name, default, meaning in rows}


def values_of(hint: Any) -> tuple[str, ...]:
    """Returns the names among which an option chooses."""
    inner = get_args(hint)[0] if get_args(hint) else hint
    return get_args(inner) if get_origin(inner) is Literal else ()


def section(game: str, title: str) -> str:
    return GAMES[game].rules.partition(f"## {title}\n")[2].partition("\n## ")[0]


def cards(text: str) -> tuple[Card, ...]:
    """Returns cards of a text such as `10♥ J♦`."""
    suits = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}
    return tuple(Card(face[:-1].replace("10", "T") + suits[face[-1]]) for face in text.split())


@every_game
def test_the_aim_comes_first_and_the_options_last(game):
    assert game.rules.startswith(f"# {game.title}\n\n## Aim\n")
    titles = re.findall(r"^## (.*)$", game.rules, re.MULTILINE)
    assert [title for title in titles if title != "The score"] == list(SECTIONS)


@every_game
def test_six_short_lines_help_during_play(game):
    crib = crib_of(game.rules)
    assert len(crib) == 6
    assert crib[0].startswith("**Aim**: ")
    assert max(map(len, crib)) <= 180


@every_game
def test_terms_and_their_meanings_are_short(game):
    terms = terms_of(game.rules)
    assert terms
    assert len(section(game.name, "Words").split("- **")) == len(terms) + 1
    assert max(map(len, terms)) <= 20
    assert max(map(len, terms.values())) <= 120


@every_game
def test_the_number_of_players_is_named(game):
    fewest, most = game.seats
    players = "exactly two" if fewest == most else f"{NUMBERS[fewest]} to {NUMBERS[most]}"
    assert f"{players} players" in section(game.name, "Aim").lower()


@every_game
def test_every_option_is_explained_with_its_default(game):
    told = options_in(game.rules)
    assert list(told) == list(game.options.__struct_fields__)
    for name, default in zip(told, game.options.__struct_defaults__, strict=True):
        said = told[name][0]
        assert (
            said == f"`{json.dumps(default)}`" if default is not None else said.isascii() and "`" not in said
        )


@every_game
def test_every_value_of_an_option_is_explained(game):
    hints = get_type_hints(game.options, include_extras=True)
    for name, (default, meaning) in options_in(game.rules).items():
        for value in values_of(hints[name]):
            assert f'`"{value}"`' in default + meaning, (name, value)
            assert f'`"{value}"`' in meaning, (name, value)
        if default in ("`true`", "`false`"):
            assert f"`{json.dumps(default == '`false`')}`: " in meaning, name


@every_game
def test_names_in_backticks_are_options(game):
    """`bot_delay` is a setting of the table."""
    named = set(re.findall(r"`([a-z_]+)`", game.rules)) - {"true", "false", "bot_delay"}
    assert named == set(game.options.__struct_fields__)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("blindside", "Stock,Discard pile,Blindside Card,Keeper Pile,BLINDSIDED"),
        ("blind_don", "Trick,Lead,Follow suit,Trump,Row,The eight"),
        ("coconut", "Pile,Stock,To lead,Wild card,To clear,To sneak"),
        (
            "double_blind",
            (
                "Caper,Mastermind,Target,Pocket,Sleeve,Stash,Credit,Bribe,Bank,Hat,Madd Hatter,Trick,Interest,Loot bag,"
                "Joker,Queen's Fool,One-Eyed King"
            ),
        ),
        ("shithead", "Pile,Stock,Blind cards,To lead,Power card,To burn"),
    ],
)
def test_the_words_of_the_game_are_explained_before_they_are_needed(game, words):
    assert re.findall(r"^- \*\*(.*?)\*\*: ", section(game, "Words"), re.MULTILINE) == words.split(",")


@pytest.mark.parametrize(
    ("game", "rounds"),
    [
        ("blindside", "as many rounds as players"),
        ("blind_don", "After four rounds"),
        ("coconut", "plays three rounds"),
        ("double_blind", "1,000 points"),
        ("shithead", "plays one round"),
    ],
)
def test_the_end_gives_the_length_and_the_deal_the_dealer(game, rounds):
    assert rounds in section(game, "The end")
    assert re.search(r"first", section(game, "The deal"))


def test_bs_8_the_example_of_blindside_is_true():
    text = section("blindside", "An example")
    rows = re.findall(r"^\| [A-D] \| (\S+) \((\d+)\) \| (.*) \((\d+)\) \| (\d+) \|$", text, re.MULTILINE)
    options = BlindsideOptions()
    for card, value, pile, kept, total in rows:
        assert compared_value(cards(card)[0], options) == int(value)
        assert sum(map(value_of, cards(pile))) == int(kept) == int(total) - int(value)
    assert contest(tuple(int(row[1]) for row in rows)) == Contest(2, (0, 1))
    assert contest(tuple(int(row[4]) for row in rows)) == Contest(1, (0, 2))


def test_bd_11_the_example_of_blind_don_is_true():
    nine, jack, five, club, deuce = cards("9♥ J♥ 5♥ 5♣ 2♥")
    assert not is_beaten(nine, five, "H")
    assert card_points(nine, "H") + card_points(five, "H") == 19
    assert is_beaten(nine, jack, "H")
    assert (card_points(nine, "H"), card_points(jack, "H")) == (9, 1)
    assert is_beaten(club, deuce, "H")
    assert card_points(club, "H") + card_points(deuce, "H") == 5


def test_co_17_the_example_of_coconut_is_true():
    table = coconut_table
    state = table.table("8S 8D 3C", "JC QC KC", "8H 8C 4S", "5C 6C 7C", pile="6D", stock="9S 9D 9H 9C 3D")
    laid = table.after(state, (0, table.play("8S 8D")))
    assert (laid.to_move, len(laid.hands[0])) == (1, 3)
    sneaked = table.after(laid, (2, table.sneak("8H 8C")))
    assert (sneaked.to_move, sneaked.pile) == (2, ())
    assert table.after(sneaked, (2, table.play("4S"))).to_move == 3


def test_db_11_the_example_of_the_double_blind_is_true():
    table = double_blind_table
    state = table.situation(["KD 2D", "7C 3D", "QS 4D"], ["2S", "JK", "KH"], bank="2C 3C")
    tied = table.after(state, (0, PlayPocket(0)), (2, bribe("KH")), (1, PlayPocket(0)))
    assert (tied.contenders, tied.bonus) == ((2, 1), 10)
    taken = table.after(tied, (2, PlayPocket(0)), (1, bribe("JK")))
    assert (sum(map(hat_value, taken.loot[1])), taken.loot_bonus[1]) == (60, 10)


def test_sh_23_the_example_of_shithead_is_true():
    table = shithead_table
    state = table.table(
        "7C 5D 5S 9C", "9H JH 3S KH", "6C 6D 6H", "5C 5H QS", pile="4D", stock="4C 4S 4H AD AH AS AC"
    )
    skipped = table.after(state, (0, table.play("7C")), (1, table.play("3S")))
    assert skipped.to_move == 3
    fives = table.after(skipped, (3, table.play("5C 5H")))
    assert (fives.to_move, fives.direction) == (0, 1)
    burned = table.after(fives, (0, table.play("5D 5S")))
    assert (burned.to_move, burned.pile) == (0, ())
