"""Sentences for rounds and their pairings."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from hoodwink.domain.phrases import capitalized, counted, listed
from hoodwink.domain.tournaments.crosstable import Unplayed, Why
from hoodwink.domain.tournaments.life import Tournament
from hoodwink.domain.tournaments.life import events as at_tournaments
from hoodwink.domain.words.tournaments.cast import Cast, Sentences

_WHY: Final[Mapping[Why, str]] = MappingProxyType(
    {
        Why.PAIRING_BYE: "has a bye",
        Why.REQUESTED_BYE: "has the bye that they asked for",
        Why.ASSIGNED_BYE: "has a bye from the organiser",
        Why.ABSENT: "is absent",
        Why.LATE: "has not entered yet",
    }
)


def _round_opened(event: at_tournaments.RoundOpened, cast: Cast, by: str) -> str:
    early = (
        f" {cast.organiser(by)} went on although tables are unfinished: {event.reason}" if event.early else ""
    )
    relaxed = f" Rules were relaxed: {' '.join(event.relaxed)}" if event.relaxed else ""
    boards, byes = _boards(event, cast), _unplayed(event, cast)
    return f"Round {event.round} was paired.{boards}{byes}{relaxed}{early}"


def _boards(event: at_tournaments.RoundOpened | at_tournaments.PairingChanged, cast: Cast) -> str:
    named = [
        f"board {board}: {listed([cast.at(number, event.round) for number in seats])}"
        for board, seats in enumerate(event.tables, start=1)
    ]
    return f" {capitalized('; '.join(named))}." if named else ""


def _unplayed(event: at_tournaments.RoundOpened, cast: Cast) -> str:
    reasons = [
        (cast.at(unplayed.entrant, event.round), _why(unplayed, event.round, cast.tournament))
        for unplayed in event.unplayed
    ]
    return "".join([f" {name} {reason}." for name, reason in reasons if reason])


def _why(unplayed: Unplayed, round_: int, tournament: Tournament) -> str | None:
    """Returns why an entrant does not play; `None` for entrants who were knocked out, because that is obvious."""
    if unplayed.why is not Why.WITHDRAWN:
        return _WHY[unplayed.why]
    entrant = tournament.entrants[unplayed.entrant - 1]
    if entrant.left_after is None or entrant.left_after >= round_:
        return None
    return "was expelled" if entrant.is_expelled else "has withdrawn"


def _pairing_changed(event: at_tournaments.PairingChanged, cast: Cast, by: str) -> str:
    byes = "".join(f" {cast.at(number, event.round)} has a bye." for number in event.byes)
    boards = _boards(event, cast)
    return f"{cast.organiser(by)} changed the pairing of round {event.round}.{boards}{byes} Reason: {event.reason}"


def _pairing_dropped(event: at_tournaments.PairingDropped, _cast: Cast, _by: str) -> str:
    return f"The pairing of round {event.round} was discarded."


def _round_started(event: at_tournaments.RoundStarted, _cast: Cast, _by: str) -> str:
    return f"Round {event.round} started."


def _tables_opened(event: at_tournaments.TablesOpened, _cast: Cast, _by: str) -> str:
    return f"{counted(len(event.tables), 'table')} opened."


def _given_up(event: at_tournaments.SeatGivenUp, cast: Cast, _by: str) -> str:
    return f"The seat of {cast.of(event.entrant)} was resigned, because the organiser expelled them."


def _round_completed(event: at_tournaments.RoundCompleted, _cast: Cast, _by: str) -> str:
    return f"Round {event.round} is complete."


SENTENCES: Final[Sentences] = {
    at_tournaments.RoundOpened: _round_opened,
    at_tournaments.PairingChanged: _pairing_changed,
    at_tournaments.PairingDropped: _pairing_dropped,
    at_tournaments.RoundStarted: _round_started,
    at_tournaments.TablesOpened: _tables_opened,
    at_tournaments.SeatGivenUp: _given_up,
    at_tournaments.RoundCompleted: _round_completed,
}
