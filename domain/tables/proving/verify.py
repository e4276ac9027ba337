"""Verifies a log on its own: the chain, the commitment, every deck, every action, every score and the places.

The first event of each commit records the command. The command is rebuilt from it and decided again at the recorded
time. This must lead to the recorded events, byte for byte, and the actor must be allowed to ask for the command. So a
deal is recomputed from the seed, and a score from the cards.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Event, RuleViolation, Stage
from hoodwink.domain.tables import commands, events
from hoodwink.domain.tables.allowed_actors import allowed_actors
from hoodwink.domain.tables.codec import decode_event
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.deciding.decide import decide
from hoodwink.domain.tables.deciding.forks import MAX_GENERATIONS, generations
from hoodwink.domain.tables.entries import Entry, Recorded
from hoodwink.domain.tables.events import Parent
from hoodwink.domain.tables.evolve import evolve
from hoodwink.domain.tables.fairness import LOG_FORMATS, SeedStatus, SharedDeal
from hoodwink.domain.tables.proving.log import parse_log
from hoodwink.domain.tables.proving.proof import (
    Finding,
    Model,
    OnProgress,
    Refused,
    checked_entries,
    checked_log,
    from_event,
    ignore_progress,
)
from hoodwink.domain.tables.state import UNOPENED, Table, Voided, stage_of


class Verdict(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The outcome of a check: `valid`, or the first finding.

    Attributes:
        edition: the edition of docs/FAIRNESS.md that the table follows.
        host_seed: the status of the host's seed.
        player_seeds: the status of each seat's seed; `None` for an empty seat.
        voided: who took back the table's result, and why; `None` if nobody did.
        parent: the version of another table that this one is a fork of, or `None`. The play up to that version is
            verified, too.
        generations: the number of given logs that were proved to belong together: 1 for a log alone, 2 with that of
            its parent, and so on.
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
    parent: Parent | None
    generations: int
    finding: Finding | None


def verify_log(log: bytes, on_progress: OnProgress = ignore_progress) -> Verdict:
    """Returns the verdict on an exported log: valid if it is complete, fair and legal, otherwise its first fault."""
    try:
        table, _ = checked_log(TABLE, log, on_progress)
    except Refused as refused:
        return invalid(refused.finding)
    return Verdict(
        valid=True,
        table=table.id,
        game=table.game,
        edition=table.edition,
        events=table.version,
        rounds=table.round,
        host_seed=table.host_seed.status,
        player_seeds=tuple(occupant.seed.status if occupant else None for occupant in table.seats),
        voided=table.voided,
        parent=table.parent,
        generations=1,
        finding=None,
    )


def invalid(finding: Finding) -> Verdict:
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
        parent=None,
        generations=0,
        finding=finding,
    )


def every_option(game: str, options: dict[str, Any]) -> dict[str, Any]:
    """Returns the options with defaults for those that were added later."""
    return dict(msgspec.to_builtins(GAMES[game].options(**options)))


def _as_today(recorded: Event) -> Event:
    if isinstance(recorded, events.TableOpened):
        return replace(recorded, options=every_option(recorded.game, recorded.options))
    return recorded


_BEGINNINGS: Final[Mapping[type[Event], type[commands.TableCommand]]] = MappingProxyType(
    {
        events.SeatTaken: commands.TakeSeat,
        events.SeatLeft: commands.LeaveSeat,
        events.SeatOffered: commands.OfferSeat,
        events.OfferWithdrawn: commands.WithdrawOffer,
        events.HostChanged: commands.ChangeHost,
        events.TableStarted: commands.StartTable,
        events.PlayerSeedRevealed: commands.RevealSeed,
        events.PlayerSeedMissed: commands.MissSeed,
        events.PlayerReady: commands.SayReady,
        events.SeatResigned: commands.Resign,
        events.PlayerReturned: commands.Return,
        events.ActionTakenBack: commands.TakeBack,
        events.ClocksMoved: commands.MoveClocks,
        events.SeatClaimed: commands.ClaimSeat,
        events.TableVoided: commands.VoidTable,
        events.RematchOpened: commands.AnnounceRematch,
        events.RoundVoided: commands.VoidRound,
        events.SeedRevealed: commands.ReleaseDeal,
    }
)
"""The command for each first event of a commit that has all its fields."""


def rebuilt_command(table: Table, commit: Sequence[Recorded]) -> commands.TableCommand:
    """Returns the command that a commit records; raises `RuleViolation` if no command starts with its first event."""
    event = commit[0].event
    if not events.is_of_table(event):
        return _rebuilt_play(table, commit)
    if isinstance(event, events.TableOpened):
        return _rebuilt_opening(event, commit)
    if isinstance(event, events.NoShow):
        return commands.MissStart(_absent(commit))
    if isinstance(event, events.ClockRanOut):
        return commands.ExpireClock(event.seat, _rebuilt_action(table, commit[1:]).action)
    if isinstance(event, events.TableEnded):
        return _rebuilt_ending(event)
    kind = _BEGINNINGS.get(type(event))
    return from_event(kind, event) if kind else _rebuilt_play(table, commit)


def _rebuilt_ending(event: events.TableEnded) -> commands.TableCommand:
    match event.outcome:
        case "closed" | "stopped":
            return commands.CloseTable()
        case "expired":
            return commands.ExpireTable()
        case "cancelled":
            return commands.CancelTable()
        case _:
            return commands.AbandonTable()


def _rebuilt_opening(
    event: events.TableOpened, commit: Sequence[Recorded]
) -> commands.OpenTable | commands.OpenTournamentTable | commands.OpenRematch | commands.ForkTable:
    if event.parent is not None:
        return _rebuilt_fork(event, commit)
    opening = from_event(commands.OpenTable, event)
    if event.rematch_of is not None:
        return commands.OpenRematch(opening=opening, occupants=_occupants(commit), offers=_offers(commit))
    if event.tournament is None:
        return opening
    return commands.OpenTournamentTable(
        opening=opening,
        tournament=event.tournament,
        occupants=_occupants(commit),
        absent=_absent(commit),
        shared=_shared(commit),
    )


def _rebuilt_fork(event: events.TableOpened, commit: Sequence[Recorded]) -> commands.ForkTable:
    forked = commit[1].event if len(commit) > 1 else None
    if not isinstance(forked, events.TableForked):
        raise RuleViolation(TableCode.NOT_A_FORK)
    _check_parent_entries(forked.entries, commit[1].entry.version)
    return from_event(commands.ForkTable, event, entries=forked.entries, occupants=_occupants(commit))


def _check_parent_entries(entries: Sequence[Entry], version: int) -> None:
    """Checks the parent's entries in a fork's log; raises `Refused`."""
    if generations(entries) >= MAX_GENERATIONS:
        raise RuleViolation(TableCode.TOO_MANY_FORKS)
    try:
        checked_entries(TABLE, entries)
    except Refused as refused:
        found = refused.finding
        detail = f"event {found.version} of the parent: {found.detail}" if found.version else found.detail
        raise Refused("parent_broken", detail, version, version + 1) from None


def _occupants(commit: Sequence[Recorded]) -> tuple[commands.TakeSeat, ...]:
    taken = [recorded.event for recorded in commit if isinstance(recorded.event, events.SeatTaken)]
    return tuple([from_event(commands.TakeSeat, event) for event in taken])


def _shared(commit: Sequence[Recorded]) -> SharedDeal | None:
    """Returns the deal that the table shares with others; its event is the second of the opening."""
    event = commit[1].event if len(commit) > 1 else None
    return SharedDeal(event.deal, event.key) if isinstance(event, events.DealShared) else None


def _offers(commit: Sequence[Recorded]) -> tuple[commands.OfferSeat, ...]:
    offers = [recorded.event for recorded in commit if isinstance(recorded.event, events.SeatOffered)]
    return tuple([from_event(commands.OfferSeat, event) for event in offers])


def _absent(commit: Sequence[Recorded]) -> tuple[int, ...]:
    return tuple(recorded.event.seat for recorded in commit if isinstance(recorded.event, events.NoShow))


def _rebuilt_play(
    table: Table, commit: Sequence[Recorded]
) -> commands.DealRound | commands.ScoreRound | commands.Act:
    match stage_of(table):
        case Stage.TO_DEAL:
            return commands.DealRound()
        case Stage.TO_SCORE:
            return commands.ScoreRound()
        case _:
            return _rebuilt_action(table, commit)


def _rebuilt_action(table: Table, commit: Sequence[Recorded]) -> commands.Act:
    if table.version and commit and not events.is_of_table(commit[0].event):
        event = commit[0].event
        cause = event.cause() if type(event) in table.rulebook.events else None
        if cause is not None:
            return commands.Act(*cause)
    raise RuleViolation(TableCode.NOT_A_BEGINNING)


TABLE: Final[Model[Table, commands.TableCommand]] = Model(
    name="table",
    formats=LOG_FORMATS,
    parse=parse_log,
    decode=decode_event,
    opens=events.TableOpened,
    is_complete=lambda recorded: isinstance(
        recorded[-1].event, events.SeedRevealed | events.TableVoided | events.RematchOpened
    ),
    unopened=UNOPENED,
    rebuilt=rebuilt_command,
    decide=decide,
    allowed_actors=allowed_actors,
    evolve=evolve,
    as_today=_as_today,
)
