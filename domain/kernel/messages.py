"""Actions a seat asks for and events that happened, as frozen records with wire names."""

from typing import ClassVar

import msgspec


class Action(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type"):
    """What a seat asks for. Each kind sets `tag="imperative_name"`; JSON is `{"type": …, …fields}`."""


class Event(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A fact that happened; never changed, never deleted.

    Each kind sets `wire`, `<game>.<past_tense>`, with `@n` behind it from schema version 2 on.
    Its JSON holds the fields alone; the wire name travels beside it. `restarts_clock` is false for
    what a seat may do over and over while it owes something else, such as exchanging cards. `opens_turn`
    is true for what is done out of turn and ends the turn of whoever was to move: who owes an action
    afterwards, be it the same seat, has the whole time for it.
    """

    wire: ClassVar[str]
    restarts_clock: ClassVar[bool] = True
    opens_turn: ClassVar[bool] = False


class CardChoice(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """Many legal actions in one: any `at_least` … `at_most` of `cards`, named in any order.

    Attributes:
        type: the tag of an action whose one field is `cards`.
        cards: the cards to choose from; a face held twice stands twice.
        at_least, at_most: how many cards the action names.
        including: a card that must be among them, if any.
    """

    type: str
    cards: tuple[str, ...]
    at_least: int
    at_most: int
    including: str | None = None
