"""Checks actions against the rules and turns them into events."""

from typing import assert_never

from hoodwink.domain.cards import JOKER, Card, Draws, build_pack
from hoodwink.domain.games.shedding import (
    RANK,
    SheddingCode,
    by_rank,
    cards_to_draw,
    check_named,
    choice_of,
    completes_four,
    deal_singly,
    filled_slots,
    flipped,
    fours_of,
    held_by_name,
    of_rank,
    plays_of,
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
    ShitheadCode,
    SwapCards,
)
from hoodwink.domain.games.shithead.events import (
    BlindCardFailed,
    BlindCardPlayed,
    BlindJokerTurned,
    CardsPlayed,
    CardsSwapped,
    JokerCountered,
    JokerPlayed,
    PileAccepted,
    PileBurned,
    PilePickedUp,
    PlayStarted,
    RoundDealt,
    SeatReady,
    ShitheadNamed,
)
from hoodwink.domain.games.shithead.options import MAX_SEATS, pack_for
from hoodwink.domain.games.shithead.rules import (
    allowed_ranks,
    can_follow,
    find_starter,
    finishing_order,
    follow_hint,
    is_window_open,
    may_interrupt,
    points_of,
    targets,
)
from hoodwink.domain.games.shithead.state import ANSWER, IN_PLAY, NAME_TARGET, PLAY, SWAP, State, Step
from hoodwink.domain.kernel import Action, CardPlay, Event, LegalAction, RuleViolation, SharedCode, Turn, left

# Created once, because creating actions and turns took much of the time of a playout.
_READY, _ACCEPT, _PICK_UP = DeclareReady(), AcceptPile(), PickUp()
_SINGLES = {card: PlayCards((card,)) for card in build_pack()}
_JOKERS = tuple(PlayJoker(target) for target in range(MAX_SEATS))
_TURNS = tuple(Turn((seat,)) for seat in range(MAX_SEATS))


def deal(state: State, draws: Draws) -> tuple[Event, ...]:
    """Returns the deal of the next round: blind, face-up and hand cards, singly from the dealer's left."""
    seats, number = state.seats, state.round + 1
    dealer = state.next_dealer if state.round else draws.seat(seats)  # SH-45
    deck = draws.deck(pack_for(state.options, seats), number)
    blind, face_up, hands = (
        deal_singly(deck[start : start + 3 * seats], seats=seats, first=left(dealer, seats))
        for start in (0, 3 * seats, 6 * seats)
    )
    return (RoundDealt(number, dealer, blind, face_up, hands, deck[9 * seats :]),)


def decide(state: State, seat: int, action: ShitheadAction, now: int) -> tuple[Event, ...]:
    """Returns the events that an action leads to; raises `RuleViolation` in the order of G-10."""
    if state.stage is not IN_PLAY:
        raise RuleViolation(SharedCode.ROUND_NOT_IN_PLAY)
    match action:
        case PlayCards():
            return _play(state, seat, action)
        case PickUp():
            return _pick_up(state, seat, action)
        case PlayJoker():
            return _play_joker(state, seat, action)
        case AcceptPile():
            _check_turn(state, seat, ANSWER)
            return (PileAccepted(seat),)
        case CounterJoker():
            return _counter(state, seat, action)
        case FlipBlind():
            return _flip(state, seat, action)
        case SwapCards():
            return _swap(state, seat, action)
        case DeclareReady():
            return _declare_ready(state, seat)
        case BurnPile():
            return _burn(state, seat, action)
        case _:
            assert_never(action)


def _check_turn(state: State, seat: int, step: Step) -> None:
    if state.step is SWAP:
        raise RuleViolation(SharedCode.WRONG_PHASE)
    if state.to_move != seat:
        raise RuleViolation(SharedCode.NOT_YOUR_TURN)
    if state.step is not step:
        raise RuleViolation(SharedCode.WRONG_STEP)


def _check_swapping(state: State, seat: int) -> None:
    if state.step is not SWAP:
        raise RuleViolation(SharedCode.WRONG_PHASE)
    if seat in state.ready:  # SH-3
        raise RuleViolation(SharedCode.ALREADY_COMMITTED)


def _swap(state: State, seat: int, action: SwapCards) -> tuple[Event, ...]:
    _check_swapping(state, seat)
    if action.hand_card not in state.hands[seat] or action.face_up_card not in state.face_up[seat]:
        raise RuleViolation(SharedCode.CARD_NOT_HELD)
    return (CardsSwapped(seat, action.hand_card, action.face_up_card, state.options.hidden_swap),)


def _declare_ready(state: State, seat: int) -> tuple[Event, ...]:
    _check_swapping(state, seat)
    ready = SeatReady(seat)
    if len(state.ready) + 1 < state.seats:
        return (ready,)
    starter, card = find_starter(state)
    return ready, PlayStarted(starter, card, state.face_up)


def _play(state: State, seat: int, action: PlayCards) -> tuple[Event, ...]:
    _check_turn(state, seat, PLAY)
    cards = action.cards
    check_named(cards, held_by_name(state, seat))
    if cards[0] == JOKER:
        raise RuleViolation(ShitheadCode.JOKER_NAMES_A_PLAYER)
    _check_start(state, cards)
    from_face_up = not state.hands[seat]
    if not can_follow(state, cards, from_face_up=from_face_up):
        raise RuleViolation(ShitheadCode.NOT_PLAYABLE, follow_hint(state, from_face_up=from_face_up))
    return (CardsPlayed(seat, cards, cards_to_draw(state, seat, len(cards))),)


def _check_start(state: State, cards: tuple[Card, ...]) -> None:
    if state.starting_card is not None and state.starting_card not in cards:  # SH-7
        raise RuleViolation(ShitheadCode.STARTING_CARD_MISSING)


def _play_joker(state: State, seat: int, action: PlayJoker) -> tuple[Event, ...]:
    is_turned = state.step is NAME_TARGET  # SH-53
    _check_turn(state, seat, NAME_TARGET if is_turned else PLAY)
    if not is_turned:
        _check_joker(state, seat)
        _check_start(state, (JOKER,))
    _check_target(state, seat, action.target)
    return (JokerPlayed(seat, action.target, cards_to_draw(state, seat, 1)),)


def _counter(state: State, seat: int, action: CounterJoker) -> tuple[Event, ...]:
    _check_turn(state, seat, ANSWER)
    _check_joker(state, seat)
    _check_target(state, seat, action.target)
    return (JokerCountered(seat, action.target, cards_to_draw(state, seat, 1)),)


def _check_joker(state: State, seat: int) -> None:
    if JOKER not in held_by_name(state, seat):
        raise RuleViolation(SharedCode.CARD_NOT_HELD)


def _check_target(state: State, seat: int, target: int) -> None:
    if target not in targets(state, seat):
        raise RuleViolation(ShitheadCode.WRONG_TARGET)


def _flip(state: State, seat: int, action: FlipBlind) -> tuple[Event, ...]:
    _check_turn(state, seat, PLAY)
    slot = action.slot
    card = flipped(state, seat, state.blind[seat], slot)
    if card == JOKER:
        return (BlindJokerTurned(seat, slot),)
    if can_follow(state, (card,), from_face_up=False):  # SH-34
        return (BlindCardPlayed(seat, slot, card),)
    return (BlindCardFailed(seat, slot, card),)


def _pick_up(state: State, seat: int, action: PickUp) -> tuple[Event, ...]:
    _check_turn(state, seat, PLAY)
    held, card = held_by_name(state, seat), action.face_up_card
    if not state.pile:
        raise RuleViolation(SheddingCode.PILE_EMPTY)
    if not state.options.voluntary_pickup and _plays(state, seat, held):  # SH-31, SH-52
        raise RuleViolation(SheddingCode.MUST_PLAY)
    if state.hands[seat]:
        if card is not None:
            raise RuleViolation(SheddingCode.WRONG_ZONE)
    elif card is None:
        raise RuleViolation(ShitheadCode.NO_FACE_UP_CARD)
    elif card not in held:
        raise RuleViolation(SharedCode.CARD_NOT_HELD)
    return (PilePickedUp(seat, card),)


def _burn(state: State, seat: int, action: BurnPile) -> tuple[Event, ...]:
    if state.step is SWAP:
        raise RuleViolation(SharedCode.WRONG_PHASE)
    if not is_window_open(state):
        raise RuleViolation(ShitheadCode.NO_BURN_NOW)
    if not may_interrupt(state, seat):
        raise RuleViolation(ShitheadCode.MAY_NOT_BURN)
    cards = action.cards
    check_named(cards, held_by_name(state, seat))
    if not completes_four(state.pile, cards):
        raise RuleViolation(ShitheadCode.COMPLETES_NO_FOUR)
    return (PileBurned(seat, cards, cards_to_draw(state, seat, len(cards))),)


def legal_actions(state: State, seat: int, now: int) -> tuple[LegalAction, ...]:
    """Returns every action that `decide` accepts from the seat, one per rank, target, slot and face (G-5)."""
    if state.stage is not IN_PLAY:
        return ()
    if state.step is SWAP:
        return _legal_swaps(state, seat)
    if seat != state.to_move:
        return _legal_burns(state, seat)
    if state.step is ANSWER:
        return _legal_answers(state, seat)
    if state.step is NAME_TARGET:
        return tuple([_JOKERS[target] for target in targets(state, seat)])
    held = state.hands[seat] or state.face_up[seat]
    if not held:
        return tuple([FlipBlind(slot) for slot in filled_slots(state.blind[seat])])
    plays = _plays(state, seat, held)
    if state.pile and (not plays or state.options.voluntary_pickup):
        plays += _pick_ups(state, seat)
    return tuple(plays)


def _plays(state: State, seat: int, held: tuple[Card, ...]) -> list[LegalAction]:
    """Returns the plays from hand or face-up cards, Jokers included (SH-31)."""
    start, pile = state.starting_card, state.pile
    if start is not None:  # SH-7
        return [choice_of(PlayCards, "play", of_rank(held, RANK[start]), including=start)]
    allowed = allowed_ranks(state, from_face_up=not state.hands[seat])
    groups = by_rank(held, allowed)
    jokers = groups.pop(JOKER, ())
    plays = plays_of(groups, _SINGLES)
    if pile and RANK[pile[-1]] not in allowed:  # SH-19
        plays += fours_of(held, pile, PlayCards, "play")
    if jokers:
        plays += [_JOKERS[target] for target in targets(state, seat)]
    return plays


def _pick_ups(state: State, seat: int) -> list[LegalAction]:
    if state.hands[seat]:
        return [_PICK_UP]
    return [PickUp(card) for card in dict.fromkeys(state.face_up[seat])]  # SH-33


def _legal_swaps(state: State, seat: int) -> tuple[LegalAction, ...]:
    if seat in state.ready:
        return ()
    shown = dict.fromkeys(state.face_up[seat])
    swaps = [SwapCards(card, other) for card in dict.fromkeys(state.hands[seat]) for other in shown]
    return (*swaps, _READY)


def _legal_answers(state: State, seat: int) -> tuple[LegalAction, ...]:
    if JOKER not in (state.hands[seat] or state.face_up[seat]):
        return (_ACCEPT,)
    return (_ACCEPT, *[CounterJoker(target) for target in targets(state, seat)])  # SH-39


def _legal_burns(state: State, seat: int) -> tuple[LegalAction, ...]:
    if not is_window_open(state) or not may_interrupt(state, seat):
        return ()
    held = state.hands[seat] or state.face_up[seat]
    return tuple(fours_of(held, state.pile, BurnPile, "burn"))


def card_plays(state: State, seat: int) -> tuple[CardPlay, ...]:
    """Returns each face in the seat's hand or face-up cards with the action that swaps or plays it."""
    hand, shown = state.hands[seat], state.face_up[seat]
    if state.step is SWAP:
        swapped = [SwapCards(card, shown[0]) for card in hand] + [SwapCards(hand[0], card) for card in shown]
        return tuple(dict(zip(hand + shown, swapped, strict=True)).items())
    return tuple([(card, _play_of(state, seat, card)) for card in dict.fromkeys(hand + shown)])


def _play_of(state: State, seat: int, card: Card) -> Action:
    return _JOKERS[left(seat, state.seats)] if card == JOKER else _SINGLES[card]


def turn(state: State) -> Turn:
    """Returns the seats that owe an action (first all that are not ready, then one) and those that may burn out of turn."""
    if state.stage is not IN_PLAY:
        return Turn()
    if state.step is SWAP:
        return Turn(tuple([seat for seat in range(state.seats) if seat not in state.ready]))
    if not is_window_open(state):
        return _TURNS[state.to_move]
    return Turn((state.to_move,), tuple([seat for seat in range(state.seats) if may_interrupt(state, seat)]))


def overdue(state: State, seat: int) -> ShitheadAction | None:
    """Returns the action that an expired clock forces during the swap phase: being ready (G-15)."""
    return _READY if state.step is SWAP else None


def score_round(state: State) -> tuple[Event, ...]:
    """Returns the score of the round: the order of finishing and everybody's points (SH-44, SH-61)."""
    order = finishing_order(state)
    return (ShitheadNamed(order, points_of(order)),)
