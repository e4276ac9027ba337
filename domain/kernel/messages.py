"""Actions a seat asks for and events that happened, as frozen records with wire names."""

from typing import Any, ClassVar, TypeAlias

import msgspec

from hoodwink.domain.kernel.errors import Refusals
from hoodwink.domain.kernel.visibility import Plan, Viewer, plan_of


class Action(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type"):
    """An action that a seat asks for. Each kind sets `tag="imperative_name"`; JSON is `{"type": …, …fields}`.

    `refusals` lists every code with which the game may refuse it.
    """

    refusals: ClassVar[Refusals]


Cause: TypeAlias = tuple[int, Action]
"""The seat and the action that an event records."""


class Event(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A fact that happened; never changed, never deleted.

    Each kind sets `wire`, `<game>.<past_tense>`, followed by `@n` from schema version 2 on, and says of each
    field who sees it, such as `Own[Card]`; a class with a field that does not, or cannot be hidden so, is refused.
    Its JSON holds only the fields; the wire name is stored and sent next to it. `restarts_clock` is false for an action
    that a seat may repeat while it owes another one, such as exchanging cards. `opens_turn` is true for an action out of
    turn that ends the turn of the seat to move: the seat that owes an action afterwards, even the same one, has the full
    time for it. `is_step` is true for an action in the middle of a turn, such as drawing a card: a bot takes the next
    step of that turn immediately. `starts_round` is true for the event that deals a round.
    """

    wire: ClassVar[str]
    restarts_clock: ClassVar[bool] = True
    opens_turn: ClassVar[bool] = False
    is_step: ClassVar[bool] = False
    starts_round: ClassVar[bool] = False
    hidden: ClassVar[Plan] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        """Works out the hidden fields once for the class; raises `TypeError` as `plan_of` does."""
        super().__init_subclass__(**options)
        cls.hidden = plan_of(cls)

    def is_known_to(self, viewer: Viewer) -> bool:
        """Returns whether the viewer may know that it happened at all."""
        return True

    def cause(self) -> Cause | None:
        """Returns the seat and the action that it records, complete enough to decide the action again.

        `None` for a consequence of another event, a deal or a score. Every action's first event has a cause; that is
        how a log is checked.
        """
        return None


class CardChoice(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """Many legal actions in one: any `at_least` … `at_most` of `cards`, named in any order.

    Attributes:
        type: the tag of an action whose one field is `cards`.
        cards: the cards to choose from; a face held twice stands twice.
        at_least, at_most: how many cards the action names.
        including: a card that must be among them, if any.
        purpose: what that action does, in a sentence; only in answers of the API.
    """

    type: str
    cards: tuple[str, ...]
    at_least: int
    at_most: int
    including: str | None = None
    purpose: str = ""
