"""Players: their ids, hashes of their tokens, and names.

A name is stored apart from the player's events, so that it can be changed and erased without breaking any log.
"""

import hashlib
import re
import unicodedata
from typing import ClassVar, Final, TypeAlias, assert_never, get_args

import msgspec
from msgspec.structs import replace

from hoodwink.domain.bots import POLICIES
from hoodwink.domain.kernel import (
    Event,
    Public,
    RuleCode,
    RuleViolation,
    Secret,
    legibility_fault,
    normal_form,
)

SOMEONE_WHO_LEFT: Final = "someone who left"
"""The name shown for an erased player."""

_RESERVED: Final = re.compile(rf"someonewholeft|({'|'.join(POLICIES)})bot\d*")

_LOOK_ALIKES: Final = {
    "a": "АаΑαɑ",  # noqa: RUF001
    "b": "ВвЬьΒβ",
    "d": "ԀԁĐđδ",
    "e": "ЕеЄєΕε",
    "f": "ƒϜϝ",
    "h": "НнҺһΗ",
    "l": "IІΙӀӏŁłı",  # noqa: RUF001
    "m": "МмΜ",
    "n": "ПпΝη",
    "o": "ОоΟοσØøՕօ",
    "r": "Гг",
    "s": "Ѕѕς",
    "t": "ТтΤτŦŧ",
    "w": "ШшԜԝω",
    "y": "УуҮүΥυγ",  # noqa: RUF001
}
"""Letters that look like those of the reserved names, in either case."""

_LATIN: Final = str.maketrans({other: latin for latin, others in _LOOK_ALIKES.items() for other in others})


class PlayerCode(RuleCode):
    """Reasons for rejecting a name."""

    NAME_RESERVED = (
        "name_reserved",
        "This name is reserved for bots and for players who have left; choose another one.",
    )
    NAME_ILLEGIBLE = (
        "name_illegible",
        (
            "A name must have 1 to 40 visible characters, with single blanks between them, and letters of one script; only "
            "Latin letters may be mixed with Chinese, Japanese or Korean ones."
        ),
    )


class PlayerRegistered(Event, frozen=True):
    """A guest or named player registered; `token_hash` is the SHA-256 of the bearer token, as hex."""

    wire: ClassVar[str] = "player.registered@2"
    player: Public[str]
    token_hash: Secret


class PlayerRenamed(Event, frozen=True):
    """The player changed their name, which is stored apart from the log."""

    wire: ClassVar[str] = "player.renamed"
    player: Public[str]


class TokenReplaced(Event, frozen=True):
    """The player got a new token, and the old one was revoked."""

    wire: ClassVar[str] = "player.token_replaced"
    player: Public[str]
    token_hash: Secret


class TokenEnded(Event, frozen=True):
    """The player's token was revoked, so nobody can sign in as this player any more."""

    wire: ClassVar[str] = "player.token_ended"
    player: Public[str]


class PlayerErased(Event, frozen=True):
    """The player left for good: the token was revoked and the name erased."""

    wire: ClassVar[str] = "player.erased"
    player: Public[str]


class PlayerBanned(Event, frozen=True):
    """An administrator banned the player, who may only read and leave until the ban is lifted."""

    wire: ClassVar[str] = "player.banned"
    player: Public[str]


class BanLifted(Event, frozen=True):
    """An administrator lifted the ban of the player."""

    wire: ClassVar[str] = "player.ban_lifted"
    player: Public[str]


PlayerEvent: TypeAlias = (
    PlayerRegistered | PlayerRenamed | TokenReplaced | TokenEnded | PlayerErased | PlayerBanned | BanLifted
)

_KINDS: Final = {kind.wire: kind for kind in get_args(PlayerEvent)}


class Player(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A registered player.

    Attributes:
        name: the name shown now.
        token_hash: the hash of the token; empty after it was revoked.
        former_hash: the hash of the token before the current one, or empty.
        former_cmd: the id of the command that revoked the former token. That token may still retry this command.
        registered_at: in ms since the epoch.
        name_changes: how often the name was changed or erased.
        version: the number of the player's events.
        head: the hash of the last event.
    """

    id: str
    name: str
    token_hash: str
    former_hash: str = ""
    former_cmd: str = ""
    registered_at: int = 0
    is_erased: bool = False
    is_banned: bool = False
    name_changes: int = 0
    version: int = 1
    head: str = ""


def checked_name(name: str) -> str:
    """Returns a new name as it is stored and shown: in the normal form NFKC, as in RFC 8266.

    Names need not be unique: ids distinguish players whose names look alike.

    Raises:
        RuleViolation: the name is illegible, or it imitates the names of bots or of players who left. Case, spacing,
            accents and look-alike letters make no difference.

    >>> checked_name("\uff21da")
    'Ada'
    """
    name = normal_form(name)
    if _RESERVED.fullmatch(_folded(name)):
        raise RuleViolation(PlayerCode.NAME_RESERVED)
    if fault := legibility_fault(name):
        raise RuleViolation(PlayerCode.NAME_ILLEGIBLE, fault)
    return name


def _folded(name: str) -> str:
    """Returns the letters and digits of a name without case and accents, with look-alikes replaced by Latin letters.

    >>> _folded("STEADY-Bót  2")
    'steadybot2'
    """
    latin = unicodedata.normalize("NFKD", name).translate(_LATIN)
    return "".join(filter(str.isalnum, latin.casefold()))


def decode_player_event(wire: str, data: bytes) -> PlayerEvent:
    event: PlayerEvent = msgspec.json.decode(data, type=_KINDS[wire])
    return event


def changed(player: Player, event: PlayerEvent, *, cmd: str) -> Player:
    """Returns the player after an event of the command `cmd`. A new name is not in the event: the caller looks it up."""
    match event:
        case PlayerRegistered():
            return player
        case PlayerRenamed():
            return replace(player, name_changes=player.name_changes + 1)
        case TokenReplaced():
            return _with_token(player, event.token_hash, cmd)
        case TokenEnded():
            return _with_token(player, "", cmd)
        case PlayerErased():
            return replace(
                _with_token(player, "", cmd),
                is_erased=True,
                name=SOMEONE_WHO_LEFT,
                name_changes=player.name_changes + 1,
            )
        case PlayerBanned():
            return replace(player, is_banned=True)
        case BanLifted():
            return replace(player, is_banned=False)
        case _:
            assert_never(event)


def _with_token(player: Player, token_hash: str, cmd: str) -> Player:
    return replace(player, token_hash=token_hash, former_hash=player.token_hash, former_cmd=cmd)


def hash_token(token: str) -> str:
    """Returns the SHA-256 of the token, as hex. Tokens are random, so they need no salt."""
    return hashlib.sha256(token.encode()).hexdigest()
