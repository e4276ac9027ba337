"""Code shared by the shedding games: three zones per seat, one pile, and plays of one rank.

A seat plays cards by name from its hand, then from its face-up cards. It plays its face-down cards last, by slot, without
knowing them. The top of a pile is its last card; the top of a stock is its first.
"""

from collections.abc import Container, Iterable, Mapping
from typing import Annotated, Any, Protocol, TypeAlias, TypeVar

from msgspec import Meta

from hoodwink.domain.cards import JOKER, Card, build_pack, rank_of
from hoodwink.domain.kernel import (
    Action,
    CardChoice,
    Knowledge,
    LegalAction,
    RuleCode,
    RuleViolation,
    SharedCode,
    replace_at,
    show_all,
    show_held,
)

HAND_SIZE = 3
FOUR_OF_A_KIND = 4

Slot: TypeAlias = Annotated[int, Meta(ge=0, lt=3, description="A slot of your face-down cards, 0 … 2.")]

CardsBySeat: TypeAlias = tuple[tuple[Card, ...], ...]
"""The cards of every seat in one zone."""

Slots: TypeAlias = tuple[Card | None, ...]
"""Face-down cards. Slots keep their numbers, and an emptied slot stays empty (CO-31, SH-48)."""

RANK: dict[Card, str] = {card: rank_of(card) for card in (*build_pack(), JOKER)}
"""`rank_of` as a lookup table, because loops over large hands call it often."""


Z = TypeVar("Z", bound="Zones")


class SheddingCode(RuleCode):
    """The error codes that both games share."""

    NO_CARDS = ("no_cards", "Name at least one card.")
    MIXED_RANKS = ("mixed_ranks", "The cards of one play must all be of one rank.")
    WRONG_ZONE = (
        "wrong_zone",
        "Play your hand first, then your face-up cards, and your face-down cards last.",
    )
    PILE_EMPTY = ("pile_empty", "The pile is empty: there is nothing to pick up.")
    MUST_PLAY = ("must_play", "You can play, so you may not pick up the pile.")


NAMED_CARDS_REFUSALS = (
    SheddingCode.WRONG_ZONE,
    SheddingCode.NO_CARDS,
    SharedCode.CARD_NOT_HELD,
    SheddingCode.MIXED_RANKS,
)
"""The codes of `held_by_name` and `check_named`: reasons that do not depend on the pile."""

_OTHERS_FIRST = "You cannot play that card now: play your hand first, then your face-up cards."


class CardsAction(Protocol):
    """An action class whose only field is `cards`."""

    def __call__(self, cards: tuple[Card, ...]) -> Action: ...


class Zones(Protocol):
    """The fields that the states of both games share."""

    @property
    def hands(self) -> CardsBySeat: ...
    @property
    def face_up(self) -> CardsBySeat: ...
    @property
    def stock(self) -> tuple[Card, ...]: ...


def deal_singly(cards: tuple[Card, ...], *, seats: int, first: int) -> CardsBySeat:
    """Returns each seat's cards after dealing them one at a time, clockwise from `first`.

    >>> deal_singly(("2C", "3C", "4C", "5C"), seats=2, first=1)
    (('3C', '5C'), ('2C', '4C'))
    """
    return tuple(cards[(seat - first) % seats :: seats] for seat in range(seats))


def held_by_name(zones: Zones, seat: int) -> tuple[Card, ...]:
    """Returns the cards that the seat plays by name: its hand or, if that is empty, its face-up cards (CO-11, SH-11).

    Raises:
        RuleViolation: the seat has neither; a face-down card is never named.
    """
    held = zones.hands[seat] or zones.face_up[seat]
    if not held:
        raise RuleViolation(SheddingCode.WRONG_ZONE)
    return held


def check_named(cards: tuple[Card, ...], held: tuple[Card, ...]) -> None:
    """Raises `RuleViolation` unless the cards are one or more held cards of one rank."""
    if not cards:
        raise RuleViolation(SheddingCode.NO_CARDS)
    if len(cards) == 1 and cards[0] in held:
        return
    rest = list(held)
    for card in cards:
        if card not in rest:
            raise RuleViolation(SharedCode.CARD_NOT_HELD, _OTHERS_FIRST)
        rest.remove(card)
    rank = RANK[cards[0]]
    for card in cards[1:]:
        if RANK[card] != rank:
            raise RuleViolation(SheddingCode.MIXED_RANKS)


def by_rank(cards: Iterable[Card], ranks: Container[str]) -> dict[str, list[Card]]:
    """Returns the cards of these ranks, grouped by rank, in order."""
    groups: dict[str, list[Card]] = {}
    for card in cards:
        rank = RANK[card]
        if rank in groups:
            groups[rank].append(card)
        elif rank in ranks:
            groups[rank] = [card]
    return groups


def of_rank(cards: Iterable[Card], rank: str) -> list[Card]:
    """Returns the cards of the rank, in order."""
    return [card for card in cards if RANK[card] == rank]


def choice_of(
    kind: CardsAction, tag: str, cards: list[Card], *, at_least: int = 1, including: Card | None = None
) -> LegalAction:
    """Returns the choice of `at_least` or more of the cards, or the action itself if there is only one card.

    Args:
        kind: the action class.
        tag: the tag of that class.
        cards: the cards to choose from; a face held twice is listed twice.
        at_least: the minimum number of cards; the caller ensures that there are enough.
        including: a card that must be among them, if any.
    """
    if len(cards) == 1:
        return kind((cards[0],))
    return CardChoice(
        type=tag, cards=tuple(cards), at_least=at_least, at_most=len(cards), including=including
    )


def plays_of(groups: Mapping[str, list[Card]], singles: Mapping[Card, Action]) -> list[LegalAction]:
    """Returns one play for each rank, of any number of its cards; `singles` are the plays of one card."""
    # This does not call `choice_of`, because every move needs this list and the calls would slow it down.
    return [
        singles[cards[0]]
        if len(cards) == 1
        else CardChoice(type="play", cards=tuple(cards), at_least=1, at_most=len(cards))
        for cards in groups.values()
    ]


def fours_of(
    held: tuple[Card, ...], pile: tuple[Card, ...], kind: CardsAction, tag: str
) -> list[LegalAction]:
    """Returns the choice that completes four of the rank on top of the pile, if the held cards are enough."""
    cards, missing = of_rank(held, RANK[pile[-1]]), FOUR_OF_A_KIND - run_on_top(pile)
    return [choice_of(kind, tag, cards, at_least=missing)] if len(cards) >= missing else []


def counts_of(legal: Iterable[LegalAction], kinds: Mapping[str, CardsAction]) -> tuple[Any, ...]:
    """Returns legal actions with one action for each number of cards in place of a choice, because suits do not matter."""
    actions: list[Any] = []
    for entry in legal:
        if not isinstance(entry, CardChoice):
            actions.append(entry)
            continue
        cards = sorted([Card(face) for face in entry.cards], key=lambda face: face != entry.including)
        kind = kinds[entry.type]
        actions += [kind(tuple(cards[:count])) for count in range(entry.at_least, entry.at_most + 1)]
    return tuple(actions)


def cards_to_draw(zones: Zones, seat: int, laid_count: int) -> tuple[Card, ...]:
    """Returns the cards from the stock that refill the hand to three after a play (CO-10, SH-29).

    A seat that plays from the table draws nothing, because the stock is empty by then (CO-23, SH-32).
    """
    missing = HAND_SIZE - len(zones.hands[seat]) + laid_count
    return zones.stock[:missing] if missing > 0 else ()


def zones_after(
    zones: Zones, seat: int, cards: tuple[Card, ...], drawn: tuple[Card, ...]
) -> tuple[CardsBySeat, CardsBySeat]:
    """Returns all hands and all face-up cards after the seat has laid named cards and drawn others."""
    hand = zones.hands[seat]
    if hand:
        return replace_at(zones.hands, seat, without(hand, cards) + drawn), zones.face_up
    return zones.hands, replace_at(zones.face_up, seat, without(zones.face_up[seat], cards))


def without(cards: tuple[Card, ...], taken: tuple[Card, ...]) -> tuple[Card, ...]:
    """Returns the remaining cards, in order; if a face is held twice and taken once, one copy remains.

    Raises:
        ValueError: the cards do not include all those taken.

    >>> without(("9S", "4C", "9S"), ("9S",))
    ('4C', '9S')
    """
    rest = list(cards)
    for card in taken:
        rest.remove(card)
    return tuple(rest)


def see_laid(known: Knowledge[Z], seat: int, cards: tuple[Card, ...]) -> Knowledge[Z]:
    """Returns the knowledge after the seat laid these cards from its hand or its face-up cards."""
    zones = known.state
    return show_held(known, zones.hands[seat] or zones.face_up[seat], cards)


def see_drawn(known: Knowledge[Z], drawn: tuple[Card, ...]) -> tuple[Knowledge[Z], tuple[Card, ...]]:
    """Returns the knowledge after cards were drawn, and the cards as far as they are known."""
    count = len(drawn)
    known = show_all(known, known.state.stock[:count], drawn)
    return known, known.state.stock[:count]


def run_on_top(pile: tuple[Card, ...]) -> int:
    """Returns the number of cards of equal rank on top of a pile that is not empty."""
    rank = RANK[pile[-1]]
    run = 1
    while run < len(pile) and RANK[pile[-1 - run]] == rank:
        run += 1
    return run


def completes_four(pile: tuple[Card, ...], cards: tuple[Card, ...]) -> bool:
    """Returns whether cards of one rank complete four of a kind with those on top of the pile.

    >>> completes_four(("9S", "5C", "5H"), ("5D", "5S"))
    True
    """
    return RANK[pile[-1]] == RANK[cards[0]] and run_on_top(pile) + len(cards) >= FOUR_OF_A_KIND


def is_cleared(pile: tuple[Card, ...]) -> bool:
    """Returns whether the cards just laid clear the pile: a 10, or four of a kind (CO-14 … CO-18, SH-23 … SH-26)."""
    rank = pile[-1][0]
    if rank == "T":
        return True
    # For speed: the fourth card from the top rules out most plays without counting.
    may_be_four = len(pile) >= FOUR_OF_A_KIND and pile[-FOUR_OF_A_KIND][0] == rank
    return may_be_four and run_on_top(pile) >= FOUR_OF_A_KIND


def next_in(seat: int, *, seats: int, out: tuple[int, ...], step: int = 1) -> int:
    """Returns the next seat that is not out: clockwise with step 1, counter-clockwise with -1.

    At least one seat must be in. If only one is, it follows itself.
    """
    following = (seat + step) % seats
    while following in out:
        following = (following + step) % seats
    return following


def flipped(zones: Zones, seat: int, slots: Slots, slot: int) -> Card:
    """Returns the card that the seat turns up from one of its slots.

    Raises:
        RuleViolation: the seat has other cards to play, or the slot is empty.
    """
    if zones.hands[seat] or zones.face_up[seat]:
        raise RuleViolation(SheddingCode.WRONG_ZONE)
    card = slots[slot] if 0 <= slot < len(slots) else None
    if card is None:
        raise RuleViolation(SharedCode.SLOT_EMPTY)
    return card


def filled_slots(slots: Slots) -> tuple[int, ...]:
    """Returns the numbers of the slots that have a card."""
    return tuple([slot for slot, card in enumerate(slots) if card is not None])


def emptied(slots: Slots, slot: int) -> Slots:
    """Returns the slots without the card in one of them."""
    return replace_at(slots, slot, None)
