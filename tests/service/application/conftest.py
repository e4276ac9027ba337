"""What the tests of the use cases share."""

import pytest

from tests.service.application.faults import killer


@pytest.fixture
def kill(monkeypatch):
    """Ends this process, as it were, right after so many more writes have reached Redis."""
    return killer(monkeypatch)
