"""Random options of any game, drawn from the types and bounds of its options record."""

from functools import cache
from random import Random
from typing import Any

import msgspec
from msgspec import inspect

from hoodwink.domain.kernel import Game, GameOptions, InvalidOptions

_ATTEMPTS = 1_000


def random_options(game: Game[Any], seats: int, chance: Random) -> GameOptions:
    """Returns valid options for a number of seats; about half of the options keep their defaults."""
    for _ in range(_ATTEMPTS):
        options = msgspec.convert(_values(game.options, chance), game.options)
        try:
            game.check_options(options, seats)
        except InvalidOptions:
            continue
        return options
    raise AssertionError(f"no options of {game.name} suit {seats} seats")


def _values(kind: type[GameOptions], chance: Random) -> dict[str, Any]:
    fields = option_fields(kind)
    return {name: _value(field, chance) for name, field in fields.items() if chance.random() < 0.5}


@cache
def option_fields(kind: type[GameOptions]) -> dict[str, inspect.Type]:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return {field.name: plain(field.type) for field in info.fields}


def plain(kind: inspect.Type) -> inspect.Type:
    return kind.type if isinstance(kind, inspect.Metadata) else kind


def _value(kind: inspect.Type, chance: Random) -> Any:
    match kind:
        case inspect.BoolType():
            return chance.random() < 0.5
        case inspect.LiteralType():
            return chance.choice(kind.values)
        case inspect.IntType():
            return _number(kind, chance)
        case inspect.UnionType():
            return _value(plain(chance.choice(kind.types)), chance)
        case inspect.NoneType():
            return None
        case _:
            raise AssertionError(f"no random value for {kind}")


def _number(kind: inspect.IntType, chance: Random) -> int:
    """Returns a number within the bounds, usually a low one, because many rounds or a high target take long to play."""
    low, high, step = kind.ge, kind.le, int(kind.multiple_of or 1)
    assert low is not None, "an option that is a number needs its bounds (G-4)"
    assert high is not None, "an option that is a number needs its bounds (G-4)"
    steps = (int(high) - int(low)) // step
    bias = 4 if steps < 100 else 14
    return int(low) + step * int(steps * chance.random() ** bias + chance.random())
