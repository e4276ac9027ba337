"""A plugin of pytest that registers Lantern before the service is imported, as if it had been shipped."""

from hoodwink.domain.games import register
from tests.sixth_game.lantern import GAME


def pytest_configure() -> None:
    register(GAME)
