"""The errors of commands, and the lists of their codes.

ValueError
  RuleViolation      the rules forbid it; a stable code and a sentence for people
    InvalidOptions   the table cannot be opened that way
"""

from enum import StrEnum
from typing import Self, TypeAlias


class Code(StrEnum):
    """Base of all lists of error codes. A code is stable, snake_case, part of the public interface and in one list only.

    Attributes:
        meaning: a sentence for people: what was wrong, what is allowed, what to do.
    """

    meaning: str

    def __new__(cls, code: str, meaning: str) -> Self:
        made = str.__new__(cls, code)
        made._value_ = code
        made.meaning = meaning
        return made


class RuleCode(Code):
    """Base of the lists of codes of rules. Each game has its own list next to its actions."""


Refusals: TypeAlias = tuple[RuleCode, ...]


class SharedCode(RuleCode):
    """The error codes that several games share."""

    INVALID_OPTIONS = (
        "invalid_options",
        "The game cannot be played with these options and this number of seats.",
    )
    ROUND_NOT_IN_PLAY = ("round_not_in_play", "No round is in play; wait for the next deal.")
    NOT_YOUR_TURN = ("not_your_turn", "It is another player's turn; wait for yours.")
    WRONG_PHASE = (
        "wrong_phase",
        "That is not possible in this phase of the round; look which moves are open to you now.",
    )
    WRONG_STEP = (
        "wrong_step",
        "That is not possible at this step of the turn; look which moves are open to you now.",
    )
    ALREADY_COMMITTED = ("already_committed", "You have decided already, and that is final.")
    CARD_NOT_HELD = ("card_not_held", "You do not hold that card, or not where you would play it from.")
    NO_SUCH_SEAT = ("no_such_seat", "The table has no such seat.")
    SLOT_EMPTY = ("slot_empty", "There is no card in that slot.")


class RuleViolation(ValueError):
    """Raised by `decide` when the rules forbid a command. Nothing has changed.

    Attributes:
        code: the rule, from the list of the game, of tables or of tournaments.
        detail: a sentence for people that reveals nothing the actor may not know.
    """

    def __init__(self, code: RuleCode, detail: str = "") -> None:
        """Makes the error; `detail` is for a case that needs a more precise sentence than the meaning of the code."""
        super().__init__(f"{code}: {detail or code.meaning}")
        self.code = code
        self.detail = detail or code.meaning


class InvalidOptions(RuleViolation):
    """Raised when a game cannot be dealt with these options or this number of seats (G-4)."""

    def __init__(self, detail: str) -> None:
        super().__init__(SharedCode.INVALID_OPTIONS, detail)
