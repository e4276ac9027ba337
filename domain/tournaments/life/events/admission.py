"""The events about who may see and enter a tournament (T-24 … T-26)."""

from typing import ClassVar

from hoodwink.domain.kernel import Public
from hoodwink.domain.tournaments.life.admission import Admission
from hoodwink.domain.tournaments.life.events.base import TournamentEventBase


class AdmissionChosen(TournamentEventBase, frozen=True):
    """Not everybody finds, sees or enters the tournament."""

    wire: ClassVar[str] = "tournament.admission_chosen"
    admission: Public[Admission]


class InvitationReplaced(TournamentEventBase, frozen=True):
    """The organiser replaced the invitation code, which is in no log (T-25)."""

    wire: ClassVar[str] = "tournament.invitation_replaced"


class EntryRequested(TournamentEventBase, frozen=True):
    """A player asked to enter (T-26). Their name is not in the log."""

    wire: ClassVar[str] = "tournament.entry_requested"
    entrant: Public[str]
    seed_commitment: Public[str]


class EntryAccepted(TournamentEventBase, frozen=True):
    """The organiser accepted a player, whose entry follows."""

    wire: ClassVar[str] = "tournament.entry_accepted"
    entrant: Public[str]


class EntryDeclined(TournamentEventBase, frozen=True):
    """The organiser declined a player, but may still accept them."""

    wire: ClassVar[str] = "tournament.entry_declined"
    entrant: Public[str]


class EntriesOffered(TournamentEventBase, frozen=True):
    """Those who organise the tournament offered an entry to these players (T-28)."""

    wire: ClassVar[str] = "tournament.entries_offered"
    players: Public[tuple[str, ...]]


class OffersWithdrawn(TournamentEventBase, frozen=True):
    """Those who organise the tournament took back the offers to these players."""

    wire: ClassVar[str] = "tournament.offers_withdrawn"
    players: Public[tuple[str, ...]]


class OfferDeclined(TournamentEventBase, frozen=True):
    """A player declined the offer of an entry."""

    wire: ClassVar[str] = "tournament.offer_declined"
    player: Public[str]


class RequestWithdrawn(TournamentEventBase, frozen=True):
    """A player no longer asks to enter."""

    wire: ClassVar[str] = "tournament.request_withdrawn"
    entrant: Public[str]
