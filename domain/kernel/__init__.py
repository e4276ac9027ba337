"""What all games share: the contract, messages, seats and the errors of the rules."""

from domain.kernel.contract import (
    Game,
    GameOptions,
    LegalAction,
    Stage,
    Turn,
    Viewer,
    offences_among,
    plays_among,
)
from domain.kernel.errors import (
    ALREADY_COMMITTED,
    CARD_NOT_HELD,
    NOT_YOUR_TURN,
    ROUND_NOT_IN_PLAY,
    WRONG_PHASE,
    WRONG_STEP,
    InvalidOptions,
    RuleViolation,
)
from domain.kernel.messages import Action, CardChoice, Event
from domain.kernel.seats import left, places, replace_at, right

__all__ = [
    "ALREADY_COMMITTED",
    "CARD_NOT_HELD",
    "NOT_YOUR_TURN",
    "ROUND_NOT_IN_PLAY",
    "WRONG_PHASE",
    "WRONG_STEP",
    "Action",
    "CardChoice",
    "Event",
    "Game",
    "GameOptions",
    "InvalidOptions",
    "LegalAction",
    "RuleViolation",
    "Stage",
    "Turn",
    "Viewer",
    "left",
    "offences_among",
    "places",
    "plays_among",
    "replace_at",
    "right",
]
