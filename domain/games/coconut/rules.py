"""The rulebook of Coconut: legal ranks, sneaking, and the points."""

from functools import cache

from msgspec.structs import replace

from hoodwink.domain.cards import RANKS, Card
from hoodwink.domain.games.coconut.options import Opening, Options
from hoodwink.domain.games.coconut.state import State
from hoodwink.domain.games.shedding import RANK
from hoodwink.domain.kernel import postponed

WILD = frozenset("2T")
_ANY_RANK = frozenset(RANKS)

# CO-2: equal or higher with the ace high, and wild cards on anything. Everything may follow a 2, the lowest
# rank. A 10 is never on top, so its row is never read.
PLAYABLE_ON = {top: WILD | frozenset(RANKS[RANKS.index(top) :]) for top in RANKS}


def playable_ranks(pile: tuple[Card, ...]) -> frozenset[str]:
    """Returns the ranks that may be laid on the pile; all of them if it is empty."""
    return PLAYABLE_ON[RANK[pile[-1]]] if pile else _ANY_RANK


def opening_ranks(hand: tuple[Card, ...], opening: Opening) -> frozenset[str]:
    """Returns the ranks with which this hand may open a round (CO-6, CO-7, CO-33).

    >>> sorted(opening_ranks(("2C", "TS", "9H"), "lowest_nonwild"))
    ['9']
    >>> sorted(opening_ranks(("TS", "2C", "2H"), "lowest_nonwild"))
    ['2']
    """
    ranks = frozenset([RANK[card] for card in hand])
    if opening == "free":
        return ranks
    if opening == "lowest_nonwild":
        ranks = ranks - WILD or ranks
    return frozenset([min(ranks, key=RANKS.index)])


def has_cards(state: State, seat: int) -> bool:
    return bool(state.hands[seat] or state.face_up[seat] or any(state.face_down[seat]))


def ends_round(state: State, finished: tuple[int, ...]) -> bool:
    """Returns whether the round ends with this many seats out: one (CO-28), or all but one (CO-39)."""
    return len(finished) >= (state.seats - 1 if state.options.play_for_places else 1)


def sneakers(state: State) -> tuple[int, ...]:
    """Returns the seats that may sneak, no matter what they hold (CO-19, CO-36)."""
    if not state.pile or not state.options.sneak:
        return ()
    return _all_but(state.seats, (state.to_move, state.laid_by, *state.finished))


@cache
def _all_but(seats: int, barred: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([seat for seat in range(seats) if seat not in barred])


def waits_until(state: State) -> int | None:
    """Returns the time, in ms, from which the player to move may act, or `None` if there is no wait (CO-37)."""
    grace = state.options.sneak_grace_ms
    if grace and any(state.hands[seat] or state.face_up[seat] for seat in sneakers(state)):
        return state.laid_at + grace
    return None


def postpone(state: State, since: int, until: int) -> State:
    """Returns the state with its wait for a sneak postponed because of an outage of the service (G-18)."""
    return replace(state, laid_at=postponed(state.laid_at, since=since, until=until))


def is_waiting(state: State, now: int) -> bool:
    """Returns whether the player to move must leave time for a sneak (CO-37)."""
    return now < state.laid_at + state.options.sneak_grace_ms and waits_until(state) is not None


def going_out_order(state: State) -> tuple[int, ...]:
    """Returns the seats in the order of places, as far as the round has decided them (CO-28, CO-39)."""
    if not state.options.play_for_places:
        return state.finished
    return (*state.finished, *[seat for seat in range(state.seats) if seat not in state.finished])


def round_points(order: tuple[int, ...], options: Options, seats: int) -> tuple[int, ...]:
    """Returns each seat's points: one for the winner, or N - k for the k-th place (CO-40).

    >>> round_points((2,), Options(), 3)
    (0, 0, 1)
    >>> round_points((2, 0, 1), Options(play_for_places=True), 3)
    (1, 0, 2)
    """
    if not options.play_for_places:
        return tuple([int(seat == order[0]) for seat in range(seats)])
    return tuple([seats - 1 - order.index(seat) for seat in range(seats)])
