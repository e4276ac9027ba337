"""Sentences for the phases and settings of a tournament."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from hoodwink.domain.games import GAMES
from hoodwink.domain.phrases import away, counted
from hoodwink.domain.tables.actor import ADMIN, WORKER, Actor, is_organiser
from hoodwink.domain.tournaments.life import Visibility
from hoodwink.domain.tournaments.life import events as at_tournaments
from hoodwink.domain.tournaments.standings import TITLES
from hoodwink.domain.tournaments.terms import Compare, Format
from hoodwink.domain.words.reasons import because
from hoodwink.domain.words.tournaments.cast import Cast, Sentences

_FORMATS: Final[Mapping[Format, str]] = MappingProxyType(
    {
        Format.ROUND_ROBIN: "a round robin",
        Format.SWISS: "a Swiss tournament",
        Format.KNOCKOUT: "a knockout",
        Format.LEAGUE: "a league",
        Format.ARENA: "an arena",
    }
)


def _opened(event: at_tournaments.TournamentOpened, _cast: Cast, _by: str) -> str:
    setup = event.setup
    kind, game = _FORMATS[setup.format], GAMES[setup.game].title
    return f"{setup.name} was opened: {kind} of {game} at tables of {setup.seats}."


def _registration(_event: at_tournaments.RegistrationOpened, _cast: Cast, _by: str) -> str:
    return "Registration opened."


def _started(event: at_tournaments.TournamentStarted, cast: Cast, _by: str) -> str:
    ranks = ", ".join(f"{rank} {cast.of(entrant)}" for rank, entrant in enumerate(event.entrants, start=1))
    is_arena = cast.tournament.arena is not None
    rounds = "" if is_arena else f" and {counted(event.rounds, 'round')}"
    return f"The tournament started with {len(event.entrants)} entrants{rounds}. Starting ranks: {ranks}."


def _paused(event: at_tournaments.TournamentPaused, cast: Cast, by: str) -> str:
    return f"{cast.organiser(by)} paused the tournament{because(event.reason)}"


def _resumed(_event: at_tournaments.TournamentResumed, cast: Cast, by: str) -> str:
    return f"{cast.organiser(by)} resumed the tournament."


def _moved(event: at_tournaments.ClocksMoved, _cast: Cast, _by: str) -> str:
    return away(event.since, event.until)


def _finished(event: at_tournaments.TournamentFinished, cast: Cast, by: str) -> str:
    if is_organiser(by):
        return f"{cast.organiser(by)} finished the tournament{because(event.reason)}"
    return "The tournament is finished."


def _cancelled(event: at_tournaments.TournamentCancelled, _cast: Cast, by: str) -> str:
    who = {ADMIN: "An administrator", WORKER: "The service"}.get(Actor(by), "The organiser")
    return f"{who} cancelled the tournament{because(event.reason)}"


def _revealed(_event: at_tournaments.SeedRevealed, _cast: Cast, _by: str) -> str:
    return "The server seed was revealed, so anybody can recompute every draw, and the seed of each table."


def _tiebreaks(event: at_tournaments.TiebreaksChanged, cast: Cast, by: str) -> str:
    order = ", then ".join(TITLES[tiebreak] for tiebreak in event.tiebreaks)
    reason = f" Reason: {event.reason}" if event.reason else ""
    return f"{cast.organiser(by)} changed the tie-breaks; they are now: {order or 'none'}.{reason}"


def _duplicate(event: at_tournaments.DuplicateChosen, _cast: Cast, _by: str) -> str:
    how = {
        Compare.MATCHPOINTS: "by matchpoints",
        Compare.DIFFERENCE: "by the difference from the mean of the others",
        Compare.MARGIN: "by its lead, less a part of the mean lead of others",
    }
    return f"All tables of a round play the same deal, and each seat is compared {how[event.compare]}."


def _admission(event: at_tournaments.AdmissionChosen, _cast: Cast, _by: str) -> str:
    admission = event.admission
    said = {
        Visibility.PUBLIC: [],
        Visibility.UNLISTED: ["The tournament is in no list; everybody who has its address sees it."],
        Visibility.PRIVATE: ["Only entrants, officials and invited people see the tournament."],
    }[admission.visibility]
    if admission.invited_only:
        said.append("Players need the invitation code to enter.")
    if admission.approval:
        said.append("The organiser accepts or declines each entry.")
    low, high = admission.min_rating, admission.max_rating
    if low is not None:
        said.append(f"Players need a rating of at least {low}.")
    if high is not None:
        said.append(f"Players may have a rating of at most {high}.")
    if admission.min_rated_tables:
        said.append(f"Players need {counted(admission.min_rated_tables, 'rated table')} of the game.")
    return " ".join(said)


def _arena(event: at_tournaments.ArenaChosen, _cast: Cast, _by: str) -> str:
    lasts, finish = counted(event.arena_minutes, "minute"), counted(event.finish_minutes, "minute")
    return f"The arena lasts {lasts}. Tables in play at the bell count if they end within {finish}."


def _teams(event: at_tournaments.TeamsChosen, _cast: Cast, _by: str) -> str:
    is_whole = event.team_counting == event.team_size
    counting = "every entrant counts" if is_whole else f"the best {event.team_counting} of each team count"
    return f"Entrants play for teams of up to {event.team_size}, and {counting}."


def _rounds_added(event: at_tournaments.RoundsAdded, cast: Cast, _by: str) -> str:
    return f"{cast.official(event.official)} added {counted(event.rounds, 'round')}{because(event.reason)}"


def _rescheduled(event: at_tournaments.SittingRescheduled, _cast: Cast, _by: str) -> str:
    time = "no longer has a set time" if event.starts_at is None else "has a new time"
    return f"Sitting {event.sitting} {time}{because(event.reason)}"


SENTENCES: Final[Sentences] = {
    at_tournaments.TournamentOpened: _opened,
    at_tournaments.DuplicateChosen: _duplicate,
    at_tournaments.DealsChosen: lambda event, *_: (
        f"The same opponents play {event.deals_per_pairing} rounds in a row."
    ),
    at_tournaments.AdmissionChosen: _admission,
    at_tournaments.ArenaChosen: _arena,
    at_tournaments.TeamsChosen: _teams,
    at_tournaments.SeriesJoined: lambda event, *_: f"This is tournament {event.number} of a series.",
    at_tournaments.BellRung: lambda *_: "The bell rang: no more tables are opened.",
    at_tournaments.OvertimeEnded: lambda *_: (
        "The tables that were left did not end in time and do not count."
    ),
    at_tournaments.RegistrationOpened: _registration,
    at_tournaments.TournamentStarted: _started,
    at_tournaments.RoundsAdded: _rounds_added,
    at_tournaments.TiebreaksChanged: _tiebreaks,
    at_tournaments.SittingRescheduled: _rescheduled,
    at_tournaments.TournamentPaused: _paused,
    at_tournaments.TournamentResumed: _resumed,
    at_tournaments.ClocksMoved: _moved,
    at_tournaments.TournamentFinished: _finished,
    at_tournaments.TournamentCancelled: _cancelled,
    at_tournaments.SeedRevealed: _revealed,
}
