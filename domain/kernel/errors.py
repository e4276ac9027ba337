"""The errors of commands, and the base of their lists of codes.

ValueError
  RuleViolation      the rules forbid it; has a stable code and a sentence for people
    InvalidOptions   the table cannot be opened with these options
"""

from enum import StrEnum
from typing import Self, TypeAlias


class Code(StrEnum):
    """Base of all lists of error codes. Codes are snake_case, belong to the public interface and never change.

    Attributes:
        meaning: a sentence for people that says what was wrong, what is allowed and what to do next.
    """

    meaning: str

    def __new__(cls, code: str, meaning: str) -> Self:
        member = str.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        return member


class RuleCode(Code):
    """Base of the lists of rule codes. Each game has its own list next to its actions."""


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
        "That is not possible in this phase of the round; check which moves you can make now.",
    )
    WRONG_STEP = (
        "wrong_step",
        "That is not possible at this step of the turn; check which moves you can make now.",
    )
    ALREADY_COMMITTED = ("already_committed", "You have already decided, and your choice is final.")
    CARD_NOT_HELD = (
        "card_not_held",
        "You do not hold that card, or it is not where you want to play it from.",
    )
    NO_SUCH_SEAT = ("no_such_seat", "The table has no such seat.")
    SLOT_EMPTY = ("slot_empty", "There is no card in that slot.")


class RuleViolation(ValueError):
    """Raised by `decide` when the rules forbid a command. The state is unchanged.

    Attributes:
        code: the violated rule, from the list of the game, of tables or of tournaments.
        detail: a sentence for people; it reveals nothing that the actor may not know.
    """

    def __init__(self, code: RuleCode, detail: str = "") -> None:
        """Uses the meaning of the code unless `detail` is more precise."""
        super().__init__(f"{code}: {detail or code.meaning}")
        self.code = code
        self.detail = detail or code.meaning


class InvalidOptions(RuleViolation):
    """Raised when a game cannot be dealt with these options or this number of seats (G-4)."""

    def __init__(self, detail: str) -> None:
        super().__init__(SharedCode.INVALID_OPTIONS, detail)
