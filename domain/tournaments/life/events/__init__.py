"""The events of a tournament."""

from typing import TypeAlias, TypeGuard, get_args

from hoodwink.domain.kernel import Event
from hoodwink.domain.tournaments.life.events.admission import AdmissionChosen as AdmissionChosen
from hoodwink.domain.tournaments.life.events.admission import EntriesOffered as EntriesOffered
from hoodwink.domain.tournaments.life.events.admission import EntryAccepted as EntryAccepted
from hoodwink.domain.tournaments.life.events.admission import EntryDeclined as EntryDeclined
from hoodwink.domain.tournaments.life.events.admission import EntryRequested as EntryRequested
from hoodwink.domain.tournaments.life.events.admission import InvitationReplaced as InvitationReplaced
from hoodwink.domain.tournaments.life.events.admission import OfferDeclined as OfferDeclined
from hoodwink.domain.tournaments.life.events.admission import OffersWithdrawn as OffersWithdrawn
from hoodwink.domain.tournaments.life.events.admission import RequestWithdrawn as RequestWithdrawn
from hoodwink.domain.tournaments.life.events.arena import ArenaChosen as ArenaChosen
from hoodwink.domain.tournaments.life.events.arena import BellRung as BellRung
from hoodwink.domain.tournaments.life.events.arena import OvertimeEnded as OvertimeEnded
from hoodwink.domain.tournaments.life.events.base import Seats as Seats
from hoodwink.domain.tournaments.life.events.base import TournamentEventBase as TournamentEventBase
from hoodwink.domain.tournaments.life.events.contact import Announced as Announced
from hoodwink.domain.tournaments.life.events.contact import Described as Described
from hoodwink.domain.tournaments.life.events.deals import DealReleased as DealReleased
from hoodwink.domain.tournaments.life.events.deals import DealsChosen as DealsChosen
from hoodwink.domain.tournaments.life.events.deals import DuplicateChosen as DuplicateChosen
from hoodwink.domain.tournaments.life.events.deals import TableSealed as TableSealed
from hoodwink.domain.tournaments.life.events.entrants import ByeAssigned as ByeAssigned
from hoodwink.domain.tournaments.life.events.entrants import ByeRequested as ByeRequested
from hoodwink.domain.tournaments.life.events.entrants import CheckedIn as CheckedIn
from hoodwink.domain.tournaments.life.events.entrants import CheckInOpened as CheckInOpened
from hoodwink.domain.tournaments.life.events.entrants import Entered as Entered
from hoodwink.domain.tournaments.life.events.entrants import EntrantExpelled as EntrantExpelled
from hoodwink.domain.tournaments.life.events.entrants import EntrantSeedRevealed as EntrantSeedRevealed
from hoodwink.domain.tournaments.life.events.entrants import EntrantSeedsMissed as EntrantSeedsMissed
from hoodwink.domain.tournaments.life.events.entrants import EntrantsOrdered as EntrantsOrdered
from hoodwink.domain.tournaments.life.events.entrants import EntrantWithdrew as EntrantWithdrew
from hoodwink.domain.tournaments.life.events.entrants import SaidAbsent as SaidAbsent
from hoodwink.domain.tournaments.life.events.entrants import SeedsCalled as SeedsCalled
from hoodwink.domain.tournaments.life.events.phases import ClocksMoved as ClocksMoved
from hoodwink.domain.tournaments.life.events.phases import RegistrationOpened as RegistrationOpened
from hoodwink.domain.tournaments.life.events.phases import SeedRevealed as SeedRevealed
from hoodwink.domain.tournaments.life.events.phases import SeriesJoined as SeriesJoined
from hoodwink.domain.tournaments.life.events.phases import SittingRescheduled as SittingRescheduled
from hoodwink.domain.tournaments.life.events.phases import TiebreaksChanged as TiebreaksChanged
from hoodwink.domain.tournaments.life.events.phases import TournamentCancelled as TournamentCancelled
from hoodwink.domain.tournaments.life.events.phases import TournamentFinished as TournamentFinished
from hoodwink.domain.tournaments.life.events.phases import TournamentOpened as TournamentOpened
from hoodwink.domain.tournaments.life.events.phases import TournamentPaused as TournamentPaused
from hoodwink.domain.tournaments.life.events.phases import TournamentResumed as TournamentResumed
from hoodwink.domain.tournaments.life.events.phases import TournamentStarted as TournamentStarted
from hoodwink.domain.tournaments.life.events.rounds import DealAdded as DealAdded
from hoodwink.domain.tournaments.life.events.rounds import PairingChanged as PairingChanged
from hoodwink.domain.tournaments.life.events.rounds import PairingDropped as PairingDropped
from hoodwink.domain.tournaments.life.events.rounds import RoundCompleted as RoundCompleted
from hoodwink.domain.tournaments.life.events.rounds import RoundOpened as RoundOpened
from hoodwink.domain.tournaments.life.events.rounds import RoundStarted as RoundStarted
from hoodwink.domain.tournaments.life.events.rounds import SeatGivenUp as SeatGivenUp
from hoodwink.domain.tournaments.life.events.rounds import TableReported as TableReported
from hoodwink.domain.tournaments.life.events.rounds import TablesOpened as TablesOpened
from hoodwink.domain.tournaments.life.events.rounds import TableVoided as TableVoided
from hoodwink.domain.tournaments.life.events.rounds import VoidScored as VoidScored
from hoodwink.domain.tournaments.life.events.rulings import ArbiterNamed as ArbiterNamed
from hoodwink.domain.tournaments.life.events.rulings import ArbiterRemoved as ArbiterRemoved
from hoodwink.domain.tournaments.life.events.rulings import CoOrganiserNamed as CoOrganiserNamed
from hoodwink.domain.tournaments.life.events.rulings import CoOrganiserRemoved as CoOrganiserRemoved
from hoodwink.domain.tournaments.life.events.rulings import EntrantWithdrawn as EntrantWithdrawn
from hoodwink.domain.tournaments.life.events.rulings import MarkedAbsent as MarkedAbsent
from hoodwink.domain.tournaments.life.events.rulings import ResultRuled as ResultRuled
from hoodwink.domain.tournaments.life.events.rulings import RoundsAdded as RoundsAdded
from hoodwink.domain.tournaments.life.events.rulings import RulingReversed as RulingReversed
from hoodwink.domain.tournaments.life.events.rulings import TableStopped as TableStopped
from hoodwink.domain.tournaments.life.events.substitutions import AbsenceReversed as AbsenceReversed
from hoodwink.domain.tournaments.life.events.substitutions import AddedRoundsReversed as AddedRoundsReversed
from hoodwink.domain.tournaments.life.events.substitutions import EntrantSubstituted as EntrantSubstituted
from hoodwink.domain.tournaments.life.events.substitutions import PlaceDeclined as PlaceDeclined
from hoodwink.domain.tournaments.life.events.substitutions import PlaceOffered as PlaceOffered
from hoodwink.domain.tournaments.life.events.substitutions import SubstitutionReversed as SubstitutionReversed
from hoodwink.domain.tournaments.life.events.substitutions import WithdrawalReversed as WithdrawalReversed
from hoodwink.domain.tournaments.life.events.teams import TeamChosen as TeamChosen
from hoodwink.domain.tournaments.life.events.teams import TeamCodeReplaced as TeamCodeReplaced
from hoodwink.domain.tournaments.life.events.teams import TeamsChosen as TeamsChosen

RoundEvent: TypeAlias = (
    RoundOpened
    | PairingChanged
    | PairingDropped
    | RoundStarted
    | TablesOpened
    | SeatGivenUp
    | TableSealed
    | DealReleased
    | TableReported
    | DealAdded
    | RoundCompleted
    | TableVoided
    | VoidScored
    | TableStopped
    | ResultRuled
    | RulingReversed
)
"""The events of rounds: pairing, tables, results."""

SettingsEvent: TypeAlias = (
    DuplicateChosen | DealsChosen | AdmissionChosen | ArenaChosen | TeamsChosen | SeriesJoined
)
"""The events of an opening that record settings which not every tournament has."""

FieldEvent: TypeAlias = (
    Entered
    | EntrantWithdrew
    | EntrantExpelled
    | EntrantsOrdered
    | EntrantWithdrawn
    | AbsenceReversed
    | WithdrawalReversed
)
"""The events that change who plays, and in which order."""

EntrantEvent: TypeAlias = (
    CheckedIn | SaidAbsent | MarkedAbsent | ByeRequested | ByeAssigned | EntrantSeedRevealed | TeamChosen
)
"""The events that change one entrant."""

RequestEvent: TypeAlias = EntryRequested | EntryAccepted | EntryDeclined | RequestWithdrawn
"""The events about players who ask to enter (T-26)."""

PlaceEvent: TypeAlias = PlaceOffered | PlaceDeclined | EntrantSubstituted | SubstitutionReversed
"""The events about who holds the place of an entrant (T-19)."""

OfferEvent: TypeAlias = EntriesOffered | OffersWithdrawn | OfferDeclined
"""The events about players to whom an entry is offered (T-28)."""

OfficialEvent: TypeAlias = ArbiterNamed | ArbiterRemoved | CoOrganiserNamed | CoOrganiserRemoved
"""The events about who is an official (T-23, T-50)."""

PlanEvent: TypeAlias = RoundsAdded | AddedRoundsReversed | TiebreaksChanged | SittingRescheduled
"""The events that change the plan of a tournament after its opening."""

PhaseEvent: TypeAlias = (
    RegistrationOpened
    | TournamentStarted
    | TournamentPaused
    | TournamentResumed
    | ClocksMoved
    | BellRung
    | OvertimeEnded
    | TournamentFinished
    | TournamentCancelled
    | SeedRevealed
)
"""The events that begin and end phases and clocks."""

TournamentEvent: TypeAlias = (
    TournamentOpened
    | SettingsEvent
    | PhaseEvent
    | PlanEvent
    | InvitationReplaced
    | TeamCodeReplaced
    | RequestEvent
    | OfferEvent
    | FieldEvent
    | EntrantEvent
    | CheckInOpened
    | SeedsCalled
    | EntrantSeedsMissed
    | RoundEvent
    | OfficialEvent
    | PlaceEvent
    | Described
    | Announced
)

TOURNAMENT_EVENTS: tuple[type[TournamentEvent], ...] = get_args(TournamentEvent)


def is_of_tournament(event: Event) -> TypeGuard[TournamentEvent]:
    return isinstance(event, TournamentEventBase)
