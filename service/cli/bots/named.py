"""The bots that a command names: built-in policies, and functions in processes of their own."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from hoodwink.domain.phrases import counted
from hoodwink.service.cli.shared.options import FiniteRange, chosen_policies
from hoodwink.service.cli.shared.output import say
from hoodwink.service.simulation.outside.mistakes import Mistakes
from hoodwink.service.simulation.outside.outsider import is_outsider
from hoodwink.service.simulation.outside.process import BotFailed, BotProcess, Limits

C = TypeVar("C", bound=Callable[..., Any])

NAMES_HELP: Final = "A bot is a policy such as steady, or a function of yours: ./bot.py, ./bot.py:choose or package.module:choose."

_DEFAULTS: Final = Limits()


def limit_options(command: C) -> C:
    """Adds the options for bots from outside to a command."""
    for option in (
        click.option(
            "--mistakes",
            type=click.Path(file_okay=False, path_type=Path),
            help="Write the position and the log of mistakes of your bots to this folder.",
        ),
        click.option(
            "--memory",
            default=_DEFAULTS.memory_mb,
            show_default=True,
            type=click.IntRange(min=64),
            help="The memory of each of your bots, in megabytes.",
        ),
        click.option(
            "--seconds",
            default=_DEFAULTS.seconds,
            show_default=True,
            type=FiniteRange(min=0.01),
            help="The time that your bots have for an action.",
        ),
    ):
        # The help shows the option that is added last first.
        command = option(command)
    return command


def chosen_bots(names: str, limits: Limits) -> list[str]:
    """Splits the names of bots at commas, and tries to load those from outside.

    Raises:
        BadParameter: a policy is unknown, or a function cannot be loaded.
    """
    bots = names.split(",")
    if policies := [bot for bot in bots if not is_outsider(bot)]:
        chosen_policies(",".join(policies))
    for bot in filter(is_outsider, dict.fromkeys(bots)):
        check_loads(bot, limits, "--bots")
    return bots


def check_loads(bot: str, limits: Limits, parameter: str) -> None:
    """Raises `BadParameter` if a function cannot be loaded."""
    if not is_outsider(bot):
        raise click.BadParameter(
            f"{bot!r} is not a function of yours, such as ./bot.py or package.module:choose",
            param_hint=parameter,
        )
    place = bot if bot.endswith(".py") else bot.rpartition(":")[0]
    if place.endswith(".py") and not Path(place).is_file():
        raise click.BadParameter(f"{bot} cannot be loaded: there is no file {place}", param_hint=parameter)
    try:
        # In a process of its own, as in a match: an import may do anything, and must not see this process.
        BotProcess(bot, limits).close()
    except BotFailed as failed:
        raise click.BadParameter(
            f"{bot} cannot be loaded: {failed.detail.strip()}", param_hint=parameter
        ) from None


def report(mistakes: Mistakes, folder: Path | None) -> None:
    """Prints how often each bot from outside made each mistake, and writes the examples."""
    if not mistakes.counts:
        return
    say("Mistakes, after which a built-in bot moved:")
    for (bot, kind), times in sorted(mistakes.counts.items()):
        first = next(one for one in mistakes.examples if (one.mistake.bot, one.mistake.kind) == (bot, kind))
        where = f"{first.table}, seat {first.mistake.seat}, version {first.mistake.version}"
        say(f"  {bot}: {kind}, {counted(times, 'time')}, first at {where}:")
        # The last line of a traceback says what was raised.
        say(f"    {first.mistake.detail.strip().splitlines()[-1]}")
    if folder is None:
        say("To see the positions, the logs and the whole messages, repeat it with --mistakes FOLDER.")
        return
    for number, example in enumerate(mistakes.examples, start=1):
        name = f"{number:02}-{example.mistake.kind}"
        (folder / f"{name}.txt").write_text(
            f"{example.mistake.bot} at {example.table}, seat {example.mistake.seat}, "
            f"version {example.mistake.version}\n{example.mistake.detail}\n",
            encoding="utf-8",
        )
        (folder / f"{name}.json").write_bytes(bytes(example.mistake.position))
        (folder / f"{name}.log").write_text(example.log, encoding="utf-8")
    say(
        f"The examples are in {folder}; look at one with: hoodwink replay {folder}/01-{mistakes.examples[0].mistake.kind}.log"
    )
