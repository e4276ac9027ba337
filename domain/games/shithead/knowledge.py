"""The knowledge that a viewer gains from the events of a Shithead table."""

from collections import Counter
from random import Random
from typing import TypeAlias

from msgspec.structs import replace

from hoodwink.domain.cards import HIDDEN, JOKER, Card
from hoodwink.domain.games.shedding import (
    FOUR_OF_A_KIND,
    HAND_SIZE,
    RANK,
    run_on_top,
    see_drawn,
    see_laid,
    without,
)
from hoodwink.domain.games.shithead.events import (
    BlindCardFailed,
    BlindCardPlayed,
    BlindJokerTurned,
    CardsPlayed,
    CardsSwapped,
    JokerCountered,
    JokerPlayed,
    PileBurned,
    PilePickedUp,
    PlayStarted,
    RoundDealt,
    ShitheadEvent,
)
from hoodwink.domain.games.shithead.options import pack_for
from hoodwink.domain.games.shithead.rules import (
    STARTING_CARDS,
    allowed_ranks,
    find_starter,
    seats_from_dealer,
)
from hoodwink.domain.games.shithead.state import SWAP, State
from hoodwink.domain.kernel import (
    Knowledge,
    Viewer,
    begin_round,
    replace_at,
    rule_out,
    show,
    show_held,
)
from hoodwink.domain.kernel import (
    imagine as imagine_deal,
)

Known: TypeAlias = Knowledge[State]


def learn(known: Known, event: ShitheadEvent) -> tuple[Known, ShitheadEvent]:
    """Returns what the viewer knows once it has seen the event, and the event with the known cards or their marks."""
    state = known.state
    match event:
        case CardsPlayed() | PileBurned():
            known = _learn_start(see_laid(known, event.seat, event.cards), event.cards)
            known, drawn = see_drawn(known, event.drawn)
            return known, replace(event, drawn=drawn)
        case PilePickedUp():
            return _learn_pick_up(known, event), event
        case JokerPlayed() | JokerCountered():
            if state.turned is None:
                known = _learn_start(see_laid(known, event.seat, (JOKER,)), (JOKER,))
            known, drawn = see_drawn(known, event.drawn)
            return known, replace(event, drawn=drawn)
        case BlindCardPlayed() | BlindCardFailed():
            return show(known, state.blind[event.seat][event.slot], event.card), event
        case BlindJokerTurned():
            return show(known, state.blind[event.seat][event.slot], JOKER), event
        case CardsSwapped():
            return show_held(known, state.hands[event.seat], (event.hand_card,)), event
        case PlayStarted():
            return _learn_starter(_learn_swaps(known, event), event), event
        case RoundDealt():
            return begin_round(known, event, pack_for(state.options, state.seats))
        case _:
            return known, event


def _learn_swaps(known: Known, event: PlayStarted) -> Known:
    """Compares the face-up cards with those dealt, after a swap that the viewer did not see (SH-50)."""
    for seat, shown in enumerate(event.face_up):
        before = known.state.face_up[seat]
        to_hand = tuple((Counter(before) - Counter(shown)).elements())
        from_hand = tuple((Counter(shown) - Counter(before)).elements())
        known = show_held(known, known.state.hands[seat], from_hand)
        state = known.state
        hand = without(state.hands[seat], from_hand) + to_hand
        state = replace(
            state,
            hands=replace_at(state.hands, seat, hand),
            face_up=replace_at(state.face_up, seat, shown),
        )
        known = replace(known, state=state)
    return known


def _learn_starter(known: Known, event: PlayStarted) -> Known:
    if event.seat == known.viewer:
        return _rule_out_earlier(known, event.card, event.seat)
    return known


def _learn_start(known: Known, cards: tuple[Card, ...]) -> Known:
    """Returns the knowledge after the first play, which contains the starting card unless nobody held one (SH-7)."""
    if known.state.starting_card != HIDDEN:
        return known
    card = next((card for card in STARTING_CARDS if card in cards), None)
    return _rule_out_earlier(known, card, known.state.to_move)


def _rule_out_earlier(known: Known, card: Card | None, starter: int) -> Known:
    """Rules out all cards with which another seat would have started instead (SH-4 … SH-6)."""
    index = len(STARTING_CARDS) if card is None else STARTING_CARDS.index(card)
    is_before = True
    for seat in seats_from_dealer(known.state):
        is_before = is_before and seat != starter
        known = rule_out(known, known.state.hands[seat], STARTING_CARDS[: index + is_before])
    return known


def _learn_pick_up(known: Known, event: PilePickedUp) -> Known:
    """Rules out the cards that could have been played, unless a pile may be picked up at will (SH-31, SH-52).

    Two or more cards that would have completed four of a kind are not ruled out if each of them could not be played.
    """
    state, hand = known.state, known.state.hands[event.seat]
    if state.options.voluntary_pickup or not hand:
        return known
    playable = allowed_ranks(state, from_face_up=False)
    top = RANK[state.pile[-1]]
    if run_on_top(state.pile) + sum([RANK.get(card) == top for card in hand]) + 1 >= FOUR_OF_A_KIND:  # SH-19
        playable |= {top}
    return rule_out(known, hand, [face for face in RANK if RANK[face] in playable])


def imagine(known: Known, chance: Random) -> State:
    """Returns a random state that agrees with the knowledge.

    Until the end of a hidden swap, the known state has the others' cards as dealt, but any of them may lie face up
    (SH-50). Until the first play, everybody knows who starts but not with which card (SH-49).
    """
    while True:
        state = imagine_deal(known, chance)
        if state.step is SWAP and state.options.hidden_swap:
            return _swapped(state, known.viewer, chance)
        if state.starting_card != HIDDEN:
            return state
        starter, card = find_starter(state)
        if starter == state.to_move:
            return replace(state, starting_card=card)


def _swapped(state: State, viewer: Viewer, chance: Random) -> State:
    """Returns the state after every seat but the viewer's exchanged cards at random."""
    hands, face_up = list(state.hands), list(state.face_up)
    for seat in range(state.seats):
        if seat != viewer:
            cards = [*hands[seat], *face_up[seat]]
            chance.shuffle(cards)
            hands[seat], face_up[seat] = tuple(cards[:HAND_SIZE]), tuple(cards[HAND_SIZE:])
    return replace(state, hands=tuple(hands), face_up=tuple(face_up))
