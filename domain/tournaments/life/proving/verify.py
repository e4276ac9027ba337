"""Verifies the log of a tournament together with the logs of its tables (T-14).

The tournament's log is verified like a table's: its hash chain, its commitment and every command. Commands are decided
again at the recorded time, so starting ranks, pairings and further deals are drawn again from the seeds. Then each table's
log is verified by itself and compared with the tournament's log: its seed, the players and their seeds, absences, and the
result. This proves that scores and standings follow from the play.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from hoodwink.domain.kernel import Event
from hoodwink.domain.tables.actor import WORKER
from hoodwink.domain.tables.codec import UnknownEvent
from hoodwink.domain.tables.commands import OpenTournamentTable
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tables.events import SeatResigned, TableEnded
from hoodwink.domain.tables.fairness import SharedDeal
from hoodwink.domain.tables.proving.log import MalformedLog, names_in_log
from hoodwink.domain.tables.proving.proof import Model, OnProgress, Refused, checked_log, ignore_progress
from hoodwink.domain.tables.proving.verify import TABLE, every_option
from hoodwink.domain.tables.proving.verify import rebuilt_command as rebuilt_table_command
from hoodwink.domain.tables.state import UNOPENED as UNOPENED_TABLE
from hoodwink.domain.tables.state import Table
from hoodwink.domain.tournaments.chance import Draw
from hoodwink.domain.tournaments.crosstable import Crosstable
from hoodwink.domain.tournaments.life.codec import decode_event
from hoodwink.domain.tournaments.life.commands import TournamentCommand
from hoodwink.domain.tournaments.life.commands.allowed_actors import allowed_actors
from hoodwink.domain.tournaments.life.deciding.decide import decide
from hoodwink.domain.tournaments.life.editions import LOG_FORMATS
from hoodwink.domain.tournaments.life.events import DealReleased, SeedRevealed, TableSealed, TournamentOpened
from hoodwink.domain.tournaments.life.evolving.evolve import evolve
from hoodwink.domain.tournaments.life.facts import last_round
from hoodwink.domain.tournaments.life.proving.log import parse_log
from hoodwink.domain.tournaments.life.proving.rebuilt import rebuilt_command
from hoodwink.domain.tournaments.life.scoring.crosstables import crosstable
from hoodwink.domain.tournaments.life.scoring.results import standings_draw
from hoodwink.domain.tournaments.life.state import UNOPENED, Deal, Match, PairedRound, Phase, Tournament
from hoodwink.domain.tournaments.life.tables import opening_of, order_of, report_of

_REPORTED: Final = ("outcome", "places", "points", "no_shows", "resigned", "by_bot")
"""The fields of a report that describe the end of a table."""


class Finding(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The first fault.

    Attributes:
        code: a code for a table's log, or `missing_table`, `foreign_table`, `wrong_table`, `wrong_seed`, `wrong_seats`,
            `wrong_deal`, `wrong_seal`, `early_release` or `wrong_result`.
        table: the table whose log is faulty, or `None` for the tournament's own log.
        version, line: the position of the fault in that log.
    """

    code: str
    detail: str
    table: str | None
    version: int | None
    line: int | None


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a verification: `valid`, or the first finding.

    Attributes:
        tables: the number of tables whose logs were verified.
        crosstable: the source of scores and standings; `None` if the tournament never started or is not valid.
        draw: the lots for the standings; `None` if `crosstable` is `None`.
    """

    valid: bool
    tournament: str | None
    events: int
    rounds: int
    tables: int
    crosstable: Crosstable | None
    draw: Draw | None
    finding: Finding | None


class _Place(msgspec.Struct, frozen=True, gc=False):
    """The place of a table in the tournament."""

    round: PairedRound
    match: Match
    deal: Deal


def verify_log(log: bytes, tables: Iterable[bytes], on_progress: OnProgress = ignore_progress) -> Verdict:
    """Verifies that a tournament's log and the logs of all its tables are complete, fair and legal."""
    try:
        tournament, _ = checked_log(TOURNAMENT, log, on_progress)
    except Refused as refused:
        return _invalid(_finding(_early_release(log) or refused, None))
    finding = _first_finding(tournament, tables, on_progress)
    if finding is not None:
        return _invalid(finding)
    header, _ = parse_log(log)
    return Verdict(
        valid=True,
        tournament=tournament.id,
        events=tournament.version,
        rounds=last_round(tournament),
        tables=len(_places(tournament)),
        crosstable=None if tournament.terms is None else crosstable(tournament, names_in_log(header.names)),
        draw=None if tournament.terms is None else standings_draw(tournament, last_round(tournament)),
        finding=None,
    )


def _early_release(log: bytes) -> Refused | None:
    """Returns the first release of a deal that somebody still played, if that is what is wrong with a tournament's log.

    Deciding the commands again finds it, too, but only as an event that does not follow from the rules.
    """
    try:
        entries = parse_log(log)[1]
        events = [Recorded(entry, decode_event(entry.type, entry.data)) for entry in entries]
    except (MalformedLog, UnknownEvent):
        return None
    # From the end and in one pass, because a hostile log may have any number of releases.
    found, sealed_later = None, dict[int, str]()
    for recorded in reversed(events):
        event = recorded.event
        if isinstance(event, TableSealed):
            sealed_later[event.round] = event.table
        elif isinstance(event, DealReleased) and event.round in sealed_later:
            detail = f"deal {event.deal} was released before table {sealed_later[event.round]} had ended"
            found = Refused.at(recorded.entry, "early_release", detail)
    return found


def _first_finding(
    tournament: Tournament, tables: Iterable[bytes], on_progress: OnProgress
) -> Finding | None:
    """Returns the first fault in the logs of the tables, or `None`."""
    places = _places(tournament)
    for number, log in enumerate(tables, start=1):
        name = f"log {number}"
        try:
            table, events = checked_log(TABLE, log, on_progress)
            name = table.id
            _check_table(tournament, places.pop(name, None), table, events)
        except Refused as refused:
            return _finding(refused, name)
    missing = Refused("missing_table", "the log of this table is missing", None)
    return next((_finding(missing, table) for table in places), None)


def _finding(refused: Refused, table: str | None) -> Finding:
    found = refused.finding
    return Finding(code=found.code, detail=found.detail, table=table, version=found.version, line=found.line)


def _invalid(finding: Finding) -> Verdict:
    return Verdict(
        valid=False,
        tournament=None,
        events=0,
        rounds=0,
        tables=0,
        crosstable=None,
        draw=None,
        finding=finding,
    )


def _as_today(recorded: Event) -> Event:
    if isinstance(recorded, TournamentOpened):
        setup = recorded.setup
        return replace(recorded, setup=replace(setup, options=every_option(setup.game, setup.options)))
    return recorded


def _places(tournament: Tournament) -> dict[str, _Place]:
    """Returns the place of every table of the tournament, by id."""
    return {
        deal.table: _Place(round_, match, deal)
        for round_ in tournament.rounds
        for match in round_.matches
        for deal in match.deals
        if deal.table
    }


def _check_table(
    tournament: Tournament, place: _Place | None, table: Table, events: Sequence[Recorded]
) -> None:
    """Raises `Refused` unless the log of a table agrees with the tournament's log."""
    if place is None:
        raise Refused("foreign_table", _foreign(tournament, table), None)
    _check_opening(tournament, place, events)
    _check_service(tournament, place.deal, table, events)
    _check_result(place.deal, table, events)


def _foreign(tournament: Tournament, table: Table) -> str:
    """Returns why a log does not belong to the tournament, so that a stray file does not look like cheating."""
    if table.tournament is None:
        return "the table was not played in a tournament"
    if table.tournament.tournament != tournament.id:
        return f"the log belongs to another tournament, {table.tournament.tournament}"
    return "the tournament has no such table, or its log was given twice"


def _check_opening(tournament: Tournament, place: _Place, events: Sequence[Recorded]) -> None:
    """Raises `Refused` unless the table has the seed, seats and seeds that follow from the tournament's (T-14)."""
    commit = [recorded for recorded in events if recorded.entry.cmd == events[0].entry.cmd]
    opened = rebuilt_table_command(UNOPENED_TABLE, commit)
    expected = opening_of(order_of(tournament, place.round, place.match, place.deal))
    if not isinstance(opened, OpenTournamentTable):
        raise Refused("wrong_table", "the table was not opened for a tournament", 1, 2)
    if opened.opening.server_seed != expected.opening.server_seed:
        raise Refused("wrong_seed", "the seed does not follow from that of the tournament", 1, 2)
    if opened.shared != expected.shared:
        raise _wrong_deal(opened.shared, expected.shared)
    seats = (opened.occupants, opened.absent), (expected.occupants, expected.absent)
    if seats[0] != seats[1]:
        raise Refused("wrong_seats", "other entrants, seeds or absences than the tournament's log has", 1, 2)
    if _ordered_today(opened) != _ordered_today(expected):
        raise Refused("wrong_table", "the table is not the one that the tournament's log orders", 1, 2)


def _wrong_deal(opened: SharedDeal | None, expected: SharedDeal | None) -> Refused:
    """Returns the error for a table with another deal than all tables of its round have to share (D-2)."""
    if expected is None:
        return Refused("wrong_deal", "the tournament is no duplicate, but the table shares a deal", 2, 3)
    if opened is None:
        detail = f"the table does not share deal {expected.number} with the other tables of its round"
    elif opened.number != expected.number:
        detail = f"the table was dealt deal {opened.number}, but its round plays deal {expected.number}"
    else:
        detail = f"the key of deal {expected.number} does not follow from the tournament's seeds"
    return Refused("wrong_deal", detail, 2, 3)


def _ordered_today(command: OpenTournamentTable) -> OpenTournamentTable:
    """Returns the command as it would be given now, with all options."""
    opening = command.opening
    return replace(command, opening=replace(opening, options=every_option(opening.game, opening.options)))


def _check_service(tournament: Tournament, deal: Deal, table: Table, events: Sequence[Recorded]) -> None:
    """Raises `Refused` if the service resigned a seat without an expulsion, or ended a table without an order."""
    expelled = {entrant.id for entrant in tournament.entrants if entrant.is_expelled}
    for recorded in events:
        if isinstance(recorded.event, SeatResigned) and recorded.entry.by == WORKER:
            occupant = table.seats[recorded.event.seat]
            if occupant is None or occupant.player not in expelled:
                detail = "the service resigned the seat of an entrant who was not expelled"
                raise Refused.at(recorded.entry, "wrong_table", detail)
        is_cancelled = isinstance(recorded.event, TableEnded) and recorded.event.outcome == "cancelled"
        if is_cancelled and tournament.phase is not Phase.CANCELLED and not deal.is_stopped:
            detail = "the table was cancelled, and neither the tournament nor an official did that"
            raise Refused.at(recorded.entry, "wrong_table", detail)


def _check_result(deal: Deal, table: Table, events: Sequence[Recorded]) -> None:
    """Raises `Refused` unless the tournament's report of the table agrees with the table's log."""
    reported = deal.report
    assert reported is not None, "the seed of a tournament is revealed when every table was reported"
    expected = report_of(table, reported.head, [recorded.entry for recorded in events])
    has_head = (
        0 < reported.version <= len(events) and events[reported.version - 1].entry.hash == reported.head
    )
    is_same = [getattr(reported, name) == getattr(expected, name) for name in _REPORTED]
    if not has_head or not all(is_same):
        raise Refused("wrong_result", "the tournament reports another end than the table's log", None)
    if deal.seal:
        _check_seal(deal.seal, events)
    if deal.is_void != (table.voided is not None):
        raise Refused("wrong_result", "only one of both logs says that the table was voided", None)


def _check_seal(seal: str, events: Sequence[Recorded]) -> None:
    """Raises `Refused` unless the log had ended with the sealed hash before the deal was released (D-8)."""
    ends = next(recorded.entry for recorded in events if isinstance(recorded.event, TableEnded))
    if ends.hash != seal:
        raise Refused.at(ends, "wrong_seal", "the log does not end as it was sealed before the release")


TOURNAMENT: Final[Model[Tournament, TournamentCommand]] = Model(
    name="tournament",
    formats=LOG_FORMATS,
    parse=parse_log,
    decode=decode_event,
    opens=TournamentOpened,
    is_complete=lambda recorded: any(isinstance(event.event, SeedRevealed) for event in recorded),
    unopened=UNOPENED,
    rebuilt=rebuilt_command,
    decide=decide,
    allowed_actors=allowed_actors,
    evolve=evolve,
    as_today=_as_today,
)
