"""Fixtures for the tests of a tournament's life."""

from collections.abc import Iterator

import pytest

from tests.tournaments.schedules import hasty_schedules


@pytest.fixture(autouse=True)
def _hasty_schedules() -> Iterator[None]:
    with hasty_schedules():
        yield
