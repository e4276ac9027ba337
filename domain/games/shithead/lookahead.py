"""Shithead for bots that think ahead: the moves worth comparing, quick play to the end, and what a position is worth."""

from math import exp, log
from random import Random
from typing import Any

from hoodwink.domain.cards import JOKER, Card
from hoodwink.domain.games.shedding import (
    FOUR_OF_A_KIND,
    RANK,
    cards_to_draw,
    counts_of,
    filled_slots,
    run_on_top,
)
from hoodwink.domain.games.shithead.actions import (
    AcceptPile,
    BurnPile,
    CounterJoker,
    DeclareReady,
    FlipBlind,
    PickUp,
    PlayCards,
    PlayJoker,
    ShitheadAction,
    SwapCards,
)
from hoodwink.domain.games.shithead.bot import STUCK
from hoodwink.domain.games.shithead.decide import decide, legal_actions
from hoodwink.domain.games.shithead.events import (
    CardsPlayed,
    JokerCountered,
    JokerPlayed,
    PileAccepted,
    PilePickedUp,
)
from hoodwink.domain.games.shithead.evolve import evolve
from hoodwink.domain.games.shithead.rules import (
    POWER,
    allowed_ranks,
    finishing_order,
    leaves_stuck,
    may_be_stuck,
    points_of,
    targets,
)
from hoodwink.domain.games.shithead.state import ANSWER, IN_PLAY, NAME_TARGET, PLAY, SWAP, State
from hoodwink.domain.kernel import Lookahead

_WORTH = {rank: worth for worth, rank in enumerate((*"45679JQKA382T", JOKER))}
# Weights of cards, fitted by logistic regression to who beat whom in 6,000 rounds between rules of thumb.
_STRENGTH = (
    dict.fromkeys("45679", -0.18)
    | dict.fromkeys("JQK", -0.02)
    | {"A": 0.17, "8": 0.02, "3": 0.05, "2": -0.04, "T": 0.34, JOKER: 0.43}
)
_FULL_STOCK = 27

_OWN_WORTH = {rank: worth for worth, rank in enumerate((*"45769JQK2A83", JOKER, "T"))}
"""The order in which a seat that thinks ahead lays its own cards, which beats that of *Steady* (decision 0094)."""

_KINDS = {"play": PlayCards, "burn": BurnPile}
_FOREVER = 1 << 62
_MAX_MOVES = 24
"""The estimate after this many moves is as good a guide as the rest of a round, which takes longer than everything before."""


def moves(state: State, seat: int) -> tuple[ShitheadAction, ...]:
    """Returns the seat's legal actions, one of those that differ in suits alone."""
    listed = counts_of(legal_actions(state, seat, _FOREVER), _KINDS)
    if state.step is SWAP:
        return _differing(listed, lambda swap: (RANK.get(swap.hand_card), RANK.get(swap.face_up_card)))
    return _differing(listed, lambda pick_up: RANK.get(pick_up.face_up_card))


def _differing(listed: tuple[Any, ...], key: Any) -> tuple[Any, ...]:
    """Returns the actions without those that exchange or pick up a card of the same rank as an earlier one."""
    chosen: dict[Any, Any] = {}
    for action in listed:
        is_alike = isinstance(action, SwapCards | PickUp)
        chosen.setdefault((type(action), key(action)) if is_alike else action, action)
    return tuple(chosen.values())


def apply(state: State, seat: int, move: ShitheadAction) -> State:
    """Returns the state after a legal action; hardly anything is checked."""
    match move:
        case PlayCards(cards):
            return evolve(state, CardsPlayed(seat, cards, cards_to_draw(state, seat, len(cards))))
        case PickUp(card):
            return evolve(state, PilePickedUp(seat, card))
        case PlayJoker(target):
            return evolve(state, JokerPlayed(seat, target, cards_to_draw(state, seat, 1)))
        case AcceptPile():
            return evolve(state, PileAccepted(seat))
        case CounterJoker(target):
            return evolve(state, JokerCountered(seat, target, cards_to_draw(state, seat, 1)))
        case _:  # rare ones, which have several outcomes
            for event in decide(state, seat, move, _FOREVER):
                state = evolve(state, event)  # type: ignore[arg-type]  # its own events
            return state


def play_on(state: State, chance: Random) -> State:
    """Returns the state after a seat that owes an action took one that is quick to find and seldom foolish."""
    if state.step is SWAP:
        return _swap_on(state)
    seat = state.to_move
    if state.step is ANSWER:
        return _answer_on(state, seat, chance)
    if state.step is NAME_TARGET:
        return apply(state, seat, PlayJoker(_target(state, seat, chance)))
    held = state.hands[seat] or state.face_up[seat]
    if not held:
        slots = filled_slots(state.blind[seat])
        return apply(state, seat, FlipBlind(slots[int(chance.random() * len(slots))]))
    cards = _light_play(state, seat, held)
    if cards:
        if cards[0] == JOKER:
            return apply(state, seat, PlayJoker(_target(state, seat, chance)))
        return evolve(state, CardsPlayed(seat, cards, cards_to_draw(state, seat, len(cards))))
    if state.hands[seat]:
        return evolve(state, PilePickedUp(seat, None))
    return evolve(state, PilePickedUp(seat, min(held, key=_worth)))


def _swap_on(state: State) -> State:
    """Lays the best of a seat's cards face up, one exchange after another."""
    seat = next(seat for seat in range(state.seats) if seat not in state.ready)
    best, worst = max(state.hands[seat], key=_worth), min(state.face_up[seat], key=_worth)
    is_better = _worth(best) > _worth(worst)
    return apply(state, seat, SwapCards(best, worst) if is_better else DeclareReady())


def _answer_on(state: State, seat: int, chance: Random) -> State:
    has_joker = JOKER in (state.hands[seat] or state.face_up[seat])
    is_worth_it = (state.pile and state.options.joker_fate == "removed") or _card_count(state, seat) == 1
    if has_joker and is_worth_it and targets(state, seat):  # SH-57: there may be nobody left to name
        return apply(state, seat, CounterJoker(_target(state, seat, chance)))
    return evolve(state, PileAccepted(seat))


def _target(state: State, seat: int, chance: Random) -> int:
    return max(targets(state, seat), key=lambda target: (_target_merit(state, target), chance.random()))


def _target_merit(state: State, target: int) -> float:
    """Returns the value of a target: highest with the fewest cards, or with the most if the target also gets the Joker."""
    lead = 1 / (1 + _card_count(state, target))
    return lead if state.options.joker_fate == "removed" else -lead


def _light_play(state: State, seat: int, held: tuple[Card, ...]) -> tuple[Card, ...]:
    """Returns the cards that *Steady* lays, if it does not vary: what burns the pile, or is lowest."""
    if (start := state.starting_card) is not None:
        same = [card for card in held if RANK[card] == RANK[start] and card != start]
        return (start,) if RANK[start] in POWER else (start, *same)
    ranks = [RANK[card] for card in held]
    choices = allowed_ranks(state, from_face_up=not state.hands[seat]).intersection(ranks)
    for rank in _possible_fours(state.pile, ranks, choices):
        missing = FOUR_OF_A_KIND - (run_on_top(state.pile) if state.pile and rank == state.pile[-1][0] else 0)
        count = _count_laid(state, rank, ranks, least=1 if rank in choices else missing)
        if missing <= count:
            return tuple([card for card in held if RANK[card] == rank][:count])
    if not choices:
        return ()
    best, bonus = min(choices, key=_WORTH.__getitem__), 0.0
    if not state.stock and len(choices) > 1 and () in state.hands and _may_stop(state, seat):
        best, bonus = _stopping(state, seat, held, choices)
    if JOKER in choices and best != JOKER and _is_joker_better(state, seat, best, ranks.count(best), bonus):
        best = JOKER
    count = _count_laid(state, best, ranks, least=1)
    return tuple([card for card in held if RANK[card] == best][:count])


def _may_stop(state: State, seat: int) -> bool:
    """Returns whether another seat shows all cards that it may lay, and no power card."""
    for other, hand in enumerate(state.hands):  # `any` takes twice as long
        if not hand and other != seat and may_be_stuck(state, other):
            return True
    return False


def _stopping(state: State, seat: int, held: tuple[Card, ...], choices: frozenset[str]) -> tuple[str, float]:
    """Returns the rank that *Steady* lays, and what is added to its merit if it leaves the next player stuck."""
    ranks = [RANK[card] for card in held]
    order = sorted(choices, key=_WORTH.__getitem__)
    least = 0.0
    for rank in order:
        count = _count_laid(state, rank, ranks, least=1)
        merit = count / FOUR_OF_A_KIND - _WORTH[rank]
        if rank == order[0]:
            least = merit - STUCK
        elif merit < least or rank == JOKER:
            break
        if leaves_stuck(state, seat, tuple([card for card in held if RANK[card] == rank][:count])):
            return rank, STUCK
    return order[0], 0.0


def _possible_fours(pile: tuple[Card, ...], ranks: list[str], choices: frozenset[str]) -> list[str]:
    """Returns the ranks that may complete four of a kind: that of the top card, and those with four cards in the hand."""
    fours = [pile[-1][0]] if pile and pile[-1][0] in ranks else []
    if len(ranks) >= FOUR_OF_A_KIND:
        # In the order of the hand: that of a set differs between processes, and a run could not be repeated.
        held = dict.fromkeys(ranks)
        fours += [
            rank for rank in held if rank in choices and ranks.count(rank) >= FOUR_OF_A_KIND and rank != "T"
        ]
    return fours


def _count_laid(state: State, rank: str, ranks: list[str], *, least: int) -> int:
    """Returns how many cards of a rank are laid: all, but of a power rank as few as possible, or enough 3s to skip everybody."""
    count = ranks.count(rank)
    if rank not in POWER or count < least or not (state.stock or count < len(ranks)):
        return count
    others = state.seats - len(state.finished) - 1
    skips_all = rank == "3" and least <= others <= count and (others == 1 or state.options.stack_threes)
    return others if skips_all else least


def _is_joker_better(state: State, seat: int, rank: str, count: int, bonus: float) -> bool:
    """Returns whether a Joker is worth more than that many cards of the lowest rank, as when the pile is large."""
    best = max([_target_merit(state, target) for target in targets(state, seat)])
    if rank in POWER:
        count = 1
    return len(state.pile) / 2 - _WORTH[JOKER] + best > count / FOUR_OF_A_KIND - _WORTH[rank] + bonus


def _burning(pile: tuple[Card, ...], held: tuple[Card, ...]) -> tuple[Card, ...]:
    """Returns the cards that complete four of a kind on the pile, if there are enough."""
    if not pile:
        return ()
    top = pile[-1][0]
    cards = tuple([card for card in held if RANK[card] == top])
    return cards if cards and len(cards) + run_on_top(pile) >= FOUR_OF_A_KIND else ()


def _worth(card: Card) -> int:
    return _WORTH[RANK[card]]


def guess(state: State, seat: int) -> ShitheadAction | None:
    """Returns the play of a seat that thinks ahead, or `None` if it is not its move, or quick play does as well.

    It lays the lowest cards in an order of its own, power cards together once the stock is gone, and sends a Joker to
    the player with the fewest cards.
    """
    if state.to_move != seat or state.step is not PLAY or state.starting_card is not None:
        return None
    held = state.hands[seat] or state.face_up[seat]
    burning = _burning(state.pile, held)
    if burning:
        return PlayCards(burning)
    allowed = allowed_ranks(state, from_face_up=not state.hands[seat])
    ranks = [rank for rank in map(RANK.get, held) if rank in allowed]
    if not ranks:
        return None
    best = min(ranks, key=_OWN_WORTH.__getitem__)
    if best == JOKER:
        return PlayJoker(min(targets(state, seat), key=lambda target: _card_count(state, target)))
    cards = tuple([card for card in held if RANK[card] == best])
    return PlayCards(cards[:1] if best in POWER and state.stock else cards)


def _card_count(state: State, seat: int) -> int:
    return len(state.hands[seat]) + len(state.face_up[seat]) + len(filled_slots(state.blind[seat]))


def value(state: State) -> tuple[float, ...]:
    """Returns each seat's share of the most points that a round gives; in mid-round an estimate from the cards left."""
    most = state.seats - 1
    if state.stage is not IN_PLAY:
        return tuple([points / most for points in points_of(finishing_order(state))])
    fullness = len(state.stock) / _FULL_STOCK
    strengths = [_strength(state, seat, fullness) for seat in range(state.seats)]
    out = state.finished
    return tuple(
        [
            (most - out.index(seat) if seat in out else _expected(strengths, seat, out)) / most
            for seat in range(state.seats)
        ]
    )


def _expected(strengths: list[float], seat: int, out: tuple[int, ...]) -> float:
    """Returns how many of the others still in this seat is expected to beat."""
    others = [other for other in range(len(strengths)) if other != seat and other not in out]
    return sum([1 / (1 + exp(strengths[other] - strengths[seat])) for other in others])


def _strength(state: State, seat: int, fullness: float) -> float:
    hand, face_up = state.hands[seat], state.face_up[seat]
    blind = [card for card in state.blind[seat] if card is not None]
    turns = len({card[0] for card in hand}) + len({card[0] for card in face_up}) + len(blind)
    return (
        sum([_STRENGTH[RANK[card]] for card in (*hand, *face_up, *blind)])
        + 0.3 * fullness * len(hand)
        - (2.1 - 1.7 * fullness) * log(1 + turns)
    )


LOOKAHEAD = Lookahead(
    moves=moves,
    apply=apply,
    play_on=play_on,
    guess=guess,
    value=value,
    scale="100% is the most points that a round can bring.",
    max_moves=lambda _state: _MAX_MOVES,
)
