"""Request bodies for tables. Those for opening a table and for actions depend on the game."""

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
from hoodwink.service.application.players.player_lookup import ID_PATTERN
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

# Of all games: a schema cannot know the table, so the rules check the rest.
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
                "description": "Whether the result counts in the ratings. Only a public table that everyone may watch can be "
                "rated; by default it is."
            }
        ),
        "private": BooleanField(
            metadata={
                "description": "Whether players need the invitation code to sit down. The table is not listed for "
                "others.",
                "default": False,
            }
        ),
        "watch": fields.String(
            validate=validate.OneOf(get_args(Watch)),
            metadata={
                "description": "Who may see the table and its events, log and ledger, even after its end, in addition to its "
                "host and players: everyone, those who send its invitation code, or nobody. The default is `everyone` "
                "at a public table and `invited` at a private one."
            },
        ),
        "take_backs": BooleanField(
            metadata={
                "description": "Whether players may take back their last action (`POST …/take-back`). By default they may if the "
                "result does not count in the ratings."
            }
        ),
    }


def _pace_fields() -> dict[str, fields.Field[Any]]:
    """Returns the fields for the pace of a table. Defaults are chosen at the start, because they depend on the players."""
    turn_seconds: Any = field_of(TurnSeconds)
    turn_seconds.metadata["description"] += (
        f" By default {TURN_SECONDS} if two or more people play, otherwise 0."
    )
    return {"turn_seconds": turn_seconds, **delay_fields()}


def delay_fields() -> dict[str, fields.Field[Any]]:
    """Returns the fields for the pauses in which nobody has to act."""
    return {"bot_delay": field_of(BotDelay), "round_pause": field_of(RoundPause)}


def _commitment_field(purpose: str) -> fields.String:
    return fields.String(
        validate=Whole(COMMITMENT_PATTERN, "Must be 64 lower-case hex digits."),
        metadata={
            "description": f"The SHA-256 of a seed, {purpose}. The seed is 32 to 64 random lower-case hex digits, and you "
            "reveal it within ten seconds after the start. See docs/FAIRNESS.md."
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
            "description": "The seat to take; by default the one offered to you, otherwise the first free one."
        },
    )
    # ASCII, so that every program that verifies a shuffle hashes the same bytes.
    seed = fields.String(
        validate=[validate.Length(max=64), Whole("^[ -~]*$", "Must be printable ASCII.")],
        metadata={
            "description": "Your part in every shuffle. Everybody can read it before the start, so it does not protect you "
            "from a player who sits down later and knows the server seed; `seed_commitment` does. Not for a bot.",
            "default": "",
        },
    )
    seed_commitment = _commitment_field("your part in every shuffle")
    policy = fields.String(
        validate=validate.OneOf(POLICIES),
        metadata={"description": "Seats a bot with this policy; only the host may."},
    )


def _player_field(meaning: str) -> fields.String:
    return fields.String(
        required=True,
        validate=Whole(ID_PATTERN, "Must be the id of a player."),
        metadata={"description": meaning},
    )


class OfferSchema(ExpectationSchema):
    """The seat that the host keeps for a player."""

    player = _player_field("The id of the only player who may take the seat.")
    seat = IntegerField(
        validate=within(0, MAX_SEATS - 1),
        metadata={"description": "The free seat; by default the first one."},
    )


class HostSchema(ExpectationSchema):
    """The new host of a table."""

    player = _player_field("The id of a player who has a seat at the table.")


class SayingSchema(StrictSchema):
    """What to say."""

    # The sayings depend on the game, so the rules check the rest.
    saying = fields.String(
        required=True,
        validate=Whole(r"^[a-z_]{1,32}$", "Must be the id of a saying."),
        metadata={"description": "The id of one of the game's `sayings`, or `nudge`."},
    )
    to = IntegerField(
        validate=within(0, MAX_SEATS - 1),
        metadata={"description": "The seat to nudge; only with `nudge`."},
    )


class ForkSchema(StrictSchema):
    """The version to play on from, and the players."""

    version = IntegerField(
        required=True,
        validate=within(1, BIGGEST),
        metadata={
            "description": "The version to play on from. In the middle of a command's events, it means the last of them, so "
            "the fork's `parent` may have a later version."
        },
    )
    # In the order in which `_pace_fields` has them.
    turn_seconds, bot_delay, round_pause = _pace_fields().values()
    seed_commitment = _commitment_field("the host's part in every shuffle")
    seats = TupleField(
        fields.String(allow_none=True, validate=validate.OneOf([MYSELF, *POLICIES])),
        validate=validate.Length(max=MAX_SEATS),
        metadata={
            "description": f"The players from seat 0 on: `{MYSELF}`, the policy of a bot, or null for a free seat. By "
            "default all are free; `POST …/seats` takes them.",
        },
    )


class SeedSchema(ExpectationSchema):
    """The seed that you committed to."""

    seed = fields.String(
        required=True,
        validate=Whole(COMMITTED_SEED_PATTERN, "Must be 32 to 64 lower-case hex digits."),
        metadata={"description": "The text whose SHA-256 is the commitment."},
    )
