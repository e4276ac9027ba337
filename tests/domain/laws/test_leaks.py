"""The secrecy law finds every kind of leak, in every game and from every hidden zone."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from hoodwink.domain.games import GAMES
from hoodwink.domain.games.double_blind.events import PocketPlayed
from hoodwink.domain.games.double_blind.rules import value_of
from hoodwink.domain.kernel import Event, Game
from tests.domain.laws.cards import cards_in
from tests.domain.laws.leaks import LEAKS, cards_of_zone, hidden_zones, with_more
from tests.domain.laws.playout import play
from tests.domain.laws.secrecy import keeps_secrets
from tests.domain.laws.universe import build_universe
from tests.domain.laws.worlds import Leak

TABLES = 12


def is_found(game: Game[Any]) -> bool:
    """Returns whether the law finds the leak in one of a few tables played with it."""
    for seed in range(TABLES):
        try:
            keeps_secrets(play(game, seed, max_rounds=1, max_entries=120))
        except Leak:
            return True
    return False


def leaks_of(game: Game[Any]) -> Iterator[tuple[str, str]]:
    """Yields zone and kind of every leak that the game can have."""
    dealt = play(game, 0, max_entries=2).entries[-1].state
    names_cards = any(map(cards_in, build_universe(game, (), Random(0))))
    for zone in hidden_zones(game):
        for kind in LEAKS:
            if (kind != "a flag from the deal" or cards_of_zone(zone)(dealt)) and (
                kind != "an error by the card named" or names_cards
            ):
                yield zone, kind


@pytest.mark.parametrize("is_thorough", [False, pytest.param(True, marks=pytest.mark.campaign)])
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_g_1_a_value_derived_from_hidden_cards_is_found(game, is_thorough):
    zones, kinds = hidden_zones(game), [*LEAKS]
    for zone, kind in leaks_of(game):
        # Half of the pairs, as on a chessboard, name each zone and each kind.
        if is_thorough or (zones.index(zone) + kinds.index(kind)) % 2 == 0:
            assert is_found(LEAKS[kind](game, cards_of_zone(zone))), (zone, kind)


def test_g_1_a_leak_of_the_highest_pocket_card_is_found():
    game = GAMES["double_blind"]

    def decide(state: Any, seat: int, action: Any, now: int) -> tuple[Event, ...]:
        first, *rest = game.decide(state, seat, action, now)
        if not isinstance(first, PocketPlayed):
            return (first, *rest)
        highest = max(value_of(card) for card in state.pockets[seat - 1] if card)
        return (with_more(first, value_of(first.card) == highest), *rest)

    assert is_found(replace(game, decide=decide))
