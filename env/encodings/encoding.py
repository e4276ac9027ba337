"""The interface of an encoding."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from hoodwink.domain.cards import Card
from hoodwink.domain.kernel import Action, Event, LegalAction
from hoodwink.env.layout import Layout, Row
from hoodwink.env.memory import Memory

S = TypeVar("S")


class Encoding(ABC, Generic[S]):
    """How one game looks at one number of seats.

    An observation depends only on what the seat may see and remember. So `write` gives the same row for the real state
    and for the seat's knowledge of it, in which unknown cards are marks (`domain/kernel/knowledge.py`).

    Attributes:
        layout: the fields of an observation.
        labels: the meaning of each action's number.
        decline: the number for declining an action out of turn; `None` in a game without any.
    """

    decline: int | None = None

    def __init__(self, layout: Layout, labels: Sequence[str]) -> None:
        self.layout = layout
        self.labels = tuple(labels)

    @abstractmethod
    def write(self, row: Row, state: S, seat: int, memory: Memory) -> None:
        """Writes the seat's observation into an empty row."""

    def write_selected(self, row: Row, selected: list[Card]) -> None:
        """Adds the cards that the seat has selected. By default no play takes more than one number."""

    def remember(self, memory: Memory, before: S, event: Event, after: S) -> None:
        """Updates what everybody remembers after an event. By default this is nothing."""

    @abstractmethod
    def options(self, seat: int, legal: tuple[LegalAction, ...], selected: list[Card]) -> list[int]:
        """Returns the numbers that the seat may choose from next."""

    @abstractmethod
    def choose(
        self, seat: int, legal: tuple[LegalAction, ...], selected: list[Card], number: int
    ) -> Action | None:
        """Returns the action that one of these numbers completes, or `None` after it added a card to those selected."""

    @abstractmethod
    def numbers_of(self, seat: int, action: Action) -> tuple[int, ...]:
        """Returns the numbers that lead to a legal action, in order."""
