"""Options for tables without waiting times."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

AT_ONCE: Final[Mapping[str, int]] = MappingProxyType({"turn_seconds": 0, "bot_delay": 0, "round_pause": 0})
"""The fields of a table without turn clock, where bots move and rounds follow immediately."""


def pace_known_to(description: object) -> Mapping[str, int]:
    """Returns the fields known to a release, according to the description of its API.

    Bots of releases without these fields do not wait.
    """
    return AT_ONCE if "bot_delay" in str(description) else {}
