"""The rulebook of Shithead: what may be played on what, who may be named, who is next."""

from functools import cache

from domain.cards import JOKER, RANKS, Card
from domain.games.shedding import FOUR, RANK, next_in, run_on_top
from domain.games.shithead.state import PLAY, State
from domain.kernel import left

POWER = frozenset(("2", "3", "8", "T", JOKER))  # SH-46
_SEQUENTIAL = "45679JQKA"  # SH-10

# SH-5, SH-6: each rank from 4 to ace in turn, 8 and 10 included.
STARTING_CARDS = tuple(Card(rank + suit) for rank in RANKS[2:] for suit in "CHSD")


def find_starter(state: State) -> tuple[int, Card | None]:
    """Returns who starts and with which card, looking at hands only (SH-4).

    Of equal starting cards the holder first from the dealer's left starts (SH-1); if nobody holds a
    card from 4 to ace, the dealer's left starts with any card (SH-6).
    """
    first = left(state.dealer, state.seats)
    order = [(first + place) % state.seats for place in range(state.seats)]
    holders = {card: seat for seat in reversed(order) for card in state.hands[seat]}
    card = next((card for card in STARTING_CARDS if card in holders), None)
    return (first, None) if card is None else (holders[card], card)


def effective_rank(pile: tuple[Card, ...]) -> str | None:
    """Returns the rank that has to be followed: the top one, seen through all 8s (SH-22).

    >>> effective_rank(("KS", "7C", "8D", "8H")), effective_rank(("8D",))
    ('7', None)
    """
    for card in reversed(pile):
        rank = RANK[card]
        if rank != "8":
            return rank
    return None


@cache
def ranks_on(effective: str | None, *, strict: bool, seven_allows_seven: bool) -> frozenset[str]:
    """Returns the ranks of which a single card may follow the effective rank.

    Args:
        effective: what `effective_rank` returned.
        strict: whether an equal card does not do (SH-9).
        seven_allows_seven: whether it does on a 7, strict or not (SH-17, SH-51).
    """
    if effective in (None, "2", "3"):  # SH-12, SH-13
        return POWER.union(RANKS)
    if effective == "7":
        return POWER.union("4567" if seven_allows_seven else "456")  # SH-17, SH-18, SH-20
    place = _SEQUENTIAL.index(effective)
    return POWER.union(_SEQUENTIAL[place + strict :])  # SH-8


def allowed_ranks(state: State, *, from_face_up: bool) -> frozenset[str]:
    """Returns the ranks of which the player to move may play a single card."""
    options = state.options
    return ranks_on(
        effective_rank(state.pile),
        strict=from_face_up and options.face_up_strict,  # SH-51
        seven_allows_seven=options.seven_allows_seven,
    )


def fewest_playable(pile: tuple[Card, ...], rank: str, allowed: frozenset[str]) -> int | None:
    """Returns how many cards of a rank a play needs at least, or `None` if no number will do.

    What is not allowed singly may still complete four of the rank on top (SH-19).
    """
    if rank in allowed:
        return 1
    if pile and RANK[pile[-1]] == rank:
        return FOUR - run_on_top(pile)
    return None


def is_flip_playable(state: State, card: Card) -> bool:
    """Tells whether a blind card turned up can be played (SH-34)."""
    return fewest_playable(state.pile, RANK[card], allowed_ranks(state, from_face_up=False)) == 1


def is_burned(pile: tuple[Card, ...]) -> bool:
    """Tells whether the cards just laid burn the pile: a ten, or four of a kind on top (SH-23 … SH-26)."""
    return RANK[pile[-1]] == "T" or run_on_top(pile) >= FOUR


def has_cards(state: State, seat: int) -> bool:
    """Tells whether the seat has a card anywhere."""
    return bool(state.hands[seat] or state.face_up[seat] or any(state.blind[seat]))


def targets(state: State, seat: int) -> list[int]:
    """Returns whom the seat's Joker may name: others, and without cards only onto a pile (SH-37, SH-57)."""
    return [
        other for other in range(state.seats) if other != seat and (state.pile or has_cards(state, other))
    ]


def is_asked(state: State, target: int) -> bool:
    """Tells whether the target of a Joker may answer; blind cards give no answer (SH-54)."""
    return bool(state.hands[target] or state.face_up[target])


def direction_after(state: State, cards: tuple[Card, ...]) -> int:
    """Returns the direction once these cards lie; a 5 changes nothing with two players left (SH-16)."""
    if RANK[cards[0]] != "5" or state.seats - len(state.finished) == 2:
        return state.direction
    is_reversed = state.options.stack_fives == "once" or len(cards) % 2
    return -state.direction if is_reversed else state.direction


def skips_of(state: State, cards: tuple[Card, ...]) -> int:
    """Returns how many players miss a go: one a 3, at most all others (SH-14)."""
    if RANK[cards[0]] != "3":
        return 0
    others = state.seats - len(state.finished) - 1
    return min(len(cards) if state.options.stack_threes else 1, others)


def next_after(state: State, seat: int, *, skips: int, direction: int, is_out: bool) -> int:
    """Returns who is to move after the seat's play; the seat counts as one step even if now out (SH-60)."""
    following = seat
    for _ in range(1 + skips):
        following = next_in(following, seats=state.seats, out=state.finished, step=direction)
    if is_out and following == seat:
        return next_in(seat, seats=state.seats, out=state.finished, step=direction)
    return following


def is_window_open(state: State) -> bool:
    """Tells whether a pile may be burned out of turn now, whoever holds what (SH-25, SH-55)."""
    return state.options.out_of_turn_burn and state.step is PLAY and bool(state.pile)


def may_interrupt(state: State, seat: int) -> bool:
    """Tells whether the seat is one of those that an open window is for (SH-55)."""
    return seat not in (state.to_move, state.last_layer) and seat not in state.finished


def out_by_joker(state: State) -> tuple[int, ...]:
    """Returns the seats that laid a Joker as last card and have none now, in that order (SH-58)."""
    last_laid = tuple(dict.fromkeys(reversed(state.jokers_laid)))[::-1]
    return tuple(seat for seat in last_laid if not has_cards(state, seat))


def finishing_order(state: State) -> tuple[int, ...]:
    """Returns all seats as they finished, the shithead last (SH-44)."""
    rest = [seat for seat in range(state.seats) if seat not in state.finished]
    return (*state.finished, *rest)


def points_of(order: tuple[int, ...]) -> tuple[int, ...]:
    """Returns each seat's points: N-k for the k-th of N (SH-61).

    >>> points_of((2, 0, 1))
    (1, 0, 2)
    """
    return tuple(len(order) - 1 - order.index(seat) for seat in range(len(order)))
