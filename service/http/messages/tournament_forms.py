"""The request bodies of organisers and entrants."""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar, Final

from marshmallow import Schema, ValidationError, fields, validate

from domain.bots import POLICIES
from domain.games import GAMES
from domain.kernel import NAME_PATTERN
from domain.tables import COMMITMENT_PATTERN
from domain.tournaments.life import Advance, RankBy, Setup, Sitting
from domain.tournaments.life.setup import MOST_ENTRANTS
from domain.tournaments.terms import Format, ScoreBy, Tiebreak
from service.application.players import ID_PATTERN
from service.http.messages.fields import (
    BIGGEST,
    BooleanField,
    IntegerField,
    TupleField,
    Whole,
    legible,
    within,
)
from service.http.messages.forms import LONGEST_TURN_SECONDS, delay_fields
from service.http.messages.schemas import (
    Chosen,
    ConfirmationSchema,
    ExpectationSchema,
    StrictSchema,
    made_schema,
    options_schema,
    reason_field,
    title_of,
)


class FractionField(fields.String):
    """An exact number as text, such as `1/2`."""

    PATTERN: ClassVar[str] = "^[0-9]{1,3}(/[1-9][0-9]{0,2})?$"

    def __init__(self, description: str, default: str) -> None:
        super().__init__(metadata={"description": description, "default": default, "pattern": self.PATTERN})

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> Any:
        text = super()._deserialize(value, attr, data, **options)
        if not re.fullmatch(self.PATTERN, str(text)):
            raise ValidationError("Must be a number such as 0, 1/2 or 1, as text.")
        return Fraction(str(text))


class FloatWindowField(fields.Field[Any]):
    """A number of score groups, or `all`."""

    MOST: ClassVar[int] = 100

    def __init__(self) -> None:
        described = {
            "description": "The number of score groups that a table may span without penalty, or `all`.",
            "default": 2,
            "oneOf": [{"type": "integer", "minimum": 0, "maximum": self.MOST}, {"const": "all"}],
        }
        super().__init__(
            metadata=described,
            error_messages={"invalid": f"Must be an integer from 0 to {self.MOST}, or `all`."},
        )

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> Any:
        if value == "all":
            return value
        try:
            return self._window.deserialize(value, attr, data)
        except ValidationError:
            raise self.make_error("invalid") from None

    _window: ClassVar[IntegerField] = IntegerField(validate=within(0, MOST))


def _one_of(values: list[str], description: str, default: str | None = None) -> fields.String:
    metadata = {"description": description} | ({} if default is None else {"default": default})
    return fields.String(validate=validate.OneOf(values), metadata=metadata)


def _whole(low: int, high: int, description: str, **more: Any) -> IntegerField:
    return IntegerField(
        validate=within(low, high),
        metadata={"description": description} | {key: more.pop(key) for key in ("default",) if key in more},
        **more,
    )


class SittingFormSchema(StrictSchema):
    """A time at which people come together."""

    rounds = _whole(
        1, 500, "The number of rounds. Leave it out for the last sitting if the format decides it."
    )
    starts_at = _whole(0, BIGGEST, "When it starts, in ms since the epoch.", allow_none=True)


def _tiebreaks(*, required: bool = False) -> TupleField:
    return TupleField(
        fields.String(validate=validate.OneOf([tiebreak.value for tiebreak in Tiebreak])),
        required=required,
        validate=validate.Length(max=len(Tiebreak)),
        metadata={
            "description": "The criteria that order entrants of equal score, the first one first; without any these "
            "entrants share their rank."
        },
    )


def _setup_members() -> dict[str, fields.Field[Any]]:
    return {
        "name": fields.String(
            required=True,
            validate=[
                validate.Length(min=1, max=80),
                Whole(NAME_PATTERN, "Must be visible characters, with single blanks between them only."),
            ],
            metadata={"description": f"The name of the tournament. {legible('The letters of a word')}"},
        ),
        "format": fields.String(
            required=True,
            validate=validate.OneOf([kind.value for kind in Format]),
            metadata={"description": "How rounds are paired."},
        ),
        "seats": IntegerField(
            required=True,
            validate=within(2, 10),
            metadata={"description": "The preferred number of entrants at a table."},
        ),
        "sittings": TupleField(
            fields.Nested(SittingFormSchema()),
            required=True,
            validate=validate.Length(min=1, max=100),
            metadata={
                "description": "The times at which people come together, with the number of rounds of each."
            },
        ),
        "turn_seconds": _whole(
            0,
            LONGEST_TURN_SECONDS,
            "Seconds that a player has for each turn; 0 for no clock.",
            default=0,
        ),
        **delay_fields(),
        "score_by": _one_of(
            [basis.value for basis in ScoreBy], "What an entrant's score at a table depends on.", "place"
        ),
        "bye_score": FractionField("The score for a pairing bye; a first place scores 1.", "1"),
        "late_until": _whole(
            0, 500, "The last round in which a late entrant may begin; 0 for no late entries.", default=0
        ),
        "late_score": FractionField("The score for each round before a late entry: 0, 1/2 or 1.", "0"),
        "requested_byes": _whole(0, 500, "The number of byes that an entrant may request.", default=1),
        "best_of": _whole(
            1, 100, "The number of sittings of a league that count; all by default.", allow_none=True
        ),
        "float_window": FloatWindowField(),
        "forbidden": TupleField(
            TupleField(
                fields.String(validate=Whole(ID_PATTERN, "Must be the id of a player.")),
                validate=validate.Length(equal=2),
            ),
            validate=validate.Length(max=200),
            metadata={"description": "Pairs of players, by their ids, who must not meet."},
        ),
        "tiebreaks": _tiebreaks(),
        "strict_places": BooleanField(
            metadata={
                "description": "Whether lots separate entrants who are equal in everything.",
                "default": False,
            }
        ),
        "advance": _one_of([mode.value for mode in Advance], "When the next round starts.", "manual"),
        "check_in": _whole(
            0,
            LONGEST_TURN_SECONDS,
            "Seconds before each sitting in which entrants check in; 0 for no check-in.",
            default=0,
        ),
        "grace_seconds": _whole(
            1,
            LONGEST_TURN_SECONDS,
            "Seconds after the start of a table within which each entrant must appear.",
            default=300,
        ),
        "fill_with_bots": BooleanField(
            metadata={"description": "Whether bots take the seats that stay free.", "default": False}
        ),
        "rank_by": _one_of(
            [order.value for order in RankBy], "What the order of the starting ranks depends on.", "rating"
        ),
        "cap": _whole(
            2,
            MOST_ENTRANTS,
            "The highest number of entrants; others are put on a waiting list.",
            allow_none=True,
        ),
        "advancing": _whole(
            1, 9, "The number of entrants who advance from a knockout table.", allow_none=True
        ),
        "third_place": BooleanField(
            metadata={
                "description": "Whether a two-seat knockout has a match for the third place.",
                "default": False,
            }
        ),
        "rated": BooleanField(
            metadata={"description": "Whether its tables count in the ratings.", "default": True}
        ),
    }


def _tournament_schema(name: str) -> Schema:
    game = GAMES[name]
    own: dict[str, fields.Field[Any]] = {
        "game": fields.String(required=True, validate=validate.Equal(name), metadata={"const": name}),
        "options": fields.Nested(
            options_schema(game), metadata={"description": "The options that differ from the defaults."}
        ),
    }
    doc = f"A tournament of {game.title}."
    return made_schema(StrictSchema, f"{title_of(game)}Tournament", own | _setup_members(), doc)


TOURNAMENT_FORMS: Final = Chosen("game", {name: _tournament_schema(name) for name in GAMES})


def setup_of(form: Mapping[str, Any]) -> Setup:
    """Returns the settings that a body asks for."""
    given = dict(form)
    given["format"] = Format(given["format"])
    given["sittings"] = tuple(Sitting(**sitting) for sitting in given["sittings"])
    for name, kind in (("score_by", ScoreBy), ("advance", Advance), ("rank_by", RankBy)):
        if name in given:
            given[name] = kind(given[name])
    if "tiebreaks" in given:
        given["tiebreaks"] = tuple(Tiebreak(name) for name in given["tiebreaks"])
    return Setup(**given)


class EntrySchema(ExpectationSchema):
    """Your entry or, with `policy`, that of a bot."""

    seed_commitment = fields.String(
        validate=Whole(COMMITMENT_PATTERN, "Must be 64 lower-case hex digits."),
        metadata={
            "description": "The SHA-256 of a seed of yours: 32 to 64 random lower-case hex digits, which you reveal when "
            "the next round opens. Not for a bot."
        },
    )
    policy = fields.String(
        validate=validate.OneOf(POLICIES),
        metadata={
            "description": "Enters a bot that plays by this policy, which is also its name; only the organiser may."
        },
    )


class CheckInSchema(ExpectationSchema):
    """Your check-in for the sitting."""

    seed_commitment = fields.String(
        validate=Whole(COMMITMENT_PATTERN, "Must be 64 lower-case hex digits."),
        metadata={"description": "The SHA-256 of a new seed of yours, which replaces the previous one."},
    )


class FinalReasonSchema(ConfirmationSchema):
    """A decision about a tournament that cannot be undone."""

    reason = reason_field()


class OrderSchema(ExpectationSchema):
    """The order of the starting ranks; entrants that are left out follow in order of arrival."""

    entrants = TupleField(
        fields.String(validate=Whole("^[a-z0-9:]{1,40}$", "Must be the id of an entrant.")),
        required=True,
        validate=validate.Length(max=MOST_ENTRANTS),
        metadata={"description": "The ids of entrants, the first rank first."},
    )


class ByeSchema(ExpectationSchema):
    """A bye that you request or, with `entrant`, that the organiser assigns."""

    round = IntegerField(required=True, validate=within(1, 500), metadata={"description": "The round."})
    entrant = fields.String(
        validate=Whole("^[a-z0-9:]{1,40}$", "Must be the id of an entrant."),
        metadata={"description": "The entrant to whom the organiser assigns the bye."},
    )
    score = FractionField("The score for an assigned bye: 0, 1/2 or 1.", "1/2")
    reason = reason_field(required=False)


class RoundSchema(ExpectationSchema):
    """The next round."""

    early = BooleanField(
        metadata={
            "description": "Whether to pair the round although tables of earlier rounds are unfinished.",
            "default": False,
        }
    )
    reason = reason_field(required=False)


def _numbers(most: int, description: str) -> TupleField:
    return TupleField(
        IntegerField(validate=within(1, MOST_ENTRANTS), allow_none=True),
        validate=validate.Length(max=most),
        metadata={"description": description},
    )


class PairingSchema(ExpectationSchema):
    """A pairing that replaces the one of the engine."""

    tables = TupleField(
        _numbers(10, "Starting ranks in seat order; null for a bot that fills the table."),
        required=True,
        validate=validate.Length(max=MOST_ENTRANTS),
        metadata={"description": "The tables, in the order of the boards."},
    )
    byes = TupleField(
        IntegerField(validate=within(1, MOST_ENTRANTS)),
        validate=validate.Length(max=MOST_ENTRANTS),
        metadata={"description": "The starting ranks of the entrants with a pairing bye."},
    )
    reason = reason_field()


class VoidScoreSchema(ExpectationSchema):
    """The score of each entrant of a voided table."""

    score = FractionField("The score: 0, 1/2 or 1.", "1/2")
    reason = reason_field()


class TiebreaksSchema(ExpectationSchema):
    """A new list of tie-breaks."""

    tiebreaks = _tiebreaks(required=True)
    reason = reason_field()


class ScheduleSchema(ExpectationSchema):
    """A new time for a sitting."""

    starts_at = IntegerField(
        required=True,
        allow_none=True,
        validate=within(0, BIGGEST),
        metadata={"description": "When the sitting starts, in ms since the epoch; null for no fixed time."},
    )
    reason = reason_field()


class PauseSchema(ExpectationSchema):
    """A pause of the tournament."""

    reason = reason_field(required=False)


class FinishSchema(ConfirmationSchema):
    """The end of a tournament; a reason is required before its last round is complete."""

    reason = reason_field(required=False)
