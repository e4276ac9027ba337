"""The phrases of all actions, as hints and reviews show them."""

from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest

from hoodwink.domain.games import GAMES


def actions_of(game: str) -> Any:
    """Returns the module of the game's actions; the examples write cards as plain texts."""
    return import_module(f"hoodwink.domain.games.{game}.actions")


bd, bs, co = actions_of("blind_don"), actions_of("blindside"), actions_of("coconut")
db, sh = actions_of("double_blind"), actions_of("shithead")

NAMES = ("Ada", "Bob", "Cid")

# What the phrases read of a state. Seat 1 speaks.
LEADING: Any = SimpleNamespace(lead=None, face_up=((), ("TH", "9S")))
FOLLOWING: Any = SimpleNamespace(lead=object(), face_up=((), ("TH", "9S")))
DISCARDS: Any = SimpleNamespace(discard_pile=("4D", "9S"))
POCKETS: Any = SimpleNamespace(pockets=(("4D", "9S"), (), ()))

PHRASES: Any = {
    "blind_don": [(LEADING, bd.PlayCard(1), "lead 9S"), (FOLLOWING, bd.PlayCard(0), "follow with TH")],
    "blindside": [
        (None, bs.PassBlindside("9S"), "pass 9S face down"),
        (None, bs.DrawCard("stock"), "draw from the stock"),
        (DISCARDS, bs.DrawCard("discard"), "take 9S from the discard pile"),
        (None, bs.KeepCard("9S"), "keep 9S"),
        (None, bs.DiscardCard("9S"), "discard 9S"),
    ],
    "coconut": [
        (None, co.ChooseFaceUp(("9S", "TH", "JD")), "lay 9S TH JD face up"),
        (None, co.PlayCards(("9S", "9H")), "play 9S 9H"),
        (None, co.FlipCard(1), "turn up the card in slot 2"),
        (None, co.PickUpPile(), "pick up the pile"),
        (None, co.SneakCards(("9S",)), "sneak 9S"),
    ],
    "double_blind": [
        (POCKETS, db.PlayPocket(1), "play 9S from Ada's pocket"),
        (None, db.Bribe("9S"), "bribe with 9S"),
        (None, db.ExposePocket(2, 1), "expose slot 2 of Cid's pocket"),
        (None, db.ExposeSleeve("9S"), "show 9S from the sleeve"),
    ],
    "shithead": [
        (None, sh.SwapCards("9S", "TH"), "exchange 9S for the face-up TH"),
        (None, sh.DeclareReady(), "declare that you are ready"),
        (None, sh.PlayCards(("9S",)), "play 9S"),
        (None, sh.PlayJoker(2), "play a Joker on Cid"),
        (None, sh.FlipBlind(0), "turn up the card in slot 1"),
        (None, sh.PickUp(), "pick up the pile"),
        (None, sh.PickUp("9S"), "pick up the pile with 9S"),
        (None, sh.CounterJoker(0), "counter with a Joker and name Ada"),
        (None, sh.AcceptPile(), "take the pile"),
        (None, sh.BurnPile(("9S",)), "burn the pile with 9S"),
    ],
}


@pytest.mark.parametrize("game", GAMES)
def test_an_action_is_an_instruction(game):
    for state, action, phrase in PHRASES[game]:
        assert GAMES[game].phrase(state, 1, action, NAMES) == phrase


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_action_has_a_phrase(game):
    assert {type(action) for _, action, _ in PHRASES[game]} == set(GAMES[game].actions)
