"""The repository of tables and its types."""

from typing import TypeAlias

from hoodwink.domain.tables.commands import TableCommand
from hoodwink.domain.tables.state import Table
from hoodwink.service.application.streams import history, repository

Tables: TypeAlias = repository.Repository[Table, TableCommand]
Intent: TypeAlias = repository.Intent[Table, TableCommand]
DueStep: TypeAlias = repository.DueStep[Table, TableCommand]
Accepted: TypeAlias = repository.Accepted[Table]
LoadedTable: TypeAlias = history.Loaded[Table]
