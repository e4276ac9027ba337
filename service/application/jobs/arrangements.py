"""The arrangements of round robins at larger tables: found once for each shape, and stored for later tournaments."""

from typing import Protocol

from hoodwink.domain.tournaments.life import Tournament
from hoodwink.domain.tournaments.life.effort import shape_to_arrange
from hoodwink.domain.tournaments.pairing.round_robin import (
    Arrangement,
    Shape,
    arrangement_of,
    remember,
    remembered,
)


class ArrangementStore(Protocol):
    """Stores arrangements. Every call may raise `StoreUnavailable`."""

    def read(self, shape: Shape) -> Arrangement | None:
        """Returns the arrangement of a shape, or `None`."""
        ...

    def write(self, shape: Shape, arrangement: Arrangement) -> None: ...


class Arrangements:
    """Gives starts of tournaments the arrangements that were found before. Safe to share between threads."""

    def __init__(self, store: ArrangementStore) -> None:
        self._store = store

    def recall(self, tournament: Tournament) -> Shape | None:
        """Returns the shape that has to be searched for before this tournament can start, or `None`.

        A stored arrangement is remembered by this process, so that the start finds it.
        """
        shape = shape_to_arrange(tournament)
        if shape is None or remembered(shape) is not None:
            return None
        stored = self._store.read(shape)
        if stored is None:
            return shape
        remember(shape, stored)
        return None

    def find(self, tournament: Tournament) -> None:
        """Searches for the arrangement that this tournament needs to start, unless it is known, and stores it."""
        shape = self.recall(tournament)
        if shape is not None:
            self._store.write(shape, arrangement_of(shape))
