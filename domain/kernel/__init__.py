"""What all games share: the contract, messages, seats and the errors of the rules."""

from domain.kernel.contract import (
    Game,
    GameOptions,
    LegalAction,
    Stage,
    Turn,
    offences_among,
    plays_among,
)
from domain.kernel.errors import Code, InvalidOptions, Refusals, RuleCode, RuleViolation, SharedCode
from domain.kernel.messages import Action, CardChoice, Cause, Event
from domain.kernel.seats import left, places, replace_at, right
from domain.kernel.visibility import (
    LEFT_OUT,
    EachOthers,
    EachOwn,
    Hidden,
    Own,
    Public,
    Sight,
    Viewer,
    redact,
    shown_if,
)

__all__ = [
    "LEFT_OUT",
    "Action",
    "CardChoice",
    "Cause",
    "Code",
    "EachOthers",
    "EachOwn",
    "Event",
    "Game",
    "GameOptions",
    "Hidden",
    "InvalidOptions",
    "LegalAction",
    "Own",
    "Public",
    "Refusals",
    "RuleCode",
    "RuleViolation",
    "SharedCode",
    "Sight",
    "Stage",
    "Turn",
    "Viewer",
    "left",
    "offences_among",
    "places",
    "plays_among",
    "redact",
    "replace_at",
    "right",
    "shown_if",
]
