"""Checks a log by itself: chain, commitment, every deck, every action, every score, the places.

Each commit's first event tells what was asked for. The command is rebuilt from it and decided
again by the rules, with the clock that the log recorded; what follows must be the recorded events,
byte for byte, and whoever asked must be somebody who may. So a deal is recomputed from the seed,
and a score from the cards.
"""

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from domain.games import GAMES
from domain.kernel import Action, Event, RuleViolation, Stage
from domain.tables.askers import askers
from domain.tables.codec import decode_event, encode_event
from domain.tables.commands import (
    AbandonTable,
    Act,
    CancelTable,
    CloseTable,
    DealRound,
    LeaveSeat,
    MissSeed,
    MissStart,
    OpenTable,
    OpenTournamentTable,
    Resign,
    Return,
    RevealSeed,
    RunOutClock,
    SayReady,
    ScoreRound,
    StartTable,
    TableCommand,
    TakeSeat,
    VoidTable,
)
from domain.tables.decide import decide
from domain.tables.events import (
    ClockRanOut,
    NoShow,
    PlayerReady,
    PlayerReturned,
    PlayerSeedMissed,
    PlayerSeedRevealed,
    SeatLeft,
    SeatResigned,
    SeatTaken,
    SeedRevealed,
    TableEnded,
    TableOpened,
    TableStarted,
    TableVoided,
)
from domain.tables.evolve import evolve
from domain.tables.fairness import LOG_FORMATS, SeedStatus
from domain.tables.log import Entry, MalformedLog, parse_log
from domain.tables.proof import Finding, Model, Refused, check_chain, check_count, decoded, replayed
from domain.tables.state import UNOPENED, Recorded, Table, Voided, stage_of


class Verdict(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The outcome of a check: `valid`, or the first finding.

    Attributes:
        edition: of docs/FAIRNESS.md, by which the table was played.
        host_seed: what became of the seed that the host may have committed to.
        player_seeds: what became of each seat's seed; `None` for an empty seat.
        voided: by whom and why the table's result was taken back; `None` if it was not.
    """

    valid: bool
    table: str | None
    game: str | None
    edition: int | None
    events: int
    rounds: int
    host_seed: SeedStatus | None
    player_seeds: tuple[SeedStatus | None, ...]
    voided: Voided | None
    finding: Finding | None


def verify_log(log: bytes) -> Verdict:
    """Returns whether an exported log is whole, fair and legal, or what is wrong with it first."""
    try:
        table, _ = checked_log(log)
    except Refused as refused:
        return _invalid(refused.finding)
    return Verdict(
        valid=True,
        table=table.id,
        game=table.game,
        edition=table.edition,
        events=table.version,
        rounds=table.round,
        host_seed=table.host_seed.status,
        player_seeds=tuple(who.seed.status if who else None for who in table.seats),
        voided=table.voided,
        finding=None,
    )


def _invalid(finding: Finding) -> Verdict:
    return Verdict(
        valid=False,
        table=None,
        game=None,
        edition=None,
        events=0,
        rounds=0,
        host_seed=None,
        player_seeds=(),
        voided=None,
        finding=finding,
    )


def check_entries(table: str, entries: Sequence[Entry]) -> Finding | None:
    """Returns what is wrong first with the stored log of a table, or `None`; it need not have ended.

    It is held against the same rules as an exported one. Only an ended log reveals its seed, but the
    event that opens the table stores it.
    """
    try:
        _check_stored(table, entries)
    except Refused as refused:
        return refused.finding
    return None


def _check_stored(table: str, entries: Sequence[Entry]) -> None:
    recorded = decoded(entries, decode_event)
    _check_chain(entries, recorded)
    if replay_checked(recorded).id != table:
        raise Refused("wrong_table", "the log is that of another table", 1)


def checked_log(log: bytes) -> tuple[Table, tuple[Recorded, ...]]:
    """Returns the table after all events of an exported log, and the events; raises `Refused`."""
    try:
        header, entries = parse_log(log)
    except MalformedLog as error:
        raise Refused("malformed", error.detail, None, error.line) from None
    recorded = decoded(entries, decode_event)
    check_count(header, entries)
    _check_chain(entries, recorded)
    if not isinstance(recorded[-1].event, SeedRevealed | TableVoided):
        raise Refused("incomplete", "the log does not end with the seed", len(entries), len(entries) + 1)
    if header.head != entries[-1].hash:
        raise Refused("chain_broken", "the header's hash is not the last event's", None, 1)
    table = replay_checked(recorded)
    if header.format != LOG_FORMATS[table.edition]:
        detail = f"the log of a table of edition {table.edition} has the format {LOG_FORMATS[table.edition]}"
        raise Refused("malformed", detail, None, 1)
    if header.table != table.id:
        raise Refused("wrong_table", "the header names another table", None, 1)
    return table, recorded


def _check_chain(entries: Sequence[Entry], recorded: Sequence[Recorded]) -> None:
    opened = recorded[0].event
    if not isinstance(opened, TableOpened):
        raise Refused("illegal", "the first event does not open a table", 1, 2)
    check_chain(entries, server_seed=opened.server_seed, committed=opened.commitment)


def replay_checked(recorded: Sequence[Recorded]) -> Table:
    """Returns the table after all events, each commit decided again; raises the first difference."""
    return replayed(_MODEL, recorded)


def _is_same(recorded: Event, expected: Event) -> bool:
    if isinstance(recorded, TableOpened):
        recorded = _with_every_option(recorded)
    return recorded.wire == expected.wire and encode_event(recorded) == encode_event(expected)


def _with_every_option(opened: TableOpened) -> TableOpened:
    """Returns the event as it would be recorded today: an option that came up later has its default."""
    options = GAMES[opened.game].options(**opened.options)
    return replace(opened, options=msgspec.to_builtins(options))


def rebuilt_command(table: Table, commit: Sequence[Recorded]) -> TableCommand:
    """Returns the command that a commit records; raises `RuleViolation` if its first event starts none."""
    event = commit[0].event
    match event:
        case TableOpened():
            return _rebuilt_opening(event, commit)
        case SeatTaken():
            return _rebuilt_seating(event)
        case SeatLeft():
            return LeaveSeat(event.seat)
        case TableStarted():
            return StartTable()
        case PlayerSeedRevealed():
            return RevealSeed(event.seat, event.seed)
        case PlayerSeedMissed():
            return MissSeed(event.seat)
        case PlayerReady():
            return SayReady(event.seat)
        case NoShow():
            return MissStart(_absent(commit))
        case SeatResigned():
            return Resign(event.seat)
        case PlayerReturned():
            return Return(event.seat)
        case ClockRanOut():
            return RunOutClock(event.seat, _rebuilt_action(table, commit[1:]).action)
        case TableEnded():
            return _rebuilt_ending(event)
        case TableVoided():
            return VoidTable(event.admin, event.reason)
        case _:
            return _rebuilt_play(table, commit)


def _rebuilt_ending(event: TableEnded) -> TableCommand:
    match event.outcome:
        case "closed":
            return CloseTable()
        case "cancelled":
            return CancelTable()
        case _:
            return AbandonTable()


def _rebuilt_opening(event: TableOpened, commit: Sequence[Recorded]) -> OpenTable | OpenTournamentTable:
    opening = OpenTable(
        table=event.table,
        game=event.game,
        seats=event.seats,
        options=event.options,
        host=event.host,
        turn_seconds=event.turn_seconds,
        server_seed=event.server_seed,
        edition=event.edition,
        seed_commitment=event.seed_commitment,
        rated=event.rated,
    )
    if event.tournament is None:
        return opening
    return OpenTournamentTable(
        opening=opening,
        tournament=event.tournament,
        occupants=tuple(_rebuilt_seating(one.event) for one in commit if isinstance(one.event, SeatTaken)),
        absent=_absent(commit),
    )


def _rebuilt_seating(event: SeatTaken) -> TakeSeat:
    return TakeSeat(
        player=event.player,
        name=event.name,
        policy=event.policy,
        seat=event.seat,
        seed=event.seed,
        seed_commitment=event.seed_commitment,
    )


def _absent(commit: Sequence[Recorded]) -> tuple[int, ...]:
    return tuple(one.event.seat for one in commit if isinstance(one.event, NoShow))


def _rebuilt_play(table: Table, commit: Sequence[Recorded]) -> DealRound | ScoreRound | Act:
    match stage_of(table):
        case Stage.TO_DEAL:
            return DealRound()
        case Stage.TO_SCORE:
            return ScoreRound()
        case _:
            return _rebuilt_action(table, commit)


def _rebuilt_action(table: Table, commit: Sequence[Recorded]) -> Act:
    if table.version and commit and not commit[0].event.wire.startswith("table."):
        cause = _cause(table, commit[0].event)
        if cause is not None:
            return Act(*cause)
    raise RuleViolation("not_a_beginning", "No command begins with this event.")


def _cause(table: Table, event: Event) -> tuple[int, Action] | None:
    try:
        return table.rulebook.cause(event)
    except (AssertionError, LookupError):
        return None  # an event of another game, or with fields that no game ever wrote


_MODEL: Final[Model[Table, TableCommand]] = Model(
    unopened=UNOPENED, rebuilt=rebuilt_command, decide=decide, askers=askers, evolve=evolve, is_same=_is_same
)
