"""Plays whole tables of Blindside over HTTP as four players.

It plays the five-card variation, where the response to each action is enough to choose the next one. So the driver sends
almost only actions; it polls the table only to find out whether the next round has been dealt.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import Any, Final, TypeAlias

import msgspec

from bench.connection import Connection, head, with_json, without_body

SEATS: Final = 4
_POLL_SECONDS: Final = 0.002
"""The pause before each poll, short compared with the time that is measured."""


class _View(msgspec.Struct):
    step: str | None
    to_move: int | None
    hands: tuple[tuple[str, ...], ...]


class _Table(msgspec.Struct):
    id: str
    stage: str | None
    view: _View


class TableReply(msgspec.Struct):
    """The part of a response that the driver reads."""

    version: int
    view: _Table


class _Player(msgspec.Struct):
    token: str


Act: TypeAlias = Callable[["Seat", dict[str, str]], Awaitable[TableReply]]

_encode: Final = msgspec.json.Encoder().encode
_decode_reply: Final = msgspec.json.Decoder(TableReply).decode
_decode_player: Final = msgspec.json.Decoder(_Player).decode


class Tally:
    """The measured times of a load.

    Attributes:
        actions: for each action, the time of its response on the clock of `time.perf_counter`, and its duration in
            seconds.
        deals: the same for each wait until the workers have scored a round and dealt the next one.
    """

    def __init__(self) -> None:
        self.actions: list[tuple[float, float]] = []
        self.deals: list[tuple[float, float]] = []


class Seat:
    """A player, whose connection other players may share, one request at a time."""

    def __init__(self, connection: Connection, token: str) -> None:
        self._connection = connection
        self._token = token

    def sit_at(self, table: str) -> None:
        """Directs all further requests to a table."""
        self._table = f"/v1/tables/{table}"
        self._look = self.get_request("")
        self._act = head("POST", f"{self._table}/actions", token=self._token)

    def get_request(self, below: str) -> bytes:
        """Returns a GET request for a path below the table's."""
        return without_body(head("GET", f"{self._table}{below}", token=self._token))

    async def open(self, fields: dict[str, Any]) -> str:
        """Returns the id of a new table."""
        return (await self._post("/v1/tables", fields)).view.id

    async def take_seat(self) -> None:
        """Takes the first free seat."""
        await self._post(f"{self._table}/seats", {})

    async def start(self) -> None:
        await self._post(f"{self._table}/start", {})

    async def act(self, action: dict[str, str]) -> TableReply:
        return _decode_reply(await self._connection.ask_checked(with_json(self._act, _encode(action))))

    async def look(self) -> TableReply:
        return _decode_reply(await self._connection.ask_checked(self._look))

    async def _post(self, path: str, body: dict[str, Any]) -> TableReply:
        beginning = head("POST", path, token=self._token)
        return _decode_reply(await self._connection.ask_checked(with_json(beginning, _encode(body))))


async def register(connection: Connection) -> Seat:
    body = await connection.ask_checked(with_json(head("POST", "/v1/players"), b"{}"))
    return Seat(connection, _decode_player(body).token)


async def open_table(seats: Sequence[Seat], rounds: int = SEATS) -> str:
    """Opens a table, seats all players and starts it; returns its id."""
    table = await seats[0].open(
        {
            "game": "blindside",
            "seats": len(seats),
            "options": {"five_card": True, "rounds": rounds},
            "turn_seconds": 0,
            "round_pause": 0,
        }
    )
    for seat in seats:
        seat.sit_at(table)
        await seat.take_seat()
    await seats[0].start()
    return table


async def play(
    seats: Sequence[Seat],
    tally: Tally,
    chance: Random,
    *,
    before_each: Callable[[], Awaitable[object]] | None = None,
    after_each: Callable[[int], None] | None = None,
) -> None:
    """Plays a started table to the end.

    Args:
        before_each: is awaited before each action.
        after_each: is called with the version after each action.
    """

    async def act(seat: Seat, action: dict[str, str]) -> TableReply:
        if before_each is not None:
            await before_each()
        began = time.perf_counter()
        reply = await seat.act(action)
        now = time.perf_counter()
        tally.actions.append((now, now - began))
        if after_each is not None:
            after_each(reply.version)
        return reply

    while (reply := await wait_for_deal(seats[0], tally)) is not None:
        await _play_round(seats, reply, chance, act)


async def wait_for_deal(seat: Seat, tally: Tally) -> TableReply | None:
    """Waits until the workers have dealt and returns the table, or `None` if it is over."""
    began = time.perf_counter()
    while True:
        await asyncio.sleep(_POLL_SECONDS)
        reply = await seat.look()
        if reply.view.stage in {None, "in_play"}:
            break
    if reply.view.stage is None:
        return None
    now = time.perf_counter()
    tally.deals.append((now, now - began))
    return reply


async def _play_round(seats: Sequence[Seat], reply: TableReply, chance: Random, act: Act) -> None:
    """Plays turn after turn; the response to a draw shows the hand."""
    while reply.view.stage == "in_play":
        number = reply.view.view.to_move
        assert number is not None
        seat = seats[number]
        drawn = await act(seat, {"type": "draw", "source": chance.choice(("stock", "discard"))})
        hand = list(drawn.view.view.hands[number])
        await act(seat, {"type": "keep", "card": _pick(hand, chance)})
        reply = await act(seat, {"type": "discard", "card": _pick(hand, chance)})


def _pick(hand: list[str], chance: Random) -> str:
    return hand.pop(chance.randrange(len(hand)))
