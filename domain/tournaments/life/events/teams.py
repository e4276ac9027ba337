"""The events of teams: that there are any, who plays for which, and new codes (T-30, T-31, T-34)."""

from typing import ClassVar

from hoodwink.domain.kernel import Public
from hoodwink.domain.tournaments.life.events.base import TournamentEventBase


class TeamsChosen(TournamentEventBase, frozen=True):
    """Entrants play for teams of up to `team_size`, whose best `team_counting` count."""

    wire: ClassVar[str] = "tournament.teams_chosen"
    team_size: Public[int]
    team_counting: Public[int]


class TeamChosen(TournamentEventBase, frozen=True):
    """An entrant joined a team, or left it if `team` is `None`.

    The first one of a team founds it, with the salted hash of its `name`, whose text is stored apart from the log; later it
    is empty.
    """

    wire: ClassVar[str] = "tournament.team_chosen"
    entrant: Public[str]
    team: Public[int | None]
    name: Public[str]


class TeamCodeReplaced(TournamentEventBase, frozen=True):
    """The code of a team was replaced. The code itself is in no event."""

    wire: ClassVar[str] = "tournament.team_code_replaced"
    team: Public[int]
