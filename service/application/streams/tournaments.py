"""The repository of tournaments and its types."""

from typing import TypeAlias

from hoodwink.domain.tournaments.life import Tournament, TournamentCommand
from hoodwink.service.application.streams import history, repository

Tournaments: TypeAlias = repository.Repository[Tournament, TournamentCommand]
Intent: TypeAlias = repository.Intent[Tournament, TournamentCommand]
Accepted: TypeAlias = repository.Accepted[Tournament]
LoadedTournament: TypeAlias = history.Loaded[Tournament]
