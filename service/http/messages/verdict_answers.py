"""The API's answers about logs of tournaments."""

import msgspec

from hoodwink.domain.tournaments.life import Finding, Verdict
from hoodwink.service.http.messages.standings_answers import Placed, proved_rows


class TournamentVerdictAnswer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The result of checking a tournament's log together with those of its tables.

    Attributes:
        valid: whether everything in the logs follows from the rules and from each other.
        tournament: the tournament's id, if the log has it.
        events: the number of events in the tournament's own log.
        rounds, tables: the numbers of rounds, and of tables whose logs were checked.
        standings: the standings that these logs prove; empty if the tournament never started, or is not valid.
        finding: the first error; `None` if the logs are valid.
    """

    valid: bool
    tournament: str | None
    events: int
    rounds: int
    tables: int
    standings: tuple[Placed, ...]
    finding: Finding | None


def verdict_answer(verdict: Verdict) -> TournamentVerdictAnswer:
    return TournamentVerdictAnswer(
        valid=verdict.valid,
        tournament=verdict.tournament,
        events=verdict.events,
        rounds=verdict.rounds,
        tables=verdict.tables,
        standings=proved_rows(verdict),
        finding=verdict.finding,
    )
