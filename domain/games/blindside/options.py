"""The options of a Blindside table (RULES section 6)."""

from typing import Annotated, Literal

from msgspec import Meta

from hoodwink.domain.cards import Card, build_pack
from hoodwink.domain.kernel import GameOptions


class Options(GameOptions, frozen=True):
    five_card: Annotated[
        bool, Meta(description="Play the five-card variation: the Blindside Cards are dealt, not passed.")
    ] = False
    rounds: Annotated[
        Annotated[int, Meta(ge=1, le=20)] | None,
        Meta(description="How many rounds; by default each seat deals once."),
    ] = None
    blindside_compare: Annotated[
        Literal["value", "rank"],
        Meta(description="Compare Blindside Cards by value (10, J, Q and K tie) or by rank."),
    ] = "value"
    start_tokens: Annotated[
        int,
        Meta(
            ge=-1_000_000,
            le=1_000_000,
            description="Added to every balance shown; ledger and results ignore it.",
        ),
    ] = 0


MAX_SEATS = 10  # BS-2
SEATS_PER_PACK = 5  # BS-1


def pack_for(seats: int) -> tuple[Card, ...]:
    """Returns the unshuffled cards: one pack of 52 for up to five seats, two for more (BS-1)."""
    return build_pack(packs=-(-seats // SEATS_PER_PACK))


def cards_dealt(options: Options) -> int:
    """Returns the hand size plus the dealt Blindside Card, if any."""
    return 5 if options.five_card else 4


def check_options(options: Options, seats: int) -> None:
    """Asserts that the stock is large enough for every draw (BS-3), as it is with all options."""
    turns = 4 if options.five_card else 3
    assert len(pack_for(seats)) - cards_dealt(options) * seats - 1 >= turns * seats
