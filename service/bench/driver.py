"""Plays whole tables of Blindside over HTTP as four players.

It is the five-card variation, where nobody has to look at the table before acting: what the driver
sends is actions, but for a few looks at whether the next round is dealt.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import Any, Final, TypeAlias

import msgspec

from service.bench.connection import Connection, ended, head, with_json

SEATS: Final = 4
_LOOK_AGAIN_SECONDS: Final = 0.005
"""How long to wait before a second look at a table; doubled with each further one."""


class _View(msgspec.Struct):
    step: str | None
    to_move: int | None
    hands: tuple[tuple[str, ...], ...]


class _Table(msgspec.Struct):
    id: str
    stage: str | None
    view: _View


class Seen(msgspec.Struct):
    """What the driver reads of an answer."""

    version: int
    view: _Table


class _Registered(msgspec.Struct):
    token: str


Act: TypeAlias = Callable[["Seat", dict[str, str]], Awaitable[Seen]]

_encode: Final = msgspec.json.Encoder().encode
_seen: Final = msgspec.json.Decoder(Seen).decode
_registered: Final = msgspec.json.Decoder(_Registered).decode


class Tally:
    """What a load did, moment by moment.

    Attributes:
        actions: when each action was answered, and how long that took, in seconds.
        deals: the same of each wait for the workers to score a round and to deal the next.
    """

    def __init__(self) -> None:
        self.actions: list[tuple[float, float]] = []
        self.deals: list[tuple[float, float]] = []


class Seat:
    """A player, who asks over a connection that others may use too, in turn."""

    def __init__(self, connection: Connection, token: str) -> None:
        self._connection = connection
        self._token = token

    def sit_at(self, table: str) -> None:
        """Lets what follows concern that table."""
        self._table = f"/v1/tables/{table}"
        self._look = ended(head("GET", self._table, token=self._token))
        self._act = head("POST", f"{self._table}/actions", token=self._token)

    async def open(self, fields: dict[str, Any]) -> str:
        """Returns the id of a new table."""
        return (await self._post("/v1/tables", fields)).view.id

    async def take_seat(self) -> None:
        """Sits down at the first free seat."""
        await self._post(f"{self._table}/seats", {})

    async def start(self) -> None:
        """Starts the table."""
        await self._post(f"{self._table}/start", {})

    async def act(self, action: dict[str, str]) -> Seen:
        """Returns the answer to an action."""
        return _seen(await self._connection.ask_checked(with_json(self._act, _encode(action))))

    async def look(self) -> Seen:
        """Returns the table as it is."""
        return _seen(await self._connection.ask_checked(self._look))

    async def _post(self, path: str, body: dict[str, Any]) -> Seen:
        beginning = head("POST", path, token=self._token)
        return _seen(await self._connection.ask_checked(with_json(beginning, _encode(body))))


async def registered(connection: Connection) -> Seat:
    """Returns a new player who asks over that connection."""
    body = await connection.ask_checked(with_json(head("POST", "/v1/players"), b"{}"))
    return Seat(connection, _registered(body).token)


async def opened(seats: Sequence[Seat], rounds: int = SEATS) -> str:
    """Opens a table, seats everybody and starts; returns the table's id."""
    table = await seats[0].open(
        {"game": "blindside", "seats": len(seats), "options": {"five_card": True, "rounds": rounds}}
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
    """Plays a table that has started to its end.

    Args:
        before_each: is awaited before each action.
        after_each: is told the version that each action led to.
    """

    async def act(seat: Seat, action: dict[str, str]) -> Seen:
        if before_each is not None:
            await before_each()
        began = time.perf_counter()
        seen = await seat.act(action)
        now = time.perf_counter()
        tally.actions.append((now, now - began))
        if after_each is not None:
            after_each(seen.version)
        return seen

    while (seen := await _dealt(seats[0], tally)) is not None:
        await _play_round(seats, seen, chance, act)


async def _dealt(seat: Seat, tally: Tally) -> Seen | None:
    """Returns the table when the workers have dealt, or nothing if it is over."""
    began, pause = time.perf_counter(), _LOOK_AGAIN_SECONDS
    await asyncio.sleep(pause)
    while (seen := await seat.look()).view.stage not in {None, "in_play"}:
        pause *= 2
        await asyncio.sleep(pause)
    if seen.view.stage is None:
        return None
    now = time.perf_counter()
    tally.deals.append((now, now - began))
    return seen


async def _play_round(seats: Sequence[Seat], seen: Seen, chance: Random, act: Act) -> None:
    """Plays turn after turn. The answer to a draw shows the hand, so nobody has to look at it first."""
    while seen.view.stage == "in_play":
        number = seen.view.view.to_move
        assert number is not None
        seat = seats[number]
        drawn = await act(seat, {"type": "draw", "source": chance.choice(("stock", "discard"))})
        hand = list(drawn.view.view.hands[number])
        await act(seat, {"type": "keep", "card": _taken(hand, chance)})
        seen = await act(seat, {"type": "discard", "card": _taken(hand, chance)})


def _taken(hand: list[str], chance: Random) -> str:
    return hand.pop(chance.randrange(len(hand)))
