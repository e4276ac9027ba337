"""`hoodwink new-game`: creates a small, playable game, whose rules the author then replaces."""

import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from typing import Final

import click

from hoodwink.domain.games import GAMES
from hoodwink.service.cli.shared.output import say

# The template is the game that only the tests know, so a test fails if it stops working.
_TEMPLATE: Final = "lantern"
_TEMPLATES: Final = Path("tests/sixth_game")
_GAMES: Final = Path("domain/games")
_ENTITLEMENTS: Final = Path("tests/domain/laws/entitlements")
_DESCRIPTION: Final = Path("openapi.yaml")

_NEXT: Final = """
You can already play {title}:

  1. In domain/games/__init__.py, import {name} and add {name}.GAME to the games.
  2. Let bots play it: .venv/bin/hoodwink simulate {name} --tables 10
  3. Check the laws that every game must obey: .venv/bin/python -m tests.domain.laws {name}

Then make it your game: first write its rules in docs/RULES.md, then a test for each rule, then the code. The section
"Add a game" of CONTRIBUTING.md has all steps."""


@click.command("new-game")
@click.argument("name")
def command(name: str) -> None:
    """Create the files of a game called NAME, such as `three_blind_mice`, in a checkout of Hoodwink.

    It is a tiny game: each player secretly chooses one of five cards, and the highest card wins. Replace its rules with
    yours.
    """
    title = name.replace("_", " ").title()
    _check_checkout()
    _check_name(name)
    files = _files(name, title)
    if name in {_TEMPLATE, *GAMES} or any(path.exists() for path in (*files, _GAMES / f"{name}.py")):
        raise click.BadParameter(f"{name} is taken; choose another name.", param_hint="NAME")
    _check_schemas(name, _class_prefix(title))
    for path, text in files.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        say(str(path))
    _format(files)
    click.echo(_NEXT.format(name=name, title=title))


def _check_checkout() -> None:
    if not all(path.exists() for path in (_GAMES, _ENTITLEMENTS, _TEMPLATES / _TEMPLATE, _DESCRIPTION)):
        raise click.ClickException(
            "This folder is not a checkout of Hoodwink; run the command in the top folder of one."
        )


def _check_name(name: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or iskeyword(name):
        raise click.BadParameter(
            "use lower-case letters, digits and single underscores, as in three_blind_mice, but not a Python keyword.",
            param_hint="NAME",
        )


def _check_schemas(name: str, prefix: str) -> None:
    """Refuses a prefix that schemas of the API have already: a game called `deal` would have its own `DealTable`."""
    description = _DESCRIPTION.read_text(encoding="utf-8")
    if other := re.search(rf"^  ({prefix}(?:[A-Z]\w*)?):", description, re.MULTILINE):
        raise click.BadParameter(
            f"the schemas of {name} would begin with {prefix}, as {other[1]} of the API does; choose another name.",
            param_hint="NAME",
        )


def _class_prefix(title: str) -> str:
    return title.replace(" ", "")


def _files(name: str, title: str) -> Mapping[Path, str]:
    """Returns the texts of the new files by their paths."""
    sources = {
        _GAMES / name / path.name: path
        for path in sorted((_TEMPLATES / _TEMPLATE).iterdir())
        if path.is_file()
    }
    sources[_ENTITLEMENTS / f"{name}.py"] = _TEMPLATES / "entitlement.py"
    return {
        path: _renamed(source.read_text(encoding="utf-8"), name, title) for path, source in sources.items()
    }


def _renamed(text: str, name: str, title: str) -> str:
    """Returns a file of the template with the names of the new game."""
    class_prefix = _class_prefix(title)
    new = {  # longer ones first
        f"tests.sixth_game.{_TEMPLATE}": f"hoodwink.domain.games.{name}",
        "LanternCode": f"{class_prefix}Code",
        "LanternEvent": f"{class_prefix}Event",
        "Lantern": title,
        "LANTERN": name.upper(),
        "lantern": name,
    }
    return re.sub("|".join(map(re.escape, new)), lambda found: new[found[0]], text)


def _format(files: Iterable[Path]) -> None:
    # The order of imports and the length of lines depend on the name. Without ruff, that is left to `make format`.
    if find_spec("ruff"):
        for tool in (("check", "--select=I", "--fix"), ("format",)):
            modules = [str(path) for path in files if path.suffix == ".py"]
            subprocess.run([sys.executable, "-m", "ruff", *tool, "--quiet", *modules], check=True)
