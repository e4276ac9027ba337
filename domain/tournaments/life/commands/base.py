"""What the commands of tournaments have in common."""

import msgspec


class Command(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Base of the tournament commands."""
