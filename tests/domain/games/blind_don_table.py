"""Blind Don tables for tests. Rows are written `AS 9H -- …`; `--` and missing positions are empty."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from hoodwink.domain.cards import Card, Draws, SeededDraws
from hoodwink.domain.games.blind_don import GAME
from hoodwink.domain.games.blind_don.actions import PlayCard
from hoodwink.domain.games.blind_don.events import CardsTallied
from hoodwink.domain.games.blind_don.options import Options
from hoodwink.domain.games.blind_don.state import ROW, Rows, State
from hoodwink.domain.kernel import Event, RuleViolation, Stage, Viewer

PLAYERS_AND_SPECTATOR: tuple[Viewer, ...] = (0, 1, "spectator")
VIEWERS: tuple[Viewer, ...] = (*PLAYERS_AND_SPECTATOR, "everybody")


class Stacked:
    """Draws whose decks begin with the cards given by number; the rest of the pack follows in order."""

    first_dealer = None  # it is drawn

    def __init__(self, decks: dict[int, str] | None = None) -> None:
        self.tops = {number: cards(text) for number, text in (decks or {}).items()}
        self.asked: list[tuple[int, int]] = []

    def seat(self, seats: int) -> int:
        raise AssertionError("the dealer is cut for, not drawn (BD-2)")

    def deck(self, pack: Sequence[Card], number: int) -> tuple[Card, ...]:
        self.asked.append((number, len(pack)))
        top = self.tops.get(number, ())
        return (*top, *[card for card in pack if card not in top])


def cards(text: str = "") -> Any:
    """Returns the cards of a text such as `AS 9H`."""
    return tuple(Card(face) for face in text.split())


def row(text: str) -> tuple[Card | None, ...]:
    slots = [None if face == "--" else Card(face) for face in text.split()]
    return (*slots, *[None] * (ROW - len(slots)))


def rows(first: str, second: str) -> Rows:
    return (row(first), row(second))


def seeded(number: int) -> SeededDraws:
    return SeededDraws(f"{number:064x}", ("", ""))


def situation(up: tuple[str, str], down: tuple[str, str] = ("", ""), **changes: Any) -> State:
    """Returns a round in play, with seat 0 to lead by default; options go by their names."""
    options = Options(**{key: changes.pop(key) for key in Options.__struct_fields__ if key in changes})
    given = {
        "stage": Stage.IN_PLAY,
        "round": 1,
        "dealer": 1,
        "face_up": rows(*up),
        "face_down": rows(*down),
    }
    return replace(GAME.initial(options, 2), **(given | changes))


def dealt(draws: Draws | None = None, **options: Any) -> State:
    return deal(GAME.initial(Options(**options), 2), draws or Stacked({0: "2C 3C"}))


def deal(state: State, draws: Draws) -> State:
    return fold(state, GAME.deal(state, draws))


def deal_events(state: State, draws: Draws) -> Any:
    """Returns the events of the next deal: the round, after the cut if it is the first."""
    return GAME.deal(state, draws)


def fold(state: State, events: tuple[Event, ...]) -> State:
    for event in events:
        state = GAME.evolve(state, event)
    return state


def act(state: State, seat: int, position: int) -> Any:
    """Returns the one event that the play leads to."""
    (event,) = GAME.decide(state, seat, PlayCard(position), 0)
    return event


def play(state: State, *positions: int) -> State:
    """Returns the state after these positions were played in turn, each by the player to move."""
    for position in positions:
        state = GAME.evolve(state, act(state, state.to_move, position))
    return state


def may_play(state: State, seat: int) -> list[int]:
    return [action.position for action in GAME.legal_actions(state, seat, 0) if isinstance(action, PlayCard)]


def refusal(state: State, seat: int, position: int) -> str:
    """Returns the code with which the play is refused, or `accepted`."""
    try:
        GAME.decide(state, seat, PlayCard(position), 0)
    except RuleViolation as violation:
        return violation.code
    return "accepted"


def to_score(captured: tuple[str, str], **changes: Any) -> State:
    """Returns a round whose tricks have all been taken."""
    state = situation(("", ""), captured=(cards(captured[0]), cards(captured[1])), **changes)
    return replace(state, stage=Stage.TO_SCORE)


def tallied(state: State) -> CardsTallied:
    (event,) = GAME.score_round(state)
    assert isinstance(event, CardsTallied)
    return event


def score(state: State) -> State:
    return fold(state, GAME.score_round(state))


def play_round(state: State) -> State:
    """Returns the state after every trick was played with the first legal card."""
    while state.stage is Stage.IN_PLAY:
        state = play(state, may_play(state, state.to_move)[0])
    return state
