"""A bot from outside at its seat of a table on a server."""

import asyncio
import json
from contextlib import aclosing
from functools import reduce
from math import inf
from operator import or_
from random import Random
from typing import Any, Final, cast, get_type_hints

import msgspec

from hoodwink.domain.bots import play_steady
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import CardChoice, Observation
from hoodwink.service.cli.bots.online.links import say_ready
from hoodwink.service.simulation.outside.mistakes import Mistake
from hoodwink.service.simulation.outside.outsider import PASSED_IN_TURN
from hoodwink.service.simulation.outside.process import BotFailed, Kind, Limits
from hoodwink.service.simulation.outside.seated import Seated
from hoodwink_client import AsyncTable, Refused, Turn, models, random_action

_MARGIN_SECONDS: Final = 1.0
"""The time before the end of the turn clock in which the built-in bot moves for a bot that is too slow."""

_REFUSALS: Final = {400: Kind.INVALID, 422: Kind.ILLEGAL}


class Seat:
    """A bot that plays its player's seat of one table.

    Attributes:
        mistakes: those at this table.
    """

    def __init__(self, table: AsyncTable, bot: str, limits: Limits) -> None:
        self.mistakes: list[Mistake] = []
        self._table = table
        self._limits = limits
        self._seated = Seated(bot, limits)
        self._events: list[models.EventRecord] = []
        self._version = 0

    async def play(self) -> models.Result:
        """Plays to the end of the table, and returns the result.

        Raises:
            ServiceError: the table is out of reach for good, such as after an administrator has banned the player.
        """
        try:
            async with aclosing(self._table.follow()) as messages:
                async for message in messages:
                    await self._note_events(message)
                    if turn := self._table.turn_in(message):
                        await self._move(turn, cast("Any", message)["data"]["now"])
                    await say_ready(self._table, message)
        finally:
            self._seated.close()
        return cast("models.Result", (await self._table.look())["view"]["result"])

    async def _note_events(self, message: Any) -> None:
        """Keeps all events of the table, because a bot that lost its process is told all of them again."""
        kind, data = message["event"], message["data"]
        if kind == "reset":
            # Events were lost that the bot may remember, so its process starts afresh.
            self._seated.close()
            self._seated.told, self._version = 0, 0
            self._events.clear()
        if kind not in {"snapshot", "view"}:
            return
        # A snapshot has no events, so those up to it are read.
        new, cursor, more = list(data.get("events", ())), str(self._version), kind == "snapshot"
        while more:
            page = await self._table.request("GET", f"/events?cursor={cursor}")
            new, cursor, more = new + page["events"], page["cursor"], page["more"]
        # A page may have events that are newer than the message; they come again with the next one.
        self._events += [event for event in new if self._version < event["version"] <= data["version"]]
        self._version = data["version"]

    async def _move(self, turn: Turn, now: int) -> None:
        position = self._position(turn, now)
        try:
            await self._act(turn, await self._ask(position, _seconds_left(turn, now)))
        except BotFailed as failed:
            raw = msgspec.Raw(position)
            self.mistakes.append(
                Mistake(self._seated.bot, failed.kind, failed.detail, turn.version, turn.seat, raw)
            )
            await self._table.act(stand_in(turn, Random()), version=turn.version)  # noqa: S311 - a bot's choice, not a secret

    def _position(self, turn: Turn, now: int) -> bytes:
        """Returns the observation, which has the same fields as in a simulation (docs/BOTS.md)."""
        new = self._events[self._seated.told :]
        self._seated.told = len(self._events)
        return msgspec.json.encode(
            {
                "version": turn.version,
                "now": now,
                "events": new,
                "view": turn.view,
                "legal_actions": turn.legal,
            }
        )

    async def _ask(self, position: bytes, seconds: float) -> bytes:
        if seconds <= 0:
            raise BotFailed(Kind.SLOW, "the turn clock had run out before the bot was asked")
        # In a thread, because it blocks. It must have ended before the process is closed.
        asked = asyncio.ensure_future(asyncio.to_thread(self._seated.ask, position, seconds))
        try:
            return (await asyncio.shield(asked)).action
        except asyncio.CancelledError:
            await asyncio.wait([asked])
            raise

    async def _act(self, turn: Turn, chosen: bytes) -> None:
        """Sends the action that the bot chose. The service checks it.

        Raises:
            BotFailed: it is not a legal action.
        """
        action = json.loads(chosen)
        if action is None and not turn.must_act:
            return
        shown = chosen[:200].decode()
        if not isinstance(action, dict):
            raise BotFailed(Kind.INVALID, f"it chose {shown}" if action is not None else PASSED_IN_TURN)
        try:
            # If the table has changed meanwhile, nothing happens, and the next message brings another turn.
            await self._table.act(action, version=turn.version)  # type: ignore[arg-type]
        except Refused as refused:
            if refused.status not in _REFUSALS:
                raise
            raise BotFailed(_REFUSALS[refused.status], f"{refused} It chose {shown}") from None


def _seconds_left(turn: Turn, now: int) -> float:
    """Returns the time until the turn clock runs out, less the time that the built-in bot needs."""
    deadline = turn.view["seats"][turn.seat]["deadline"]
    return inf if deadline is None else (deadline - now) / 1_000 - _MARGIN_SECONDS


def stand_in(turn: Turn, chance: Random) -> models.Action:
    """Returns the action of *Steady*; a random one in a game of a newer version that this one does not know."""
    try:
        game = GAMES[turn.view["game"]]
        view = msgspec.convert(turn.view["view"], get_type_hints(game.view)["return"])
        options = msgspec.convert(turn.view["options"], game.options)
        actions = msgspec.convert(turn.legal["actions"], tuple[reduce(or_, game.actions), ...])  # type: ignore[misc]
        choices = msgspec.convert(turn.legal["choices"], tuple[CardChoice, ...])
    except (KeyError, msgspec.ValidationError):
        return random_action(turn.legal, chance)
    seen = Observation(turn.seat, options, view, actions + choices)
    action: models.Action = msgspec.to_builtins(play_steady(game, seen, chance))
    return action
