"""What games of shedding cards share: three zones a seat, one pile, and plays of one rank.

A seat plays by name from its hand, then from its face-up cards, and then blindly, by slot, from its
face-down cards. The last card of a pile is its top, index 0 of a stock its top.
"""

from collections.abc import Container, Iterable
from enum import StrEnum
from typing import Protocol, TypeAlias

from domain.cards import HIDDEN, JOKER, Card, build_pack, rank_of
from domain.kernel import CARD_NOT_HELD, Action, CardChoice, LegalAction, RuleViolation, replace_at

HAND_SIZE = 3
FOUR = 4

Slots: TypeAlias = tuple[Card | None, ...]
"""Face-down cards; a slot keeps its number and stays empty once emptied (CO-31, SH-48)."""

RANK: dict[Card, str] = {card: rank_of(card) for card in (*build_pack(), JOKER)}
"""`rank_of` as a table, for the loops over large hands."""

_EVERY_RANK = frozenset(RANK.values())

NO_CARDS = ("no_cards", "Name at least one card.")
MIXED_RANKS = ("mixed_ranks", "The cards of one play are all of one rank.")
WRONG_ZONE = ("wrong_zone", "You play from your hand, then your face-up cards, then your face-down cards.")
SLOT_EMPTY = ("slot_empty", "No card of yours lies in that slot.")
PILE_EMPTY = ("pile_empty", "The pile is empty: there is nothing to pick up.")
MUST_PLAY = ("must_play", "You can play, so you may not pick up the pile.")


class Zone(StrEnum):
    """Where a seat plays from; zones are never mixed in one play."""

    HAND = "hand"
    FACE_UP = "face_up"
    FACE_DOWN = "face_down"


class CardsAction(Protocol):
    """An action class whose one field is the cards named."""

    def __call__(self, cards: tuple[Card, ...]) -> Action: ...


def active_zone(hand: tuple[Card, ...], face_up: tuple[Card, ...], face_down: Slots) -> Zone | None:
    """Returns the zone the seat plays from, or `None` for a seat without cards."""
    if hand:
        return Zone.HAND
    if face_up:
        return Zone.FACE_UP
    return Zone.FACE_DOWN if any(face_down) else None


def deal_singly(cards: tuple[Card, ...], *, seats: int, first: int) -> tuple[tuple[Card, ...], ...]:
    """Returns each seat's share, from seat 0, of cards dealt one at a time clockwise from `first`.

    >>> deal_singly(("2C", "3C", "4C", "5C"), seats=2, first=1)
    (('3C', '5C'), ('2C', '4C'))
    """
    return tuple(cards[(seat - first) % seats :: seats] for seat in range(seats))


def by_rank(cards: Iterable[Card], ranks: Container[str] = _EVERY_RANK) -> dict[str, list[Card]]:
    """Returns the cards of each of the ranks, ranks and cards in the order in which they come."""
    groups: dict[str, list[Card]] = {}
    for card in cards:
        rank = RANK[card]
        if rank in groups:
            groups[rank].append(card)
        elif rank in ranks:
            groups[rank] = [card]
    return groups


def choice_of(
    kind: CardsAction, tag: str, cards: list[Card], *, at_least: int = 1, including: Card | None = None
) -> LegalAction:
    """Returns the legal action of naming `at_least` or more of the cards: itself if there is one card only.

    Args:
        kind: the action class, whose one field is `cards`.
        tag: its tag.
        cards: what may be named; a face held twice stands twice.
        at_least: how many must be named, no more than there are.
        including: a card that must be among them, if any.
    """
    if len(cards) == 1:
        return kind((cards[0],))
    return CardChoice(
        type=tag, cards=tuple(cards), at_least=at_least, at_most=len(cards), including=including
    )


def check_named(cards: tuple[Card, ...], held: tuple[Card, ...]) -> None:
    """Raises `RuleViolation` unless one or more cards of one rank are named, each as often as held."""
    if not cards:
        raise RuleViolation(*NO_CARDS)
    if len(cards) == 1 and cards[0] in held:
        return
    rest = list(held)
    for card in cards:
        if card not in rest:
            raise RuleViolation(*CARD_NOT_HELD)
        rest.remove(card)
    rank = RANK[cards[0]]
    for card in cards[1:]:
        if RANK[card] != rank:
            raise RuleViolation(*MIXED_RANKS)


def without(cards: tuple[Card, ...], taken: tuple[Card, ...]) -> tuple[Card, ...]:
    """Returns the cards left, in order; a face held twice and taken once stays once.

    Raises:
        ValueError: a card taken is not there, or not that often.

    >>> without(("9S", "4C", "9S"), ("9S",))
    ('4C', '9S')
    """
    rest = list(cards)
    for card in taken:
        rest.remove(card)
    return tuple(rest)


def cards_to_draw(hand_count: int, stock: tuple[Card, ...]) -> tuple[Card, ...]:
    """Returns the top of the stock that fills a hand up to three: nothing for a hand of three or more."""
    return stock[: HAND_SIZE - hand_count] if hand_count < HAND_SIZE else ()


def run_on_top(pile: tuple[Card, ...]) -> int:
    """Returns how many cards of the top card's rank lie together on top, whoever laid them."""
    if not pile:
        return 0
    rank = RANK[pile[-1]]
    run = 1
    while run < len(pile) and RANK[pile[-1 - run]] == rank:
        run += 1
    return run


def run_with(pile: tuple[Card, ...], cards: tuple[Card, ...]) -> int:
    """Returns the run on top once these cards, all of one rank, lie on the pile.

    >>> run_with(("9S", "5C", "5H"), ("5D", "5S"))
    4
    """
    if pile and RANK[pile[-1]] == RANK[cards[0]]:
        return len(cards) + run_on_top(pile)
    return len(cards)


def next_in(seat: int, *, seats: int, out: tuple[int, ...], step: int = 1) -> int:
    """Returns the next seat that is not out: clockwise with step 1, counter-clockwise with -1.

    At least one seat must not be out; if it is the only one, it follows itself.
    """
    following = (seat + step) % seats
    while following in out:
        following = (following + step) % seats
    return following


def is_filled(slots: Slots, slot: int) -> bool:
    """Tells whether a card lies in the slot; a number that is no slot holds none."""
    return 0 <= slot < len(slots) and slots[slot] is not None


def filled_slots(slots: Slots) -> tuple[int, ...]:
    """Returns the numbers of the slots in which a card lies."""
    return tuple([slot for slot, card in enumerate(slots) if card is not None])


def emptied(slots: Slots, slot: int) -> Slots:
    """Returns the slots without the card in one of them."""
    return replace_at(slots, slot, None)


def backs(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Returns as many hidden cards."""
    return (HIDDEN,) * len(cards)


def slot_backs(slots: Slots) -> Slots:
    """Returns the slots with every card hidden; which of them are filled is public (G-7)."""
    return tuple([None if card is None else HIDDEN for card in slots])
