"""The rulebook of Shithead: legal ranks, targets of a Joker, the order of play."""

from hoodwink.domain.cards import JOKER, RANKS, Card
from hoodwink.domain.games.shedding import (
    FOUR_OF_A_KIND,
    RANK,
    completes_four,
    is_cleared,
    next_in,
    run_on_top,
)
from hoodwink.domain.games.shithead.state import IN_PLAY, PLAY, State
from hoodwink.domain.kernel import Direction, left

POWER = frozenset(("2", "3", "8", "T", JOKER))  # SH-46
ANYTHING = POWER.union(RANKS)
_SEQUENTIAL = "45679JQKA"  # SH-10

# SH-5, SH-6: each rank from 4 to ace in turn, 8 and 10 included.
STARTING_CARDS = tuple(Card(rank + suit) for rank in RANKS[2:] for suit in "CHSD")


def find_starter(state: State) -> tuple[int, Card | None]:
    """Returns the seat that starts and the card that it starts with, determined by the hands alone (SH-4).

    If several seats hold the starting card, the first from the dealer's left starts (SH-1). If nobody holds a card from 4
    to ace, the dealer's left starts with any card (SH-6).
    """
    order = seats_from_dealer(state)
    holders = {card: seat for seat in reversed(order) for card in state.hands[seat]}
    card = next((card for card in STARTING_CARDS if card in holders), None)
    return (order[0], None) if card is None else (holders[card], card)


def seats_from_dealer(state: State) -> list[int]:
    """Returns all seats, clockwise from the dealer's left."""
    first = left(state.dealer, state.seats)
    return [(first + step) % state.seats for step in range(state.seats)]


def effective_rank(pile: tuple[Card, ...]) -> str | None:
    """Returns the rank to follow: that of the top card, looking through all 8s (SH-22).

    >>> effective_rank(("KS", "7C", "8D", "8H")), effective_rank(("8D",))
    ('7', None)
    """
    for card in reversed(pile):
        if card[0] != "8":
            return card[0]
    return None


def _followers(effective: str, *, strict: bool, seven_allows_seven: bool) -> frozenset[str]:
    if effective in "23":  # SH-12, SH-13
        return ANYTHING
    if effective == "7":  # SH-17, SH-18, SH-20; SH-51: strict or not
        return POWER.union("4567" if seven_allows_seven else "456")
    return POWER.union(_SEQUENTIAL[_SEQUENTIAL.index(effective) + strict :])  # SH-8, SH-9


# First by the options for face-up cards and for a 7, then by effective rank, which is never 8 or 10.
_PLAYABLE_ON: dict[tuple[bool, bool], dict[str | None, frozenset[str]]] = {
    (strict, sevens): {
        None: ANYTHING,
        **{rank: _followers(rank, strict=strict, seven_allows_seven=sevens) for rank in "23" + _SEQUENTIAL},
    }
    for strict in (False, True)
    for sevens in (False, True)
}


def allowed_ranks(state: State, *, from_face_up: bool) -> frozenset[str]:
    """Returns the ranks that the player to move may play as a single card."""
    options = state.options
    strict = from_face_up and options.face_up_strict
    return _PLAYABLE_ON[strict, options.seven_allows_seven][effective_rank(state.pile)]


def can_follow(state: State, cards: tuple[Card, ...], *, from_face_up: bool) -> bool:
    """Returns whether cards of one rank may be laid on the pile; completing four is always allowed (SH-19, SH-51)."""
    allowed = allowed_ranks(state, from_face_up=from_face_up)
    return RANK[cards[0]] in allowed or completes_four(state.pile, cards)


def may_be_stuck(state: State, seat: int) -> bool:
    """Returns whether there is a card on which the seat could lay none: it plays face-up cards without a power card."""
    shown = state.face_up[seat]
    return bool(shown) and not state.hands[seat] and POWER.isdisjoint([RANK[card] for card in shown])


def leaves_stuck(state: State, seat: int, cards: tuple[Card, ...]) -> bool:
    """Returns whether the next player after this play, not the seat's last, plays face-up cards and must pick up the pile.

    Everybody can see it: it depends on no hidden card.
    """
    following, _ = order_after(state, seat, cards, is_out=False)
    if following == seat or not may_be_stuck(state, following):
        return False
    pile, options = state.pile + cards, state.options
    if is_cleared(pile):
        return False
    top, ranks = RANK[pile[-1]], [RANK[card] for card in state.face_up[following]]
    allowed = _PLAYABLE_ON[options.face_up_strict, options.seven_allows_seven][effective_rank(pile)]
    if not allowed.isdisjoint(ranks):
        return False
    return top not in ranks or run_on_top(pile) + ranks.count(top) < FOUR_OF_A_KIND  # SH-19


def follow_hint(state: State, *, from_face_up: bool) -> str:
    """Returns a sentence that says which cards may follow the pile, if not all may (SH-8, SH-17, SH-51)."""
    rank, options = effective_rank(state.pile), state.options
    if rank == "7":
        wanted = (
            "Match the 7 on the pile or go below it"
            if options.seven_allows_seven
            else "Go below the 7 on the pile"
        )
    elif from_face_up and options.face_up_strict:
        wanted = f"Beat the {rank} on the pile"
    else:
        wanted = f"Match or beat the {rank} on the pile"
    return f"{wanted}, or play a 2, 3, 8, 10 or Joker."


def has_cards(state: State, seat: int) -> bool:
    return bool(state.hands[seat] or state.face_up[seat] or any(state.blind[seat]))


def targets(state: State, seat: int) -> list[int]:
    """Returns the seats that this seat's Joker may name; one without cards only if there is a pile (SH-37, SH-57)."""
    others = [other for other in range(state.seats) if other != seat]
    return others if state.pile else [other for other in others if has_cards(state, other)]


def can_answer(state: State, target: int) -> bool:
    """Returns whether the target of a Joker may answer it: a seat with only blind cards may not (SH-54)."""
    return bool(state.hands[target] or state.face_up[target])


def order_after(state: State, seat: int, cards: tuple[Card, ...], *, is_out: bool) -> tuple[int, Direction]:
    """Returns the seat to move and the direction after this seat plays cards that do not burn the pile."""
    rank, direction = cards[0][0], state.direction
    if rank == "3":
        return _next_after_threes(state, seat, len(cards), is_out=is_out), direction
    if rank == "5":
        direction = _direction_after(state, len(cards))
    return next_in(seat, seats=state.seats, out=state.finished, step=direction), direction


def _direction_after(state: State, fives_count: int) -> Direction:
    """Returns the direction after a play of 5s; with two players left they have no effect (SH-16)."""
    if state.seats - len(state.finished) == 2:
        return state.direction
    is_reversed = state.options.stack_fives == "once" or fives_count % 2
    return -state.direction if is_reversed else state.direction


def _next_after_threes(state: State, seat: int, threes_count: int, *, is_out: bool) -> int:
    """Returns the seat to move after this seat plays 3s, which skip players (SH-14).

    At most as many are skipped as there are other seats; this seat counts as a step even if it is now out (SH-60).
    """
    seats, out, following = state.seats, state.finished, seat
    others = seats - len(out) - 1
    for _ in range(1 + min(threes_count if state.options.stack_threes else 1, others)):
        following = next_in(following, seats=seats, out=out, step=state.direction)
    if is_out and following == seat:
        return next_in(seat, seats=seats, out=out, step=state.direction)
    return following


def is_window_open(state: State) -> bool:
    """Returns whether a pile may be burned out of turn now, regardless of hidden cards (SH-25, SH-55)."""
    return state.options.out_of_turn_burn and state.step is PLAY and bool(state.pile)


def may_interrupt(state: State, seat: int) -> bool:
    """Returns whether the seat may burn now, while burning out of turn is open (SH-55)."""
    return seat not in (state.to_move, state.last_layer) and seat not in state.finished


def out_by_joker(state: State) -> tuple[int, ...]:
    """Returns the seats that laid a Joker as their last card and still have no card, in order (SH-58)."""
    last_laid = tuple(dict.fromkeys(reversed(state.jokers_laid)))[::-1]
    return tuple(seat for seat in last_laid if not has_cards(state, seat))


def is_endless(state: State) -> bool:
    """Returns whether no sequence of legal actions ends the round (SH-59).

    The seat to move leads to an empty pile with nothing but Jokers in its hand, so it has to name a player. The player
    named last takes all Jokers laid meanwhile and leads with them. If no hand has another card, this repeats for every
    later lead. Face-down cards are then never turned up, so their holders never go out. The round ends when all seats but
    one are out, so it never ends if two seats have face-down cards. If at most one has, the others can still go out one
    by one: each lays its last Joker when it leads or is named. (A seat with face-up cards also has face-down ones.)
    """
    if state.options.joker_fate == "removed" or state.pile or state.stock or state.stage is not IN_PLAY:
        return False
    if state.step is not PLAY or not state.hands[state.to_move]:
        return False
    if any(card != JOKER for hand in state.hands for card in hand):
        return False
    return sum([any(slots) for slots in state.blind]) > 1


def finishing_order(state: State) -> tuple[int, ...]:
    """Returns all seats in finishing order, the shithead last (SH-44)."""
    rest = [seat for seat in range(state.seats) if seat not in state.finished]
    return (*state.finished, *rest)


def points_of(order: tuple[int, ...]) -> tuple[int, ...]:
    """Returns each seat's points: N-k for the k-th of N (SH-61).

    >>> points_of((2, 0, 1))
    (1, 0, 2)
    """
    return tuple(len(order) - 1 - order.index(seat) for seat in range(len(order)))
