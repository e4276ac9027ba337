"""The knowledge that a viewer gains from the events of a Coconut table."""

from typing import TypeAlias

from msgspec.structs import replace

from hoodwink.domain.cards import HIDDEN, build_pack
from hoodwink.domain.games.coconut.events import (
    CardFlipped,
    CardsPlayed,
    CardsSneaked,
    CoconutEvent,
    FaceUpChosen,
    FaceUpRevealed,
    FlipFailed,
    PilePickedUp,
    RoundDealt,
)
from hoodwink.domain.games.coconut.options import FACE_UP_COUNT, pack_for
from hoodwink.domain.games.coconut.rules import opening_ranks, playable_ranks
from hoodwink.domain.games.coconut.state import OPEN, State
from hoodwink.domain.games.shedding import RANK, see_drawn, see_laid
from hoodwink.domain.kernel import Knowledge, begin_round, rule_out, show, show_all

Known: TypeAlias = Knowledge[State]

_FACES = build_pack()


def learn(known: Known, event: CoconutEvent) -> tuple[Known, CoconutEvent]:
    """Returns what the viewer knows once it has seen the event, and the event with the known cards or their marks."""
    state = known.state
    match event:
        case CardsPlayed() | CardsSneaked():
            return _learn_laid(known, event)
        case PilePickedUp():
            return _learn_pick_up(known, event), event
        case CardFlipped() | FlipFailed():
            return show(known, state.face_down[event.seat][event.slot], event.card), event
        case FaceUpChosen():
            # The viewer does not know which cards were chosen. Any three unknown cards of a hand will do.
            hidden = HIDDEN in event.cards
            return known, replace(event, cards=state.hands[event.seat][:FACE_UP_COUNT]) if hidden else event
        case FaceUpRevealed():
            return show_all(known, state.chosen, event.face_up), event
        case RoundDealt():
            return begin_round(known, event, pack_for(state.seats))
        case _:
            return known, event


def _learn_laid(known: Known, event: CardsPlayed | CardsSneaked) -> tuple[Known, CoconutEvent]:
    seat, opens = event.seat, known.state.step is OPEN
    known = see_laid(known, seat, event.cards)
    if opens:
        known = _learn_opening(known, event)
    known, drawn = see_drawn(known, event.drawn)
    return known, replace(event, drawn=drawn)


def _learn_opening(known: Known, event: CardsPlayed | CardsSneaked) -> Known:
    """Rules out the cards that would have had to be played instead (CO-6, CO-7)."""
    opened, opening = event.cards[0], known.state.options.opening
    binding = [face for face in _FACES if RANK[opened] not in opening_ranks((opened, face), opening)]
    return rule_out(known, known.state.hands[event.seat], binding)


def _learn_pick_up(known: Known, event: PilePickedUp) -> Known:
    """Rules out the cards that could have been played, unless a pile may be picked up at will (CO-8, CO-35)."""
    state = known.state
    if state.options.voluntary_pickup:
        return known
    playable = playable_ranks(state.pile)
    return rule_out(known, state.hands[event.seat], [face for face in _FACES if RANK[face] in playable])
