"""Request bodies of organisers and entrants."""

from typing import Any, Final

from marshmallow import Schema, fields, validate

from hoodwink.domain.bots import POLICIES
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import NAME_PATTERN
from hoodwink.domain.series import Points, Schedule
from hoodwink.domain.series.plan import PATTERNS
from hoodwink.domain.tables.fairness import COMMITMENT_PATTERN
from hoodwink.domain.tournaments.life import FullSetup, Sitting
from hoodwink.domain.tournaments.life.full_setup import declared
from hoodwink.domain.tournaments.life.setup import (
    MAX_ENTRANTS,
    MAX_ROUNDS,
    MAX_SEATS,
    MAX_SITTINGS,
    Advance,
    Rounds,
)
from hoodwink.domain.tournaments.terms import Tiebreaks
from hoodwink.service.application.players.player_lookup import ID_PATTERN
from hoodwink.service.http.messages.fields import (
    BIGGEST,
    BooleanField,
    FractionField,
    IntegerField,
    TupleField,
    Whole,
    name_rules,
    within,
)
from hoodwink.service.http.messages.forms import delay_fields
from hoodwink.service.http.messages.schemas import (
    Chosen,
    ConfirmationSchema,
    ExpectationSchema,
    OptionalReasonSchema,
    ReasonSchema,
    StrictSchema,
    field_of,
    new_schema,
    options_schema,
    struct_fields,
    title_of,
)


class SittingFormSchema(StrictSchema):
    """A time at which people play together."""

    rounds = field_of(Rounds)
    starts_at = struct_fields(Sitting)["starts_at"]


def _tournament_members(name: str) -> dict[str, Any]:
    """Returns the fields of the setup of a new tournament."""
    # Stricter than `FullSetup` itself, which must still decode tournaments from before these rules.
    game = GAMES[name]
    own: dict[str, fields.Field[Any]] = {
        "game": fields.String(required=True, validate=validate.Equal(name), metadata={"const": name}),
        "options": fields.Nested(
            options_schema(game), metadata={"description": "The options that differ from the defaults."}
        ),
        "sittings": TupleField(
            fields.Nested(SittingFormSchema()),
            required=True,
            validate=validate.Length(min=1, max=MAX_SITTINGS),
            metadata={"description": declared("sittings")[1].description},
        ),
        **delay_fields(),
    }
    members: dict[str, Any] = struct_fields(FullSetup, own)
    members["name"].validators.append(
        Whole(NAME_PATTERN, "Must be visible characters, with single blanks between them.")
    )
    members["name"].metadata["description"] += f" {name_rules('The letters of a word')}"
    members["forbidden"].inner.inner.validators.append(Whole(ID_PATTERN, "Must be the id of a player."))
    return members


def _tournament_schema(name: str) -> Schema:
    game = GAMES[name]
    members = _tournament_members(name)
    return new_schema(StrictSchema, f"{title_of(game)}Tournament", members, f"A tournament of {game.title}.")


TOURNAMENT_FORMS: Final = Chosen("game", {name: _tournament_schema(name) for name in GAMES})


def _schedule_schema() -> Schema:
    members = struct_fields(Schedule)
    for name, fault in _SPELLED.items():
        members[name].validators = [Whole(PATTERNS[name], fault)]
    return new_schema(StrictSchema, "SeriesSchedule", members, Schedule.__doc__)


_SPELLED: Final = {
    "time": "Must be a time such as 20:00.",
    "zone": "Must be the name of a time zone, such as Europe/Berlin.",
    "first_day": "Must be a day such as 2026-03-05.",
    "last_day": "Must be a day such as 2026-03-05.",
}

_SCHEDULE: Final = _schedule_schema()
_POINTS: Final = new_schema(StrictSchema, "SeriesPoints", struct_fields(Points), Points.__doc__)


def _series_schema(name: str) -> Schema:
    """Returns the schema of a new series: a tournament with one sitting, dates and points (S-1)."""
    game = GAMES[name]
    members = {
        field: given for field, given in _tournament_members(name).items() if field not in _NOT_IN_SERIES
    }
    members |= {
        "rounds": field_of(Rounds),
        "schedule": fields.Nested(
            _SCHEDULE, required=True, metadata={"description": "When the tournaments take place."}
        ),
        "points": fields.Nested(
            _POINTS, metadata={"description": "How results become season points; by default by place."}
        ),
    }
    # Not private, because the season table would show who played (S-1).
    members["visibility"].validators = [validate.OneOf(["public", "unlisted"])]
    members["advance"].metadata["default"] = Advance.AUTOMATIC.value  # S-4
    return new_schema(StrictSchema, f"{title_of(game)}Series", members, f"A series of {game.title}.")


# Each tournament has one sitting (S-1), whose rounds are a field of their own. A season table counts players, not
# teams (T-30).
_NOT_IN_SERIES: Final = {"sittings", "deals_per_pairing", "team_size", "team_counting"}

SERIES_FORMS: Final = Chosen("game", {name: _series_schema(name) for name in GAMES})


def seed_commitment_field(revealed: str, *, for_whom: str = "") -> fields.Field[Any]:
    """Returns the field for a commitment to a seed that is revealed at that time."""
    return fields.String(
        validate=Whole(COMMITMENT_PATTERN, "Must be 64 lower-case hex digits."),
        metadata={
            "description": "The SHA-256 of a seed of yours. The seed is 32 to 64 random lower-case hex digits, and you reveal "
            f"it when {revealed}.{for_whom}"
        },
    )


class EntrySchema(ExpectationSchema):
    """Your entry or, with `policy`, that of a bot."""

    seed_commitment = seed_commitment_field("the next round opens", for_whom=" Not for a bot.")
    policy = fields.String(
        validate=validate.OneOf(POLICIES),
        metadata={"description": "Enters a bot with this policy, which is also its name (organisers only)."},
    )


class CheckInSchema(ExpectationSchema):
    """Your check-in for the sitting."""

    seed_commitment = fields.String(
        validate=Whole(COMMITMENT_PATTERN, "Must be 64 lower-case hex digits."),
        metadata={"description": "The SHA-256 of a new seed of yours, which replaces the previous one."},
    )


class OrderSchema(ExpectationSchema):
    """The order of the starting ranks; other entrants follow in order of arrival."""

    entrants = TupleField(
        fields.String(validate=Whole("^[a-z0-9:]{1,40}$", "Must be the id of an entrant.")),
        required=True,
        validate=validate.Length(max=MAX_ENTRANTS),
        metadata={"description": "The ids of entrants, the first rank first."},
    )


class ByeSchema(OptionalReasonSchema):
    """A bye that you request or, with `entrant`, that an organiser assigns."""

    round = IntegerField(
        required=True, validate=within(1, MAX_ROUNDS), metadata={"description": "The round."}
    )
    entrant = fields.String(
        validate=Whole("^[a-z0-9:]{1,40}$", "Must be the id of an entrant."),
        metadata={"description": "The entrant who gets the bye from an organiser."},
    )
    score = FractionField(
        metadata={"description": "The score for an assigned bye: 0, 1/2 or 1.", "default": "1/2"}
    )


class RoundSchema(OptionalReasonSchema):
    """The next round."""

    early = BooleanField(
        metadata={
            "description": "Whether to pair the round while tables of earlier rounds are unfinished.",
            "default": False,
        }
    )


def _numbers(max_length: int, description: str) -> TupleField:
    return TupleField(
        IntegerField(validate=within(1, MAX_ENTRANTS), allow_none=True),
        validate=validate.Length(max=max_length),
        metadata={"description": description},
    )


class PairingSchema(ReasonSchema):
    """A pairing that replaces the engine's."""

    tables = TupleField(
        _numbers(MAX_SEATS, "Starting ranks in seat order; null for a bot that fills the table."),
        required=True,
        validate=validate.Length(max=MAX_ENTRANTS),
        metadata={"description": "The tables, in the order of the boards."},
    )
    byes = TupleField(
        IntegerField(validate=within(1, MAX_ENTRANTS)),
        validate=validate.Length(max=MAX_ENTRANTS),
        metadata={"description": "The starting ranks of the entrants with a pairing bye."},
    )


class VoidScoreSchema(ReasonSchema):
    """The score of each entrant of a voided table."""

    score = FractionField(metadata={"description": "The score: 0, 1/2 or 1.", "default": "1/2"})


class TiebreaksSchema(OptionalReasonSchema):
    """A new list of tie-breaks."""

    tiebreaks = field_of(Tiebreaks)
    tiebreaks.required = True


class ScheduleSchema(OptionalReasonSchema):
    """A new time for a sitting."""

    starts_at = IntegerField(
        required=True,
        allow_none=True,
        validate=within(0, BIGGEST),
        metadata={
            "description": "When the sitting starts, in ms since the epoch; null for no fixed time. With "
            "`advance: schedule` it is required and must not be in the past."
        },
    )


class WithdrawalSchema(ConfirmationSchema, OptionalReasonSchema):
    """Your withdrawal or, with `reason`, that of another entrant by an official."""


class FinishSchema(ConfirmationSchema, OptionalReasonSchema):
    """The end of a tournament; before its last round is complete, it needs a reason."""
