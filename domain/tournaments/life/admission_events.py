"""The events about who may see and enter a tournament (T-24, T-25)."""

from typing import ClassVar

from hoodwink.domain.kernel import Public
from hoodwink.domain.tournaments.life.admission import Admission
from hoodwink.domain.tournaments.life.deal_events import OfTournament


class AdmissionChosen(OfTournament, frozen=True):
    """Not everybody finds, sees or enters the tournament (T-24, T-25)."""

    wire: ClassVar[str] = "tournament.admission_chosen"
    admission: Public[Admission]


class InvitationReplaced(OfTournament, frozen=True):
    """The organiser replaced the invitation code, which is in no log (T-25)."""

    wire: ClassVar[str] = "tournament.invitation_replaced"
