"""Many tables of one game in one call, for training on batches."""

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import options_of
from hoodwink.env.encodings import encoding_of
from hoodwink.env.layout import Row
from hoodwink.env.table import Shuffles, Table

Numbers: TypeAlias = "NDArray[np.int16]"


class Batch(NamedTuple):
    """The observations of all tables before their next decision; row i belongs to table i.

    Attributes:
        seats: the seat that decides.
        observations: its observation.
        masks: 1 for each of its legal actions.
        rewards: the change of every seat's score in the last step.
        is_over: whether the last step ended the table. Then a new one has begun, and the row shows its first decision.
    """

    seats: NDArray[np.int16]
    observations: Numbers
    masks: NDArray[np.int8]
    rewards: NDArray[np.int32]
    is_over: NDArray[np.bool_]


class Tables:
    """Tables played together, one decision at each table in a step."""

    def __init__(
        self, *, game: str, tables: int, seats: int | None = None, seed: int = 0, **options: Any
    ) -> None:
        """Opens the tables.

        Raises:
            InvalidOptions: such a table cannot be played.
        """
        rulebook = GAMES[game]
        self.seats = rulebook.seats[0] if seats is None else seats
        self.encoding = encoding_of(game, self.seats)
        self._game, self._options = game, options_of(rulebook, options)
        rulebook.check_options(self._options, self.seats)
        self._chance = Random(seed)  # noqa: S311 - play must be repeatable, not secret
        self._empty = self.encoding.layout.empty_row()
        self._tables = [self._open() for _ in range(tables)]

    def batch(self) -> Batch:
        """Returns the batch before the first step."""
        count = len(self._tables)
        rewards = np.zeros((count, self.seats), np.int32)
        return self._batch(rewards, np.zeros(count, np.bool_))

    def step(self, actions: Sequence[int] | NDArray[np.integer[Any]]) -> Batch:
        """Makes the choice of each table and returns the next batch.

        Raises:
            ValueError: a choice is missing or not legal; then no table has changed.
        """
        numbers: list[int] = np.asarray(actions).tolist()
        for index, (table, number) in enumerate(zip(self._tables, numbers, strict=True)):
            if number not in table.choices():
                raise ValueError(f"{number} is not a legal choice at table {index} now")
        rewards = np.zeros((len(numbers), self.seats), np.int32)
        is_over, scores = np.zeros(len(numbers), np.bool_), GAMES[self._game].scores
        for index, (table, number) in enumerate(zip(self._tables, numbers, strict=True)):
            before = scores(table.state)
            table.step(number)
            after = scores(table.state)
            if after is not before:
                rewards[index] = np.subtract(after, before)
            if table.seat is None:
                is_over[index] = self._go_on(index, table)
        return self._batch(rewards, is_over)

    def _open(self) -> Table:
        # Each table draws its first dealer. Later deals depend only on the generator, which all tables share.
        self._shuffles = Shuffles(self.seats, self._chance)
        table = Table(self._game, self.seats, self._options)
        table.deal(self._shuffles)
        return table

    def _go_on(self, index: int, table: Table) -> bool:
        """Deals the next round, or opens another table if this one is over; returns whether it is."""
        if table.is_over:
            self._tables[index] = self._open()
            return True
        table.deal(self._shuffles)
        return False

    def _batch(self, rewards: NDArray[np.int32], is_over: NDArray[np.bool_]) -> Batch:
        seats: list[int] = []
        rows: list[Row] = []
        masks: list[bytearray] = []
        actions, empty = len(self.encoding.labels), self._empty
        for table in self._tables:
            seat, row, mask = table.seat, empty[:], bytearray(actions)
            assert seat is not None, "somebody decides at every table"
            table.observe(row, seat)
            for number in table.choices():
                mask[number] = 1
            seats.append(seat)
            rows.append(row)
            masks.append(mask)
        return Batch(
            np.array(seats, np.int16),
            # Joined as a `bytearray`, because arrays over `bytes` are read-only.
            np.frombuffer(bytearray().join(rows), np.int16).reshape(len(rows), -1),
            np.frombuffer(bytearray().join(masks), np.int8).reshape(len(rows), -1),
            rewards,
            is_over,
        )
