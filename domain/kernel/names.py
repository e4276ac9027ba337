"""The names of players and bots as they are shown. No event and no state holds one (docs/FAIRNESS.md)."""

import re
from collections.abc import Callable
from typing import Final, TypeAlias

MAX_NAME_LENGTH: Final = 40

_VISIBLE: Final = (
    r"[^\x00-\x20\x7f-\xa0\xad\u061c\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff0-\uffff]"
)

NAME_PATTERN: Final = f"^{_VISIBLE}+( {_VISIBLE}+)*$"
"""The form of every stored name: visible characters, single spaces between them, nothing that turns text around.

New names must obey further rules (`domain/kernel/legibility.py`), but this is what logs may hold, so it never changes.
"""

_NAME: Final = re.compile(NAME_PATTERN)

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


def is_stored_name(name: str, *, longest: int = MAX_NAME_LENGTH) -> bool:
    return len(name) <= longest and _NAME.fullmatch(name) is not None
