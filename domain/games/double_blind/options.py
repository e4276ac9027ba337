"""The options of a Double Blind table (RULES section 6)."""

from typing import Annotated, Literal

from msgspec import Meta

from hoodwink.domain.cards import Card, build_pack
from hoodwink.domain.kernel import GameOptions

MAX_SEATS = 9  # DB-2
SLEEVE_SIZE = 3
POCKET_SIZE = 5


class Options(GameOptions, frozen=True):
    jokers_per_deck: Annotated[int, Meta(ge=0, le=2, description="Jokers in each pack of 52 cards.")] = 2
    target_score: Annotated[
        int, Meta(ge=1, le=100_000, description="The total that ends the game once a caper is scored.")
    ] = 1000
    dealer_rotation: Annotated[
        Literal["right", "left", "fixed"],
        Meta(description="Who is Mastermind next: the seat on the right, the seat on the left, or the same."),
    ] = "right"
    joker_basis: Annotated[
        Literal["caper", "total"],
        Meta(description="The Joker is lowest in the caper's score, or in the total with this caper added."),
    ] = "caper"
    exhausted_trick: Annotated[
        Literal["last_in_order", "void"],
        Meta(
            description="When all tied players run out of cards together: "
            "the last in the order of the hat wins, or nobody does and the cards are lost."
        ),
    ] = "last_in_order"
    exposure_actions: Annotated[
        bool,
        Meta(
            description="Players may expose cards, an offence that costs 15 points each. A host without a seat "
            "may record a pocket card that a player exposed."
        ),
    ] = False
    exposure_limit: Annotated[
        int, Meta(ge=0, le=5, description="How many cards a player may expose in one caper.")
    ] = 3


def pack_for(options: Options, seats: int) -> tuple[Card, ...]:
    """Returns the unshuffled cards: one pack with its jokers for every three seats, rounded up (DB-1, DB-3)."""
    packs = -(-seats // 3)
    return build_pack(packs=packs, jokers=packs * options.jokers_per_deck)


def exposures_allowed(options: Options) -> int:
    """Returns how many cards a player may expose in one caper (DB-34, DB-43)."""
    return options.exposure_limit if options.exposure_actions else 0


def check_options(options: Options, seats: int) -> None:
    """Asserts that the bank has cards for interest after the deal, as it has with all options."""
    assert len(pack_for(options, seats)) > (SLEEVE_SIZE + POCKET_SIZE) * seats
