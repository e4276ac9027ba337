"""The rights of officials: which of them may give each command (T-50)."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from hoodwink.domain.tournaments.life import commands


class Role(StrEnum):
    """The part of an official in a tournament."""

    ORGANISER = "organiser"
    CO_ORGANISER = "co_organiser"
    ARBITER = "arbiter"


_ORGANISER: Final = frozenset({Role.ORGANISER})
_ORGANISERS: Final = _ORGANISER | {Role.CO_ORGANISER}
_OFFICIALS: Final = _ORGANISERS | {Role.ARBITER}

RIGHTS: Final[Mapping[type[commands.TournamentCommand], frozenset[Role]]] = MappingProxyType(
    {
        commands.OpenTournament: _ORGANISER,
        commands.NameCoOrganiser: _ORGANISER,
        commands.RemoveCoOrganiser: _ORGANISER,
        commands.Cancel: _ORGANISER,
        commands.OpenRegistration: _ORGANISERS,
        commands.ReplaceInvitation: _ORGANISERS,
        commands.AcceptEntry: _ORGANISERS,
        commands.DeclineEntry: _ORGANISERS,
        commands.OfferEntries: _ORGANISERS,
        commands.WithdrawOffers: _ORGANISERS,
        commands.Enter: _ORGANISERS,  # bots
        commands.Withdraw: _ORGANISERS,  # bots
        commands.Expel: _ORGANISERS,
        commands.OrderEntrants: _ORGANISERS,
        commands.ChooseTeam: _ORGANISERS,
        commands.ReplaceTeamCode: _ORGANISERS,
        commands.StartTournament: _ORGANISERS,
        commands.OpenCheckIn: _ORGANISERS,
        commands.AssignBye: _ORGANISERS,
        commands.OpenRound: _ORGANISERS,
        commands.ChangePairing: _ORGANISERS,
        commands.StartRound: _ORGANISERS,
        commands.AddRounds: _ORGANISERS,
        commands.ChangeTiebreaks: _ORGANISERS,
        commands.Reschedule: _ORGANISERS,
        commands.Pause: _ORGANISERS,
        commands.Resume: _ORGANISERS,
        commands.Finish: _ORGANISERS,
        commands.ScoreVoid: _ORGANISERS,
        commands.OfferPlace: _ORGANISERS,
        commands.DeclinePlace: _ORGANISERS,  # places that they offered
        commands.NameArbiter: _ORGANISERS,
        commands.RemoveArbiter: _ORGANISERS,
        commands.Describe: _ORGANISERS,
        commands.Announce: _OFFICIALS,
        commands.MarkAbsent: _OFFICIALS,
        commands.WithdrawEntrant: _OFFICIALS,
        commands.StopTable: _OFFICIALS,
        commands.RuleResult: _OFFICIALS,
    }
)
"""All other commands are given by entrants, the service or administrators."""
