"""Writes a started tournament to files for other programs."""

from collections.abc import Mapping
from itertools import takewhile

from hoodwink.domain.kernel import Names
from hoodwink.domain.tournaments.files.tournament_json import write_tournament
from hoodwink.domain.tournaments.files.trf import TrfSheet, check_writable, write_trf
from hoodwink.domain.tournaments.life.facts import NO_TEXTS, setup_of, started_rounds, terms_of
from hoodwink.domain.tournaments.life.scoring.crosstables import crosstable
from hoodwink.domain.tournaments.life.scoring.results import standings_draw, standings_of
from hoodwink.domain.tournaments.life.state import Tournament
from hoodwink.domain.tournaments.pairing.dutch.round import initial_colour
from hoodwink.domain.tournaments.terms import Format


def results_file(tournament: Tournament, names: Names, texts: Mapping[str, str] = NO_TEXTS) -> bytes:
    """Returns the results as JSON, `hoodwink-tournament-1`: every started round, and the standings after each.

    For `texts`, see `team_names`.
    """
    return write_tournament(
        crosstable(tournament, names, texts),
        game=setup_of(tournament).game,
        draw=lambda round_: standings_draw(tournament, round_ - 1),
    )


def report_file(tournament: Tournament, names: Names, *, days: tuple[str, str]) -> str:
    """Returns the report as TRF-2026: the rounds before the first one with a table in play.

    Args:
        tournament: the tournament at its latest version.
        names: the names of the people who entered.
        days: the first and the last day, as yyyy/mm/dd.

    Raises:
        Unwritable: see `check_writable`; or there is a score that is not a multiple of a half.
    """
    terms = terms_of(tournament)
    check_writable(terms)
    complete = len([*takewhile(lambda round_: round_.is_complete, started_rounds(tournament))])
    table = crosstable(tournament, names).until(complete)
    ranked = standings_of(tournament, after=complete).rows
    first, last = days
    return write_trf(
        TrfSheet(
            name=setup_of(tournament).name,
            start=first,
            end=last,
            initial=(terms.format is Format.SWISS and initial_colour(table)) or "w",
            crosstable=table,
            ranks={row.entrant: row.rank for row in ranked if row.rank},
        )
    )
