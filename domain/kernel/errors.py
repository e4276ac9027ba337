"""What can be wrong with a command.

ValueError
  RuleViolation      the rules forbid it; a stable code and a sentence for people
    InvalidOptions   the table cannot be opened that way
"""


class RuleViolation(ValueError):
    """Raised by `decide` when the rules forbid a command. Nothing has changed.

    Attributes:
        code: stable, snake_case; part of the public interface.
        detail: a sentence for people that reveals nothing the actor may not know.
    """

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


class InvalidOptions(RuleViolation):
    """Raised when a game cannot be dealt with these options or this number of seats (G-4)."""

    def __init__(self, detail: str) -> None:
        super().__init__("invalid_options", detail)


# The violations that every game shares: `raise RuleViolation(*NOT_YOUR_TURN)`.
ROUND_NOT_IN_PLAY = ("round_not_in_play", "No round is in play; wait for the next deal.")
NOT_YOUR_TURN = ("not_your_turn", "It is another seat's turn.")
WRONG_PHASE = ("wrong_phase", "This action belongs to another phase of the round.")
WRONG_STEP = ("wrong_step", "This action belongs to another step of the turn.")
ALREADY_COMMITTED = ("already_committed", "You have committed already; a commitment is final.")
CARD_NOT_HELD = ("card_not_held", "You do not hold that card there.")
