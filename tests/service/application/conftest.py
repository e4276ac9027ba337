"""Fixtures for the tests of the use cases."""

import pytest

from tests.service.application.faults import killer


@pytest.fixture
def kill(monkeypatch):
    """Simulates a kill of this process right after a number of further writes to Redis."""
    return killer(monkeypatch)
