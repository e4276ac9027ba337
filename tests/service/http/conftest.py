"""The fixtures of the API's tests."""

import pytest

from tests.service.http.cup import Cup
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


@pytest.fixture
def olga(house):
    return house.person("Olga")


@pytest.fixture
def cy(house):
    return house.person("Cy")


@pytest.fixture
def cup(house, olga):
    return Cup(house, olga)


@pytest.fixture
def running(cup, ada, bob, cy):
    """The cup, started by three people; ranks are 1 Ada, 2 Bob, 3 Cy."""
    return cup.started(ada, bob, cy)
