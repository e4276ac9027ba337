"""The request bodies about tables; those for opening and acting depend on the game."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, get_args

from marshmallow import Schema, fields, validate

from hoodwink.domain.bots import POLICIES
from hoodwink.domain.games import GAMES
from hoodwink.domain.tables.events import Watch
from hoodwink.domain.tables.fairness import COMMITMENT_PATTERN, COMMITTED_SEED_PATTERN
from hoodwink.domain.tables.pace import TURN_SECONDS, BotDelay, RoundPause, TurnSeconds
from hoodwink.service.application.commands.forks import MYSELF
from hoodwink.service.application.players.players import ID_PATTERN
from hoodwink.service.http.messages.fields import (
    BIGGEST,
    BooleanField,
    IntegerField,
    TupleField,
    Whole,
    within,
)
from hoodwink.service.http.messages.schemas import (
    ActionForms,
    Chosen,
    ExpectationSchema,
    StrictSchema,
    field_of,
    options_schema,
    table_schema,
)

MAX_SEATS: Final = max(game.seats[1] for game in GAMES.values())

ACTION_FORMS: Final[Mapping[str, ActionForms]] = MappingProxyType(
    {name: ActionForms(game) for name, game in GAMES.items()}
)
ACTION_BODY: Final = MappingProxyType({name: forms.chosen for name, forms in ACTION_FORMS.items()})

OPTIONS_SCHEMAS: Final[Mapping[str, Schema]] = MappingProxyType(
    {name: options_schema(game) for name, game in GAMES.items()}
)


def _table_members() -> dict[str, fields.Field[Any]]:
    return {
        **_pace_fields(),
        "seed_commitment": _commitment_field("the host's part in every shuffle"),
        "rated": BooleanField(
            metadata={
                "description": "Whether the result counts in the ratings: by default if the table is public and "
                "everyone may watch it; no other table can be rated."
            }
        ),
        "private": BooleanField(
            metadata={
                "description": "Whether only those may sit down who have the invitation code; no list names the table "
                "to others.",
                "default": False,
            }
        ),
        "watch": fields.String(
            validate=validate.OneOf(get_args(Watch)),
            metadata={
                "description": "Who may see the table and its events, log and ledger, also after its end, besides its "
                "host and its players: everyone, those who send its invitation code, or nobody. By default `everyone` "
                "at a public table and `invited` at a private one."
            },
        ),
    }


def _pace_fields() -> dict[str, fields.Field[Any]]:
    """Returns the fields for the pace of a table; what is left out is decided at the start, from who sits there."""
    turn_seconds: Any = field_of(TurnSeconds)
    turn_seconds.metadata["description"] += (
        f" By default {TURN_SECONDS} if two or more people play, otherwise 0."
    )
    return {"turn_seconds": turn_seconds, **delay_fields()}


def delay_fields() -> dict[str, fields.Field[Any]]:
    """Returns the fields for the times that a table waits although nobody has to act."""
    return {"bot_delay": field_of(BotDelay), "round_pause": field_of(RoundPause)}


def _commitment_field(purpose: str) -> fields.String:
    return fields.String(
        validate=Whole(COMMITMENT_PATTERN, "Must be 64 lower-case hex digits."),
        metadata={
            "description": f"The SHA-256 of a seed, {purpose}: 32 to 64 random lower-case hex digits, which you reveal "
            "within ten seconds after the start. See docs/FAIRNESS.md."
        },
    )


TABLE_FORMS: Final = Chosen(
    "game", {name: table_schema(game, _table_members()) for name, game in GAMES.items()}
)


class SeatSchema(ExpectationSchema):
    """A seat for yourself or, with `policy`, for a bot."""

    seat = IntegerField(
        validate=within(0, MAX_SEATS - 1),
        metadata={
            "description": "The seat to take; by default the one offered to you, or else the first free one."
        },
    )
    seed = fields.String(
        validate=[validate.Length(max=64), Whole("^[ -~]*$", "Must be printable ASCII.")],
        metadata={
            "description": "Your part in every shuffle, which everybody can read before the start. It therefore does "
            "not protect you from a player who sits down later and knows the server seed; `seed_commitment` does. Not "
            "for a bot.",
            "default": "",
        },
    )
    seed_commitment = _commitment_field("your part in every shuffle")
    policy = fields.String(
        validate=validate.OneOf(POLICIES),
        metadata={"description": "Seats a bot that plays by this policy; only the host may."},
    )


def _player_field(meaning: str) -> fields.String:
    return fields.String(
        required=True,
        validate=Whole(ID_PATTERN, "Must be the id of a player."),
        metadata={"description": meaning},
    )


class OfferSchema(ExpectationSchema):
    """The seat that the host keeps for a player."""

    player = _player_field("The id of the player, who alone may take the seat.")
    seat = IntegerField(
        validate=within(0, MAX_SEATS - 1),
        metadata={"description": "The free seat; by default the first one."},
    )


class HostSchema(ExpectationSchema):
    """The new host of a table."""

    player = _player_field("The id of a player who has a seat at the table.")


class ForkSchema(StrictSchema):
    """The version to play on from, and the players."""

    version = IntegerField(
        required=True,
        validate=within(1, BIGGEST),
        metadata={
            "description": "The version to play on from. A version in the middle of a command stands for the end of that "
            "command, so the fork's `parent` may name a later one."
        },
    )
    turn_seconds, bot_delay, round_pause = _pace_fields().values()
    seed_commitment = _commitment_field("the host's part in every shuffle")
    seats = TupleField(
        fields.String(allow_none=True, validate=validate.OneOf([MYSELF, *POLICIES])),
        validate=validate.Length(max=MAX_SEATS),
        metadata={
            "description": f"The players from seat 0 on: `{MYSELF}`, the policy of a bot, or null for a seat that stays "
            "free. By default all stay free; `POST …/seats` takes them.",
        },
    )


class SeedSchema(ExpectationSchema):
    """The seed that you committed to."""

    seed = fields.String(
        required=True,
        validate=Whole(COMMITTED_SEED_PATTERN, "Must be 32 to 64 lower-case hex digits."),
        metadata={"description": "The text whose SHA-256 is the commitment."},
    )
