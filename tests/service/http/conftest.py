"""What the tests of the API share."""

import pytest

from tests.service.http.house import House, open_house


@pytest.fixture
def house() -> House:
    return open_house()


@pytest.fixture
def ada(house):
    return house.person("Ada")


@pytest.fixture
def bob(house):
    return house.person("Bob")


@pytest.fixture
def path(house, ada, bob):
    """A table of the two, dealt."""
    return house.playing(ada, bob)
