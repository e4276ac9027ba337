"""The base class of the commands of tournaments."""

import msgspec


class Command(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Base of the tournament commands."""
