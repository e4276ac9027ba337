"""The pace of a table: its turn clock, how long its bots wait, and the pause after a round.

All times depend on public facts alone, so they reveal nothing about a bot's cards.
"""

import hashlib
from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from hoodwink.domain.bots import levels_of
from hoodwink.domain.due_times import IMMEDIATELY
from hoodwink.domain.kernel import InvalidOptions, Stage
from hoodwink.domain.tables.commands import OpenTable
from hoodwink.domain.tables.events import TableStarted
from hoodwink.domain.tables.state import (
    Phase,
    Table,
    is_person,
    is_played_by_bot,
    policy_of,
    stage_of,
    turn_of,
)

TURN_SECONDS: Final = 120
"""The turn clock of a table with two or more people, so that nobody who leaves holds up the others."""

BOT_DELAY_MS: Final = 1_000
"""The average time that a bot waits before its turn at a table with people, so that they can follow the play."""

THINKING_MS: Final = 500
"""The shortest wait before the turn of a bot that thinks at a table with people, so that it hides how long it thought."""

PATIENCE_MS: Final = 2_000
ALONE_PATIENCE_MS: Final = 10_000
"""How late a bot's decision may be, with and without people at the table, before *Steady* moves instead."""

ROUND_PAUSE_MS: Final = 8_000
"""The longest pause after a round at a table with people, so that they can see its cards and its score."""

MAX_TURN_SECONDS: Final = 7 * 24 * 3600
MAX_DELAY_MS: Final = 10 * 60 * 1000

TurnSeconds: TypeAlias = Annotated[
    int,
    Meta(ge=0, le=MAX_TURN_SECONDS, description="Seconds that a player has for each turn; 0 for no clock."),
]
BotDelay: TypeAlias = Annotated[
    int,
    Meta(
        ge=0,
        le=MAX_DELAY_MS,
        description="Milliseconds that a bot waits before its turn, on average, so that people can follow the play; "
        f"0 for none. By default {BOT_DELAY_MS:,} if people play, otherwise 0.",
    ),
]
RoundPause: TypeAlias = Annotated[
    int,
    Meta(
        ge=0,
        le=MAX_DELAY_MS,
        description="Milliseconds after a round before the next one is dealt, unless everybody is ready sooner; 0 for "
        f"none. By default {ROUND_PAUSE_MS:,} if people play, otherwise 0.",
    ),
]


def check_pace(command: OpenTable) -> None:
    """Raises `InvalidOptions` for a negative time."""
    for name in ("turn_seconds", "bot_delay", "round_pause"):
        if (getattr(command, name) or 0) < 0:
            raise InvalidOptions(f"`{name}` must not be negative; 0 means none.")


def pace_at_start(table: Table) -> TableStarted:
    """Returns the event that starts the table. The number of people sets the values that the opening left open."""
    people = sum([is_person(table, seat) for seat in range(len(table.seats))])
    return TableStarted(
        turn_seconds=None if table.turn_seconds is not None else TURN_SECONDS * (people > 1),
        bot_delay=None if table.bot_delay is not None else BOT_DELAY_MS * (people > 0),
        round_pause=None if table.round_pause is not None else ROUND_PAUSE_MS * (people > 0),
    )


def pause_until(table: Table) -> int | None:
    """Returns the end of the pause before the next deal, in ms, or `None` if there is no pause.

    There is none before the first deal of a table, and it ends when all people who still play are ready.
    """
    if not table.round_pause or not table.round or not table.moved_at or stage_of(table) is not Stage.TO_DEAL:
        return None
    return table.moved_at + table.round_pause if unready(table) else None


def unready(table: Table) -> tuple[int, ...]:
    """Returns the seats of people who still play and are not ready for the next round yet."""
    return tuple([seat for seat in range(len(table.seats)) if plays(table, seat) and seat not in table.ready])


def plays(table: Table, seat: int) -> bool:
    """Returns whether a person holds the seat and moves for it themselves."""
    return is_person(table, seat) and not is_played_by_bot(table, seat)


def is_played_by_people(table: Table) -> bool:
    """Returns whether a person moves for any seat."""
    return any(plays(table, seat) for seat in range(len(table.seats)))


def bot_moves_at(table: Table, seat: int) -> int:
    """Returns when the bot of a seat takes the action that the seat owes, in ms or `IMMEDIATELY`.

    A bot waits once per turn, for 60 to 140 % of `bot_delay`.
    """
    waits_until = table.rulebook.waits_until(table.state) or IMMEDIATELY
    since, at = table.owing_since[seat], waits_until
    if since is None:
        return waits_until
    if table.bot_delay:
        at = max(at, since + _delay(table, _draw(table, "turn", seat, since), percent=(60, 140)))
    if thinks(table, seat):
        return max(at, since + (THINKING_MS if is_played_by_people(table) else 0))
    return at if at > table.moved_at or not table.bot_delay else IMMEDIATELY


def thinks(table: Table, seat: int) -> bool:
    """Returns whether a bot moves for the seat that thinks ahead, which it does in a process of its own."""
    level = levels_of(table.rulebook).get(policy_of(table, seat))  # logs may name levels that do not exist
    return is_played_by_bot(table, seat) and level is not None and level.thinks


def thinking_times(table: Table, seat: int) -> tuple[int, int, int]:
    """Returns when a bot that thinks and owes an action begins to think, moves, and moves without having thought.

    It moves at one of the last two times. So how long it thought shows at most whether it was late, and that depends
    on the load far more than on the cards.
    """
    since, moves_at = table.owing_since[seat] or IMMEDIATELY, bot_moves_at(table, seat)
    patience = PATIENCE_MS if is_played_by_people(table) else ALONE_PATIENCE_MS
    return since, moves_at, moves_at + patience


def bot_chances(table: Table) -> tuple[tuple[int, int], ...]:
    """Returns when each bot that may act out of turn decides whether to do so, as sorted pairs of ms and seat.

    This is 30 to 90 % of `bot_delay` after the last event of the game, so usually before the next bot moves. Every such
    bot gets a chance, regardless of its cards: otherwise the times at which the service works would reveal the cards.
    """
    if table.phase is not Phase.PLAYING or not table.rulebook.interrupts:
        return ()
    since = max(table.moved_at, table.started_at)
    chances = []
    for seat in turn_of(table).may:
        if is_played_by_bot(table, seat):
            draw = _draw(table, "chance", seat, since)
            # The draw decides the order of bots that do not wait.
            chances.append((since + _delay(table, draw, percent=(30, 90)), draw, seat))
    return tuple([(at, seat) for at, _, seat in sorted(chances)])


def _draw(table: Table, purpose: str, seat: int, since: int) -> int:
    """Returns a pseudo-random number that depends on public facts alone."""
    digest = hashlib.sha256(f"{table.id}:{purpose}:{seat}:{since}".encode()).digest()
    return int.from_bytes(digest[:8])


def _delay(table: Table, draw: int, *, percent: tuple[int, int]) -> int:
    """Returns a delay, in ms, between two percentages of the table's `bot_delay`."""
    low, high = [(table.bot_delay or 0) * part // 100 for part in percent]
    return low + draw % (high - low + 1)
