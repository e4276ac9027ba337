"""The tools of the MCP server, with which a model plays. It sees what any player in its seat sees.

Every answer is made from what the service sends to that player, so nothing here has to be hidden.
"""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import aclosing, contextmanager, suppress
from typing import Annotated, Any, Final

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from hoodwink.service.cli.bots.online.links import say_ready, table_at
from hoodwink_client import AsyncClient, AsyncTable, Refused, ServiceError, models

MAX_WAIT_SECONDS: Final = 60
"""Clients of MCP give up on a call after a minute or two."""

TURN_SECONDS: Final = 120
"""The turn clock that a model needs, and that tables which it opens have. Models take their time."""

_INSTRUCTIONS: Final = """\
You play card games on a Hoodwink server. In each game you are blind to some cards, shown as "??". \
Another card is its rank and suit, such as 9S or TH, or JK for a joker.
To begin, call list_games and read_rules. Then open_table with bots, or wait without a table until somebody offers you a seat, and \
sit_down. Until the table has ended, repeat: wait, and if it says your_turn, choose one of the legal actions."""

Table = Annotated[
    str, Field(description="The id of the table, or a link to it, with the invitation code if there is one.")
]


class Tools:
    """The tools, with the memory of the tables that the model has looked at."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._tables: dict[str, AsyncTable] = {}
        self._seen: dict[str, int] = {}

    def all(self) -> tuple[Callable[..., Any], ...]:
        return (
            self.list_games,
            self.read_rules,
            self.list_tables,
            self.open_table,
            self.sit_down,
            self.start_table,
            self.see,
            self.wait,
            self.choose,
            self.leave,
        )

    async def list_games(self) -> str:
        """List the games, with the number of seats and the aim of each."""
        with _reported():
            return _text((await self._client.request("GET", "/v1/games"))["games"])

    async def read_rules(
        self, game: Annotated[str, Field(description="The name of a game from list_games.")]
    ) -> str:
        """Read the rules of a game, its options, the actions, and the levels of bots."""
        with _reported():
            described = await self._client.request("GET", f"/v1/games/{game}")
            kept = ("title", "seats", "rules", "options", "actions", "policies")
            return _text({name: described[name] for name in kept})

    async def list_tables(self) -> str:
        """List your tables, with those where a seat is offered to you: sit_down accepts the offer."""
        with _reported():
            mine = (await self._client.my_tables())["tables"]
            return _text([_own(table) for table in mine if table["phase"] != "ended"])

    async def open_table(
        self,
        game: Annotated[str, Field(description="The name of a game from list_games.")],
        seats: Annotated[int, Field(description="The number of seats, with yours.")],
        bots: Annotated[list[str], Field(description="A level for each bot, such as steady.")],
        options: Annotated[
            dict[str, Any] | None, Field(description="Options that differ from the default.")
        ] = None,
    ) -> str:
        """Open a table and sit down there with bots. If that fills the seats, the game starts; otherwise others can join."""
        with _reported():
            is_full = len(bots) + 1 == seats
            pace = (
                {"bot_delay": 0, "round_pause": 0} if is_full else {}
            )  # nobody has to follow with their eyes
            form: dict[str, Any] = {
                "game": game,
                "seats": seats,
                "options": options or {},
                "turn_seconds": TURN_SECONDS,
                **pace,
            }
            table = await self._client.open_table(form)  # type: ignore[arg-type]
            self._tables[table.id] = table
            await table.sit()
            for policy in bots:
                await table.sit(policy=policy)
            if is_full:
                await table.start()
            return await self._situation(table)

    async def sit_down(self, table: Table) -> str:
        """Take the seat at a table that is offered to you. The game starts when the host says so."""
        with _reported():
            joined = self._table(table)
            await joined.sit()
            return await self._situation(joined)

    async def start_table(self, table: Table) -> str:
        """Start a table that you opened, once all seats are taken."""
        with _reported():
            started = self._table(table)
            await started.start()
            return await self._situation(started)

    async def see(self, table: Table) -> str:
        """See a table as it is now: the cards that you may see, your legal actions, and what happened since you last looked."""
        with _reported():
            return await self._situation(self._table(table))

    async def wait(
        self,
        table: Annotated[str | None, Field(description="The id of the table, or null.")] = None,
        seconds: Annotated[
            int, Field(description="Give up after this time.", ge=1, le=MAX_WAIT_SECONDS)
        ] = 30,
    ) -> str:
        """Wait until it is your turn at the table, until you may act out of turn, or until it has ended; then see the table.

        Without a table, wait until a seat is offered to you or one of your tables waits for you; then list your tables.
        """
        with _reported():
            watched = self._table(table) if table else None
            # No error: the model sees that nothing has happened, and may wait again.
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await (self._until_needed(watched) if watched else self._until_called())
            return await (self._situation(watched) if watched else self.list_tables())

    async def choose(
        self,
        table: Table,
        action: Annotated[
            dict[str, Any],
            Field(
                description="One of the legal actions as it is, or a selection from one of the choices: its type, and "
                "cards, at least at_least and at most at_most of its cards, with the card in including if there is one."
            ),
        ],
        version: Annotated[
            int, Field(description="The version of the table at which you saw the legal actions.")
        ],
    ) -> str:
        """Act: take one of your legal actions. Then see the table."""
        with _reported():
            played = self._table(table)
            accepted = await played.act(action, version=version)  # type: ignore[arg-type]
            if accepted is None:
                raise ToolError("The table has changed since that version. Call see, and choose again.")
            return await self._situation(played)

    async def leave(self, table: Table) -> str:
        """Leave a table, or decline the seat that is offered to you; then list your tables.

        Once the game has started, this resigns your seat, and a bot plays it to the end; then see the table.
        """
        with _reported():
            left = self._table(table)
            view = (await left.look())["view"]
            if view["phase"] != "open":
                await left.request("POST", "/resign", {"confirm": True})
                return await self._situation(left)
            seat = view["viewer"] if isinstance(view["viewer"], int) else await self._offered_seat(left)
            await left.request("DELETE", f"/seats/{seat}")
            # Who leaves a private table no longer sees it.
            return await self.list_tables()

    async def _offered_seat(self, table: AsyncTable) -> int:
        for mine in (await self._client.my_tables())["tables"]:
            if mine["id"] == table.id and mine["offered_seat"] is not None:
                return mine["offered_seat"]
        raise ToolError("You have no seat at this table, and none is offered to you.")

    def _table(self, link: str) -> AsyncTable:
        named = table_at(self._client, link)
        if named is None:
            raise ToolError(f"{link!r} is not the id of a table, nor a link to one. Call list_tables.")
        # A link may bring a code that the remembered table does not have, or a newer one.
        if named.invitation:
            self._tables[named.id] = named
        return self._tables.setdefault(named.id, named)

    async def _until_needed(self, table: AsyncTable) -> None:
        """Returns when the player has to act, or may act at a version that the model has not seen.

        Says that the player is ready for the next round, since a model does not look at the cards during the pause.
        """
        async with aclosing(table.follow()) as messages:
            async for message in messages:
                turn = table.turn_in(message)
                if turn and (turn.must_act or turn.version > self._seen.get(table.id, 0)):
                    return
                await say_ready(table, message)

    async def _until_called(self) -> None:
        async with aclosing(self._client.news()) as news:
            async for message in news:
                data: Any = message["data"]
                for table in data.get("tables") or filter(None, [data.get("table")]):
                    if table["offered_seat"] is not None or table["waits_since"] is not None:
                        return

    async def _situation(self, table: AsyncTable) -> str:
        """Returns the table as JSON, with a sentence about each event since the last time."""
        looked = await table.look()
        happened = await self._read_sentences(table, looked["version"])
        view, legal = looked["view"], looked.get("legal_actions")
        seat = view["viewer"] if isinstance(view["viewer"], int) else None
        own = None if seat is None else view["seats"][seat]
        deadline = own and own["deadline"]
        return _text(
            {
                "table": table.id,
                "version": looked["version"],
                "game": view["game"],
                "phase": view["phase"],
                "your_seat": seat,
                "your_turn": bool(own and own["owes"]),
                "seconds_left": deadline and (deadline - looked["now"]) // 1000,
                "happened": happened,
                "seats": [
                    {name: taken[name] for name in ("seat", "name", "policy", "owes", "may_act")}
                    for taken in view["seats"]
                ],
                "view": view["view"],
                "legal_actions": legal and {name: legal[name] for name in ("actions", "choices", "offences")},
                "result": view["result"],
            }
        )

    async def _read_sentences(self, table: AsyncTable, version: int) -> list[str]:
        sentences, cursor, more = list[str](), str(self._seen.get(table.id, 0)), True
        while more:
            page = await table.request("GET", f"/events?include=words&cursor={cursor}")
            # Later events come with the next situation, together with the view after them.
            sentences += [event["words"] for event in page["events"] if event["version"] <= version]
            cursor, more = page["cursor"], page["more"]
        self._seen[table.id] = version
        return sentences


def mcp_server(client: AsyncClient, version: str) -> MCPServer:
    """Returns an MCP server whose tools play as the client's player."""
    server = MCPServer("hoodwink", instructions=_INSTRUCTIONS, version=version, log_level="WARNING")
    for tool in Tools(client).all():
        server.tool(structured_output=False)(tool)
    return server


def _own(table: models.MyTable) -> dict[str, Any]:
    return {
        "table": table["id"],
        "game": table["game"],
        "phase": table["phase"],
        "your_seat": table["seat"],
        "offered_seat": table["offered_seat"],
        "waits_for_you": table["waits_since"] is not None,
    }


@contextmanager
def _reported() -> Iterator[None]:
    """Reports a refused request as an error that the model can read and act on."""
    try:
        yield
    except ServiceError as error:
        code = f" ({error.code})" if isinstance(error, Refused) and error.code else ""
        raise ToolError(f"{error}{code}") from None


def _text(content: Any) -> str:
    """Returns compact JSON: every character costs the model's attention."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))
