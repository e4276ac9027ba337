"""The bodies that depend on the game, for every game of the house."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from marshmallow import Schema, fields, validate

from domain.bots import POLICIES
from domain.games import GAMES
from domain.tables import COMMITMENT_PATTERN, COMMITTED_SEED_PATTERN
from service.application.forks import MYSELF
from service.http.messages.fields import BIGGEST, BooleanField, IntegerField, TupleField, Whole
from service.http.messages.schemas import (
    ActionForms,
    Chosen,
    ExpectationSchema,
    StrictSchema,
    options_schema,
    table_schema,
)

MOST_SEATS: Final = max(game.seats[1] for game in GAMES.values())
LONGEST_TURN_SECONDS: Final = 7 * 24 * 3600

ACTION_FORMS: Final[Mapping[str, ActionForms]] = MappingProxyType(
    {name: ActionForms(game) for name, game in GAMES.items()}
)
ACTION_BODY: Final = MappingProxyType({name: forms.chosen for name, forms in ACTION_FORMS.items()})

OPTIONS_SCHEMAS: Final[Mapping[str, Schema]] = MappingProxyType(
    {name: options_schema(game) for name, game in GAMES.items()}
)


def _table_members() -> dict[str, fields.Field[Any]]:
    return {
        "turn_seconds": _turn_seconds_field(),
        "seed_commitment": _commitment_field("the host's own part of every shuffle"),
        "rated": BooleanField(
            metadata={"description": "Whether the result counts in the ratings.", "default": True}
        ),
    }


def _turn_seconds_field() -> IntegerField:
    """Returns the field for the turn clock of a table."""
    return IntegerField(
        validate=validate.Range(min=0, max=LONGEST_TURN_SECONDS),
        metadata={"description": "Seconds a player has for what they owe; 0 is no clock.", "default": 0},
    )


def _commitment_field(part: str) -> fields.String:
    return fields.String(
        validate=Whole(COMMITMENT_PATTERN, "Must be 64 lower-case hex digits."),
        metadata={
            "description": f"SHA-256 of a seed, {part}: 32 to 64 random lower-case hex digits that you reveal "
            "within ten seconds after the start. See the fairness protocol."
        },
    )


TABLE_FORMS: Final = Chosen(
    "game", {name: table_schema(game, _table_members()) for name, game in GAMES.items()}
)


class SeatSchema(ExpectationSchema):
    """A seat for oneself, or for a bot if a policy is named."""

    seat = IntegerField(
        validate=validate.Range(min=0, max=MOST_SEATS - 1),
        metadata={"description": "Which seat; by default the first free one."},
    )
    seed = fields.String(
        validate=[validate.Length(max=64), Whole("^[ -~]*$", "Must be printable ASCII.")],
        metadata={
            "description": "Your own part of every shuffle, for all to read before the start. So it does not "
            "protect from those who sit down later and know the server seed; `seed_commitment` does. Not for a bot.",
            "default": "",
        },
    )
    seed_commitment = _commitment_field("your own part of every shuffle")
    policy = fields.String(
        validate=validate.OneOf(POLICIES),
        metadata={"description": "Seat a bot that plays by this policy; only the host may."},
    )


class ForkSchema(StrictSchema):
    """Where to play on from, and who sits where."""

    version = IntegerField(
        required=True,
        validate=validate.Range(min=1, max=BIGGEST),
        metadata={
            "description": "The version to play on from. One in the middle of a command stands for the end of that "
            "command, so the fork's `parent` may name a later one."
        },
    )
    turn_seconds = _turn_seconds_field()
    seed_commitment = _commitment_field("the host's own part of every shuffle")
    seats = TupleField(
        fields.String(allow_none=True, validate=validate.OneOf([MYSELF, *POLICIES])),
        validate=validate.Length(max=MOST_SEATS),
        metadata={
            "description": f"Who sits down at once, from seat 0 on: `{MYSELF}`, a bot by its policy, or null for a seat "
            "that stays free. By default all stay free; `POST …/seats` takes them.",
        },
    )


class SeedSchema(ExpectationSchema):
    """The seed that its sender committed to."""

    seed = fields.String(
        required=True,
        validate=Whole(COMMITTED_SEED_PATTERN, "Must be 32 to 64 lower-case hex digits."),
        metadata={"description": "The text whose SHA-256 is the commitment."},
    )
