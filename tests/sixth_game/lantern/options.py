"""The options of a Lantern table."""

from typing import Annotated, Literal

from msgspec import Meta

from hoodwink.domain.kernel import GameOptions


class Options(GameOptions, frozen=True):
    best: Annotated[
        Literal["highest", "lowest"], Meta(description="Whether the highest or the lowest card wins.")
    ] = "highest"
    rounds: Annotated[int, Meta(ge=1, le=5, description="How many rounds.")] = 2


MAX_SEATS = 5
HAND_SIZE = 5


def check_options(options: Options, seats: int) -> None:
    """Raises `InvalidOptions` for what cannot be dealt; all settings of Lantern can."""
