"""Plays of several cards: each card is selected with a number of its own, then the selection is committed."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from hoodwink.domain.cards import Card
from hoodwink.domain.games.shedding import CardsAction
from hoodwink.domain.kernel import Action, CardChoice, LegalAction
from hoodwink.env.encodings.encoding import Encoding
from hoodwink.env.layout import Layout

S = TypeVar("S")


class CardSelection(Encoding[S]):
    """The encoding of a game in which several cards are played together: they are selected one by one, then committed.

    The first numbers select a face each, and the next one commits the selected cards.
    """

    def __init__(self, layout: Layout, labels: Sequence[str], kinds: Mapping[str, CardsAction]) -> None:
        """Takes the labels of the other numbers, and the actions that name cards, by tag."""
        super().__init__(layout, [*[f"select {card}" for card in layout.faces], "commit", *labels])
        self._select: dict[str, int] = {card: number for number, card in enumerate(layout.faces)}
        self._commit = len(layout.faces)
        self._kinds = kinds

    def options(self, seat: int, legal: tuple[LegalAction, ...], selected: list[Card]) -> list[int]:
        select = self._select
        if selected:
            return self._next(_choice_with(legal, selected), selected)
        numbers: list[int] = []
        for entry in legal:
            cards: tuple[Card, ...] | None = getattr(entry, "cards", None)
            if cards is None:
                numbers.append(self.number_of(seat, entry))
            elif getattr(entry, "including", None) is not None:
                numbers += self._next(entry, [])
            else:
                numbers += [select[card] for card in cards]
        return numbers

    def _next(self, choice: Any, selected: list[Card]) -> list[int]:
        if not isinstance(choice, CardChoice):
            return [self._commit]
        count = len(selected)
        rest: list[str] = list(choice.cards)
        for card in selected:
            rest.remove(card)
        missing = [] if choice.including in (None, *selected) else [choice.including]
        if count + len(missing) == choice.at_most:
            rest = missing  # type: ignore[assignment]  # not None
        numbers = [self._select[card] for card in rest]
        if count >= choice.at_least and not missing:
            numbers.append(self._commit)
        return numbers

    def choose(
        self, seat: int, legal: tuple[LegalAction, ...], selected: list[Card], number: int
    ) -> Action | None:
        if number < self._commit:
            selected.append(self.layout.faces[number])
            return None
        if number > self._commit:
            return self.action_of(seat, legal, selected, number)
        choice: Any = _choice_with(legal, selected)
        return self._kinds[choice.type](tuple(selected)) if isinstance(choice, CardChoice) else choice

    def numbers_of(self, seat: int, action: Action) -> tuple[int, ...]:
        cards: tuple[Card, ...] | None = getattr(action, "cards", None)
        if cards is None:
            return (self.number_of(seat, action),)
        return (*[self._select[card] for card in cards], self._commit)

    @abstractmethod
    def number_of(self, seat: int, action: LegalAction) -> int:
        """Returns the number of an action that names no cards to select."""

    @abstractmethod
    def action_of(
        self, seat: int, legal: tuple[LegalAction, ...], selected: list[Card], number: int
    ) -> Action:
        """Returns the action of a number after that of the commitment."""


def _choice_with(legal: tuple[LegalAction, ...], selected: list[Card]) -> Any:
    """Returns the legal action or choice that the selected cards belong to. No two name the same card."""
    return next(entry for entry in legal if selected[0] in getattr(entry, "cards", ()))
