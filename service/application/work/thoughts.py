"""The decisions of bots that think, from when they were thought out until the bots move."""

from typing import Protocol

from hoodwink.domain.kernel import Action
from hoodwink.domain.tables.state import Table


class Thoughts(Protocol):
    """Keeps decisions for a while. They may be lost: then the bot thinks again. Every call may raise `StoreUnavailable`."""

    def keep(self, table: Table, seat: int, action: Action) -> None:
        """Keeps what the seat's bot decided to do, until somebody acts in the round."""
        ...

    def find(self, table: Table, seat: int) -> Action | None:
        """Returns what the seat's bot decided to do now, or `None` if it has not decided."""
        ...
