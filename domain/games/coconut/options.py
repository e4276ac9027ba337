"""The options of a Coconut table (RULES section 6)."""

from typing import Annotated, Literal

from msgspec import Meta

from hoodwink.domain.cards import Card, build_pack
from hoodwink.domain.kernel import GameOptions

Opening = Literal["lowest_nonwild", "lowest_literal", "free"]

MIN_SEATS, MAX_SEATS = 2, 4  # CO-30
DOWN_COUNT = 3
TAKEN_UP_COUNT = 6
FACE_UP_COUNT = 3


class Options(GameOptions, frozen=True):
    opening: Annotated[
        Opening,
        Meta(
            description="The cards that open a round: the lowest rank in hand ignoring 2s and 10s, "
            "the lowest rank in hand including them, or any one rank."
        ),
    ] = "lowest_nonwild"
    two_plays_again: Annotated[bool, Meta(description="The player of a 2 plays again.")] = False
    clear_plays_again: Annotated[
        bool,
        Meta(
            description="The player who clears the pile in turn leads the next one; otherwise the next player leads."
        ),
    ] = True
    voluntary_pickup: Annotated[
        bool, Meta(description="The pile may be picked up even by a player who could play.")
    ] = False
    sneak: Annotated[
        bool, Meta(description="Four of a kind may be completed out of turn, which steals the turn.")
    ] = True
    sneak_grace_ms: Annotated[
        int,
        Meta(
            ge=0,
            le=60_000,
            description="How long the player to move has to wait, in milliseconds, so that the others can sneak. Even "
            "with 0, a bot at a table with people waits about a second before its turn.",
        ),
    ] = 0
    play_for_places: Annotated[
        bool, Meta(description="Play on until one player is left, instead of ending with the first one out.")
    ] = False
    rounds: Annotated[int, Meta(ge=1, le=10, description="How many rounds the table plays.")] = 3


def pack_for(seats: int) -> tuple[Card, ...]:
    """Returns the unshuffled cards: one pack of 52 for two players, two packs for more, no jokers (CO-3)."""
    return build_pack(packs=1 if seats == 2 else 2)


def check_options(options: Options, seats: int) -> None:
    """Asserts that the pack is large enough for the deal (CO-30), as it is with all options."""
    assert len(pack_for(seats)) > (DOWN_COUNT + TAKEN_UP_COUNT) * seats
