"""The view of a table for one viewer: its seats, whose turn it is, and the game's own view."""

from typing import Any

import msgspec

from hoodwink.domain.kernel import (
    GameView,
    LegalAction,
    Names,
    Stage,
    Viewer,
    bot_name,
    plays_among,
    without_name,
)
from hoodwink.domain.tables.events import Parent, TournamentPlace, Watch
from hoodwink.domain.tables.fairness import SeedStatus, known_text
from hoodwink.domain.tables.state import (
    Phase,
    Result,
    Table,
    Voided,
    deadline_of,
    grace_until,
    has_known_deck,
    is_played_by_bot,
    is_supervised,
    reveals_until,
    stage_of,
    turn_of,
)
from hoodwink.domain.tables.waiting import Waiting, waiting_of


class SeatView(msgspec.Struct, frozen=True, gc=False):
    """A seat as everybody sees it.

    Attributes:
        name: the current name of the player, or the name of the bot; `None` for an empty seat.
        policy: the bot's policy, or `None` for a person.
        offered_to: the id of the player for whom the host has reserved the free seat, if any.
        resigned: whether the player has resigned; a bot moves for the seat from then on.
        bot_kept: whether a bot moves for the seat now.
        owes: whether play waits for an action of the seat.
        may_act: whether the seat may act out of turn now, as far as the public can tell.
        seed: the seat's part of every shuffle; `None` while it is not known, empty if there is none.
        seed_commitment: the SHA-256 of the seed that the player committed to; empty without a commitment, `None`
            for an empty seat.
        seed_status: the status of the seed; `None` for an empty seat.
        owes_since: when the seat's current turn began, in ms since the epoch; `None` if it owes no action.
        deadline: when the seat's turn clock runs out, in ms since the epoch.
        away_since: when the turn clock of a player ran out who has neither acted nor returned since, in ms since the
            epoch. While it is set and `bot_kept` is false, others at the table may claim the seat.
        awaited: whether the tournament's entrant who holds the seat has not appeared yet.
        no_show: whether that entrant did not appear in time.
        entered_by_host: how many offences the host has entered in this seat's name.
    """

    seat: int
    player: str | None
    name: str | None
    policy: str | None
    offered_to: str | None
    seed: str | None
    seed_commitment: str | None
    seed_status: SeedStatus | None
    resigned: bool
    bot_kept: bool
    owes: bool
    may_act: bool
    owes_since: int | None
    deadline: int | None
    away_since: int | None
    awaited: bool
    no_show: bool
    entered_by_host: int


class TakeBackView(msgspec.Struct, frozen=True, gc=False):
    """The seat whose player may take back the last action, and when it is too late, in ms since the epoch."""

    seat: int
    until: int


class TableView(msgspec.Struct, frozen=True, gc=False):
    """A table at one version for one viewer.

    Attributes:
        edition: the edition of the fairness protocol that the table follows.
        stage: the stage of the game while the table is playing.
        viewer: a seat, `spectator` or `everybody`.
        turn_seconds: seconds per turn; 0 for no clock, `None` until chosen at the start, depending on the players.
        bot_delay: the average time that a bot waits before its turn, in ms; `None` until chosen at the start.
        round_pause: the longest pause after a round, in ms; `None` until chosen at the start.
        private: whether players need the invitation code to sit down.
        watch: who may watch besides the players at the table.
        rematch_of: the id of the table that this one is a rematch of, if any.
        rematch: the id of the table's latest rematch, if any.
        take_backs: whether players may take back their last action.
        take_back: the action that may be taken back at this version; `None` if none may.
        supervised: whether the host may enter offences in the players' names: the options allow it, and the
            host never held a seat. Once it is false, it stays false.
        commitment: the SHA-256 of the server seed, published from the start.
        server_seed: only after the table has ended.
        host_seed, host_seed_commitment, host_seed_status: the same as for a seat, for the seed of the host.
        reveals_until: the deadline for revealing committed seeds before the first deal, in ms since the epoch; `None` if
            none is awaited.
        result: the result at the end of the table, even if it was voided later.
        voided: who took the result back, and why; `None` if nobody did.
        rated: whether the result counts in the ratings.
        tournament: the table's place in a tournament, or `None`.
        grace_until: the deadline for entrants to appear, in ms since the epoch. It does not include pauses of the
            tournament: each pause before the deadline postpones it by its length, and nobody becomes a no-show during a
            pause. `None` if nobody is awaited.
        parent: the version of another table that this one is a fork of, or `None`.
        known_deck: whether the round in play was dealt at the parent, so that everybody who reads the parent's log
            knows all its cards.
        waiting: what the table waits for and until when; `None` if it is not playing or continues immediately.
        view: the game's own view; fields shared by all games have the same names in each.
    """

    id: str
    version: int
    edition: int
    game: str
    phase: Phase
    stage: Stage | None
    round: int
    viewer: Viewer
    host: str
    supervised: bool
    options: dict[str, Any]
    turn_seconds: int | None
    bot_delay: int | None
    round_pause: int | None
    private: bool
    watch: Watch
    rematch_of: str | None
    rematch: str | None
    take_backs: bool
    take_back: TakeBackView | None
    seats: tuple[SeatView, ...]
    commitment: str
    server_seed: str | None
    host_seed: str | None
    host_seed_commitment: str
    host_seed_status: SeedStatus
    reveals_until: int | None
    rated: bool
    tournament: TournamentPlace | None
    grace_until: int | None
    parent: Parent | None
    known_deck: bool
    result: Result | None
    voided: Voided | None
    waiting: Waiting | None
    view: GameView


def view_table(table: Table, viewer: Viewer, names: Names = without_name, *, now: int = 0) -> TableView:
    """Returns the viewer's view of the table; `everybody` is for ended tables only (G-3).

    Args:
        now: the time of the view, in ms; only `waiting` depends on it.
    """
    stage, turn = stage_of(table), turn_of(table)
    # Positional, because Python packs this many keyword arguments into a dict, which takes ten times as long.
    return TableView(
        table.id,
        table.version,
        table.edition,
        table.game,
        table.phase,
        stage,
        table.round,
        viewer,
        table.host,
        is_supervised(table),
        msgspec.to_builtins(table.options),
        table.turn_seconds,
        table.bot_delay,
        table.round_pause,
        table.private,
        table.watch,
        table.rematch_of,
        table.rematch,
        table.take_backs,
        None if table.undoable is None else TakeBackView(table.undoable.seat, table.undoable.until),
        tuple(
            [_seat_view(table, seat, names, owes=turn.owes, may=turn.may) for seat in range(len(table.seats))]
        ),
        table.commitment,
        table.server_seed if table.phase is Phase.ENDED and not table.is_embargoed else None,
        known_text(table.host_seed),
        table.host_seed.commitment,
        table.host_seed.status,
        reveals_until(table),
        table.rated,
        table.tournament,
        grace_until(table),
        table.parent,
        has_known_deck(table),
        table.result,
        table.voided,
        waiting_of(table, stage, turn, now),
        table.rulebook.view(table.state, viewer),
    )


def _seat_view(
    table: Table, seat: int, names: Names, *, owes: tuple[int, ...], may: tuple[int, ...]
) -> SeatView:
    occupant, is_owing = table.seats[seat], seat in owes
    player = name = policy = seed = commitment = status = None
    if occupant is not None:
        player, policy = occupant.player, occupant.policy
        name = names(player) if policy is None else bot_name(policy)
        seed, commitment, status = known_text(occupant.seed), occupant.seed.commitment, occupant.seed.status
    return SeatView(  # positional, as above
        seat,
        player,
        name,
        policy,
        table.offered[seat],
        seed,
        commitment,
        status,
        seat in table.resigned,
        is_played_by_bot(table, seat),
        is_owing,
        seat in may,
        table.owing_since[seat],
        deadline_of(table, seat) if is_owing else None,
        table.away_since[seat],
        seat in table.awaited,
        seat in table.no_shows,
        table.entered[seat],
    )


def plays_of(table: Table, seat: int, now: int) -> tuple[LegalAction, ...]:
    """Returns the legal actions from which a bot chooses for the seat: all except offences."""
    return plays_among(table.rulebook, table.rulebook.legal_actions(table.state, seat, now))


def legal_actions_of(table: Table, seat: int, now: int) -> tuple[LegalAction, ...]:
    """Returns the actions that the seat's player may take now; none after resigning."""
    if table.phase is not Phase.PLAYING or seat in table.resigned:
        return ()
    return table.rulebook.legal_actions(table.state, seat, now)
