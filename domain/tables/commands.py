"""The commands that a table accepts. The caller checks who may ask (see `allowed_actors`)."""

from typing import Any, TypeAlias

import msgspec

from hoodwink.domain.kernel import Action
from hoodwink.domain.tables.entries import Entry
from hoodwink.domain.tables.events import TournamentPlace, Watch
from hoodwink.domain.tables.fairness import LATEST_EDITION, SharedDeal


class Command(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Base of the table commands."""


class OpenTable(Command, frozen=True, kw_only=True):
    """Open a table.

    Attributes:
        options: as given by the client.
        server_seed: 64 hex digits of fresh entropy.
        turn_seconds, bot_delay, round_pause: see `Table`; `None` to choose them at the start, depending on the players.
        seed_commitment: the host's commitment to a seed, or empty.
        rated: whether the result counts in the ratings.
        private: whether players need the invitation code to sit down.
        rematch_of: the id of the table that this one is a rematch of, if any.
        take_backs: whether players may take back their last action; by default, if the table is not rated.
    """

    table: str
    game: str
    seats: int
    options: dict[str, Any]
    host: str
    server_seed: str
    turn_seconds: int | None = None
    bot_delay: int | None = None
    round_pause: int | None = None
    edition: int = LATEST_EDITION
    seed_commitment: str = ""
    rated: bool = True
    private: bool = False
    watch: Watch = "everyone"
    rematch_of: str | None = None
    take_backs: bool | None = None


class TakeSeat(Command, frozen=True, kw_only=True):
    """Sit down, or seat a bot (`policy`), at `seat` or at the first free one.

    Attributes:
        seed: the player's part of every shuffle, readable by everyone.
        seed_commitment: a commitment to a seed that is revealed after the start.
    """

    player: str
    policy: str | None = None
    seat: int | None = None
    seed: str = ""
    seed_commitment: str = ""


class OpenTournamentTable(Command, frozen=True, kw_only=True):
    """Open a tournament's table, seat everybody and start, all in one commit.

    Attributes:
        opening: the table; its seed is derived from the tournament's (T-14).
        occupants: by seat; seat 0 is the first dealer.
        absent: the seats of entrants who will certainly not appear.
        shared: the deal that all tables of the round play (D-1), or `None` if the table has a deal of its own.
    """

    opening: OpenTable
    tournament: TournamentPlace
    occupants: tuple[TakeSeat, ...]
    absent: tuple[int, ...] = ()
    shared: SharedDeal | None = None


class ForkTable(Command, frozen=True, kw_only=True):
    """Open a table that continues another one from a given version, with the same game, seats and options.

    Attributes:
        entries: the log of the other table up to that version, which must be the last event of a commit.
        occupants: the bots, and possibly the host, who are seated in the same commit.
    """

    table: str
    host: str
    server_seed: str
    entries: tuple[Entry, ...]
    turn_seconds: int | None = None
    bot_delay: int | None = None
    round_pause: int | None = None
    edition: int = LATEST_EDITION
    seed_commitment: str = ""
    take_backs: bool | None = None
    occupants: tuple[TakeSeat, ...] = ()


class LeaveSeat(Command, frozen=True):
    seat: int


class OfferSeat(Command, frozen=True):
    """Reserve `seat`, or the first free one, for a player."""

    player: str
    seat: int | None = None


class WithdrawOffer(Command, frozen=True):
    """Withdraw the offer of a seat, or decline it."""

    seat: int


class ChangeHost(Command, frozen=True):
    """Make another player at the table the host."""

    player: str


class OpenRematch(Command, frozen=True, kw_only=True):
    """Open a table for the players of an ended one, all in one commit.

    Attributes:
        occupants: the host and the bots.
        offers: the seats offered to the others.
    """

    opening: OpenTable
    occupants: tuple[TakeSeat, ...]
    offers: tuple[OfferSeat, ...]


class AnnounceRematch(Command, frozen=True):
    """Link an ended table to its rematch."""

    table: str


class StartTable(Command, frozen=True):
    """Begin play; every seat must be taken."""


class RevealSeed(Command, frozen=True):
    """Reveal the seed that a player, or the host (`seat` is `None`), committed to."""

    seat: int | None
    seed: str


class MissSeed(Command, frozen=True):
    """Continue without a seed that was not revealed in time; `seat` is `None` for the host's."""

    seat: int | None


class SayReady(Command, frozen=True):
    """Appear at a tournament's table (T-6), or be ready for the next round during the pause before it."""

    seat: int


class MissStart(Command, frozen=True):
    """Give up the seats of entrants who did not appear within the grace period (T-6)."""

    seats: tuple[int, ...]


class CancelTable(Command, frozen=True):
    """End a tournament's table without a result, because its tournament is over (T-2)."""


class CloseTable(Command, frozen=True):
    """End a table that has not started (G-14), or one where no person plays any more (G-17)."""


class ExpireTable(Command, frozen=True):
    """End a table that nobody has started for too long (G-17)."""


class AbandonTable(Command, frozen=True):
    """End a started table where no person has acted for too long (G-14)."""


class Act(Command, frozen=True):
    """A seat's action, asked for by its player or by the bot that holds the seat."""

    seat: int
    action: Action


class TakeBack(Command, frozen=True):
    """Take back the seat's last action (G-20)."""

    seat: int


class Resign(Command, frozen=True):
    """Give up a seat."""

    seat: int


class Return(Command, frozen=True):
    """Take the seat back from the bot that replaced an absent player."""

    seat: int


class ClaimSeat(Command, frozen=True):
    """Let a bot play for a seat whose clock has run out, until its player returns (G-14)."""

    seat: int


class ExpireClock(Command, frozen=True):
    """Move for a seat whose turn clock ran out."""

    seat: int
    action: Action


class DealRound(Command, frozen=True):
    """Shuffle and deal the next round."""


class ScoreRound(Command, frozen=True):
    """Reveal and score the finished round."""


class MoveClocks(Command, frozen=True):
    """Move all running deadlines because the service was away from `since` to `until`, in ms (G-18)."""

    since: int
    until: int


class VoidRound(Command, frozen=True):
    """Stop a round that no legal play can end any more (SH-59)."""


class ReleaseDeal(Command, frozen=True):
    """Reveal the seed of an ended table, because the other tables of its deal have ended, too (D-7)."""


class VoidTable(Command, frozen=True):
    """Take back the result of an ended table; `admin` is the name of the administrator (V-1)."""

    admin: str
    reason: str


TableCommand: TypeAlias = (
    OpenTable
    | OpenTournamentTable
    | ForkTable
    | TakeSeat
    | LeaveSeat
    | OfferSeat
    | WithdrawOffer
    | ChangeHost
    | OpenRematch
    | AnnounceRematch
    | StartTable
    | RevealSeed
    | MissSeed
    | SayReady
    | MissStart
    | CancelTable
    | CloseTable
    | ExpireTable
    | AbandonTable
    | Act
    | TakeBack
    | Resign
    | Return
    | ClaimSeat
    | ExpireClock
    | DealRound
    | ScoreRound
    | VoidRound
    | MoveClocks
    | ReleaseDeal
    | VoidTable
)

Opening: TypeAlias = OpenTable | OpenTournamentTable | ForkTable | OpenRematch
"""The commands that open a table."""

RoomCommand: TypeAlias = TakeSeat | LeaveSeat | OfferSeat | WithdrawOffer | ChangeHost
"""The commands that change the people at a table."""

WorkerCommand: TypeAlias = (
    OpenTournamentTable
    | DealRound
    | ScoreRound
    | VoidRound
    | MoveClocks
    | MissSeed
    | MissStart
    | AbandonTable
    | ExpireTable
    | CancelTable
    | ReleaseDeal
)
"""The commands that only the workers give."""
