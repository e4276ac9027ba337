"""Administrators' actions, as events of one stream per installation. Events contain hashes of the reasons, never the text."""

import hashlib
import re
from enum import StrEnum
from typing import ClassVar, Final

import msgspec

from hoodwink.domain.kernel import Event, Public

_DIGEST: Final = re.compile("sha256:[0-9a-f]{64}")


class Act(StrEnum):
    """The actions of administrators. The comment of each says whose id is its subject."""

    VOID_TABLE = "void_table"  # the table
    END_TABLE = "end_table"  # the table
    END_TOURNAMENT = "end_tournament"  # the tournament
    END_SERIES = "end_series"  # the series
    REVERSE_RULING = "reverse_ruling"  # the tournament
    REVERSE_DECISION = "reverse_decision"  # the tournament
    BAN_PLAYER = "ban_player"  # the player
    LIFT_BAN = "lift_ban"  # the player
    RENAME_PLAYER = "rename_player"  # the player
    ERASE_PLAYER = "erase_player"  # the player
    ROTATE_STREAM_TOKENS = "rotate_stream_tokens"  # none
    ROTATE_INVITATIONS = "rotate_invitations"  # none
    ERASE_REASON = "erase_reason"  # the version of the event with that reason, or its hash


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
    """Returns the digest of a reason for events. The text cannot be guessed without the salt, which is erased with it.

    >>> reason_digest("5a17", "It rains.")[:15]
    'sha256:3a9302dd'
    """
    return f"sha256:{hashlib.sha256(f'{salt}:{text}'.encode()).hexdigest()}"


def is_reason_digest(reason: str) -> bool:
    """Returns whether the text is the hash of a reason. Events of earlier releases contain the reason itself."""
    return _DIGEST.fullmatch(reason) is not None
