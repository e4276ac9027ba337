"""Quick searches for the schedules and seats of tournaments, for tests that do not depend on their quality."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from msgspec.structs import replace

from hoodwink.domain.tournaments.pairing import seating
from hoodwink.domain.tournaments.pairing.round_robin import arranging, shapes
from hoodwink.domain.tournaments.pairing.seating import local, settle


@contextmanager
def hasty_schedules() -> Iterator[None]:
    """Limits the search for schedules to a few steps during the block."""
    climb = replace(arranging._CLIMB, steps=4)
    hasty = patch.multiple(arranging, _GROUPING=4, _WITHIN=4, _FREE=4, _CLIMB=climb)
    with hasty, patch.dict(shapes._remembered, clear=True):
        yield


@contextmanager
def hasty_seats() -> Iterator[None]:
    """Limits the search for the seats of more than twelve entrants to a few steps during the block."""
    with (
        patch.object(seating, "_MAX_EXACT_SEATS", 0),
        patch.multiple(local, _SEPARATING=4_000, _POLISHING=2_000),
        patch.multiple(settle, _SWAPS=1_000, _ORDERS=2_000),
    ):
        yield
