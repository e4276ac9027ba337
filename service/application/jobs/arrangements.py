"""Arrangements of round robins at larger tables: searched once per shape and stored for later tournaments."""

from typing import Protocol

from hoodwink.domain.tournaments.life import Tournament
from hoodwink.domain.tournaments.pairing.round_robin import (
    Arrangement,
    Shape,
    arrangement_of,
    remember,
    remembered,
)
from hoodwink.service.application.jobs.effort import shape_to_arrange


class ArrangementStore(Protocol):
    """Stores arrangements. Every call may raise `StoreUnavailable`."""

    def read(self, shape: Shape) -> Arrangement | None:
        """Returns the arrangement of a shape, or `None`."""
        ...

    def write(self, shape: Shape, arrangement: Arrangement) -> None: ...


class Arrangements:
    """Provides stored arrangements to tournaments that start. Safe to share between threads."""

    def __init__(self, store: ArrangementStore) -> None:
        self._store = store

    def recall(self, tournament: Tournament) -> Shape | None:
        """Returns the shape that has to be arranged before this tournament can start, or `None` if it is known.

        Loads a stored arrangement into this process's memory, where the start finds it.
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
        """Searches for the arrangement that this tournament needs, unless it is known, and stores it."""
        shape = self.recall(tournament)
        # Two processes may search at the same time: chance is fixed for each shape, so both find the same.
        if shape is not None:
            self._store.write(shape, arrangement_of(shape))
