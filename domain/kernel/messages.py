"""Actions that seats ask for, and events that happened, as frozen records with wire names."""

from typing import Any, ClassVar, TypeAlias

import msgspec

from hoodwink.domain.kernel.errors import Refusals
from hoodwink.domain.kernel.visibility import Plan, Viewer, plan_of, unseen_fields


class Action(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type"):
    """An action that a seat asks for. Each kind sets `tag="imperative_name"`; JSON is `{"type": …, …fields}`.

    `refusals` lists every code with which the game may refuse it.
    """

    refusals: ClassVar[Refusals]


Cause: TypeAlias = tuple[int, Action]
"""The seat and the action that an event records."""


class Event(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A fact. It is never changed or deleted.

    Each field declares who sees it, such as `Own[Card]`. Its JSON has only the fields; the wire name is stored and sent
    next to it.

    Attributes:
        wire: `<game>.<past_tense>`, followed by `@n` from schema version 2 on.
        restarts_clock: false for an action that a seat may repeat while it owes another one, such as exchanging cards.
        opens_turn: true for an out-of-turn action that ends the turn of the seat to move. The seat that owes an action
            afterwards has the full time for it, even if it is the same seat.
        is_step: true for an action in the middle of a turn, such as drawing a card. A bot takes the next step of that
            turn immediately.
        starts_round: true for the event that deals a round.
        is_final: true for an action that is never taken back: a secret choice, or one that shows its seat a card which
            no field names (G-20).
        hidden: the fields that some viewers do not see, derived from the declarations.
        unseen: the fields with cards that its seat may not have seen before, derived from the declarations.
    """

    wire: ClassVar[str]
    restarts_clock: ClassVar[bool] = True
    opens_turn: ClassVar[bool] = False
    is_step: ClassVar[bool] = False
    starts_round: ClassVar[bool] = False
    is_final: ClassVar[bool] = False
    hidden: ClassVar[Plan] = ()
    unseen: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        """Computes the derived fields once per class; raises `TypeError` as `plan_of` does."""
        super().__init_subclass__(**options)
        cls.hidden = plan_of(cls)
        cls.unseen = unseen_fields(cls)

    def is_known_to(self, viewer: Viewer) -> bool:
        """Returns whether the viewer may know that the event happened."""
        return True

    def cause(self) -> Cause | None:
        """Returns the seat and the action that it records, complete enough to decide the action again.

        `None` for a deal, a score or a consequence of another event. The first event of every action has a cause, so
        that a log can be verified.
        """
        return None

    def is_news(self) -> bool:
        """Returns whether it shows its seat a card for the first time, or moves one that was face down (G-20)."""
        cause = self.cause()
        named = None if cause is None else cause[1]
        return any(
            bool(value := getattr(self, name)) and value != getattr(named, name, None) for name in self.unseen
        )


class CardChoice(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """Many legal actions in one: any `at_least` to `at_most` of `cards`, named in any order.

    Attributes:
        type: the tag of an action whose only field is `cards`.
        cards: the cards to choose from; a face held twice is listed twice.
        at_least, at_most: how many cards the action names.
        including: a card that must be among them, if any.
        purpose: the effect of the action, in a sentence; only in responses of the API.
    """

    type: str
    cards: tuple[str, ...]
    at_least: int
    at_most: int
    including: str | None = None
    purpose: str = ""
