"""The options of a Blind Don table (RULES section 6)."""

from typing import Annotated, Literal

from msgspec import Meta

from hoodwink.domain.kernel import GameOptions


class Options(GameOptions, frozen=True):
    flip: Annotated[
        Literal["after_trick", "immediate"],
        Meta(
            description="When an uncovered card is turned up: after the trick, or as the card on it is laid."
        ),
    ] = "after_trick"
    final_tie: Annotated[
        Literal["draw", "two_more_rounds"],
        Meta(description="Equal scores at the end: a draw, or two more rounds until they differ."),
    ] = "draw"
    rounds: Annotated[
        int, Meta(ge=2, le=20, multiple_of=2, description="How many rounds; even, so that both deal alike.")
    ] = 4


def check_options(options: Options, seats: int) -> None:
    """Accepts all options: 36 cards are dealt, and one pack has 52."""
