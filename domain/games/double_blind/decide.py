"""Checks actions against the rules and turns them into events."""

from functools import lru_cache
from itertools import chain, compress
from typing import assert_never

from hoodwink.domain.cards import Card, Draws, build_pack
from hoodwink.domain.games.double_blind.actions import (
    Bribe,
    DoubleBlindAction,
    DoubleBlindCode,
    ExposePocket,
    ExposeSleeve,
    PlayPocket,
)
from hoodwink.domain.games.double_blind.events import (
    BribePlayed,
    CaperDealt,
    CaperScored,
    ContendersDropped,
    HalfInterestPaid,
    HatLost,
    HatTaken,
    InterestPaid,
    PocketExposed,
    PocketPlayed,
    SleeveExposed,
    StashesRevealed,
    TrickCalled,
)
from hoodwink.domain.games.double_blind.evolve import evolve
from hoodwink.domain.games.double_blind.options import (
    MAX_SEATS,
    POCKET_SIZE,
    SLEEVE_SIZE,
    Options,
    exposures_allowed,
    pack_for,
)
from hoodwink.domain.games.double_blind.rules import (
    EXPOSURE_PENALTY,
    JOKER_BONUS,
    QUEENS_FOOL_BONUS,
    added,
    can_expose,
    caper_points,
    exposers,
    half_interest,
    interest,
    is_target_reached,
    is_to_play,
    jokers,
    next_mastermind,
    order_from,
    out_of_credit,
    paid_to,
    queens_fools,
    tied_for_highest,
)
from hoodwink.domain.games.double_blind.state import IN_PLAY, Pocket, State
from hoodwink.domain.kernel import Action, CardPlay, Event, RuleViolation, SharedCode, Turn, right

# All possible actions, created once: creating them for every move would take much of the time of a playout.
_PLAYS = tuple(PlayPocket(slot) for slot in range(POCKET_SIZE))
_POCKET_EXPOSURES = tuple(
    ExposePocket(owner, slot) for owner in range(MAX_SEATS) for slot in range(POCKET_SIZE)
)
_BRIBES = {card: Bribe(card) for card in build_pack(jokers=1)}
_SLEEVE_EXPOSURES = {card: ExposeSleeve(card) for card in build_pack(jokers=1)}


def deal(state: State, draws: Draws) -> tuple[Event, ...]:
    """Returns the deal of the next caper: sleeves, then pockets, with the Mastermind served last (DB-6)."""
    seats, number = state.seats, state.round + 1
    mastermind = next_mastermind(state) if state.round else draws.seat(seats)
    deck = draws.deck(pack_for(state.options, seats), number)
    order = order_from(right(mastermind, seats), seats)
    turns = [order.index(seat) for seat in range(seats)]
    pockets_at, bank_at = SLEEVE_SIZE * seats, (SLEEVE_SIZE + POCKET_SIZE) * seats
    sleeves = _packets(deck[:pockets_at], SLEEVE_SIZE, turns)
    pockets = _packets(deck[pockets_at:bank_at], POCKET_SIZE, turns)
    return (CaperDealt(number, mastermind, sleeves, pockets, deck[bank_at:]),)


def _packets(cards: tuple[Card, ...], size: int, turns: list[int]) -> tuple[tuple[Card, ...], ...]:
    """Returns the cards of each seat: packets of `size`, handed out in the order of `turns`."""
    return tuple(cards[size * turn : size * (turn + 1)] for turn in turns)


def decide(state: State, seat: int, action: DoubleBlindAction, now: int) -> tuple[Event, ...]:
    """Returns the events that an action leads to; raises `RuleViolation` in the order of G-10."""
    if state.stage is not IN_PLAY:  # G-2: an exposure too
        raise RuleViolation(SharedCode.ROUND_NOT_IN_PLAY)
    match action:
        case PlayPocket():
            return _play_pocket(state, seat, action)
        case Bribe():
            return _bribe(state, seat, action)
        case ExposePocket():
            return _expose_pocket(state, seat, action)
        case ExposeSleeve():
            return _expose_sleeve(state, seat, action)
        case _:
            assert_never(action)


def _play_pocket(state: State, seat: int, action: PlayPocket) -> tuple[Event, ...]:
    _check_turn(state, seat)
    card = _pocket_card(state.pockets[seat - 1], action.slot)
    return settled(state, PocketPlayed(seat, action.slot, card))


def _bribe(state: State, seat: int, action: Bribe) -> tuple[Event, ...]:
    _check_turn(state, seat)  # DB-7: nothing more, the first card of a hat may be a bribe
    return settled(state, BribePlayed(seat, _sleeve_card(state.sleeves[seat], action.card)))


def _expose_pocket(state: State, seat: int, action: ExposePocket) -> tuple[Event, ...]:
    _check_exposures(state, seat)
    owner, slot = action.owner, action.slot
    if not 0 <= owner < state.seats:
        raise RuleViolation(SharedCode.NO_SUCH_SEAT)
    card = _pocket_card(state.pockets[owner], slot)
    return (PocketExposed(seat, owner, slot, card, _top(state)),)


def _expose_sleeve(state: State, seat: int, action: ExposeSleeve) -> tuple[Event, ...]:
    _check_exposures(state, seat)
    return (SleeveExposed(seat, _sleeve_card(state.sleeves[seat], action.card), _top(state)),)


def _check_turn(state: State, seat: int) -> None:
    if not is_to_play(state, seat):
        raise RuleViolation(SharedCode.NOT_YOUR_TURN)


def _check_exposures(state: State, seat: int) -> None:
    if not state.options.exposure_actions:
        raise RuleViolation(DoubleBlindCode.EXPOSURES_OFF)
    if not can_expose(state, seat):
        raise RuleViolation(DoubleBlindCode.EXPOSURE_LIMIT_REACHED)


def _pocket_card(pocket: Pocket, slot: int) -> Card:
    card = pocket[slot] if 0 <= slot < POCKET_SIZE else None
    if card is None:
        raise RuleViolation(SharedCode.SLOT_EMPTY)
    return card


def _sleeve_card(sleeve: tuple[Card, ...], card: Card) -> Card:
    if card not in sleeve:
        raise RuleViolation(SharedCode.CARD_NOT_HELD)
    return card


def _top(state: State) -> Card | None:
    """Returns the card of the bank that replaces an exposed one; `None` if the bank is empty (DB-35)."""
    return state.bank[0] if state.bank else None


def settled(state: State, played: PocketPlayed | BribePlayed) -> tuple[Event, ...]:
    """Returns the play and the events that follow from it."""
    if len(state.waiting) > 1:  # others still have to play, which needs no further state
        return (played,)
    return (played, *consequences(evolve(state, played)))


def consequences(state: State) -> tuple[Event, ...]:
    """Returns the events that settle the hat after the last play of a go, otherwise none."""
    if state.waiting:
        return ()
    tied = tied_for_highest(state)
    if len(tied) == 1:
        return _taken(state, tied[0])
    return _trick(state, TrickCalled(tied))


def _taken(state: State, winner: int) -> tuple[Event, ...]:
    cards = tuple([play.card for play in state.middle])  # DB-14
    taken = HatTaken(winner, cards, state.bonus)
    return (taken, InterestPaid(*interest(state))) if state.bank else (taken,)


def _trick(state: State, called: TrickCalled) -> tuple[Event, ...]:
    """Returns the tie and its consequences; half interest comes before anyone drops out (DB-19)."""
    state = evolve(state, called)
    spent = out_of_credit(state)
    if not (state.bank and spent):
        return (called, *_dropped(state, spent))
    # DB-20: with a bank, whenever one contender is out of credit, all are.
    paid = HalfInterestPaid(half_interest(state))
    state = evolve(state, paid)
    return (called, paid, *_dropped(state, out_of_credit(state)))


def _dropped(state: State, spent: tuple[int, ...]) -> tuple[Event, ...]:
    """Returns the contenders that drop out, and the hat if that decides it (DB-22)."""
    if not spent:
        return ()
    if spent == state.contenders:
        if state.options.exhausted_trick == "void":  # DB-46
            return (HatLost(tuple(play.card for play in state.middle), state.bonus),)
        spent = spent[:-1]  # DB-23 before DB-19: the last one left never drops
    dropped = ContendersDropped(spent)
    state = evolve(state, dropped)
    if len(state.contenders) > 1:
        return (dropped,)
    return (dropped, *_taken(state, state.contenders[0]))


def legal_actions(state: State, seat: int, now: int) -> tuple[DoubleBlindAction, ...]:
    """Returns every action that `decide` accepts: slots in order, then sleeve faces (DB-41)."""
    if state.stage is not IN_PLAY:
        return ()
    plays = _plays(state, seat) if is_to_play(state, seat) else ()
    if can_expose(state, seat):
        return plays + _exposures(state, seat)
    return plays


def _plays(state: State, seat: int) -> tuple[DoubleBlindAction, ...]:
    bribes = map(_BRIBES.__getitem__, dict.fromkeys(state.sleeves[seat]))
    return (*compress(_PLAYS, state.pockets[seat - 1]), *bribes)


def _exposures(state: State, seat: int) -> tuple[DoubleBlindAction, ...]:
    in_pockets = compress(_POCKET_EXPOSURES, chain.from_iterable(state.pockets))
    in_sleeve = map(_SLEEVE_EXPOSURES.__getitem__, dict.fromkeys(state.sleeves[seat]))
    return (*in_pockets, *in_sleeve)


def card_plays(state: State, seat: int) -> tuple[CardPlay, ...]:
    """Returns each face in the seat's sleeve with the bribe that plays it. The seat does not see its own pocket (G-1)."""
    return tuple([(card, _BRIBES[card]) for card in dict.fromkeys(state.sleeves[seat])])


def host_offences(options: Options) -> tuple[type[Action], ...]:
    """Returns the offences that a host without a seat may enter: exposures of pocket cards, if allowed (DB-34).

    Sleeve cards are not allowed, because a rejected exposure would tell the host what a sleeve contains (DB-42).
    """
    return (ExposePocket,) if exposures_allowed(options) else ()


def turn(state: State) -> Turn:
    """Returns the seat to play; the others may act if they have exposures left, and a card for one (DB-34)."""
    if state.stage is not IN_PLAY:
        return Turn()
    return _turn(state.waiting[:1], exposers(state))


# Cached, because it is needed after every move, and there are few different turns.
@lru_cache(4096)
def _turn(owes: tuple[int, ...], able: tuple[int, ...]) -> Turn:
    return Turn(owes, tuple([seat for seat in able if seat not in owes]))


def score_round(state: State) -> tuple[Event, ...]:
    """Returns the reveal and the score of a finished caper."""
    revealed = StashesRevealed(state.pockets, state.sleeves)
    points = caper_points(state)
    lowest = jokers(state.options, state.totals, points)
    penalties = tuple(EXPOSURE_PENALTY * count for count in state.exposures)
    totals = added(state.totals, points)
    totals = added(totals, paid_to(lowest, JOKER_BONUS, state.seats))
    totals = added(totals, tuple(-penalty for penalty in penalties))  # DB-27
    fools, bonus = _queens_fools(state, lowest, totals)
    totals = added(totals, paid_to(fools, bonus, state.seats))
    return (revealed, CaperScored(points, lowest, penalties, fools, bonus, totals))


def _queens_fools(
    state: State, lowest: tuple[int, ...], totals: tuple[int, ...]
) -> tuple[tuple[int, ...], int]:
    """Returns the Queen's Fools and their points; only once, when the target is first reached (DB-31, DB-33)."""
    if state.end_reached or not is_target_reached(state.options, totals):
        return (), 0
    capers = state.capers + 1
    counts = added(state.joker_counts, paid_to(lowest, 1, state.seats))
    fools = queens_fools(counts, capers)
    return fools, QUEENS_FOOL_BONUS * capers if fools else 0
