"""What the tests of the API share."""

import pytest

from tests.service.http.house import House, open_house


@pytest.fixture
def house() -> House:
    return open_house()
