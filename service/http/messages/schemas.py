"""Marshmallow schemas generated from the domain's own types, so that the two cannot drift apart."""

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from marshmallow import RAISE, Schema, ValidationError, fields, validate
from marshmallow.exceptions import SCHEMA
from msgspec import Meta

from hoodwink.domain.cards import Card
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Action, Game
from hoodwink.domain.tables.deciding.corrections import REASON_PATTERN
from hoodwink.service.application.reading.seen import tag_of, without_rule_ids
from hoodwink.service.http.messages.fields import (
    BIGGEST,
    BooleanField,
    CardField,
    FractionField,
    IntegerField,
    IntegerOrWordField,
    MultipleOf,
    TupleField,
    Whole,
    within,
)
from hoodwink.service.http.messages.problems import invalid

EXPECTED_VERSION: Final = "expected_version"

CONFIRM: Final = 'Send {"confirm": true}, because the command cannot be undone.'
_CONFIRM: Final = "Must be true, because the command cannot be undone."
_MESSAGES: Final = {"type": "Must be an object."}


class StrictSchema(Schema):
    """A schema that rejects unknown fields."""

    error_messages: dict[str, str] = _MESSAGES

    class Meta:
        """The options of marshmallow."""

        unknown = RAISE


class QuerySchema(StrictSchema):
    """A query that rejects unknown parameters; the error lists the known ones."""

    def __init__(self) -> None:
        super().__init__()
        known = ", ".join(field.data_key or name for name, field in self.load_fields.items())
        # Not in the class, because the parameters of its subclasses differ.
        self.error_messages["unknown"] = f"Unknown parameter; this operation has: {known}."


class ExpectationSchema(StrictSchema):
    """A command without fields of its own."""

    expected_version = IntegerField(
        validate=within(1, BIGGEST),
        metadata={"description": "Refuse the command unless the table or tournament is at this version."},
    )


# A body that broke off or that a client forgot must never do what cannot be undone.
class ConfirmSchema(StrictSchema):
    """A command that cannot be undone."""

    confirm = BooleanField(
        required=True,
        validate=validate.Equal(comparable=True, error=_CONFIRM),
        metadata={"const": True, "description": "Confirms a command that cannot be undone."},
        error_messages={"required": _CONFIRM},
    )


class ConfirmationSchema(ConfirmSchema, ExpectationSchema):
    """A command to a table or tournament that cannot be undone."""


def reason_field(*, required: bool) -> fields.String:
    return fields.String(
        required=required,
        validate=Whole(REASON_PATTERN, "Must be 1 to 500 characters on one line."),
        metadata={"description": "The reason, on one line; it is public."},
    )


class ReasonSchema(ExpectationSchema):
    """A decision, with its reason."""

    reason = reason_field(required=True)


class OptionalReasonSchema(ExpectationSchema):
    """A decision, with a reason if it has one."""

    reason = reason_field(required=False)


class FinalReasonSchema(ConfirmationSchema, ReasonSchema):
    """A decision that cannot be undone, with its reason."""


def load(schema: Schema, given: Mapping[str, Any], *, place: str = "body") -> dict[str, Any]:
    """Returns the fields as the schema loads them; raises `Problem` 400 that lists every fault."""
    try:
        loaded: dict[str, Any] = schema.load(given)
    except ValidationError as error:
        raise invalid(place, _faults("", error.messages)) from None
    return loaded


def _faults(name: str, messages: Any) -> list[tuple[str, str]]:
    """Flattens marshmallow's nested messages to pairs of a dotted field name and a message."""
    if not isinstance(messages, dict):
        return [(name, " ".join(map(str, messages)))]
    return [
        fault
        for key, inner in messages.items()
        for fault in _faults(name if key == SCHEMA else f"{name}.{key}" if name else str(key), inner)
    ]


class Chosen(msgspec.Struct, frozen=True, gc=False):
    """Alternative schemas; the value of one field of the body picks the schema.

    Attributes:
        by: the name of that field.
        schemas: the schemas by that value.
    """

    by: str
    schemas: Mapping[str, Schema]

    def pick(self, given: Mapping[str, Any]) -> str:
        """Returns the value of the field `by`; raises `Problem` 400 if no schema belongs to it."""
        value = given.get(self.by)
        # A list or object cannot be looked up: it is not hashable.
        if type(value) is str and value in self.schemas:
            return value
        known = ", ".join(self.schemas)
        raise invalid("body", [(self.by, f"Must be one of: {known}.")])


class ActionForms:
    """Reads the actions of one game from requests."""

    def __init__(self, game: Game[Any]) -> None:
        self._kinds = {tag_of(kind): kind for kind in game.actions}
        self.chosen = Chosen("type", {tag: _action_schema(game, kind) for tag, kind in self._kinds.items()})

    def read(self, given: Mapping[str, Any]) -> Action:
        """Returns the action in a body; raises `Problem` 400."""
        tag = self.chosen.pick(given)
        loaded = load(self.chosen.schemas[tag], given)
        del loaded["type"]
        loaded.pop(EXPECTED_VERSION, None)  # part of the command, not of the action
        return self._kinds[tag](**loaded)


def title_of(game: Game[Any]) -> str:
    """Returns the game's name as part of a type's name, such as `BlindDon`."""
    return game.name.title().replace("_", "")


def _action_schema(game: Game[Any], kind: type[Action]) -> Schema:
    members = {
        "type": fields.String(
            required=True, validate=validate.Equal(tag_of(kind)), metadata={"const": tag_of(kind)}
        ),
        **struct_fields(kind),
    }
    return new_schema(ExpectationSchema, f"{title_of(game)}{kind.__name__}", members, kind.__doc__)


def options_schema(game: Game[Any]) -> Schema:
    """Returns the schema of the game's options, always the same one, so that it is described once."""
    return _options_schema(game.name)


@cache
def _options_schema(name: str) -> Schema:
    game = GAMES[name]
    return new_schema(
        StrictSchema, f"{title_of(game)}Options", struct_fields(game.options), game.options.__doc__
    )


def table_schema(game: Game[Any], members: Mapping[str, fields.Field[Any]]) -> Schema:
    fewest, most = game.seats
    own: dict[str, fields.Field[Any]] = {
        "game": fields.String(
            required=True, validate=validate.Equal(game.name), metadata={"const": game.name}
        ),
        "seats": IntegerField(
            required=True,
            validate=within(fewest, most),
            metadata={"description": "The number of seats."},
        ),
        "options": fields.Nested(
            options_schema(game), metadata={"description": "The options that differ from the defaults."}
        ),
    }
    return new_schema(
        StrictSchema, f"{title_of(game)}Table", own | dict(members), f"A table of {game.title}."
    )


def new_schema(base: type[Schema], name: str, members: Mapping[str, Any], doc: str | None) -> Schema:
    """Returns a schema with these fields; its docstring becomes the description for clients."""
    # Not `Schema.from_dict`, because the description takes its text from the docstring of the class.
    made: Schema = type(name, (base,), {**members, "__doc__": without_rule_ids(doc or "")})()
    return made


def struct_fields(
    kind: type[msgspec.Struct], own: Mapping[str, fields.Field[Any]] = MappingProxyType({})
) -> dict[str, fields.Field[Any]]:
    """Returns a marshmallow field for each field of a struct: the one in `own`, or one made from the annotation.

    A default is documented but not filled in; the struct does that.
    """
    hints = get_type_hints(kind, include_extras=True)  # the extras have the bounds and descriptions
    return {
        member.name: own.get(member.name) or _described(field_of(hints[member.name]), member)
        for member in msgspec.structs.fields(kind)
    }


def _described(field: fields.Field[Any], member: msgspec.structs.FieldInfo) -> fields.Field[Any]:
    field.required = member.required
    if not member.required:
        default = member.default_factory() if member.default is msgspec.NODEFAULT else member.default
        field.metadata = {**field.metadata, "default": _plain(default)}
    return field


def _plain(default: Any) -> Any:
    """Returns a default as in JSON, which has no tuples or fractions."""
    return msgspec.json.decode(msgspec.json.encode(default, enc_hook=str))


def field_of(hint: Any) -> fields.Field[Any]:
    """Returns the field for an annotation; raises `TypeError` for one that no action or option has used so far."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _bounded(field_of(arguments[0]), arguments[1:])
    if hint is Card:
        return CardField()
    if hint is bool:
        return BooleanField()
    if hint is int:
        # Without a bound, a client could send an integer that other parsers round.
        return IntegerField(validate=[within(-BIGGEST, BIGGEST)])
    if hint is str:
        return fields.String()
    if hint is Fraction:
        return FractionField()
    if origin is Literal:
        return fields.String(validate=[validate.OneOf(arguments)])
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return fields.String(validate=[validate.OneOf([member.value for member in hint])])
    if origin in (Union, UnionType):
        return _alternative(*arguments)
    if origin is tuple and arguments[1:] == (Ellipsis,):
        return TupleField(field_of(arguments[0]))
    if origin is tuple and len(set(arguments)) == 1:
        return TupleField(field_of(arguments[0]), validate=[validate.Length(equal=len(arguments))])
    raise TypeError(f"no field for {hint!r}")


def _alternative(kind: Any, other: Any) -> fields.Field[Any]:
    field = field_of(kind)
    if other is NoneType:
        field.allow_none = True
        return field
    if isinstance(field, IntegerField) and get_origin(other) is Literal:
        (bounds,), (word,) = field.validators, get_args(other)
        assert isinstance(bounds, validate.Range)
        return IntegerOrWordField(bounds, word)
    raise TypeError(f"no field for {kind!r} or {other!r}")


def _bounded(field: fields.Field[Any], extras: tuple[Any, ...]) -> fields.Field[Any]:
    for meta in extras:
        if isinstance(meta, Meta):
            made = _validators(meta)
            # With two ranges, a number outside both would get two error messages.
            is_ranged = any(isinstance(validator, validate.Range) for validator in made)
            field.validators = made if is_ranged else [*made, *field.validators]
            if meta.description:
                field.metadata = {**field.metadata, "description": without_rule_ids(meta.description)}
    return field


def _validators(meta: Meta) -> list[Any]:
    made: list[Any] = []
    # Only integers have bounds.
    lowest = meta.ge if meta.gt is None else meta.gt + 1
    highest = meta.le if meta.lt is None else meta.lt - 1
    if lowest is not None:
        made.append(within(int(lowest), BIGGEST if highest is None else int(highest)))
    elif highest is not None:
        raise TypeError("a number with a maximum needs a minimum")
    if meta.min_length is not None or meta.max_length is not None:
        made.append(validate.Length(min=meta.min_length, max=meta.max_length))
    if meta.multiple_of is not None:
        made.append(MultipleOf(int(meta.multiple_of)))
    return made
