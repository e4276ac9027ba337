"""The secrecy law finds every kind of leak, in every game and from every hidden zone."""

import pytest

from domain.games import GAMES
from tests.domain.laws.cards import cards_in
from tests.domain.laws.leaks import LEAKS, cards_of_zone, hidden_zones
from tests.domain.laws.playout import play
from tests.domain.laws.secrecy import Leak, keeps_secrets
from tests.domain.laws.worlds import ViewerRefused

ZONES = [(game, zone) for game in GAMES.values() for zone in hidden_zones(game)]
TABLES = 12


def found(game) -> bool:
    for seed in range(TABLES):
        try:
            keeps_secrets(play(game, seed, most_rounds=1, most_entries=120))
        except (Leak, ViewerRefused):
            return True
    return False


def names_cards(game) -> bool:
    return any(cards_in(action) or "card" in str(action.__struct_fields__) for action in game.actions)


@pytest.mark.parametrize("kind", LEAKS)
@pytest.mark.parametrize(("game", "zone"), ZONES, ids=lambda value: getattr(value, "name", value))
def test_the_law_finds_what_follows_from_hidden_cards(game, zone, kind):
    assert found(LEAKS[kind](game, cards_of_zone(zone)))
