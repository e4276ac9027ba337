"""Fixtures of the application's tests."""

import pytest

from tests.service.application.faults import killer


@pytest.fixture
def kill(monkeypatch):
    """Returns a function that simulates a kill of this process after a number of further writes to Redis."""
    return killer(monkeypatch)
