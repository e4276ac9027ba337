"""The editions of the part of docs/FAIRNESS.md about tournaments. A tournament keeps its edition until the end."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

LOG_FORMATS: Final[Mapping[int, str]] = MappingProxyType({2: "hoodwink-tournament-log/2"})
"""The formats of exported logs, by the edition of the tournament."""

LATEST_EDITION: Final = 2
"""The edition of new tournaments."""
