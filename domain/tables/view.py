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
        name: the player's present name, or that of a bot, which follows from its policy and seat; `None` for an empty
            seat.
        policy: the bot's policy, or `None` for a person.
        offered_to: the id of the player for whom the host keeps the free seat, if any.
        resigned: whether the seat gave up; a bot moves for it from then on.
        bot_kept: whether a bot moves for the seat at present.
        owes: whether play waits for an action of the seat.
        may_act: whether the seat may act out of turn now, as far as the public can tell.
        seed: the seat's part of every shuffle; `None` while it is not known, empty where there is none.
        seed_commitment: the SHA-256 of the seed that the player committed to; empty without a commitment, `None`
            for an empty seat.
        seed_status: what became of the seed; `None` for an empty seat.
        owes_since: when the seat's present turn began, in ms since the epoch; `None` if it owes no action.
        deadline: when the seat's turn clock runs out, in ms since the epoch.
        away_since: since when the player is away, in ms since the epoch: the turn clock ran out then, and the player has
            neither acted nor returned so far. While it is set and `bot_kept` is false, others at the table may claim
            the seat.
        awaited: whether the tournament's entrant who holds the seat has not appeared so far.
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


class TableView(msgspec.Struct, frozen=True, gc=False):
    """A table at one version for one viewer.

    Attributes:
        edition: of the fairness protocol, by which the table is played.
        stage: what the game waits for while the table is playing.
        viewer: the seat that looks, `spectator` or `everybody`.
        turn_seconds: seconds for a turn; 0 is no clock, and `None` one that is decided at the start, from who sits there.
        bot_delay: how long a bot waits before its turn, on average, in ms; `None` until decided at the start.
        round_pause: the longest pause after a round, in ms; `None` until decided at the start.
        private: whether only those may sit down who have the invitation code.
        watch: who may watch besides the players at the table.
        rematch_of: the id of the table that the same people have played before, if any.
        rematch: the id of the latest table that was opened for the same people to play again, if any.
        supervised: whether the host may enter offences in the players' names: the options allow it, and the
            host never held a seat. Once it is false it stays so.
        commitment: SHA-256 of the server seed, published from the start.
        server_seed: once the table has ended.
        host_seed, host_seed_commitment, host_seed_status: as those of a seat, for the seed of the host.
        reveals_until: until when the first deal waits for committed seeds, in ms since the epoch; `None` if it
            does not.
        result: as the table ended, whether it was voided later or not.
        voided: by whom and why the result was taken back, if it was.
        rated: whether the result counts in the ratings.
        tournament: where in a tournament the table is played, or `None`.
        grace_until: the end of the time in which its entrants may appear, in ms since the epoch, reckoned without the
            pauses of the tournament: each pause that falls into this time puts the end off by its length, and nobody is
            a no-show while one lasts. `None` where nobody is awaited.
        parent: the moment of another table that this one is a fork of, or `None`.
        known_deck: whether the round in play was dealt at the parent, so that everybody who reads the parent's log
            knows all its cards.
        waiting: what the table waits for and until when; `None` if it is not playing or goes on immediately.
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
        now: the time of the view, in ms, on which alone what the table waits for depends; by default long ago.
    """
    stage, turn = stage_of(table), turn_of(table)
    # In the order of the fields: Python packs this many keyword arguments into a dict, which takes ten times as
    # long.
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
        tuple(
            [_seat_view(table, seat, names, owes=turn.owes, may=turn.may) for seat in range(len(table.seats))]
        ),
        table.commitment,
        table.server_seed if table.phase is Phase.ENDED else None,
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
        name = names(player) if policy is None else bot_name(policy, seat)
        seed, commitment, status = known_text(occupant.seed), occupant.seed.commitment, occupant.seed.status
    return SeatView(  # in the order of the fields, as above
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
    """Returns the legal actions from which a bot chooses for the seat: all that are no offences."""
    return plays_among(table.rulebook, table.rulebook.legal_actions(table.state, seat, now))


def legal_actions_of(table: Table, seat: int, now: int) -> tuple[LegalAction, ...]:
    """Returns the actions that the seat's player may take now; none after resigning."""
    if table.phase is not Phase.PLAYING or seat in table.resigned:
        return ()
    return table.rulebook.legal_actions(table.state, seat, now)
