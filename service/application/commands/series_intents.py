"""Changes that administrators make to a series."""

from collections.abc import Callable

from hoodwink.domain.series import CloseSeries, Series, SeriesCommand
from hoodwink.domain.tables.actor import ADMIN, Actor


def close(digest: str) -> Callable[[Series], tuple[SeriesCommand, Actor]]:
    """Ends a series for a reason with this salted hash (S-13). The caller has to check that an administrator asks."""
    return lambda _: (CloseSeries(digest), ADMIN)
