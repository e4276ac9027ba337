"""Administrators' actions, as events of one stream per installation. Events hold hashes of the reasons, never their text."""

import hashlib
import re
from enum import StrEnum
from typing import ClassVar, Final

import msgspec

from hoodwink.domain.kernel import Event, Public

_DIGEST: Final = re.compile("sha256:[0-9a-f]{64}")


class Act(StrEnum):
    """What an administrator does; the subject of each is the id that its comment names."""

    VOID_TABLE = "void_table"  # the table
    END_TABLE = "end_table"  # the table
    END_TOURNAMENT = "end_tournament"  # the tournament
    BAN_PLAYER = "ban_player"  # the player, and so below
    LIFT_BAN = "lift_ban"
    RENAME_PLAYER = "rename_player"
    ERASE_PLAYER = "erase_player"
    ROTATE_STREAM_TOKENS = "rotate_stream_tokens"  # none
    ROTATE_INVITATIONS = "rotate_invitations"  # none
    ERASE_REASON = "erase_reason"  # the number of the event whose reason it was


class ActRecorded(Event, frozen=True):
    """An administrator did something; `reason` is its salted hash (see `reason_digest`), or empty."""

    wire: ClassVar[str] = "administration.act_recorded"
    admin: Public[str]
    act: Public[Act]
    subject: Public[str]
    reason: Public[str]


def decode_act(data: bytes) -> ActRecorded:
    return msgspec.json.decode(data, type=ActRecorded)


def reason_digest(salt: str, text: str) -> str:
    """Returns what events hold of a reason. Without the salt, which is erased with the text, it cannot be guessed.

    >>> reason_digest("5a17", "It rains.")[:15]
    'sha256:3a9302dd'
    """
    return f"sha256:{hashlib.sha256(f'{salt}:{text}'.encode()).hexdigest()}"


def is_reason_digest(reason: str) -> bool:
    """Returns whether an event holds the hash of a reason, and not its text, as events of earlier releases do."""
    return _DIGEST.fullmatch(reason) is not None
