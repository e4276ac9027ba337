"""Marshmallow fields that convert nothing silently: `"1"` is not 1, and `1` is not true."""

import re
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any, ClassVar, Final

from marshmallow import ValidationError, fields, validate

from hoodwink.domain.cards import Card, InvalidCard, parse_card
from hoodwink.service.application.streams.history import Position

MAX_DIGITS: Final = 15
BIGGEST: Final = 10**MAX_DIGITS - 1
"""The largest integer; JSON parsers in every language represent it exactly."""


def name_rules(letters: str) -> str:
    """Returns the description of a new name, whose letters must be of one script (`service/application/players/legibility.py`)."""
    return (
        f"It need not be unique. {letters} must be of one script, or Latin mixed with Chinese, Japanese or Korean ones. It is "
        "stored in Unicode's normal form NFKC."
    )


class IntegerField(fields.Integer):
    """A JSON integer; `5.0` is one, because JSON has only one type of numbers."""

    def __init__(self, **options: Any) -> None:
        super().__init__(strict=True, **options)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> int:
        if type(value) is int:  # not `isinstance`: true is an `int`, too
            return value
        # Beyond `BIGGEST`, several integers share one float.
        if type(value) is float and value.is_integer() and abs(value) <= BIGGEST:
            return int(value)
        raise self.make_error("invalid")


class BooleanField(fields.Boolean):
    """A JSON boolean."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> bool:
        if type(value) is not bool:
            raise self.make_error("invalid", input=value)
        return value


class CardField(fields.String):
    """The face of a card; `10H` means `TH`."""

    PATTERN: ClassVar[str] = "^((10|[2-9TJQKA])[CDHS]|JK)$"

    def __init__(self) -> None:
        super().__init__(
            metadata={"pattern": self.PATTERN},
            error_messages={"invalid": "Must be a card, such as 9S, TH or JK."},
        )

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> Card:
        try:
            return parse_card(value)
        except (InvalidCard, TypeError):
            raise self.make_error("invalid") from None


class FractionField(fields.String):
    """An exact number as text, such as `1/2`."""

    PATTERN: ClassVar[str] = "^[0-9]{1,3}(/[1-9][0-9]{0,2})?$"

    def __init__(self, *, metadata: Mapping[str, str] = MappingProxyType({})) -> None:
        super().__init__(metadata={"pattern": self.PATTERN, **metadata})

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> Any:
        text = super()._deserialize(value, attr, data, **options)
        # Here and not in a validator, which would be given the fraction.
        if not re.fullmatch(self.PATTERN, str(text)):
            raise ValidationError("Must be a number such as 0, 1/2 or 1, as text.")
        return Fraction(str(text))


class IntegerOrWordField(fields.Field[Any]):
    """An integer within bounds, or one word."""

    def __init__(self, bounds: validate.Range, word: str) -> None:
        self._integer, self._word = IntegerField(validate=bounds), word
        integer = {"type": "integer", "minimum": bounds.min, "maximum": bounds.max}
        super().__init__(
            metadata={"oneOf": [integer, {"const": word}]},
            error_messages={"invalid": f"Must be an integer from {bounds.min} to {bounds.max}, or `{word}`."},
        )

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> Any:
        if value == self._word:
            return value
        try:
            return self._integer.deserialize(value, attr, data)
        except ValidationError:
            raise self.make_error("invalid") from None


class TupleField(fields.List[Any]):
    """A JSON array, loaded as a tuple for frozen records."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> Any:
        return tuple(super()._deserialize(value, attr, data, **options))


class TextIntegerField(fields.Integer):
    """An integer in a query or a header: only decimal digits."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> int:
        # `int()` accepts more: signs, blanks, underscores and the digits of other scripts.
        if not (value.isascii() and value.isdigit() and len(value) <= MAX_DIGITS):
            raise self.make_error("invalid")
        return int(value)


# As many digits of the hash as `HEAD_DIGITS` in `answers.py`, which imports this module.
POSITION_PATTERN: Final = f"^[0-9]{{1,{MAX_DIGITS}}}(-[0-9a-f]{{16}})?$"
_POSITION: Final = re.compile(POSITION_PATTERN)


def parse_position(text: str) -> Position | None:
    """Returns the position that a client sends back, or `None` if the text is not valid.

    >>> parse_position("12-5e8dd316726b0335")
    Position(version=12, head='5e8dd316726b0335')
    >>> parse_position("12").head, parse_position("-12"), parse_position("twelve")
    ('', None, None)
    """
    if not _POSITION.fullmatch(text):
        return None
    version, _, head = text.partition("-")
    return Position(int(version), head)


class Whole(validate.Validator):
    """Accepts a text that matches the whole pattern."""

    def __init__(self, pattern: str, message: str) -> None:
        """`message` is the error for other texts."""
        self.regex = re.compile(pattern)  # apispec describes this attribute as `pattern`
        self._message = message

    def __call__(self, value: str) -> str:
        # `validate.Regexp` would use `match`, for which `$` also matches before a final line feed.
        if not self.regex.fullmatch(value):
            raise ValidationError(self._message)
        return value


def within(lowest: int, highest: int) -> validate.Range:
    allowed = f"{lowest}" if lowest == highest else f"from {lowest} to {highest}"
    return validate.Range(min=lowest, max=highest, error=f"Must be {allowed}.")


class MultipleOf(validate.Validator):
    """Accepts the multiples of a number."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __call__(self, value: int) -> int:
        if value % self.number:
            raise ValidationError(f"Must be a multiple of {self.number}.")
        return value


class NamesField(fields.String):
    """One or more known names, separated by commas; loaded as a set."""

    def __init__(self, meanings: Mapping[str, str]) -> None:
        """`meanings` has the meaning of each name, for the description."""
        names = "|".join(meanings)
        super().__init__(
            validate=None,
            metadata={
                "description": " ".join([f"`{name}` {meaning}" for name, meaning in meanings.items()]),
                "pattern": f"^({names})(,({names}))*$",
            },
            error_messages={
                "invalid": f"Must be one or more of: {', '.join(meanings)}; separated by commas."
            },
        )
        self._names = frozenset(meanings)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> Any:
        names = frozenset(value.split(","))
        if not names <= self._names:
            raise self.make_error("invalid")
        return names
