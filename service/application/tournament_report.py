"""FIDE's report of a tournament whose log is stored."""

from datetime import UTC, datetime

from domain.tournaments import life
from domain.tournaments.life import Tournament
from service.application.tournaments import Tournaments


def stored_report(tournaments: Tournaments, state: Tournament) -> bytes:
    """Returns the report of a tournament that has started, dated by its first and its last event.

    Raises:
        Unwritable: it cannot be written as TRF-2026.
    """
    times = [one.entry.at for one in tournaments.history(state.id)]
    return life.report_file(state, days=(_day(times[0]), _day(times[-1]))).encode()


def _day(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y/%m/%d}"
