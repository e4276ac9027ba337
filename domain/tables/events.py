"""The events of tables, independent of the game."""

from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias, TypeGuard, get_args

import msgspec

from hoodwink.domain.kernel import OMITTED, Event, Public, Secret
from hoodwink.domain.tables.entries import Entry

Watch: TypeAlias = Literal["everyone", "invited", "nobody"]
"""The people who may watch a table besides its players: everyone, those with its invitation code, or nobody (G-3)."""

Outcome: TypeAlias = Literal[
    "played_out", "last_seat", "no_result", "closed", "expired", "stopped", "abandoned", "cancelled"
]
"""The way a table ended. The first two have places; tables that were `closed` or `expired` never started."""


class TournamentPlace(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The place of a table in a tournament (docs/TOURNAMENTS.md).

    Attributes:
        round, board: from 1.
        deal: from 1; counts the deals between entrants who were tied for the last place to advance in a knockout (P-6).
        grace_seconds: how long after the start entrants may still appear (T-6).
        fillers: the seats of bots that are not entrants (T-5).
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
        version: the version of the last event that the fork shares.
        head: the hash of that event.
    """

    table: str
    version: int
    head: str


class _TableEventBase(Event, frozen=True):
    pass


class TableOpened(_TableEventBase, frozen=True):
    """A table was opened. `server_seed` stays secret until `SeedRevealed`; its hash is public.

    `edition` is that of docs/FAIRNESS.md. `seed_commitment` is the host's commitment, or empty.
    `first_dealer` is `None` if the dealer is drawn (G-12).
    `turn_seconds`, `bot_delay` and `round_pause` are `None` if the start chooses them, depending on the players.
    `take_backs` is whether players may take back their last action (G-20).
    """

    wire: ClassVar[str] = "table.opened@6"
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
    take_backs: Public[bool]


class TableForked(_TableEventBase, frozen=True):
    """A table that was just opened continues another one.

    `entries` is that table's log up to the version in `TableOpened.parent`. Before the end of the fork, viewers receive
    the event without it. They can read it in the log of the parent, which has ended.
    """

    wire: ClassVar[str] = "table.forked"
    entries: Annotated[tuple[Entry, ...], OMITTED]


class DealShared(_TableEventBase, frozen=True):
    """The table plays the same deal as the other tables of its round in a duplicate tournament (D-1).

    The decks follow from `key` instead of the table's own seeds.
    """

    wire: ClassVar[str] = "table.deal_shared"
    deal: Public[int]
    key: Secret


class SeatTaken(_TableEventBase, frozen=True):
    """A player (`policy` is `None`) or a bot sat down. Their name is not in the log.

    `seed` is a seed that everyone can read before the start, `seed_commitment` a commitment to a secret one. At most one
    of them is not empty.
    """

    wire: ClassVar[str] = "table.seat_taken@3"
    seat: Public[int]
    player: Public[str]
    policy: Public[str | None]
    seed: Public[str]
    seed_commitment: Public[str]


class SeatLeft(_TableEventBase, frozen=True):
    """A player left the seat before the start, or the host removed the player or the bot from it."""

    wire: ClassVar[str] = "table.seat_left"
    seat: Public[int]


class SeatOffered(_TableEventBase, frozen=True):
    """The host reserved a free seat for a player; nobody else may take it."""

    wire: ClassVar[str] = "table.seat_offered"
    seat: Public[int]
    player: Public[str]


class OfferWithdrawn(_TableEventBase, frozen=True):
    """The host withdrew the offer of a seat, or the player declined it."""

    wire: ClassVar[str] = "table.offer_withdrawn"
    seat: Public[int]


class HostChanged(_TableEventBase, frozen=True):
    """The host made another player at the table the host."""

    wire: ClassVar[str] = "table.host_changed"
    player: Public[str]


class TableStarted(_TableEventBase, frozen=True):
    """Play began; seats, seeds and commitments are fixed from here on.

    The fields set the parts of the table's pace that the opening left open; the others are `None`.
    """

    wire: ClassVar[str] = "table.started@2"
    turn_seconds: Public[int | None]
    bot_delay: Public[int | None]
    round_pause: Public[int | None]


class PlayerSeedRevealed(_TableEventBase, frozen=True):
    """A player, or the host (`seat` is `None`), revealed the seed they had committed to."""

    wire: ClassVar[str] = "table.player_seed_revealed"
    seat: Public[int | None]
    seed: Public[str]


class PlayerSeedMissed(_TableEventBase, frozen=True):
    """A seed was not revealed in time; it counts as empty. `seat` is `None` for the host's."""

    wire: ClassVar[str] = "table.player_seed_missed"
    seat: Public[int | None]


class PlayerReady(_TableEventBase, frozen=True):
    """An entrant appeared at a tournament's table (T-6), or a player was ready for the next round during a pause."""

    wire: ClassVar[str] = "table.player_ready"
    seat: Public[int]


class NoShow(_TableEventBase, frozen=True):
    """An entrant did not appear in time; the seat counts as resigned (T-6)."""

    wire: ClassVar[str] = "table.no_show"
    seat: Public[int]


class SeatResigned(_TableEventBase, frozen=True):
    """The player resigned; a stand-in plays on for the seat (G-13)."""

    wire: ClassVar[str] = "table.seat_resigned"
    seat: Public[int]


class ActionTakenBack(_TableEventBase, frozen=True):
    """A player took back the last action of the table; play continues from the state at `version` (G-20)."""

    wire: ClassVar[str] = "table.action_taken_back"
    seat: Public[int]
    version: Public[int]


class ClockRanOut(_TableEventBase, frozen=True):
    """The seat's turn clock ran out; the move that follows was made for it."""

    wire: ClassVar[str] = "table.clock_ran_out"
    seat: Public[int]


class ClocksMoved(_TableEventBase, frozen=True):
    """The service was away from `since` to `until`, in ms; all running deadlines were postponed by that time (G-18)."""

    wire: ClassVar[str] = "table.clocks_moved"
    since: Public[int]
    until: Public[int]


class SeatClaimed(_TableEventBase, frozen=True):
    """Another player let a bot play for a seat whose clock had run out; its player may return (G-14)."""

    wire: ClassVar[str] = "table.seat_claimed"
    seat: Public[int]


class PlayerReturned(_TableEventBase, frozen=True):
    """A player returned and took the seat back from the bot."""

    wire: ClassVar[str] = "table.player_returned"
    seat: Public[int]


class RoundScored(_TableEventBase, frozen=True):
    """A round was scored: each seat's gain or loss in `unit`, and the totals after it."""

    wire: ClassVar[str] = "table.round_scored"
    round: Public[int]
    unit: Public[Literal["token", "point"]]
    deltas: Public[tuple[int, ...]]
    totals: Public[tuple[int, ...]]


class RoundVoided(_TableEventBase, frozen=True):
    """The round was stopped without a result, by the no-progress guard (G-15) or because nobody can end it (SH-59)."""

    wire: ClassVar[str] = "table.round_voided"
    round: Public[int]


class TableEnded(_TableEventBase, frozen=True):
    """The table ended; `places` and `scores` are by seat and `None` without a result (G-11, G-13)."""

    wire: ClassVar[str] = "table.ended"
    outcome: Public[Outcome]
    places: Public[tuple[int, ...] | None]
    scores: Public[tuple[int, ...] | None]


class SeedRevealed(_TableEventBase, frozen=True):
    """The server seed was revealed, so that anyone can recompute the shuffles; the last event of play at every table.

    It follows the end of the table immediately or, if the table shares its deal with others, the release of the deal (D-7).
    """

    wire: ClassVar[str] = "table.seed_revealed"
    server_seed: Public[str]


class TableVoided(_TableEventBase, frozen=True):
    """An administrator took back the result of an ended table; the events of play are unchanged (V-1)."""

    wire: ClassVar[str] = "table.voided"
    admin: Public[str]
    reason: Public[str]


class RematchOpened(_TableEventBase, frozen=True):
    """A rematch was opened after the end of this table, so that the same people can play again."""

    wire: ClassVar[str] = "table.rematch_opened"
    table: Public[str]


RoomEvent: TypeAlias = SeatTaken | SeatLeft | SeatOffered | OfferWithdrawn | HostChanged
"""The events that change the people at a table."""

SeatEvent: TypeAlias = PlayerReady | NoShow | SeatResigned | ClockRanOut | SeatClaimed | PlayerReturned
"""The events that change whether a person or a bot plays for a seat."""

ResultEvent: TypeAlias = RoundScored | RoundVoided | TableEnded | TableVoided
"""The events that end rounds and tables, or take their results back."""

TableEvent: TypeAlias = (
    TableOpened
    | TableForked
    | DealShared
    | RoomEvent
    | TableStarted
    | PlayerSeedRevealed
    | PlayerSeedMissed
    | SeatEvent
    | ActionTakenBack
    | ClocksMoved
    | ResultEvent
    | SeedRevealed
    | RematchOpened
)

TABLE_EVENTS: tuple[type[Event], ...] = get_args(TableEvent)

# A set of types, because `isinstance` takes several times as long for classes of msgspec.
_OF_TABLE: Final = frozenset(TABLE_EVENTS)


def is_of_table(event: Event) -> TypeGuard[TableEvent]:
    """Returns whether an event belongs to the table rather than to its game."""
    return type(event) in _OF_TABLE
