"""The events that any table can have, independent of its game."""

from typing import Annotated, Any, ClassVar, Literal, TypeAlias, TypeGuard, get_args

import msgspec

from hoodwink.domain.kernel import OMITTED, Event, Public, Secret
from hoodwink.domain.tables.entries import Entry

Watch: TypeAlias = Literal["everyone", "invited", "nobody"]
"""Who may watch a table besides its players: everyone, those with its invitation code, or nobody (G-3)."""

Outcome: TypeAlias = Literal[
    "played_out", "last_seat", "no_result", "closed", "expired", "stopped", "abandoned", "cancelled"
]
"""How a table ended; the first two have places, and `closed` and `expired` is one that never started."""


class TournamentPlace(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Where in a tournament a table is played (docs/TOURNAMENTS.md).

    Attributes:
        round, board: from 1.
        deal: from 1; counts the deals between entrants who stood equal at the edge of a knockout (P-6).
        grace_seconds: how long after the start an entrant may appear (T-6).
        fillers: seats of bots that are no entrants (T-5).
    """

    tournament: str
    round: int
    board: int
    deal: int
    grace_seconds: int
    fillers: tuple[int, ...]


class Parent(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The version of an ended table from which a fork continues.

    Attributes:
        version, head: of the last event that the fork shares, and its hash.
    """

    table: str
    version: int
    head: str


class _OfTable(Event, frozen=True):
    """Base of the events of tables."""


class TableOpened(_OfTable, frozen=True):
    """A table was opened. `server_seed` stays secret until `SeedRevealed`; its hash is public.

    `edition` is that of docs/FAIRNESS.md. `seed_commitment` is what the host committed to, or an empty text.
    `first_dealer` is `None` where it is drawn (G-12), `tournament`, `parent` and `rematch_of` where there is none.
    `turn_seconds`, `bot_delay` and `round_pause` are `None` where they follow from who sits there at the start.
    """

    wire: ClassVar[str] = "table.opened@5"
    table: Public[str]
    game: Public[str]
    seats: Public[int]
    options: Public[dict[str, Any]]
    host: Public[str]
    turn_seconds: Public[int | None]
    commitment: Public[str]
    server_seed: Secret
    edition: Public[int]
    seed_commitment: Public[str]
    rated: Public[bool]
    first_dealer: Public[int | None]
    tournament: Public[TournamentPlace | None]
    parent: Public[Parent | None]
    bot_delay: Public[int | None]
    round_pause: Public[int | None]
    private: Public[bool]
    watch: Public[Watch]
    rematch_of: Public[str | None]


class TableForked(_OfTable, frozen=True):
    """A table that was just opened continues another one.

    `entries` are that table's log up to the version that `TableOpened.parent` names. Before the end viewers
    receive the event without them: they can read them in the log of the parent, which has ended.
    """

    wire: ClassVar[str] = "table.forked"
    entries: Annotated[tuple[Entry, ...], OMITTED]


class SeatTaken(_OfTable, frozen=True):
    """A player (`policy` is `None`) or a bot sat down. Their name is not in the log.

    `seed` is the player's part of the shuffles where all may know it beforehand, `seed_commitment` what the player
    committed to; at most one of them is not empty.
    """

    wire: ClassVar[str] = "table.seat_taken@3"
    seat: Public[int]
    player: Public[str]
    policy: Public[str | None]
    seed: Public[str]
    seed_commitment: Public[str]


class SeatLeft(_OfTable, frozen=True):
    """A player left the seat before the start, or the host removed the player or the bot from it."""

    wire: ClassVar[str] = "table.seat_left"
    seat: Public[int]


class SeatOffered(_OfTable, frozen=True):
    """The host keeps a free seat for a player; nobody else may take it."""

    wire: ClassVar[str] = "table.seat_offered"
    seat: Public[int]
    player: Public[str]


class OfferWithdrawn(_OfTable, frozen=True):
    """The host no longer keeps the seat for a player, or the player declined it."""

    wire: ClassVar[str] = "table.offer_withdrawn"
    seat: Public[int]


class HostChanged(_OfTable, frozen=True):
    """The host handed that part over to a player at the table."""

    wire: ClassVar[str] = "table.host_changed"
    player: Public[str]


class TableStarted(_OfTable, frozen=True):
    """Play began; seats, seeds and commitments are fixed from here on.

    What the opening left open of the table's pace is decided here; `None` where the opening decided it.
    """

    wire: ClassVar[str] = "table.started@2"
    turn_seconds: Public[int | None]
    bot_delay: Public[int | None]
    round_pause: Public[int | None]


class PlayerSeedRevealed(_OfTable, frozen=True):
    """A player, or the host (`seat` is `None`), revealed the seed committed to."""

    wire: ClassVar[str] = "table.player_seed_revealed"
    seat: Public[int | None]
    seed: Public[str]


class PlayerSeedMissed(_OfTable, frozen=True):
    """A seed was not revealed in time; it counts as empty. `seat` is `None` for the host's."""

    wire: ClassVar[str] = "table.player_seed_missed"
    seat: Public[int | None]


class PlayerReady(_OfTable, frozen=True):
    """An entrant appeared at a tournament's table (T-6), or a player is ready for the next round in a pause."""

    wire: ClassVar[str] = "table.player_ready"
    seat: Public[int]


class NoShow(_OfTable, frozen=True):
    """An entrant did not appear in time; the seat counts as resigned (T-6)."""

    wire: ClassVar[str] = "table.no_show"
    seat: Public[int]


class SeatResigned(_OfTable, frozen=True):
    """The player gave up; a stand-in plays the seat on (G-13)."""

    wire: ClassVar[str] = "table.seat_resigned"
    seat: Public[int]


class ClockRanOut(_OfTable, frozen=True):
    """The seat let its turn clock run out; the move that follows was made for it."""

    wire: ClassVar[str] = "table.clock_ran_out"
    seat: Public[int]


class ClocksMoved(_OfTable, frozen=True):
    """The service was away from `since` to `until`, in ms; all deadlines that were open are as much later (G-18)."""

    wire: ClassVar[str] = "table.clocks_moved"
    since: Public[int]
    until: Public[int]


class SeatClaimed(_OfTable, frozen=True):
    """Another player had a bot play on for a seat that had let its clock run out; its player may return (G-14)."""

    wire: ClassVar[str] = "table.seat_claimed"
    seat: Public[int]


class PlayerReturned(_OfTable, frozen=True):
    """A player whose seat a bot kept after run-out clocks plays again."""

    wire: ClassVar[str] = "table.player_returned"
    seat: Public[int]


class RoundScored(_OfTable, frozen=True):
    """A round's result: each seat's difference in `unit`, and the totals after it."""

    wire: ClassVar[str] = "table.round_scored"
    round: Public[int]
    unit: Public[Literal["token", "point"]]
    deltas: Public[tuple[int, ...]]
    totals: Public[tuple[int, ...]]


class RoundVoided(_OfTable, frozen=True):
    """The round was stopped without result: by the no-progress guard (G-15), or because nobody can end it (SH-59)."""

    wire: ClassVar[str] = "table.round_voided"
    round: Public[int]


class TableEnded(_OfTable, frozen=True):
    """The table is over; `places` and `scores` by seat, where there is a result (G-11, G-13)."""

    wire: ClassVar[str] = "table.ended"
    outcome: Public[Outcome]
    places: Public[tuple[int, ...] | None]
    scores: Public[tuple[int, ...] | None]


class SeedRevealed(_OfTable, frozen=True):
    """The last event of play at every table: anyone can now recompute each shuffle."""

    wire: ClassVar[str] = "table.seed_revealed"
    server_seed: Public[str]


class TableVoided(_OfTable, frozen=True):
    """An administrator took the result of an ended table back; what was played stays as it was (V-1)."""

    wire: ClassVar[str] = "table.voided"
    admin: Public[str]
    reason: Public[str]


class RematchOpened(_OfTable, frozen=True):
    """The same people may play again, at another table; it follows the end of this one."""

    wire: ClassVar[str] = "table.rematch_opened"
    table: Public[str]


TableEvent: TypeAlias = (
    TableOpened
    | TableForked
    | SeatTaken
    | SeatLeft
    | SeatOffered
    | OfferWithdrawn
    | HostChanged
    | TableStarted
    | PlayerSeedRevealed
    | PlayerSeedMissed
    | PlayerReady
    | NoShow
    | SeatResigned
    | ClockRanOut
    | ClocksMoved
    | SeatClaimed
    | PlayerReturned
    | RoundScored
    | RoundVoided
    | TableEnded
    | SeedRevealed
    | TableVoided
    | RematchOpened
)

RoomEvent: TypeAlias = SeatTaken | SeatLeft | SeatOffered | OfferWithdrawn | HostChanged
"""The events that change who belongs to a table."""

TABLE_EVENTS: tuple[type[Event], ...] = get_args(TableEvent)


def is_of_table(event: Event) -> TypeGuard[TableEvent]:
    """Returns whether an event belongs to the table and not to its game."""
    return isinstance(event, _OfTable)
