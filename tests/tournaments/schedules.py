"""Quickly searched schedules of round robins, for tests that do not depend on their quality."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from domain.tournaments.pairing.round_robin import schedule


@contextmanager
def hasty_schedules() -> Iterator[None]:
    """Limits the search for schedules to few steps while the block lasts."""
    with patch.multiple(schedule, _GROUPING=4, _WITHIN=4, _FREE=4):
        yield
