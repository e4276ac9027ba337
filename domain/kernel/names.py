"""The names of players and bots as they are shown. No event and no state contains one (docs/FAIRNESS.md)."""

import re
from collections.abc import Callable
from typing import Final, TypeAlias

MAX_NAME_LENGTH: Final = 40

_VISIBLE: Final = (
    r"[^\x00-\x20\x7f-\xa0\xad\u061c\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff0-\uffff]"
)

NAME_PATTERN: Final = f"^{_VISIBLE}+( {_VISIBLE}+)*$"
"""The form of every stored name: visible characters with single spaces between them, and nothing that reverses text.

New names must follow further rules (`service/application/players/legibility.py`). This pattern never changes, because old logs must
still verify.
"""

_NAME: Final = re.compile(NAME_PATTERN)

Names: TypeAlias = Callable[[str], str]
"""Maps a player's id to the name that is shown now."""


def without_name(player: str) -> str:
    """Returns a substitute for a player's unknown name.

    >>> without_name("k3x9abcd")
    'Player k3x9'
    """
    return f"Player {player[:4]}"


def bot_name(policy: str) -> str:
    """Returns the name of a bot. Where several are together, they are told apart like people with the same name.

    >>> bot_name("steady")
    'Steady bot'
    """
    return f"{policy.capitalize()} bot"


def is_stored_name(name: str, *, longest: int = MAX_NAME_LENGTH) -> bool:
    return len(name) <= longest and _NAME.fullmatch(name) is not None
