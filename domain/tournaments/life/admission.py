"""The settings of a tournament that say who may see it and enter it (T-24 … T-27)."""

from enum import StrEnum
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta


class Visibility(StrEnum):
    """The people who find and see a tournament."""

    PUBLIC = "public"  # everybody finds it in lists
    UNLISTED = "unlisted"  # everybody who has its address
    PRIVATE = "private"  # entrants, officials, and those with its invitation code


VisibilitySetting: TypeAlias = Annotated[
    Visibility,
    Meta(
        description="Who sees the tournament: everybody (`public`), everybody who has its address (`unlisted`), or its "
        "entrants, its officials and those who send its invitation code (`private`). Unless it is public, it is in no list, "
        "and its tables are private and not rated."
    ),
]


InvitedOnly: TypeAlias = Annotated[
    bool,
    Meta(
        description="Whether players need the invitation code to enter, even where they see the tournament without it."
    ),
]

Approval: TypeAlias = Annotated[
    bool, Meta(description="Whether players only ask to enter, and the organiser accepts or declines them.")
]

RatingBound: TypeAlias = Annotated[int, Meta(ge=-1000, le=1000)]
MinRating: TypeAlias = Annotated[
    RatingBound | None,
    Meta(
        description="The minimum rating in the game, as leaderboards rank it (mu - 3 sigma). Unrated players cannot enter then."
    ),
]
MaxRating: TypeAlias = Annotated[
    RatingBound | None,
    Meta(description="The maximum rating in the game (mu - 3 sigma). Unrated players may enter."),
]
MinRatedTables: TypeAlias = Annotated[
    int,
    Meta(
        ge=0, le=1000, description="The minimum number of rated tables of the game that a player has played."
    ),
]


class Admission(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """Who may see and enter a tournament; the event `tournament.admission_chosen` records it."""

    visibility: VisibilitySetting = Visibility.PUBLIC
    invited_only: InvitedOnly = False
    approval: Approval = False
    min_rating: MinRating = None
    max_rating: MaxRating = None
    min_rated_tables: MinRatedTables = 0


OPEN_TO_ALL: Final = Admission()
