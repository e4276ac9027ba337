"""The options of tables on the command line: `--option NAME=VALUE`."""

import json
import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from math import isfinite
from typing import Any, Final, TypeVar

import click
import msgspec

from hoodwink.domain.bots import POLICIES
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Game, InvalidOptions, check_seats

C = TypeVar("C", bound=Callable[..., Any])


GAME_HELP: Final = f"GAME is one of {', '.join(sorted(GAMES))}."
"""The last line of the help of a command with a `game_argument`."""


class FiniteRange(click.FloatRange):
    """A range of numbers without infinity and NaN, which every comparison of a range lets pass."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number: float = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


def game_argument(command: C) -> C:
    return click.argument("game", metavar="GAME", type=click.Choice(sorted(GAMES)))(command)


def check_seats_option(rulebook: Game[Any], seats: int) -> None:
    """Raises `BadParameter` for a number of seats that the game does not take."""
    try:
        check_seats(rulebook, seats)
    except InvalidOptions as refused:
        raise click.BadParameter(refused.detail, param_hint="--seats") from None


def table_options(command: C) -> C:
    """Adds the repeatable option `--option` to a command."""
    return click.option(
        "--option",
        "raw_options",
        multiple=True,
        metavar="NAME=VALUE",
        help="A table option; may be repeated.",
    )(command)


def cautions(rulebook: Game[Any], options: Mapping[str, Any]) -> list[str]:
    """Returns the descriptions of chosen options that warn about values other than the default."""
    fields = msgspec.json.schema(rulebook.options)["$defs"][rulebook.options.__name__]["properties"]
    return [
        f"{name}: {fields[name]['description'].replace('**', '')}"
        for name, value in options.items()
        # This is how the options of a game mark a warning.
        if value != fields[name]["default"] and "**Careful:**" in fields[name]["description"]
    ]


def chosen_policies(names: str, parameter: str = "--bots") -> list[str]:
    """Splits the names of policies at commas; raises `BadParameter` for an unknown one."""
    policies = names.split(",")
    if unknown := set(policies) - set(POLICIES):
        raise click.BadParameter(
            f"there is no policy {min(unknown)}; choose from {', '.join(sorted(POLICIES))}",
            param_hint=parameter,
        )
    return policies


def options_of(rulebook: Game[Any], raw_options: Sequence[str]) -> dict[str, Any]:
    """Parses `name=value` texts as options of a game; a value that is not JSON is a string.

    Raises:
        BadParameter: the game has no such option, or the value is not allowed.
    """
    options = _parsed(raw_options)
    kinds = msgspec.json.schema(rulebook.options)["$defs"][rulebook.options.__name__]["properties"]
    for name in options:
        if name not in kinds:
            raise click.BadParameter(
                f"{rulebook.title} has no option {name}; its options are {', '.join(kinds)}",
                param_hint="--option",
            )
        try:  # one option at a time, so that the message can name it
            msgspec.convert({name: options[name]}, rulebook.options)
        except msgspec.ValidationError:
            raise click.BadParameter(
                f"{name} must be {_allowed(kinds[name])}", param_hint="--option"
            ) from None
    return options


def repetition(asked: Mapping[str, Any], *, without: Collection[str]) -> str:
    """Returns the present command with its arguments and every option that differs from its default.

    Args:
        asked: the values of the parameters.
        without: the parameters to leave out, such as files: a repetition would overwrite them.
    """
    context = click.get_current_context()
    words = context.command_path.split()
    for parameter in context.command.params:
        name = parameter.name or ""
        value = asked[name]
        if isinstance(parameter, click.Argument):
            words.append(value)
        elif name not in without and value and value != parameter.get_default(context):
            for single in value if isinstance(value, tuple) else (value,):
                is_flag = isinstance(parameter, click.Option) and parameter.is_flag
                words += [parameter.opts[0]] if is_flag else [parameter.opts[0], str(single)]
    return shlex.join(words)


def _allowed(kind: dict[str, Any]) -> str:
    """Returns a description of the allowed values of an option; `kind` is its JSON schema.

    >>> _allowed({"type": "integer", "minimum": 2, "maximum": 20, "multipleOf": 2})
    'a whole number from 2 to 20, a multiple of 2'
    """
    if "anyOf" in kind:
        return " or ".join(map(_allowed, kind["anyOf"]))
    if "enum" in kind:
        return " or ".join(kind["enum"])
    if kind["type"] == "integer":
        step = f", a multiple of {kind['multipleOf']}" if "multipleOf" in kind else ""
        return f"a whole number from {kind['minimum']} to {kind['maximum']}{step}"
    return "true or false" if kind["type"] == "boolean" else str(kind["type"])


def _parsed(raw_options: Sequence[str]) -> dict[str, Any]:
    """Parses `name=value` texts without checking them against a game.

    >>> _parsed(["rounds=2", "flip=immediate"])
    {'rounds': 2, 'flip': 'immediate'}
    """
    options = {}
    for text in raw_options:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--option")
        try:
            options[name] = json.loads(value)
        except ValueError:  # not JSON, so that nobody has to quote strings in a shell
            options[name] = value
    return options
