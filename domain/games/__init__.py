"""The games. This module is the only place that names them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from hoodwink.domain.games import blind_don, blindside, coconut, double_blind, shithead
from hoodwink.domain.kernel import Game

_games: dict[str, Game[Any]] = {}

GAMES: Mapping[str, Game[Any]] = MappingProxyType(_games)
"""The games by wire name, in the order in which they are listed to players."""


def register(game: Game[Any]) -> None:
    """Adds a game to the list.

    Modules with codecs, forms and the API's description read the list when they are imported. So an external game must be
    registered before `hoodwink.domain.tables` or `hoodwink.service` is imported.
    """
    assert game.name not in _games, f"two games are called {game.name}"
    _games[game.name] = game


for _game in (blindside.GAME, coconut.GAME, blind_don.GAME, double_blind.GAME, shithead.GAME):
    register(_game)

__all__ = ["GAMES", "register"]
