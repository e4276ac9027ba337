"""The events of a game's rating stream: each rated table once, in the order in which they count (R-3)."""

from collections.abc import Mapping
from typing import ClassVar, Final, TypeAlias, get_args

import msgspec

from hoodwink.domain.kernel import Event, Public
from hoodwink.domain.tables.codec import UnknownEvent

_ACCOUNT: Final = "@bot"


def is_bot(player: str) -> bool:
    """Returns whether the rated player is a bot, such as `steady@1` or `k3x9abcd@bot`; the id of a person has no `@`."""
    return "@" in player


def rated_bot(account: str) -> str:
    """Returns the rated player of a bot's account."""
    return account + _ACCOUNT


def account_of(player: str) -> str | None:
    """Returns the id of the person's or bot's account, or `None` for a policy.

    >>> account_of("k3x9abcd"), account_of("k3x9abcd@bot"), account_of("steady@1")
    ('k3x9abcd', 'k3x9abcd', None)
    """
    account = player.removesuffix(_ACCOUNT)
    return None if is_bot(account) else account


class RatedSeat(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A rated player at a table, and the place reached there.

    Attributes:
        player: the id of a person, that of a bot's account with `@bot`, or a policy and its version, such as `steady@1`.
        took_part: whether the player played enough of the rounds (R-6); always true of a bot.
    """

    player: str
    place: int
    took_part: bool = True


class TableRated(Event, frozen=True):
    """A table counts from this event on.

    `version` is that of the event on the table's own stream that ended it. `seats` are the rated ones in seat order:
    at least two, of different players.
    """

    wire: ClassVar[str] = "ratings.table_rated@2"
    game: Public[str]
    table: Public[str]
    version: Public[int]
    seats: Public[tuple[RatedSeat, ...]]


class RatedTableVoided(Event, frozen=True):
    """A rated table no longer counts, as if it had ended without a result (V-2).

    `version` is that of the event on the table's own stream that voided it.
    """

    wire: ClassVar[str] = "ratings.table_voided"
    game: Public[str]
    table: Public[str]
    version: Public[int]


RatingEvent: TypeAlias = TableRated | RatedTableVoided

RATING_EVENTS: tuple[type[RatingEvent], ...] = get_args(RatingEvent)

_DECODERS: Mapping[str, msgspec.json.Decoder[RatingEvent]] = {
    kind.wire: msgspec.json.Decoder(kind) for kind in RATING_EVENTS
}


def decode_rating_event(wire: str, data: bytes) -> RatingEvent:
    """Returns the event with that wire name; raises `UnknownEvent`."""
    decoder = _DECODERS.get(wire)
    if decoder is None:
        raise UnknownEvent(f"there is no event {wire!r}")
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnknownEvent(f"{wire}: {error}") from None
