"""The state of a table: its seats, seeds and clocks, and the state of its game."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, Final

import msgspec

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Action, Game, GameOptions, Stage, Turn
from hoodwink.domain.tables.events import Outcome, Parent, TournamentPlace, Watch
from hoodwink.domain.tables.fairness import NO_SEED, REVEAL_MS, PlayerSeed, SeedStatus, SharedDeal

MISSED_TURNS_BEFORE_BOT = 3
"""The number of consecutive missed turns after which a bot plays for the seat."""

MAX_ACTIONS_PER_ROUND = 20_000
"""The number of actions after which the no-progress guard voids a round (G-15)."""


class Phase(StrEnum):
    """The phases of a table."""

    OPEN = "open"  # players take their seats
    PLAYING = "playing"
    ENDED = "ended"


STAND_IN: Final = "steady"
"""The policy of bots that play for absent people."""


class Occupant(msgspec.Struct, frozen=True, gc=False):
    """The holder of a seat: a player, or a bot with a policy."""

    player: str
    policy: str | None
    seed: PlayerSeed = NO_SEED


class Result(msgspec.Struct, frozen=True, gc=False):
    """The end of a table; places and scores are by seat, and `None` without a result."""

    outcome: Outcome
    places: tuple[int, ...] | None
    scores: tuple[int, ...] | None


class ScoredRound(msgspec.Struct, frozen=True, gc=False):
    """A round that ended with a score.

    Attributes:
        version: the version of the event that scored it.
        deltas: each seat's gain or loss.
    """

    version: int
    round: int
    deltas: tuple[int, ...]


class Voided(msgspec.Struct, frozen=True, gc=False):
    """The decision that the result of a table does not count (V-1).

    Attributes:
        admin: the name of the administrator.
        at: in ms since the epoch.
    """

    admin: str
    reason: str
    at: int


class Undoable(msgspec.Struct, frozen=True, gc=False):
    """The last action, which its player may still take back (G-20).

    Attributes:
        until: when it is too late, in ms.
        cmd: the id of its command.
        before: the table before it.
    """

    seat: int
    until: int
    cmd: str
    before: "Table"


class Table(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The complete state of a table at one version.

    Attributes:
        id: empty before the table is opened.
        edition: the edition of docs/FAIRNESS.md that the table follows.
        turn_seconds: seconds per turn; 0 for no clock, `None` until chosen at the start.
        bot_delay: the average time that a bot waits before its turn, in ms; `None` until chosen at the start.
        round_pause: the longest pause after a round, in ms; `None` until chosen at the start.
        private: whether players need the invitation code to sit down.
        watch: who may watch besides the players at the table.
        rematch_of: the id of the table that this one is a rematch of, if any.
        offered: the player for whom the host has reserved each seat, or `None`.
        rematch: the id of the table's latest rematch, if any.
        rematches: the number of rematches opened; another one may follow only if the previous one was closed unplayed.
        take_backs: whether players may take back their last action.
        undoable: the action that may be taken back now, if any.
        took_back: the seat that took an action back in its turn, if any; it may not do so again.
        host_seed: the seed that the host adds to the shuffles.
        host_since: when the current host took over, in ms; 0 for the host who opened the table.
        has_host_sat: whether the host holds or ever held a seat.
        left_by: the player who left the table with its last event, or empty.
        started_at: when play began, in ms; 0 before that.
        awaiting_since: when the time for revealing seeds and for entrants to appear began, in ms: at the start, or later
            because of outages of the service.
        away_until: the end of the last outage that moved deadlines here, in ms; 0 before the first.
        state: the game's own state.
        round: the number of rounds dealt so far.
        round_actions: the number of accepted actions in the round in play.
        earlier_actions: the number of those in the rounds before it.
        round_scores: the scores after the finished rounds, by seat.
        scored: the rounds that ended with a score.
        parent_rounds: how many of the rounds were dealt at the table's parent.
        parent_scores: how many rounds ended with a score before the table was forked.
        rated: whether the result counts in the ratings.
        first_dealer: the seat named at the opening, or `None` if it is drawn (G-12).
        tournament: the table's place in a tournament, or `None`.
        shared: the deal that the other tables of its round play, too (D-1).
        is_embargoed: whether nobody may see yet what happened at the table apart from its players during play (D-7).
        parent: the version of another table that this one is a fork of, or `None`.
        awaited: the seats of a tournament's entrants who have not appeared yet (T-6).
        no_shows: the seats whose entrants did not appear in time; they count as resigned.
        resigned: the seats that resigned, in order.
        entered: how many offences the host has entered in each seat's name.
        missed_turns: how many consecutive turns of each seat ended because the clock ran out; a claimed seat has
            `MISSED_TURNS_BEFORE_BOT`.
        away_since: when the first of those turns ended, in ms, by seat; `None` if the player is not away.
        owing_since: when each seat's current turn began, in ms; `None` if it owes no action.
        moved_at: when the last event of the game happened at this table, in ms; 0 before the first one.
        ready: the seats whose players are ready for the next round during a pause.
        person_acted_at: when a person last acted, or when the table opened, in ms.
        ended_at: when the table ended, in ms; 0 before that.
        result: the end of the table; a void does not change it.
        voided: the decision to take the result back, if any.
    """

    id: str = ""
    version: int = 0
    phase: Phase = Phase.OPEN
    edition: int = 0
    game: str = ""
    options: GameOptions | None = None
    host: str = ""
    turn_seconds: int | None = 0
    bot_delay: int | None = 0
    round_pause: int | None = 0
    private: bool = False
    watch: Watch = "everyone"
    rematch_of: str | None = None
    take_backs: bool = False
    undoable: Undoable | None = None
    took_back: int | None = None
    commitment: str = ""
    server_seed: str = ""
    host_seed: PlayerSeed = NO_SEED
    host_since: int = 0
    has_host_sat: bool = False
    left_by: str = ""
    started_at: int = 0
    awaiting_since: int = 0
    away_until: int = 0
    seats: tuple[Occupant | None, ...] = ()
    offered: tuple[str | None, ...] = ()
    rematch: str | None = None
    rematches: int = 0
    state: Any = None
    round: int = 0
    round_actions: int = 0
    earlier_actions: int = 0
    round_scores: tuple[int, ...] = ()
    scored: tuple[ScoredRound, ...] = ()
    parent_rounds: int = 0
    parent_scores: int = 0
    rated: bool = False
    first_dealer: int | None = None
    tournament: TournamentPlace | None = None
    shared: SharedDeal | None = None
    is_embargoed: bool = False
    parent: Parent | None = None
    awaited: tuple[int, ...] = ()
    no_shows: tuple[int, ...] = ()
    resigned: tuple[int, ...] = ()
    entered: tuple[int, ...] = ()
    missed_turns: tuple[int, ...] = ()
    away_since: tuple[int | None, ...] = ()
    owing_since: tuple[int | None, ...] = ()
    moved_at: int = 0
    ready: tuple[int, ...] = ()
    person_acted_at: int = 0
    ended_at: int = 0
    result: Result | None = None
    voided: Voided | None = None

    @property
    def rulebook(self) -> Game[Any]:
        return GAMES[self.game]

    @property
    def rounds_scored(self) -> int:
        return len(self.scored)


UNOPENED = Table()


def stage_of(table: Table) -> Stage | None:
    """Returns the stage of the game, or `None` unless the table is playing."""
    return table.rulebook.stage(table.state) if table.phase is Phase.PLAYING else None


def turn_of(table: Table) -> Turn:
    """Returns the seats that owe an action and those that may act; none unless the table is playing."""
    return table.rulebook.turn(table.state) if table.phase is Phase.PLAYING else Turn()


def seat_of(table: Table, player: str) -> int | None:
    """Returns the seat that a player holds, resigned or not."""
    for seat, occupant in enumerate(table.seats):
        if occupant is not None and occupant.player == player and not occupant.policy:
            return seat
    return None


def seats_of(table: Table, players: Iterable[str]) -> tuple[int, ...]:
    """Returns the seats that these players hold, in order."""
    return tuple(sorted([seat for player in players if (seat := seat_of(table, player)) is not None]))


def people_at(table: Table) -> tuple[str, ...]:
    return tuple([who.player for who in table.seats if who is not None and who.policy is None])


def is_left_to_bots(table: Table) -> bool:
    """Returns whether only bots play at a table, because no person sits there or all have resigned.

    A tournament's table does not count, because only the tournament may end it (G-17).
    """
    if table.phase is not Phase.PLAYING or table.tournament is not None:
        return False
    return not any(is_players_own(table, seat) for seat in range(len(table.seats)))


def host_offences(table: Table) -> tuple[type[Action], ...]:
    """Returns the offences that a host without a seat may enter in a player's name at this table."""
    return table.rulebook.host_offences(table.options)


def is_supervised(table: Table) -> bool:
    """Returns whether the host may enter offences: the options allow some, and the host never held a seat (DB-34).

    Leaving the seat again does not make the host a supervisor, because the others sat down at a table without one. A
    tournament's table has no supervisor: its host is the organiser, who may be a rival at another board.
    """
    return table.tournament is None and not table.has_host_sat and bool(host_offences(table))


def is_person(table: Table, seat: int) -> bool:
    """Returns whether a player holds the seat, resigned or not."""
    occupant = table.seats[seat]
    return occupant is not None and occupant.policy is None


def is_players_own(table: Table, seat: int) -> bool:
    """Returns whether a person holds the seat and has not resigned it."""
    return is_person(table, seat) and seat not in table.resigned


def is_played_by_bot(table: Table, seat: int) -> bool:
    """Returns whether a bot moves for the seat: its own, a stand-in, or one that replaces an absent player."""
    occupant = table.seats[seat]
    return (
        (occupant is not None and occupant.policy is not None)
        or seat in table.resigned
        or table.missed_turns[seat] >= MISSED_TURNS_BEFORE_BOT
    )


def policy_of(table: Table, seat: int) -> str:
    """Returns the policy that moves for the seat: its bot's own, otherwise that of a stand-in."""
    occupant = table.seats[seat]
    return (occupant.policy if occupant else None) or STAND_IN


def waits_until(table: Table) -> int | None:
    """Returns the time, in ms, before which no seat that owes an action may take it, or `None` (CO-37)."""
    return table.rulebook.waits_until(table.state) if table.phase is Phase.PLAYING else None


def deadline_of(table: Table, seat: int) -> int | None:
    """Returns when the seat's turn clock runs out, in ms, or `None` if no clock is running.

    The clock starts when the seat may act, after any wait that the rules require (CO-37).
    """
    since = table.owing_since[seat]
    if not table.turn_seconds or since is None or is_played_by_bot(table, seat):
        return None
    return max(since, table.rulebook.waits_until(table.state) or 0) + 1000 * table.turn_seconds


def is_voidable(table: Table) -> bool:
    """Returns whether the table has ended with a result or a scored round that can be voided."""
    has_result = table.result is not None and table.result.places is not None
    is_open = table.phase is Phase.ENDED and not table.is_embargoed
    return is_open and table.voided is None and (has_result or bool(table.scored))


def seed_of(table: Table, seat: int | None) -> PlayerSeed:
    if seat is None:
        return table.host_seed
    occupant = table.seats[seat]
    return occupant.seed if occupant else NO_SEED


def seed_holders(table: Table) -> tuple[int | None, ...]:
    """Returns the seats whose seeds go into the shuffles, in the order of docs/FAIRNESS.md; `None` is the host."""
    return (None, *range(len(table.seats)))


def unrevealed(table: Table) -> tuple[int | None, ...]:
    """Returns the seats whose committed seeds are neither revealed nor missed; `None` is the host."""
    return tuple(
        [holder for holder in seed_holders(table) if seed_of(table, holder).status is SeedStatus.COMMITTED]
    )


def reveals_until(table: Table) -> int | None:
    """Returns the deadline for revealing seeds, in ms, or `None` if play does not wait for any."""
    if table.phase is not Phase.PLAYING or has_drawn(table) or not unrevealed(table):
        return None
    return table.awaiting_since + REVEAL_MS


def has_drawn(table: Table) -> bool:
    """Returns whether the table has used its seeds: whether it has dealt a round beyond those of its parent."""
    return table.round > table.parent_rounds


def has_known_deck(table: Table) -> bool:
    """Returns whether the round in play was dealt at the table's parent, so that all its cards can be read there."""
    in_play = (Stage.IN_PLAY, Stage.TO_SCORE)
    return table.round > 0 and not has_drawn(table) and stage_of(table) in in_play


def grace_until(table: Table) -> int | None:
    """Returns the deadline for entrants to appear (T-6), in ms, or `None` if nobody is awaited."""
    tournament = table.tournament
    if tournament is None or table.phase is not Phase.PLAYING or not table.awaited:
        return None
    return table.awaiting_since + 1000 * tournament.grace_seconds
