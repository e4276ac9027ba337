"""`hoodwink mcp`: lets a language model play, through the Model Context Protocol."""

import asyncio
from importlib.metadata import version
from math import inf
from typing import Any

import click

from hoodwink.service.cli.bots.online.account import account_options, token_of
from hoodwink.service.cli.bots.online.tools import TURN_SECONDS, mcp_server
from hoodwink_client import AsyncClient, ServiceError

_PATIENCE_SECONDS = 20.0
"""Shorter than the time after which an MCP client gives up on a call."""


@click.command("mcp")
@account_options
@click.option(
    "--name", default="Model", show_default=True, help="The name of the bot. The same name is the same bot."
)
def command(*, name: str, **place: Any) -> None:
    """Serve MCP on standard input and output, so that a language model can play on a server.

    Configure your MCP client to start this command. The model plays as a bot of yours, and sees what any player in its
    seat sees.
    """
    try:
        token = token_of(name, **place)
        asyncio.run(_serve(place["server"], token))
    except ServiceError as error:
        raise click.ClickException(str(error)) from None


async def _serve(server: str, token: str) -> None:
    async with (
        AsyncClient(server, token=token, patience=_PATIENCE_SECONDS) as client,
        # A second one, because its stream waits for a server that is away, and the model's calls must not.
        AsyncClient(server, token=token, patience=inf) as follower,
    ):
        await client.request("PUT", "/v1/me/bot", {"accepts": {"turn_seconds": TURN_SECONDS}})
        online = asyncio.create_task(_stay_online(follower))
        # From here on, stdout carries the protocol, so nothing else may print there.
        await mcp_server(client, version("hoodwink")).run_stdio_async()
        online.cancel()


async def _stay_online(client: AsyncClient) -> None:
    """Follows the bot's stream. While it does, others see that the bot is online, and can offer it a seat."""
    async for _ in client.news():
        pass
