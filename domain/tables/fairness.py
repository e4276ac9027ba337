"""The editions of docs/FAIRNESS.md: by which of them a table is played, and what its log is called."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

LOG_FORMATS: Final[Mapping[int, str]] = MappingProxyType({1: "hoodwink-log/1", 2: "hoodwink-log/2"})
"""The format of an exported log, by the edition of its table."""

LATEST_EDITION: Final = 2
"""The edition by which new tables are played."""
