"""The settings of a tournament that say who may see it and enter it (T-24 … T-26)."""

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


class Admission(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """Who may see and enter a tournament; the event `tournament.admission_chosen` records it."""

    visibility: VisibilitySetting = Visibility.PUBLIC
    invited_only: InvitedOnly = False
    approval: Approval = False


OPEN_TO_ALL: Final = Admission()
