"""The resources of the API, in the order in which the description shows them."""

from typing import Any, Final

from service.http.resources.administration import AdministrationResource
from service.http.resources.books import BookResource
from service.http.resources.entries import EntryResource
from service.http.resources.forks import ForkResource
from service.http.resources.games import GameResource
from service.http.resources.health import HealthResource
from service.http.resources.imports import ImportResource
from service.http.resources.logs import LogResource
from service.http.resources.me import MeResource
from service.http.resources.organising import OrganiserResource
from service.http.resources.play import PlayResource
from service.http.resources.players import PlayerResource
from service.http.resources.ratings import RatingResource
from service.http.resources.rooms import RoomResource
from service.http.resources.standings import StandingsResource
from service.http.resources.statements import StatementResource
from service.http.resources.stream_tokens import StreamTokenResource
from service.http.resources.tables import TableResource
from service.http.resources.tournament_files import TournamentFileResource
from service.http.resources.tournament_logs import TournamentLogResource
from service.http.resources.tournaments import TournamentResource

RESOURCES: Final[tuple[type[Any], ...]] = (
    PlayerResource,
    StreamTokenResource,
    MeResource,
    GameResource,
    TableResource,
    RoomResource,
    PlayResource,
    LogResource,
    TournamentResource,
    EntryResource,
    OrganiserResource,
    StandingsResource,
    TournamentLogResource,
    TournamentFileResource,
    ForkResource,
    ImportResource,
    BookResource,
    RatingResource,
    StatementResource,
    AdministrationResource,
    HealthResource,
)
