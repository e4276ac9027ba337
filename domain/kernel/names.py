"""The names of players and bots as they are shown. No event and no state holds one (docs/FAIRNESS.md)."""

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

Names: TypeAlias = Callable[[str], str]
"""Returns the name by which a player is shown at present, by the player's id."""


def without_name(player: str) -> str:
    """Returns how a player is shown whose name is not known here.

    >>> without_name("k3x9abcd")
    'Player k3x9'
    """
    return f"Player {player[:4]}"


def bot_name(policy: str, number: int) -> str:
    """Returns the name of a bot, which follows from its policy and its seat, or its number among the bots entered.

    >>> bot_name("steady", 2)
    'Steady bot 2'
    """
    return f"{policy.capitalize()} bot {number}"


def without_name_field(data: bytes) -> bytes:
    """Returns the fields of an event of an earlier release, as JSON, without the name that it held.

    >>> without_name_field(b'{"player":"k3x9","name":"Ada"}')
    b'{"player":"k3x9"}'
    """
    fields = msgspec.json.decode(data, type=dict[str, Any])
    return msgspec.json.encode({field: value for field, value in fields.items() if field != "name"})
