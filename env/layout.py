"""The layout of an observation: named fields one after the other in a row of 16-bit numbers.

Seats are relative: 0 is the observing seat, 1 the seat on its left, and so on. Faces are in the order of the pack: clubs to
spades, 2 to ace in each, then the joker in games that have one.
"""

from array import array
from collections.abc import Mapping
from functools import lru_cache
from math import prod
from typing import Final, NamedTuple, TypeAlias

from hoodwink.domain.cards import Card, build_pack

FACES: Final = build_pack()
FACES_AND_JOKER: Final = build_pack(jokers=1)
INDEX: Final = {card: index for index, card in enumerate(FACES_AND_JOKER)}

LOWEST, HIGHEST = -(2**15), 2**15 - 1
"""The bounds of a number in an observation. Scores beyond them are shown as the bound."""

Row: TypeAlias = "array[int]"
"""The numbers of one observation."""

CardAt: TypeAlias = Mapping[Card, int]
"""The index in a row that counts a face. Unknown cards have none."""


class Field(NamedTuple):
    """A field of an observation.

    Attributes:
        start: the index of its first number.
        shape: its size, or its rows and columns.
    """

    name: str
    start: int
    shape: tuple[int, ...]
    meaning: str


class Layout:
    """The fields of one game's observations at one number of seats.

    Attributes:
        fields: in order.
        size: how many numbers an observation has.
    """

    def __init__(self, seats: int, *, has_jokers: bool = False) -> None:
        self.seats = seats
        self.faces = FACES_AND_JOKER if has_jokers else FACES
        self.fields: list[Field] = []
        self.size = 0
        # By observing seat, all seats beginning with it. Its position in this order is a seat's relative number.
        self.orders = [tuple((seat + step) % seats for step in range(seats)) for seat in range(seats)]

    def empty_row(self) -> Row:
        return array("h", bytes(2 * self.size))

    def numbers(self, name: str, *shape: int, meaning: str) -> int:
        """Adds a field of plain numbers, one if no shape is given; returns its start."""
        start = self.size
        self.fields.append(Field(name, start, shape or (1,), meaning))
        self.size += prod(shape)
        return start

    def cards(self, name: str, meaning: str) -> CardAt:
        """Adds a field that counts the cards of each face."""
        start = self.numbers(name, len(self.faces), meaning=meaning)
        return self._card_at(start)

    def cards_by(self, name: str, rows: int, meaning: str) -> tuple[CardAt, ...]:
        """Adds a field with such a row for each seat or place."""
        columns = len(self.faces)
        start = self.numbers(name, rows, columns, meaning=meaning)
        return tuple([self._card_at(start + row * columns) for row in range(rows)])

    def card_counts(self, name: str, meaning: str) -> int:
        """Adds a field that counts the cards of each face in a zone of each seat; returns its start."""
        return self.numbers(name, self.seats, len(self.faces), meaning=meaning)

    def copy(self, row: Row, start: int, by_seat: Row, seat: int) -> None:
        """Copies numbers by seat, which are there twice, beginning with those of the observing seat."""
        size = len(by_seat) // 2
        first = seat * (size // self.seats)
        row[start : start + size] = by_seat[first : first + size]

    def _card_at(self, start: int) -> CardAt:
        return {card: start + index for index, card in enumerate(self.faces)}


@lru_cache(2_048)
def counted(zones: tuple[tuple[Card, ...], ...], columns: int) -> Row:
    """Returns how often each face is in the zone of each seat, from seat 0 on, and the same once more.

    Cached, because these zones seldom change, and counting their cards would take much of the time of an observation.
    """
    row = array("h", bytes(2 * len(zones) * columns))
    for number, zone in enumerate(zones):
        for card in zone:
            row[number * columns + INDEX[card]] += 1
    return row * 2


@lru_cache(2_048)
def filled(zones: tuple[tuple[Card | None, ...], ...]) -> Row:
    """Returns 1 for each place of each seat that holds a card, from seat 0 on, and the same once more."""
    return array("h", [card is not None for zone in zones for card in zone]) * 2


@lru_cache(4_096)
def rotated(seat: int, *fields: tuple[int, ...]) -> Row:
    """Returns fields of numbers by seat one after the other, each beginning with this seat."""
    return array("h", [clamped(number) for field in fields for number in (*field[seat:], *field[:seat])])


@lru_cache(4_096)
def marked(seat: int, seats: int, *groups: tuple[int, ...]) -> Row:
    """Returns for each group of seats 1 at those that belong to it, beginning with this seat."""
    order = [(seat + step) % seats for step in range(seats)]
    return array("h", [other in group for group in groups for other in order])


def clamped(score: int) -> int:
    return max(LOWEST, min(HIGHEST, score))


SELECTED: Final = "Cards selected so far for the play that is not yet committed."
