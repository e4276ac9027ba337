"""The games, by wire name."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from domain.games import blind_don, blindside, coconut, double_blind, shithead
from domain.kernel import Game

GAMES: Mapping[str, Game[Any]] = MappingProxyType(
    {
        game.name: game
        for game in (blindside.GAME, coconut.GAME, blind_don.GAME, double_blind.GAME, shithead.GAME)
    }
)

__all__ = ["GAMES"]
