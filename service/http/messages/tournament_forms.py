"""What organisers and entrants send."""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar, Final

from marshmallow import Schema, ValidationError, fields, validate

from domain.bots import POLICIES
from domain.games import GAMES
from domain.players import NAME_PATTERN
from domain.tables import COMMITMENT_PATTERN
from domain.tournaments.life import Advance, RankBy, Setup, Sitting
from domain.tournaments.life.setup import MOST_ENTRANTS
from domain.tournaments.terms import Format, ScoreBy, Tiebreak
from service.application.players import ID_PATTERN
from service.http.messages.fields import BIGGEST, BooleanField, IntegerField, TupleField, Whole
from service.http.messages.forms import LONGEST_TURN_SECONDS
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
            "description": "How many score groups a table may span without cost, or `all`.",
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

    _window: ClassVar[IntegerField] = IntegerField(validate=validate.Range(min=0, max=MOST))


def _one_of(values: list[str], description: str, default: str | None = None) -> fields.String:
    metadata = {"description": description} | ({} if default is None else {"default": default})
    return fields.String(validate=validate.OneOf(values), metadata=metadata)


def _whole(low: int, high: int, description: str, **more: Any) -> IntegerField:
    return IntegerField(
        validate=validate.Range(min=low, max=high),
        metadata={"description": description} | {key: more.pop(key) for key in ("default",) if key in more},
        **more,
    )


class SittingFormSchema(StrictSchema):
    """A time at which people come together."""

    rounds = _whole(1, 500, "How many rounds it holds. Left out in the last sitting where that follows.")
    starts_at = _whole(0, BIGGEST, "When it starts, in ms since the epoch.", allow_none=True)


def _tiebreaks(*, required: bool = False) -> TupleField:
    return TupleField(
        fields.String(validate=validate.OneOf([one.value for one in Tiebreak])),
        required=required,
        validate=validate.Length(max=len(Tiebreak)),
        metadata={
            "description": "What orders entrants of equal score, in this order; without any they share their rank."
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
            metadata={"description": "What the tournament is called."},
        ),
        "format": fields.String(
            required=True,
            validate=validate.OneOf([one.value for one in Format]),
            metadata={"description": "How rounds are paired."},
        ),
        "seats": IntegerField(
            required=True,
            validate=validate.Range(min=2, max=10),
            metadata={"description": "The size that is aimed at for a table."},
        ),
        "sittings": TupleField(
            fields.Nested(SittingFormSchema()),
            required=True,
            validate=validate.Length(min=1, max=100),
            metadata={"description": "When people come together, and for how many rounds."},
        ),
        "turn_seconds": _whole(0, LONGEST_TURN_SECONDS, "Seconds a turn; 0 is no clock.", default=0),
        "score_by": _one_of([one.value for one in ScoreBy], "What a table's score comes from.", "place"),
        "bye_score": FractionField("What a pairing bye scores; a first place is 1.", "1"),
        "late_until": _whole(
            0, 500, "The last round that a late entrant may begin with; 0 is none.", default=0
        ),
        "late_score": FractionField("What each round before a late entry scores: 0, 1/2 or 1.", "0"),
        "requested_byes": _whole(0, 500, "How many byes an entrant may ask for.", default=1),
        "best_of": _whole(1, 100, "How many sittings of a league count; all by default.", allow_none=True),
        "float_window": FloatWindowField(),
        "forbidden": TupleField(
            TupleField(
                fields.String(validate=Whole(ID_PATTERN, "Must be the id of a player.")),
                validate=validate.Length(equal=2),
            ),
            validate=validate.Length(max=200),
            metadata={"description": "Pairs of players who must not meet."},
        ),
        "tiebreaks": _tiebreaks(),
        "strict_places": BooleanField(
            metadata={"description": "Separate equal entrants by lot.", "default": False}
        ),
        "advance": _one_of([one.value for one in Advance], "When the next round starts.", "manual"),
        "check_in": _whole(
            0, LONGEST_TURN_SECONDS, "Seconds before each sitting to check in; 0 is no check-in.", default=0
        ),
        "grace_seconds": _whole(
            1, LONGEST_TURN_SECONDS, "Seconds after which who has not appeared is a no-show.", default=300
        ),
        "fill_with_bots": BooleanField(
            metadata={"description": "Bots take the seats that stay free.", "default": False}
        ),
        "rank_by": _one_of([one.value for one in RankBy], "What the starting ranks follow.", "rating"),
        "cap": _whole(2, MOST_ENTRANTS, "The most entrants; further ones wait.", allow_none=True),
        "advancing": _whole(1, 9, "How many of a knockout table go on.", allow_none=True),
        "third_place": BooleanField(
            metadata={"description": "A two-seat knockout plays for the third place.", "default": False}
        ),
        "rated": BooleanField(metadata={"description": "Its tables count in the ratings.", "default": True}),
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
        given["tiebreaks"] = tuple(Tiebreak(one) for one in given["tiebreaks"])
    return Setup(**given)


class EntrySchema(ExpectationSchema):
    """An entry of oneself, or of a bot if a policy is named."""

    seed_commitment = fields.String(
        validate=Whole(COMMITMENT_PATTERN, "Must be 64 lower-case hex digits."),
        metadata={
            "description": "SHA-256 of a seed of yours, 32 to 64 random lower-case hex digits, that you reveal when "
            "the next round opens. Not for a bot."
        },
    )
    policy = fields.String(
        validate=validate.OneOf(POLICIES),
        metadata={"description": "Enter a bot that plays by this policy; only the organiser may."},
    )
    name = fields.String(
        validate=[validate.Length(min=1, max=40), Whole(NAME_PATTERN, "Must be visible characters.")],
        metadata={"description": "What the bot is called. Not for yourself."},
    )


class CheckInSchema(ExpectationSchema):
    """That one is there for the sitting."""

    seed_commitment = fields.String(
        validate=Whole(COMMITMENT_PATTERN, "Must be 64 lower-case hex digits."),
        metadata={"description": "SHA-256 of a new seed of yours, instead of the one before."},
    )


class FinalReasonSchema(ConfirmationSchema):
    """A decision of the organiser's that cannot be undone."""

    reason = reason_field()


class OrderSchema(ExpectationSchema):
    """The order of the starting ranks; entrants left out follow in order of arrival."""

    entrants = TupleField(
        fields.String(validate=Whole("^[a-z0-9:]{1,40}$", "Must be the id of an entrant.")),
        required=True,
        validate=validate.Length(max=MOST_ENTRANTS),
        metadata={"description": "Their ids, the first rank first."},
    )


class ByeSchema(ExpectationSchema):
    """A bye that an entrant asks for, or, if one is named, that the organiser assigns."""

    round = IntegerField(
        required=True, validate=validate.Range(min=1, max=500), metadata={"description": "In which round."}
    )
    entrant = fields.String(
        validate=Whole("^[a-z0-9:]{1,40}$", "Must be the id of an entrant."),
        metadata={"description": "To whom the organiser assigns it."},
    )
    score = FractionField("What an assigned bye scores: 0, 1/2 or 1.", "1/2")
    reason = reason_field(required=False)


class RoundSchema(ExpectationSchema):
    """The next round."""

    early = BooleanField(
        metadata={"description": "Pair although tables of earlier rounds are unfinished.", "default": False}
    )
    reason = reason_field(required=False)


def _numbers(most: int, description: str) -> TupleField:
    return TupleField(
        IntegerField(validate=validate.Range(min=1, max=MOST_ENTRANTS), allow_none=True),
        validate=validate.Length(max=most),
        metadata={"description": description},
    )


class PairingSchema(ExpectationSchema):
    """Another pairing than that of the engine."""

    tables = TupleField(
        _numbers(10, "Starting ranks in seat order; null is a bot that fills the table."),
        required=True,
        validate=validate.Length(max=MOST_ENTRANTS),
        metadata={"description": "The tables, in the order of the boards."},
    )
    byes = TupleField(
        IntegerField(validate=validate.Range(min=1, max=MOST_ENTRANTS)),
        validate=validate.Length(max=MOST_ENTRANTS),
        metadata={"description": "Who has a pairing bye."},
    )
    reason = reason_field()


class VoidScoreSchema(ExpectationSchema):
    """What each entrant of a voided table scores."""

    score = FractionField("0, 1/2 or 1.", "1/2")
    reason = reason_field()


class TiebreaksSchema(ExpectationSchema):
    """Another list of tie-breaks."""

    tiebreaks = _tiebreaks(required=True)
    reason = reason_field()


class ScheduleSchema(ExpectationSchema):
    """Another time for a sitting."""

    starts_at = IntegerField(
        required=True,
        allow_none=True,
        validate=validate.Range(min=0, max=BIGGEST),
        metadata={"description": "In ms since the epoch; null for no stated time."},
    )
    reason = reason_field()


class PauseSchema(ExpectationSchema):
    """A pause."""

    reason = reason_field(required=False)


class FinishSchema(ConfirmationSchema):
    """The end of a tournament; before its last round is complete a reason is needed."""

    reason = reason_field(required=False)
