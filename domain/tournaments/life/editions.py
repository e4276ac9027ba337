"""The editions of the part of docs/FAIRNESS.md about tournaments. A tournament keeps its edition until the end."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from hoodwink.domain.tournaments.pairing.case import MAX_EXACT_ENTRANTS, MIN_EXACT_ENTRANTS

LOG_FORMATS: Final[Mapping[int, str]] = MappingProxyType(
    {2: "hoodwink-tournament-log/2", 3: "hoodwink-tournament-log/3"}
)
"""The formats of exported logs, by the edition of the tournament."""

LATEST_EDITION: Final = 3
"""The edition of new tournaments."""

_FIRST_WITH_STORED_SCHEDULES: Final = 3
_MAX_EXACT: Final[Mapping[int, int]] = MappingProxyType({2: MIN_EXACT_ENTRANTS})


def has_stored_schedules(edition: int) -> bool:
    """Returns whether schedules of three rounds come from the shipped ones where there are any (P-1)."""
    return edition >= _FIRST_WITH_STORED_SCHEDULES


def max_exact(edition: int) -> int:
    """Returns the number of entrants up to which a single round is seated by exact search (P-5)."""
    return _MAX_EXACT.get(edition, MAX_EXACT_ENTRANTS)
