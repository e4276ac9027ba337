"""Leaks planted into any game: each makes something that viewers receive depend on hidden cards.

A leak wraps the game's own functions, and the hidden cards are those of a zone that the entitlements name, so
all of them are tried on a new game.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from types import new_class
from typing import Any, ClassVar, TypeAlias

import msgspec

from hoodwink.domain.cards import JOKER, RANKS, rank_of
from hoodwink.domain.kernel import Event, Game, Public, RuleCode, RuleViolation
from tests.domain.laws.cards import cards_in
from tests.domain.laws.entitlement import Look
from tests.domain.laws.entitlements import ENTITLEMENTS
from tests.domain.laws.playout import play


class LeakCode(RuleCode):
    """Codes that reveal something."""

    NOT_NOW = ("not_now", "Not now.")
    CARD_ELSEWHERE = ("card_elsewhere", "That card lies elsewhere.")


Cards: TypeAlias = Callable[[Any], list[str]]
"""Returns the cards of a zone that spectators do not see, from a state."""

Plant: TypeAlias = Callable[[Game[Any], Cards], Game[Any]]
"""Returns the game with a leak of what lies in the zone."""


def hidden_zones(game: Game[Any]) -> tuple[str, ...]:
    """Returns the zones of the game in which cards lie and none of them is shown to a spectator before the score."""
    entries = [entry for entry in play(game, 0, max_entries=60).entries if entry.kind != "score"]
    return tuple(
        name
        for name, mask in ENTITLEMENTS[game.name].zones.items()
        if any(cards_of_zone(name)(entry.state) for entry in entries)
        and not any(
            cards_in(mask(Look(entry.state, "spectator"), getattr(entry.state, name))) for entry in entries
        )
    )


def cards_of_zone(name: str) -> Cards:
    """Returns the function that finds the cards of that zone in a state."""
    return lambda state: cards_in(getattr(state, name))


def height(card: str) -> int:
    """Returns how high a card is, by rank alone."""
    return len(RANKS) if card == JOKER else RANKS.index(rank_of(card))  # type: ignore[arg-type]


def is_falling(cards: Sequence[str]) -> bool:
    """Returns whether the first card is higher than the last one."""
    return len(cards) > 1 and height(cards[0]) > height(cards[-1])


def count_high(cards: Sequence[str]) -> int:
    """Returns how many cards of the first half are pictures or aces."""
    return sum(height(card) > 8 for card in cards[: (len(cards) + 1) // 2])


def index_of_highest(cards: Sequence[str]) -> int:
    """Returns the position of the highest of the first few cards, for instance a seat."""
    return max(range(len(cards[:5])), key=lambda index: height(cards[index]), default=-1)


def order_of(cards: Sequence[str]) -> tuple[int, ...]:
    """Returns the positions of the first few cards, from the lowest card up."""
    return tuple(sorted(range(len(cards[:5])), key=lambda index: height(cards[index])))


def _revealing(reveal: Callable[[list[str]], Any]) -> Plant:
    """Returns a leak through a public field of the first event of every action."""

    def plant(game: Game[Any], cards: Cards) -> Game[Any]:
        def decide(state: Any, seat: int, action: Any, now: int) -> tuple[Event, ...]:
            first, *rest = game.decide(state, seat, action, now)
            return (with_more(first, reveal(cards(state))), *rest)

        return replace(game, decide=decide)

    return plant


def with_more(event: Event, more: Any) -> Event:
    """Returns the event with something more that everybody sees."""
    fields = {name: getattr(event, name) for name in event.__struct_fields__}
    extended: Event = _kind_with_more(type(event))(**fields, more=more)
    return extended


@cache
def _kind_with_more(kind: type[Event]) -> Any:
    """Returns a kind of event with one more field, which everybody sees."""
    fields = {"__annotations__": {"more": Public[Any]}}  # type: ignore[misc]
    return new_class(
        kind.__name__, (kind,), {"frozen": True, "kw_only": True}, lambda names: names.update(fields)
    )


def flag_from_the_deal(game: Game[Any], cards: Cards) -> Game[Any]:
    def deal(state: Any, draws: Any) -> tuple[Event, ...]:
        *before, last = game.deal(state, draws)
        for event in (*before, last):
            state = game.evolve(state, event)
        return (*before, with_more(last, is_falling(cards(state))))

    return replace(game, deal=deal)


def order_from_the_deal(game: Game[Any], cards: Cards) -> Game[Any]:
    """Three quarters of the deck are dealt in the order of their faces; what is drawn later shows what is left."""

    class Sorted:
        def __init__(self, draws: Any) -> None:
            self.first_dealer, self.seat, self.draws = draws.first_dealer, draws.seat, draws

        def deck(self, pack: Any, number: int) -> Any:
            deck = self.draws.deck(pack, number)
            return *deck[: len(deck) // 4], *sorted(deck[len(deck) // 4 :])

    return replace(game, deal=lambda state, draws: game.deal(state, Sorted(draws)))


class Noticed(Event, frozen=True):
    """Something that nobody should have noticed."""

    wire: ClassVar[str] = "leak.noticed"


def existence_of_an_event(game: Game[Any], cards: Cards) -> Game[Any]:
    def decide(state: Any, seat: int, action: Any, now: int) -> tuple[Event, ...]:
        events = game.decide(state, seat, action, now)
        return (*events, Noticed()) if is_falling(cards(state)) else events

    def evolve(state: Any, event: Event) -> Any:
        return state if isinstance(event, Noticed) else game.evolve(state, event)

    return replace(game, decide=decide, evolve=evolve)


class Unseen(Noticed, frozen=True):
    """An event that no seat and no spectator receives; it counts as a version all the same."""

    def is_known_to(self, viewer: Any) -> bool:
        return False


def existence_of_an_event_nobody_receives(game: Game[Any], cards: Cards) -> Game[Any]:
    noticed = existence_of_an_event(game, cards)

    def decide(state: Any, seat: int, action: Any, now: int) -> tuple[Event, ...]:
        events = noticed.decide(state, seat, action, now)
        return tuple(Unseen() if type(event) is Noticed else event for event in events)

    return replace(noticed, decide=decide)


def error_code(game: Game[Any], cards: Cards) -> Game[Any]:
    def decide(state: Any, seat: int, action: Any, now: int) -> tuple[Event, ...]:
        try:
            return game.decide(state, seat, action, now)
        except RuleViolation as refusal:
            code = LeakCode.NOT_NOW if is_falling(cards(state)) else refusal.code
            raise RuleViolation(code, refusal.detail) from None

    return replace(game, decide=decide)


def error_text(game: Game[Any], cards: Cards) -> Game[Any]:
    def decide(state: Any, seat: int, action: Any, now: int) -> tuple[Event, ...]:
        try:
            return game.decide(state, seat, action, now)
        except RuleViolation as refusal:
            raise RuleViolation(refusal.code, f"{refusal.detail} {count_high(cards(state))}") from None

    return replace(game, decide=decide)


def error_by_the_card_named(game: Game[Any], cards: Cards) -> Game[Any]:
    """A refusal reveals that a card named lies in the zone."""

    def decide(state: Any, seat: int, action: Any, now: int) -> tuple[Event, ...]:
        try:
            return game.decide(state, seat, action, now)
        except RuleViolation as refusal:
            lies_there = not set(cards_in(action)).isdisjoint(cards(state))
            raise RuleViolation(
                LeakCode.CARD_ELSEWHERE if lies_there else refusal.code, refusal.detail
            ) from None

    return replace(game, decide=decide)


def absence_of_an_option(game: Game[Any], cards: Cards) -> Game[Any]:
    def legal_actions(state: Any, seat: int, now: int) -> Any:
        legal = game.legal_actions(state, seat, now)
        return legal[1:] or legal if is_falling(cards(state)) else legal

    return replace(game, legal_actions=legal_actions)


def order_of_options(game: Game[Any], cards: Cards) -> Game[Any]:
    def legal_actions(state: Any, seat: int, now: int) -> Any:
        legal = game.legal_actions(state, seat, now)
        return legal[::-1] if is_falling(cards(state)) else legal

    return replace(game, legal_actions=legal_actions)


def count_in_the_view(game: Game[Any], cards: Cards) -> Game[Any]:
    def view(state: Any, viewer: Any) -> Any:
        return _Seen(game.view(state, viewer), count_high(cards(state)))

    return replace(game, view=view)


class _Seen(msgspec.Struct, frozen=True):
    view: Any
    more: int


def whose_turn(game: Game[Any], cards: Cards) -> Game[Any]:
    def turn(state: Any) -> Any:
        turn = game.turn(state)
        return msgspec.structs.replace(turn, may=(*turn.may, 0)) if is_falling(cards(state)) else turn

    return replace(game, turn=turn)


def time_to_wait(game: Game[Any], cards: Cards) -> Game[Any]:
    return replace(game, waits_until=lambda state: count_high(cards(state)))


def what_a_clock_does(game: Game[Any], cards: Cards) -> Game[Any]:
    def overdue(state: Any, seat: int) -> Any:
        return game.actions[0] if is_falling(cards(state)) else None

    return replace(game, overdue=overdue)


def scores(game: Game[Any], cards: Cards) -> Game[Any]:
    return replace(game, scores=lambda state: (*game.scores(state), count_high(cards(state))))


LEAKS: Mapping[str, Plant] = {
    "a flag": _revealing(is_falling),
    "a count": _revealing(count_high),
    "a seat": _revealing(index_of_highest),
    "an order": _revealing(order_of),
    "a flag from the deal": flag_from_the_deal,
    "an order from the deal": order_from_the_deal,
    "an event": existence_of_an_event,
    "an event nobody receives": existence_of_an_event_nobody_receives,
    "an error code": error_code,
    "an error text": error_text,
    "an error by the card named": error_by_the_card_named,
    "an option": absence_of_an_option,
    "an order of options": order_of_options,
    "a count in the view": count_in_the_view,
    "whose turn": whose_turn,
    "the scores": scores,
    "the time to wait": time_to_wait,
    "what a clock does": what_a_clock_does,
}
