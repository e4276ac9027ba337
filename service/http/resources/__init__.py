"""The resources of the API, in the order in which the description shows them."""

from typing import Any, Final

from hoodwink.service.http.resources.about.games import GameResource
from hoodwink.service.http.resources.about.health import HealthResource
from hoodwink.service.http.resources.about.jobs import JobResource
from hoodwink.service.http.resources.administration import AdministrationResource
from hoodwink.service.http.resources.officials.contact import ContactResource
from hoodwink.service.http.resources.officials.desk import DeskResource
from hoodwink.service.http.resources.officials.invitations import InvitationResource
from hoodwink.service.http.resources.officials.officials import OfficialResource
from hoodwink.service.http.resources.officials.organising import OrganiserResource
from hoodwink.service.http.resources.officials.reversals import ReversalResource
from hoodwink.service.http.resources.officials.rulings import RulingResource
from hoodwink.service.http.resources.officials.substitutions import SubstitutionResource
from hoodwink.service.http.resources.officials.webhooks import WebhookResource
from hoodwink.service.http.resources.players.blocks import BlockResource
from hoodwink.service.http.resources.players.books import BookResource
from hoodwink.service.http.resources.players.bots import BotResource
from hoodwink.service.http.resources.players.me import MeResource
from hoodwink.service.http.resources.players.passkeys import PasskeyResource
from hoodwink.service.http.resources.players.players import PlayerResource
from hoodwink.service.http.resources.players.pushes import PushResource
from hoodwink.service.http.resources.players.ratings import RatingResource
from hoodwink.service.http.resources.players.sessions import SessionResource
from hoodwink.service.http.resources.players.sign_ins import SignInResource
from hoodwink.service.http.resources.players.statements import StatementResource
from hoodwink.service.http.resources.players.stream_tokens import StreamTokenResource
from hoodwink.service.http.resources.tables.advice import AdviceResource
from hoodwink.service.http.resources.tables.forks import ForkResource
from hoodwink.service.http.resources.tables.imports import ImportResource
from hoodwink.service.http.resources.tables.logs import LogResource
from hoodwink.service.http.resources.tables.offers import OfferResource
from hoodwink.service.http.resources.tables.play import PlayResource
from hoodwink.service.http.resources.tables.rooms import RoomResource
from hoodwink.service.http.resources.tables.tables import TableResource
from hoodwink.service.http.resources.tournaments.applicants import ApplicantResource
from hoodwink.service.http.resources.tournaments.calendars import CalendarResource
from hoodwink.service.http.resources.tournaments.deals import DealResource
from hoodwink.service.http.resources.tournaments.entries import EntryResource
from hoodwink.service.http.resources.tournaments.entry_offers import EntryOfferResource
from hoodwink.service.http.resources.tournaments.files import TournamentFileResource
from hoodwink.service.http.resources.tournaments.logs import TournamentLogResource
from hoodwink.service.http.resources.tournaments.seasons import SeasonResource
from hoodwink.service.http.resources.tournaments.series import SeriesResource
from hoodwink.service.http.resources.tournaments.standings import StandingsResource
from hoodwink.service.http.resources.tournaments.teams import TeamResource
from hoodwink.service.http.resources.tournaments.tournaments import TournamentResource

RESOURCES: Final[tuple[type[Any], ...]] = (
    PlayerResource,
    BlockResource,
    SessionResource,
    SignInResource,
    PasskeyResource,
    StreamTokenResource,
    PushResource,
    MeResource,
    GameResource,
    TableResource,
    RoomResource,
    OfferResource,
    BotResource,
    PlayResource,
    LogResource,
    AdviceResource,
    TournamentResource,
    EntryResource,
    InvitationResource,
    ApplicantResource,
    EntryOfferResource,
    TeamResource,
    OrganiserResource,
    DeskResource,
    OfficialResource,
    RulingResource,
    ReversalResource,
    SubstitutionResource,
    ContactResource,
    StandingsResource,
    DealResource,
    TournamentLogResource,
    TournamentFileResource,
    CalendarResource,
    WebhookResource,
    SeriesResource,
    SeasonResource,
    ForkResource,
    ImportResource,
    JobResource,
    BookResource,
    RatingResource,
    StatementResource,
    AdministrationResource,
    HealthResource,
)
