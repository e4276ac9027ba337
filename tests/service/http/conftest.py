"""Fixtures of the API's tests."""

from typing import Any

import pytest

from hoodwink.service.adapters.limits import counters
from hoodwink.service.settings import Settings
from tests.service.http.api import Api, new_api
from tests.service.http.cup import Cup, standing_api


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
    """A dealt table of Ada and Bob."""
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
    """The cup, started with three people ranked 1 Ada, 2 Bob, 3 Cy."""
    return cup.start(ada, bob, cy)


@pytest.fixture
def still(monkeypatch):
    """Stops the clock of the counters; a test can set it."""

    class Clock:
        now = 0.0

    monkeypatch.setattr(counters, "monotonic", lambda: Clock.now)
    monkeypatch.setattr(
        counters.Counters.__init__, "__kwdefaults__", {"clock": lambda: Clock.now, "max_counted": 100}
    )
    return Clock


@pytest.fixture
def api_with(still):
    """Returns a function that creates an API with the given limits only."""

    def make_api(**limits: Any) -> Api:
        return standing_api(Settings(**limits))

    return make_api
