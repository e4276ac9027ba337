"""A bot from outside that plays at several tables of a server at once."""

import asyncio
import re
from collections.abc import Iterable
from contextlib import aclosing
from pathlib import Path
from typing import Any, NamedTuple

from hoodwink.service.cli.bots.named import report
from hoodwink.service.cli.bots.online.seat import Seat
from hoodwink.service.cli.shared.output import say
from hoodwink.service.simulation.outside.mistakes import Mistake, Mistakes
from hoodwink.service.simulation.outside.process import Limits
from hoodwink_client import AsyncClient, AsyncTable, Refused, ServiceError, models


class Against(NamedTuple):
    """The opponents at a new table: built-in bots, or the bot with this id."""

    policies: list[str]
    challenged: str | None = None


class Visitor:
    """A bot that plays at all tables of its player."""

    def __init__(self, client: AsyncClient, bot: str, limits: Limits, mistakes: Path | None) -> None:
        """Takes the client of the player, the name of the bot, and the folder for its mistakes."""
        self._client = client
        self._bot = bot
        self._limits = limits
        self._folder = mistakes
        self._present: set[str] = set()

    async def stay(self) -> None:
        """Accepts seats that are offered, and plays, until it is cancelled."""
        async with asyncio.TaskGroup() as group:
            async for message in self._client.news():
                data: Any = message["data"]
                # The first message lists all tables, among them those at which it played before a restart.
                for table in data.get("tables") or filter(None, [data.get("table")]):
                    if table["offered_seat"] is not None and table["phase"] == "open":
                        await self._accept(table)
                    elif table["phase"] == "playing" and table["seat"] is not None:
                        self._attend(group, self._client.table(table["id"]))

    async def play(self, forms: Iterable[models.TableForm], against: Against, most: int) -> None:
        """Plays at new tables, and to the end at those where it already has a seat.

        Args:
            forms: the tables.
            against: the opponents at each.
            most: the number of tables at a time.
        """
        places = asyncio.Semaphore(most)

        async def visit(form: models.TableForm) -> None:
            async with places:
                if table := await self._open(form, against):
                    await self._play(table)

        async with asyncio.TaskGroup() as group:
            for mine in (await self._client.my_tables())["tables"]:
                if mine["phase"] == "playing" and mine["seat"] is not None:
                    self._attend(group, self._client.table(mine["id"]))
            for form in forms:
                group.create_task(visit(form))

    async def _open(self, form: models.TableForm, against: Against) -> AsyncTable | None:
        """Returns a new table, once it has started, or `None` if the bot that was challenged declines."""
        if against.challenged:
            path = f"/v1/players/{against.challenged}/challenges"
            table = self._client.table((await self._client.request("POST", path, form))["view"]["id"])
            if not await _is_accepted(table):
                say(f"The bot {against.challenged} declined.", err=True)
                return None
        else:
            table = await self._client.open_table(form)
            await table.sit()
            for policy in against.policies:
                await table.sit(policy=policy)
        await table.start()
        return table

    async def _accept(self, offer: models.MyTable) -> None:
        """Takes the seat that is offered. The service offers only those that the bot said it accepts."""
        try:
            await self._client.table(offer["id"]).sit()
            say(f"Accepted a seat at table {offer['id']}, {offer['game']}.")
        except Refused as refused:  # the offer was withdrawn, for instance
            say(f"Table {offer['id']}: {refused}", err=True)

    def _attend(self, group: asyncio.TaskGroup, table: AsyncTable) -> None:
        # Each change of a table is news of it, so the same table comes again and again.
        if table.id not in self._present:
            self._present.add(table.id)
            group.create_task(self._play(table))

    async def _play(self, table: AsyncTable) -> None:
        seat = Seat(table, self._bot, self._limits)
        log = b""
        try:
            result = await seat.play()
            say(
                f"Table {table.id} has ended: {result['outcome']}, places {result['places']}, scores {result['scores']}."
            )
            if seat.mistakes:
                log = await table.request("GET", "/log")
        except ServiceError as error:
            say(f"Left table {table.id}: {error}", err=True)
        finally:
            self._present.discard(table.id)
            self._report(table.id, seat.mistakes, log)

    def _report(self, table: str, made: list[Mistake], log: bytes) -> None:
        mistakes = Mistakes()
        mistakes.add(f"table {table}", made, lambda: log)
        # The id is what a server says; it must not lead out of the folder.
        folder = self._folder and self._folder / re.sub(r"\W", "_", table)
        if made and folder:
            folder.mkdir(parents=True, exist_ok=True)
        report(mistakes, folder)


async def _is_accepted(table: AsyncTable) -> bool:
    """Returns whether the challenged bot takes its seat, once it has decided."""
    async with aclosing(table.follow()) as messages:
        async for message in messages:
            data: Any = message["data"]
            if "view" in data:
                waiting = [seat for seat in data["view"]["seats"] if seat["player"] is None]
                # The offer is over. It was accepted if no seat is left, and declined if one is free again.
                if not any(seat["offered_to"] for seat in waiting):
                    return not waiting
    return False
