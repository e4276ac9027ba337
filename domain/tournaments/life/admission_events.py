"""The events about who may see a tournament (T-24)."""

from typing import ClassVar

from hoodwink.domain.kernel import Public
from hoodwink.domain.tournaments.life.admission import Admission
from hoodwink.domain.tournaments.life.deal_events import OfTournament


class AdmissionChosen(OfTournament, frozen=True):
    """Not everybody finds or sees the tournament (T-24)."""

    wire: ClassVar[str] = "tournament.admission_chosen"
    admission: Public[Admission]
