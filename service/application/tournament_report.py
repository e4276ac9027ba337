"""FIDE's report of a stored tournament."""

from datetime import UTC, datetime

from domain.kernel import Names
from domain.tournaments import life
from domain.tournaments.life import Tournament
from service.application.tournaments import Tournaments


def stored_report(tournaments: Tournaments, state: Tournament, names: Names) -> bytes:
    """Returns the report of a tournament that has started, dated by its first and its last event.

    Raises:
        Unwritable: the tournament cannot be written as TRF-2026.
    """
    times = [recorded.entry.at for recorded in tournaments.history(state.id)]
    return life.report_file(state, names, days=(_day(times[0]), _day(times[-1]))).encode()


def _day(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y/%m/%d}"
