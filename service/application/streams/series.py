"""The repository of series and its types."""

from typing import TypeAlias

from hoodwink.domain.series import Series, SeriesCommand
from hoodwink.service.application.streams import history, repository

SeriesRepository: TypeAlias = repository.Repository[Series, SeriesCommand]
Accepted: TypeAlias = repository.Accepted[Series]
LoadedSeries: TypeAlias = history.Loaded[Series]
