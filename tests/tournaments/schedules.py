"""Schedules of round robins that are found in a moment, for tests of everything but their quality."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from domain.tournaments.pairing.round_robin import schedule


@contextmanager
def hasty_schedules() -> Iterator[None]:
    """Lets schedules be searched in few steps while the block lasts."""
    with patch.multiple(schedule, _COMPANY=4, _WITHIN=4, _FREE=4):
        yield
