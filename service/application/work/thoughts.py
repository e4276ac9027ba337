"""The decisions of bots that think, kept until the bots move."""

from typing import Protocol

from hoodwink.domain.kernel import Action
from hoodwink.domain.tables.state import Table


class Thoughts(Protocol):
    """Keeps decisions for a while. They may be lost: then the bot thinks again. Every call may raise `StoreUnavailable`."""

    def keep(self, table: Table, seat: int, action: Action) -> None:
        """Keeps the decision of the seat's bot until somebody acts in the round."""
        ...

    def find(self, table: Table, seat: int) -> Action | None:
        """Returns the decision of the seat's bot for this moment of the round, or `None` if there is none."""
        ...
