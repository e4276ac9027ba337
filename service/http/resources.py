"""Everything that the API can do, in the order in which the description shows it."""

from typing import Any, Final

from service.http.books import BookResource
from service.http.games import GameResource
from service.http.house import HouseResource
from service.http.logs import LogResource
from service.http.play import PlayResource
from service.http.players import PlayerResource
from service.http.tables import TableResource

RESOURCES: Final[tuple[type[Any], ...]] = (
    PlayerResource,
    GameResource,
    TableResource,
    PlayResource,
    LogResource,
    BookResource,
    HouseResource,
)
