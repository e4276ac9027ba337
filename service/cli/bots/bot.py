"""`hoodwink bot`: connects a function to a server, where it plays as a player of its own."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from math import ceil, inf
from pathlib import Path
from typing import Any, Final, cast

import click

from hoodwink.domain.games import GAMES
from hoodwink.service.cli.bots.named import check_loads, limit_options
from hoodwink.service.cli.bots.online.account import account_options, token_of
from hoodwink.service.cli.bots.online.visits import Against, Visitor
from hoodwink.service.cli.shared.options import chosen_policies, options_of, table_options
from hoodwink.service.cli.shared.output import say
from hoodwink.service.cli.shared.stopping import stoppable
from hoodwink.service.simulation.outside.process import Limits
from hoodwink_client import AsyncClient, ServiceError, models

MAX_TABLES: Final = 16
"""Each table needs a stream, and a player may have twenty."""

_TURN_SECONDS: Final = 60
"""The turn clock of tables that the command opens."""

_SPARE_SECONDS: Final = 3
"""How much longer the turn clock has to be than the bot's time for an action, for the network and a stand-in."""


@click.command("bot")
@click.argument("bot", metavar="BOT")
@account_options
@click.option(
    "--name", help="The bot's name; by default that of its file or module. The same name is the same bot."
)
@click.option("--version", default="", help="The version of your program, which others see.")
@click.option("--home-page", default="", metavar="URL", help="A page about the bot, which others see.")
@click.option(
    "--accept",
    "games",
    multiple=True,
    type=click.Choice(sorted(GAMES)),
    help="Accept seats in this game only; may be repeated.",
)
@click.option(
    "--play",
    "game",
    type=click.Choice(sorted(GAMES)),
    help="Play this game, then exit.",
)
@click.option(
    "--against",
    default="steady",
    show_default=True,
    help="With --play: the built-in bots, one or one per other seat.",
)
@click.option("--challenge", metavar="ID", help="With --play: challenge the bot with this id instead.")
@click.option(
    "--tables", default=1, show_default=True, type=click.IntRange(min=1), help="With --play: how many tables."
)
@click.option(
    "--at-once",
    default=4,
    show_default=True,
    type=click.IntRange(1, MAX_TABLES),
    help="The number of tables at which it plays at the same time.",
)
@table_options
@limit_options
def command(**asked: Any) -> None:
    """Connect a function of yours to a server: ./bot.py, ./bot.py:choose or package.module:choose.

    It accepts seats that are offered to it, and plays until you press Ctrl-C. When the server or this command starts again,
    it continues at its tables. After a mistake, the built-in bot `steady` moves.
    """
    limits = Limits(asked["seconds"], asked["memory"])
    check_loads(asked["bot"], limits, "BOT")
    forms, against = _own_tables(asked) if asked["game"] else ([], Against([]))
    name = asked["name"] or _default_name(asked["bot"])
    refused: Sequence[Exception] = ()
    with stoppable("Stopped. Its seats stay taken; start it again to go on."):
        try:
            place = {option: asked[option] for option in ("server", "accounts", "owner", "token_file")}
            # The token is looked up before the loop begins, because that blocks.
            asyncio.run(_run(asked, limits, token_of(name, **place), forms, against))
        # A group in any case: the tables raise one, and `except*` puts a single error into one.
        except* ServiceError as errors:
            refused = errors.exceptions
    if refused:
        raise click.ClickException(str(refused[0]))


def _default_name(bot: str) -> str:
    """Returns the name of the file or module of a bot.

    >>> _default_name("bots/sly.py:choose"), _default_name("bots.sly:choose")
    ('sly', 'sly')
    """
    place, _, _ = bot.partition(":")
    return Path(place).stem if place.endswith(".py") else place.rpartition(".")[2]


def _own_tables(asked: dict[str, Any]) -> tuple[list[models.TableForm], Against]:
    """Returns the tables of `--play`, and the opponents at each."""
    rulebook, policies = GAMES[asked["game"]], chosen_policies(asked["against"], "--against")
    if len(policies) == 1:
        policies *= max(1, rulebook.seats[0] - 1)
    form = {
        "game": rulebook.name,
        "seats": len(policies) + 1,
        "options": options_of(rulebook, asked["raw_options"]),
        "turn_seconds": _TURN_SECONDS,
        "bot_delay": 0,
        "round_pause": 0,
    }
    return [cast("models.TableForm", form)] * asked["tables"], Against(policies, asked["challenge"])


def _description(asked: dict[str, Any]) -> models.DescriptionForm:
    """Returns what the bot tells others about itself. The service offers it only seats that it accepts."""
    accepts = {"tables": asked["at_once"], "turn_seconds": ceil(asked["seconds"]) + _SPARE_SECONDS}
    if asked["games"]:
        accepts["games"] = asked["games"]
    described = {"version": asked["version"], "home_page": asked["home_page"], "accepts": accepts}
    return cast("models.DescriptionForm", described)


async def _run(
    asked: dict[str, Any], limits: Limits, token: str, forms: Sequence[models.TableForm], against: Against
) -> None:
    # The bots are asked in threads; a bot that thinks must not keep another one waiting.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(MAX_TABLES + 4))
    async with AsyncClient(asked["server"], token=token, patience=inf) as client:
        bot = await client.request("PUT", "/v1/me/bot", _description(asked))
        say(f"{bot['name']} is player {bot['id']} at {asked['server']}.")
        visitor = Visitor(client, asked["bot"], limits, asked["mistakes"])
        if forms:
            await visitor.play(forms, against, asked["at_once"])
        else:
            say("It accepts seats that are offered to it. Press Ctrl-C to stop.")
            await visitor.stay()
