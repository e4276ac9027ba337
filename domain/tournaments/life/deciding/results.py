"""Results: reports of tables, voids, and confirmations of the service's work at tables (T-6, T-7, T-11, T-12, P-6)."""

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.deciding.corrections import check_reason
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.commands import (
    ConfirmGivenUp,
    ConfirmTables,
    ReportTable,
    ScoreVoid,
    SealTable,
    VoidTable,
)
from hoodwink.domain.tournaments.life.deciding.checks import Events, check_half
from hoodwink.domain.tournaments.life.deciding.consequences import with_consequences
from hoodwink.domain.tournaments.life.events import (
    SeatGivenUp,
    TableReported,
    TableSealed,
    TablesOpened,
    TableVoided,
    VoidScored,
)
from hoodwink.domain.tournaments.life.facts import is_embargoed, open_deals, started_rounds
from hoodwink.domain.tournaments.life.scoring.crosstables import WITH_RESULT
from hoodwink.domain.tournaments.life.state import Deal, Match, Tournament
from hoodwink.domain.tournaments.life.tables import seats_to_resign


def seal(tournament: Tournament, command: SealTable, now: int) -> Events:
    deal = _played(tournament, command.round, command.board, 1, command.table)
    if not is_embargoed(tournament, tournament.rounds[command.round - 1]) or deal.seal:
        raise RuleViolation(TournamentCode.TABLE_REPORTED)
    sealed = TableSealed(command.round, command.board, command.table, command.head)
    return with_consequences(tournament, (sealed,), now)


def _played(tournament: Tournament, round_: int, board_: int, deal: int, table: str) -> Deal:
    """Returns the deal with that table; raises `RuleViolation` if its table is another one or none."""
    played = _deal(tournament, round_, board_, deal)
    if not played.table or played.table != table:
        raise RuleViolation(TournamentCode.WRONG_TABLE)
    return played


def report(tournament: Tournament, command: ReportTable, now: int) -> Events:
    deal = _played(tournament, command.round, command.board, command.deal, command.table)
    if deal.report is not None:
        raise RuleViolation(TournamentCode.TABLE_REPORTED)
    if is_embargoed(tournament, tournament.rounds[command.round - 1]):
        raise RuleViolation(TournamentCode.WRONG_TABLE, "Other tables still play the deal of this one (D-7).")
    _check_form(deal, command)
    return with_consequences(tournament, (reported(command),), now)


def reported(command: ReportTable) -> TableReported:
    return TableReported(**{name: getattr(command, name) for name in command.__struct_fields__})


def _check_form(deal: Deal, command: ReportTable) -> None:
    """Raises `RuleViolation` for a report that cannot come from the log of such a table."""
    seats = len(deal.seats)
    has_result = command.outcome in WITH_RESULT
    places, points = command.places, command.points
    is_whole = places is not None and points is not None and len(places) == len(points) == seats
    is_empty = places is None and points is None
    fits = is_whole if has_result else is_empty
    seat_lists = (command.no_shows, command.resigned, command.by_bot)
    if not fits or not all(set(listed) <= set(range(seats)) for listed in seat_lists):
        raise RuleViolation(TournamentCode.INVALID_REPORT)


def board(tournament: Tournament, round_: int, board_: int) -> Match:
    """Returns the board of a started round; raises `RuleViolation` if there is none."""
    rounds = started_rounds(tournament)
    if not 1 <= round_ <= len(rounds) or not 1 <= board_ <= len(rounds[round_ - 1].matches):
        raise RuleViolation(TournamentCode.NO_SUCH_BOARD)
    return rounds[round_ - 1].matches[board_ - 1]


def _deal(tournament: Tournament, round_: int, board_: int, deal: int) -> Deal:
    deals = board(tournament, round_, board_).deals
    if not 1 <= deal <= len(deals):
        raise RuleViolation(TournamentCode.NO_SUCH_BOARD)
    return deals[deal - 1]


def void(tournament: Tournament, command: VoidTable) -> Events:
    deal = _deal(tournament, command.round, command.board, command.deal)
    if deal.report is None:
        raise RuleViolation(TournamentCode.TABLE_NOT_REPORTED)
    if deal.is_void:
        raise RuleViolation(TableCode.ALREADY_VOIDED)
    check_reason(command.reason)
    return (TableVoided(command.round, command.board, command.deal, command.reason),)


def score_void(tournament: Tournament, command: ScoreVoid) -> Events:
    if not board(tournament, command.round, command.board).deals[0].is_void:
        raise RuleViolation(TournamentCode.TABLE_NOT_VOID)
    check_half(command.score)
    check_reason(command.reason)
    return (VoidScored(command.round, command.board, command.score, command.reason),)


def confirm_tables(tournament: Tournament, command: ConfirmTables) -> Events:
    unopened = {deal.table for _, _, deal in open_deals(tournament) if not deal.is_opened}
    if not command.tables or not set(command.tables) <= unopened:
        raise RuleViolation(TournamentCode.NO_TABLE_DUE)
    return (TablesOpened(command.tables),)


def confirm_given_up(tournament: Tournament, command: ConfirmGivenUp) -> Events:
    due = {(seat.table, seat.entrant) for seat in seats_to_resign(tournament)}
    if (command.table, command.entrant) not in due:
        raise RuleViolation(TournamentCode.NO_SEAT_DUE)
    return (SeatGivenUp(command.entrant, command.table),)
