"""The current names of some players."""

from collections.abc import Mapping

from hoodwink.domain.kernel import Names
from hoodwink.domain.players import Player


class PlayerNames:
    """Maps ids of players to their current names."""

    __slots__ = ("_erased_texts", "_otherwise", "_players")

    def __init__(self, players: Mapping[str, Player], otherwise: Names, *, erased_texts: int = 0) -> None:
        self._players = players
        self._otherwise = otherwise
        self._erased_texts = erased_texts

    def __call__(self, player_id: str) -> str:
        player = self._players.get(player_id)
        return self._otherwise(player_id) if player is None else player.name

    def is_bot(self, player_id: str) -> bool:
        """Returns whether the player is one of these and a bot that somebody owns."""
        player = self._players.get(player_id)
        return player is not None and player.owner is not None

    @property
    def changes(self) -> int:
        """The number of times that these players' names, or the texts next to them, were changed or erased."""
        return sum([player.name_changes for player in self._players.values()], self._erased_texts)

    def after_erasing(self, texts: int) -> "PlayerNames":
        """Returns the names for an answer in which as many other texts were erased."""
        return PlayerNames(self._players, self._otherwise, erased_texts=texts)
