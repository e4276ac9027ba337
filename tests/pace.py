"""Tables that nobody has to wait for."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

AT_ONCE: Final[Mapping[str, int]] = MappingProxyType({"turn_seconds": 0, "bot_delay": 0, "round_pause": 0})
"""The fields that open a table without a turn clock, at which bots move and rounds follow at once."""


def pace_known_to(description: object) -> Mapping[str, int]:
    """Returns those fields, or none for a release that does not know them, from the description of its API.

    The bots of such a release do not wait.
    """
    return AT_ONCE if "bot_delay" in str(description) else {}
