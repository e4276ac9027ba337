"""Players: their ids, hashes of their tokens, and names.

A name is stored apart from the player's events, so that it can be changed and erased without breaking any log.
"""

import hashlib
import hmac
from enum import StrEnum
from typing import ClassVar, Final, TypeAlias, assert_never, get_args

import msgspec
from msgspec.structs import replace

from hoodwink.domain.kernel import (
    Event,
    Public,
    Secret,
)

SOMEONE_WHO_LEFT: Final = "someone who left"
"""The name shown for an erased player."""

FIRST_SESSION: Final = 1
"""The number of the session that begins with the registration."""


class SignIn(StrEnum):
    """How a session began."""

    REGISTRATION = "registration"
    LINK = "link"
    RECOVERY_CODE = "recovery_code"
    PASSKEY = "passkey"


class PlayerRegistered(Event, frozen=True):
    """A guest or named player registered; `token_hash` is the SHA-256 of the bearer token, as hex."""

    wire: ClassVar[str] = "player.registered@2"
    player: Public[str]
    token_hash: Secret


class BotRegistered(Event, frozen=True):
    """A player registered a bot, an account that only a program uses. Its owner never changes."""

    wire: ClassVar[str] = "player.bot_registered"
    player: Public[str]
    token_hash: Secret
    owner: Public[str]


class PlayerRenamed(Event, frozen=True):
    """The player changed their name, which is stored apart from the log."""

    wire: ClassVar[str] = "player.renamed"
    player: Public[str]


class SessionOpened(Event, frozen=True):
    """The player signed in once more. The session's number is that of the event, so none is used twice.

    Others may have `ended` to make room for it.
    """

    wire: ClassVar[str] = "player.session_opened"
    player: Public[str]
    session: Public[int]
    token_hash: Secret
    how: Public[SignIn]
    ended: Public[tuple[int, ...]] = ()


class RecoveryCodeMade(Event, frozen=True):
    """The player got a recovery code, which replaces the one before; `code_hash` is its SHA-256, as hex."""

    wire: ClassVar[str] = "player.recovery_code_made"
    player: Public[str]
    code_hash: Secret


class PasskeyMade(Event, frozen=True):
    """The player made a passkey. It is stored apart from the log, so that it can be erased."""

    wire: ClassVar[str] = "player.passkey_made"
    player: Public[str]


class TokenReplaced(Event, frozen=True):
    """A session got a new token, and the old one was revoked."""

    wire: ClassVar[str] = "player.token_replaced@2"
    player: Public[str]
    token_hash: Secret
    session: Public[int] = FIRST_SESSION


class TokenEnded(Event, frozen=True):
    """The tokens of sessions were revoked, which ended these sessions."""

    wire: ClassVar[str] = "player.token_ended@2"
    player: Public[str]
    sessions: Public[tuple[int, ...]] = (FIRST_SESSION,)


class PlayerErased(Event, frozen=True):
    """The player left for good: all tokens were revoked and the name erased."""

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
    PlayerRegistered
    | BotRegistered
    | PlayerRenamed
    | SessionOpened
    | RecoveryCodeMade
    | PasskeyMade
    | TokenReplaced
    | TokenEnded
    | PlayerErased
    | PlayerBanned
    | BanLifted
)

_KINDS: Final = {
    **{kind.wire: kind for kind in get_args(PlayerEvent)},
    # Their first versions are about the only session that a player had, which is the default now.
    "player.token_replaced": TokenReplaced,
    "player.token_ended": TokenEnded,
}


class Session(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A device or program that is signed in as a player.

    Attributes:
        token_hash: the hash of its token; empty if the player was erased.
        opened_at: in ms since the epoch.
        cmd: the id of the command that gave it the token, or took it away.
        former_hash: the hash of the token before the current one, or empty. That token may still retry the command.
    """

    number: int
    token_hash: str
    how: SignIn
    opened_at: int
    cmd: str = ""
    former_hash: str = ""


class RecoveryCode(msgspec.Struct, frozen=True, gc=False):
    """A code to print, which signs the player in once; `made_at` is in ms since the epoch."""

    code_hash: str
    made_at: int


class Player(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A registered player.

    Attributes:
        name: the name shown now.
        token_hash: the hash of the token with which this copy of the player acts: the one that a request had, otherwise that
            of the first session. Empty if there is none.
        owner: the id of the player to whom this bot belongs; `None` for a person.
        sessions: in the order in which they began.
        recovery_code: `None` before the first one is made, and once it is used.
        registered_at: in ms since the epoch.
        name_changes: how often the name was changed or erased.
        version: the number of the player's events.
        head: the hash of the last event.
    """

    id: str
    name: str
    token_hash: str
    owner: str | None = None
    sessions: tuple[Session, ...] = ()
    recovery_code: RecoveryCode | None = None
    registered_at: int = 0
    is_erased: bool = False
    is_banned: bool = False
    name_changes: int = 0
    version: int = 1
    head: str = ""


def decode_player_event(wire: str, data: bytes) -> PlayerEvent:
    event: PlayerEvent = msgspec.json.decode(data, type=_KINDS[wire])
    return event


def changed(player: Player, event: PlayerEvent, *, cmd: str, at: int) -> Player:
    """Returns the player after an event of the command `cmd`, at a time in ms.

    A new name is not in the event: the caller looks it up.
    """
    match event:
        case PlayerRegistered() | BotRegistered() | PasskeyMade():
            return player
        case PlayerRenamed():
            return replace(player, name_changes=player.name_changes + 1)
        case SessionOpened():
            opened = Session(
                number=event.session, token_hash=event.token_hash, how=event.how, opened_at=at, cmd=cmd
            )
            kept = None if event.how is SignIn.RECOVERY_CODE else player.recovery_code
            return replace(player, sessions=(*_without(player, event.ended), opened), recovery_code=kept)
        case RecoveryCodeMade():
            return replace(player, recovery_code=RecoveryCode(event.code_hash, at))
        case TokenReplaced():
            sessions = [
                _with_token(session, event.token_hash, cmd) if session.number == event.session else session
                for session in player.sessions
            ]
            return replace(player, sessions=tuple(sessions))
        case TokenEnded():
            return replace(player, sessions=_without(player, event.sessions))
        case PlayerErased():
            return replace(
                player,
                # They stay, because the erasure may be repeated with the token that it ended.
                sessions=tuple([_with_token(session, "", cmd) for session in player.sessions]),
                recovery_code=None,
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


def session_of(player: Player, token_hash: str) -> Session | None:
    """Returns the session with a token, compared in constant time, or `None`."""
    # An erased player's sessions have no token, which must not match a player who was loaded without one.
    return next(
        (
            session
            for session in player.sessions
            if session.token_hash and hmac.compare_digest(session.token_hash, token_hash)
        ),
        None,
    )


def signed_in(player: Player, token_hash: str) -> Player:
    """Returns the player as somebody acts who has a token."""
    return player if player.token_hash == token_hash else replace(player, token_hash=token_hash)


def _without(player: Player, ended: tuple[int, ...]) -> tuple[Session, ...]:
    return tuple([session for session in player.sessions if session.number not in ended])


def _with_token(session: Session, token_hash: str, cmd: str) -> Session:
    return replace(session, token_hash=token_hash, former_hash=session.token_hash, cmd=cmd)


def hash_token(token: str) -> str:
    """Returns the SHA-256 of the token, as hex. Tokens are random, so they need no salt."""
    return hashlib.sha256(token.encode()).hexdigest()
