"""Quickly searched schedules of round robins, for tests that do not depend on their quality."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from msgspec.structs import replace

from hoodwink.domain.tournaments.pairing.round_robin import arranging, shapes


@contextmanager
def hasty_schedules() -> Iterator[None]:
    """Limits the search for schedules to a few steps during the block."""
    climb = replace(arranging._CLIMB, steps=4)
    hasty = patch.multiple(arranging, _GROUPING=4, _WITHIN=4, _FREE=4, _CLIMB=climb)
    with hasty, patch.dict(shapes._remembered, clear=True):
        yield
