"""FIDE's report of a stored tournament."""

from datetime import UTC, datetime

from hoodwink.domain.kernel import Names
from hoodwink.domain.tournaments import life
from hoodwink.service.application.streams.tournaments import LoadedTournament, Tournaments


def stored_report(tournaments: Tournaments, loaded: LoadedTournament, names: Names) -> bytes:
    """Returns the report of a started tournament, dated by its first and last events.

    Raises:
        Unwritable: the tournament cannot be written as TRF-2026.
    """
    # A state does not say when its stream began.
    (opened,) = tournaments.history(loaded.state.id, count=1)
    return life.report_file(loaded.state, names, days=(_day(opened.entry.at), _day(loaded.at))).encode()


def _day(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y/%m/%d}"
