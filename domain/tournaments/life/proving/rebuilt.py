"""Rebuilds the command that a commit of a tournament's log records."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from hoodwink.domain.kernel import Event, RuleViolation
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tables.proving.proof import from_event
from hoodwink.domain.tournaments.life import commands, events
from hoodwink.domain.tournaments.life.admission import OPEN_TO_ALL
from hoodwink.domain.tournaments.life.setup import ArenaTimes, SeriesPlace, TeamTerms
from hoodwink.domain.tournaments.life.state import Tournament

_BEGINNINGS: Final[Mapping[type[Event], type[commands.TournamentCommand]]] = MappingProxyType(
    {
        events.RegistrationOpened: commands.OpenRegistration,
        events.EntrantWithdrew: commands.Withdraw,
        events.EntrantExpelled: commands.Expel,
        events.EntrantsOrdered: commands.OrderEntrants,
        events.EntryAccepted: commands.AcceptEntry,
        events.EntryDeclined: commands.DeclineEntry,
        events.RequestWithdrawn: commands.Withdraw,
        events.EntriesOffered: commands.OfferEntries,
        events.OffersWithdrawn: commands.WithdrawOffers,
        events.OfferDeclined: commands.DeclineOffer,
        events.InvitationReplaced: commands.ReplaceInvitation,
        events.TournamentStarted: commands.StartTournament,
        events.CheckInOpened: commands.OpenCheckIn,
        events.CheckedIn: commands.CheckIn,
        events.SaidAbsent: commands.SayAbsent,
        events.SeedsCalled: commands.OpenRound,
        events.EntrantSeedRevealed: commands.RevealEntrantSeed,
        events.EntrantSeedsMissed: commands.MissSeeds,
        events.TeamChosen: commands.ChooseTeam,
        events.TeamCodeReplaced: commands.ReplaceTeamCode,
        events.ByeRequested: commands.RequestBye,
        events.ByeAssigned: commands.AssignBye,
        events.RoundOpened: commands.OpenRound,
        events.PairingChanged: commands.ChangePairing,
        events.RoundStarted: commands.StartRound,
        events.TablesOpened: commands.ConfirmTables,
        events.SeatGivenUp: commands.ConfirmGivenUp,
        events.TableSealed: commands.SealTable,
        events.TableReported: commands.ReportTable,
        events.TableVoided: commands.VoidTable,
        events.VoidScored: commands.ScoreVoid,
        events.ArbiterNamed: commands.NameArbiter,
        events.ArbiterRemoved: commands.RemoveArbiter,
        events.CoOrganiserNamed: commands.NameCoOrganiser,
        events.CoOrganiserRemoved: commands.RemoveCoOrganiser,
        events.RoundsAdded: commands.AddRounds,
        events.Described: commands.Describe,
        events.Announced: commands.Announce,
        events.MarkedAbsent: commands.MarkAbsent,
        events.EntrantWithdrawn: commands.WithdrawEntrant,
        events.TableStopped: commands.StopTable,
        events.ResultRuled: commands.RuleResult,
        events.RulingReversed: commands.ReverseRuling,
        events.PlaceOffered: commands.OfferPlace,
        events.EntrantSubstituted: commands.TakePlace,
        events.AbsenceReversed: commands.ReverseAbsence,
        events.WithdrawalReversed: commands.ReverseWithdrawal,
        events.SubstitutionReversed: commands.ReverseSubstitution,
        events.AddedRoundsReversed: commands.ReverseAddedRounds,
        events.TiebreaksChanged: commands.ChangeTiebreaks,
        events.SittingRescheduled: commands.Reschedule,
        events.TournamentPaused: commands.Pause,
        events.TournamentResumed: commands.Resume,
        events.ClocksMoved: commands.MoveClocks,
        events.BellRung: commands.RingBell,
        events.OvertimeEnded: commands.EndOvertime,
        events.TournamentFinished: commands.Finish,
        events.TournamentCancelled: commands.Cancel,
    }
)
"""The command for each event that can be the first of a commit. Fields with the same name have the same value."""


def rebuilt_command(_: Tournament, commit: Sequence[Recorded]) -> commands.TournamentCommand:
    """Returns the command that a commit records; raises `RuleViolation` if no command starts with its first event."""
    event = commit[0].event
    if isinstance(event, events.Entered):
        return from_event(commands.Enter, event, player=event.entrant if event.policy is None else "")
    if isinstance(event, events.EntryRequested):
        return from_event(commands.Enter, event, player=event.entrant, policy=None)
    if isinstance(event, events.TournamentOpened):
        return _rebuilt_opening(event, commit)
    if isinstance(event, events.PlaceDeclined):
        return _rebuilt_decline(event, commit)
    kind = _BEGINNINGS.get(type(event))
    if kind is None:
        raise RuleViolation(TableCode.NOT_A_BEGINNING)
    return from_event(kind, event)


def _rebuilt_decline(
    event: events.PlaceDeclined, commit: Sequence[Recorded]
) -> commands.DeclinePlace | commands.OfferPlace:
    """Returns the command of a commit in which an offer ends, possibly because another one replaces it."""
    following = commit[1].event if len(commit) > 1 else None
    if isinstance(following, events.PlaceOffered):
        return from_event(commands.OfferPlace, following)
    return from_event(commands.DeclinePlace, event)


def _rebuilt_opening(event: events.TournamentOpened, commit: Sequence[Recorded]) -> commands.OpenTournament:
    chosen = {type(recorded.event): recorded.event for recorded in commit[1:]}
    shared, admitted = chosen.get(events.DuplicateChosen), chosen.get(events.AdmissionChosen)
    arena, joined = chosen.get(events.ArenaChosen), chosen.get(events.SeriesJoined)
    teams, deals = chosen.get(events.TeamsChosen), chosen.get(events.DealsChosen)
    return from_event(
        commands.OpenTournament,
        event,
        compare=shared.compare if isinstance(shared, events.DuplicateChosen) else None,
        deals_per_pairing=deals.deals_per_pairing if isinstance(deals, events.DealsChosen) else 1,
        arena=from_event(ArenaTimes, arena) if isinstance(arena, events.ArenaChosen) else None,
        teams=from_event(TeamTerms, teams) if isinstance(teams, events.TeamsChosen) else None,
        series=from_event(SeriesPlace, joined) if isinstance(joined, events.SeriesJoined) else None,
        admission=admitted.admission if isinstance(admitted, events.AdmissionChosen) else OPEN_TO_ALL,
    )
