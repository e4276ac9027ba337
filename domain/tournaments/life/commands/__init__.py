"""The commands of a tournament. The caller checks who may give them."""

from typing import TypeAlias

from hoodwink.domain.tournaments.life.commands.entrants import AcceptEntry as AcceptEntry
from hoodwink.domain.tournaments.life.commands.entrants import AssignBye as AssignBye
from hoodwink.domain.tournaments.life.commands.entrants import CheckIn as CheckIn
from hoodwink.domain.tournaments.life.commands.entrants import ChooseTeam as ChooseTeam
from hoodwink.domain.tournaments.life.commands.entrants import DeclineEntry as DeclineEntry
from hoodwink.domain.tournaments.life.commands.entrants import DeclineOffer as DeclineOffer
from hoodwink.domain.tournaments.life.commands.entrants import Enter as Enter
from hoodwink.domain.tournaments.life.commands.entrants import Expel as Expel
from hoodwink.domain.tournaments.life.commands.entrants import MissSeeds as MissSeeds
from hoodwink.domain.tournaments.life.commands.entrants import OfferEntries as OfferEntries
from hoodwink.domain.tournaments.life.commands.entrants import OpenCheckIn as OpenCheckIn
from hoodwink.domain.tournaments.life.commands.entrants import OrderEntrants as OrderEntrants
from hoodwink.domain.tournaments.life.commands.entrants import ReplaceTeamCode as ReplaceTeamCode
from hoodwink.domain.tournaments.life.commands.entrants import RequestBye as RequestBye
from hoodwink.domain.tournaments.life.commands.entrants import RevealEntrantSeed as RevealEntrantSeed
from hoodwink.domain.tournaments.life.commands.entrants import SayAbsent as SayAbsent
from hoodwink.domain.tournaments.life.commands.entrants import Withdraw as Withdraw
from hoodwink.domain.tournaments.life.commands.entrants import WithdrawOffers as WithdrawOffers
from hoodwink.domain.tournaments.life.commands.officials import AddRounds as AddRounds
from hoodwink.domain.tournaments.life.commands.officials import Announce as Announce
from hoodwink.domain.tournaments.life.commands.officials import DeclinePlace as DeclinePlace
from hoodwink.domain.tournaments.life.commands.officials import Describe as Describe
from hoodwink.domain.tournaments.life.commands.officials import MarkAbsent as MarkAbsent
from hoodwink.domain.tournaments.life.commands.officials import NameArbiter as NameArbiter
from hoodwink.domain.tournaments.life.commands.officials import NameCoOrganiser as NameCoOrganiser
from hoodwink.domain.tournaments.life.commands.officials import OfferPlace as OfferPlace
from hoodwink.domain.tournaments.life.commands.officials import RemoveArbiter as RemoveArbiter
from hoodwink.domain.tournaments.life.commands.officials import RemoveCoOrganiser as RemoveCoOrganiser
from hoodwink.domain.tournaments.life.commands.officials import ReverseAbsence as ReverseAbsence
from hoodwink.domain.tournaments.life.commands.officials import ReverseAddedRounds as ReverseAddedRounds
from hoodwink.domain.tournaments.life.commands.officials import ReverseRuling as ReverseRuling
from hoodwink.domain.tournaments.life.commands.officials import ReverseSubstitution as ReverseSubstitution
from hoodwink.domain.tournaments.life.commands.officials import ReverseWithdrawal as ReverseWithdrawal
from hoodwink.domain.tournaments.life.commands.officials import RuleResult as RuleResult
from hoodwink.domain.tournaments.life.commands.officials import StopTable as StopTable
from hoodwink.domain.tournaments.life.commands.officials import TakePlace as TakePlace
from hoodwink.domain.tournaments.life.commands.officials import WithdrawEntrant as WithdrawEntrant
from hoodwink.domain.tournaments.life.commands.phases import Cancel as Cancel
from hoodwink.domain.tournaments.life.commands.phases import ChangeTiebreaks as ChangeTiebreaks
from hoodwink.domain.tournaments.life.commands.phases import EndOvertime as EndOvertime
from hoodwink.domain.tournaments.life.commands.phases import Finish as Finish
from hoodwink.domain.tournaments.life.commands.phases import MoveClocks as MoveClocks
from hoodwink.domain.tournaments.life.commands.phases import OpenRegistration as OpenRegistration
from hoodwink.domain.tournaments.life.commands.phases import OpenTournament as OpenTournament
from hoodwink.domain.tournaments.life.commands.phases import Pause as Pause
from hoodwink.domain.tournaments.life.commands.phases import ReplaceInvitation as ReplaceInvitation
from hoodwink.domain.tournaments.life.commands.phases import Reschedule as Reschedule
from hoodwink.domain.tournaments.life.commands.phases import Resume as Resume
from hoodwink.domain.tournaments.life.commands.phases import RingBell as RingBell
from hoodwink.domain.tournaments.life.commands.phases import StartOnTime as StartOnTime
from hoodwink.domain.tournaments.life.commands.phases import StartTournament as StartTournament
from hoodwink.domain.tournaments.life.commands.rounds import ChangePairing as ChangePairing
from hoodwink.domain.tournaments.life.commands.rounds import ConfirmGivenUp as ConfirmGivenUp
from hoodwink.domain.tournaments.life.commands.rounds import ConfirmTables as ConfirmTables
from hoodwink.domain.tournaments.life.commands.rounds import OpenRound as OpenRound
from hoodwink.domain.tournaments.life.commands.rounds import ReportTable as ReportTable
from hoodwink.domain.tournaments.life.commands.rounds import ScoreVoid as ScoreVoid
from hoodwink.domain.tournaments.life.commands.rounds import SealTable as SealTable
from hoodwink.domain.tournaments.life.commands.rounds import StartRound as StartRound
from hoodwink.domain.tournaments.life.commands.rounds import VoidTable as VoidTable

TournamentCommand: TypeAlias = (
    OpenTournament
    | OpenRegistration
    | Enter
    | Withdraw
    | Expel
    | OrderEntrants
    | AcceptEntry
    | DeclineEntry
    | ReplaceInvitation
    | OfferEntries
    | WithdrawOffers
    | DeclineOffer
    | ChooseTeam
    | ReplaceTeamCode
    | StartTournament
    | StartOnTime
    | OpenCheckIn
    | CheckIn
    | SayAbsent
    | RevealEntrantSeed
    | MissSeeds
    | RequestBye
    | AssignBye
    | OpenRound
    | ChangePairing
    | StartRound
    | ConfirmTables
    | ConfirmGivenUp
    | SealTable
    | ReportTable
    | VoidTable
    | ScoreVoid
    | NameArbiter
    | RemoveArbiter
    | NameCoOrganiser
    | RemoveCoOrganiser
    | AddRounds
    | Describe
    | Announce
    | MarkAbsent
    | WithdrawEntrant
    | StopTable
    | RuleResult
    | OfferPlace
    | TakePlace
    | DeclinePlace
    | ReverseRuling
    | ReverseAbsence
    | ReverseWithdrawal
    | ReverseSubstitution
    | ReverseAddedRounds
    | ChangeTiebreaks
    | Reschedule
    | Pause
    | Resume
    | MoveClocks
    | RingBell
    | EndOvertime
    | Finish
    | Cancel
)

OfficialCommand: TypeAlias = (
    AddRounds | Describe | Announce | MarkAbsent | WithdrawEntrant | OfferPlace | StopTable | RuleResult
)
"""The commands that name the official who gives them, and that all officials give as the organiser."""
