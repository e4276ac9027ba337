"""The repository of tables and its types."""

from typing import TypeAlias

from domain.tables import Table, TableCommand
from service.application import history, repository

Tables: TypeAlias = repository.Repository[Table, TableCommand]
Intent: TypeAlias = repository.Intent[Table, TableCommand]
Accepted: TypeAlias = repository.Accepted[Table]
LoadedTable: TypeAlias = history.Loaded[Table]
