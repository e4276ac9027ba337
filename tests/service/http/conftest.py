"""The fixtures of the API's tests."""

import pytest

from tests.service.http.api import Api, new_api
from tests.service.http.cup import Cup


@pytest.fixture
def api() -> Api:
    return new_api()


@pytest.fixture
def ada(api):
    return api.person("Ada")


@pytest.fixture
def bob(api):
    return api.person("Bob")


@pytest.fixture
def path(api, ada, bob):
    """A table of the two, dealt."""
    return api.playing(ada, bob)


@pytest.fixture
def olga(api):
    return api.person("Olga")


@pytest.fixture
def cy(api):
    return api.person("Cy")


@pytest.fixture
def cup(api, olga):
    return Cup(api, olga)


@pytest.fixture
def running(cup, ada, bob, cy):
    """The cup, started by three people; ranks are 1 Ada, 2 Bob, 3 Cy."""
    return cup.started(ada, bob, cy)
