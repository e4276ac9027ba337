"""The editions of the tournaments' part of docs/FAIRNESS.md. A tournament keeps its edition from opening to end."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

LOG_FORMATS: Final[Mapping[int, str]] = MappingProxyType({2: "hoodwink-tournament-log/2"})
"""The format of an exported log, by the edition of the tournament."""

LATEST_EDITION: Final = 2
"""The edition of new tournaments."""
