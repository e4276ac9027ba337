"""The knowledge that a viewer gains from the events of a Blind Don table. Both players and all spectators know the same."""

from typing import TypeAlias

from hoodwink.domain.cards import build_pack
from hoodwink.domain.games.blind_don.events import BlindDonEvent, CardLed, RoundDealt, TrickTaken
from hoodwink.domain.games.blind_don.state import State
from hoodwink.domain.kernel import Knowledge, begin_round, show

Known: TypeAlias = Knowledge[State]


def learn(known: Known, event: BlindDonEvent) -> tuple[Known, BlindDonEvent]:
    """Returns what the viewer knows once it has seen the event, and the event with the known cards or their marks."""
    match event:
        case CardLed() | TrickTaken():
            for turned in event.uncovered:
                known = show(known, known.state.face_down[turned.seat][turned.position], turned.card)
            return known, event
        case RoundDealt():
            return begin_round(known, event, build_pack())
        case _:
            return known, event
