"""Table options as the command line takes them: `--option NAME=VALUE`."""

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

C = TypeVar("C", bound=Callable[..., Any])


def table_options(command: C) -> C:
    """Adds `--option`, which may be repeated, to a command."""
    return click.option(
        "--option", "given", multiple=True, metavar="NAME=VALUE", help="A table option; may be repeated."
    )(command)


def parsed_options(given: Sequence[str]) -> dict[str, Any]:
    """Returns `name=value` texts as options: JSON where it is JSON, otherwise a text.

    >>> parsed_options(["rounds=2", "flip=immediate"])
    {'rounds': 2, 'flip': 'immediate'}
    """
    options = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--option")
        try:
            options[name] = json.loads(value)
        except ValueError:
            options[name] = value
    return options
