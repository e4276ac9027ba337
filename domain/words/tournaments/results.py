"""Sentences for results, rulings and deals."""

from operator import itemgetter
from typing import Final

from hoodwink.domain.phrases import capitalized, listed, ordinal
from hoodwink.domain.tournaments.life import events as at_tournaments
from hoodwink.domain.words.reasons import because
from hoodwink.domain.words.tournaments.cast import Cast, Sentences

BoardEvent = (
    at_tournaments.TableReported
    | at_tournaments.TableVoided
    | at_tournaments.TableStopped
    | at_tournaments.DealAdded
)


def _board(event: BoardEvent) -> str:
    deal = f", deal {event.deal}," if event.deal > 1 else ""
    return f"board {event.board} of round {event.round}{deal}"


def _sealed(event: at_tournaments.TableSealed, _cast: Cast, _by: str) -> str:
    return f"Board {event.board} of round {event.round} ended; the results follow when all tables have ended."


def _released(event: at_tournaments.DealReleased, _cast: Cast, _by: str) -> str:
    return f"All tables of deal {event.deal} in round {event.round} have ended, so everybody may see them."


def _reported(event: at_tournaments.TableReported, cast: Cast, _by: str) -> str:
    match = cast.tournament.rounds[event.round - 1].matches[event.board - 1]
    seats = [cast.at(number, event.round) for number in match.deals[event.deal - 1].seats]
    missing = [seats[seat] for seat in event.no_shows]
    by_bot = [seats[seat] for seat in event.by_bot or () if seat not in event.no_shows]
    remarks = f" {listed(missing)} did not appear." if missing else ""
    remarks += f" A bot took most of the turns of {listed(by_bot)}." if by_bot else ""
    if event.places is None:
        return f"{capitalized(_board(event))} ended without a result.{remarks}"
    placed = sorted(zip(event.places, seats, strict=True), key=itemgetter(0))
    places = ", ".join(f"{ordinal(place)} {name}" for place, name in placed)
    return f"{capitalized(_board(event))} ended. Places: {places}.{remarks}"


def _deal_added(event: at_tournaments.DealAdded, cast: Cast, _by: str) -> str:
    equals = listed([cast.at(number, event.round) for number in event.seats])
    return f"{equals} are tied at board {event.board} of round {event.round} and play another deal."


def _voided(event: at_tournaments.TableVoided, _cast: Cast, _by: str) -> str:
    return f"An administrator took back the result of {_board(event)}{because(event.reason)}"


def _void_scored(event: at_tournaments.VoidScored, cast: Cast, by: str) -> str:
    entrants = f"each entrant of the voided board {event.board} of round {event.round}"
    return f"{cast.organiser(by)} gave {entrants} a score of {event.score}{because(event.reason)}"


def _stopped(event: at_tournaments.TableStopped, cast: Cast, _by: str) -> str:
    return f"{cast.official(event.official)} ended {_board(event)}{because(event.reason)}"


def _ruled(event: at_tournaments.ResultRuled, cast: Cast, _by: str) -> str:
    board = f"board {event.board} of round {event.round}"
    if event.places is None:
        scores = "half of a first place" if event.score is None else f"{event.score}"
        return f"{cast.official(event.official)} ruled that the result of {board} does not count: each entrant scores {scores}."
    match = cast.tournament.rounds[event.round - 1].matches[event.board - 1]
    seats = [cast.at(number, event.round) for number in match.deals[0].seats]
    there = [(place, name) for place, name in zip(event.places, seats, strict=True) if place is not None]
    missing = [name for place, name in zip(event.places, seats, strict=True) if place is None]
    places = ", ".join(f"{ordinal(place)} {name}" for place, name in sorted(there, key=itemgetter(0)))
    ranked = f" Places: {places}." if there else ""
    if there and event.points is not None:
        own = zip(seats, event.points, event.places, strict=True)
        ranked += (
            f" Points: {', '.join(f'{name} {points}' for name, points, place in own if place is not None)}."
        )
    absent = f" {listed(missing)} {'counts' if len(missing) == 1 else 'count'} as absent." if missing else ""
    return f"{cast.official(event.official)} ruled on {board}.{ranked}{absent}"


def _reversed(event: at_tournaments.RulingReversed, _cast: Cast, _by: str) -> str:
    board = f"board {event.board} of round {event.round}"
    return f"An administrator reversed the ruling on {board}: the result of the table counts{because(event.reason)}"


SENTENCES: Final[Sentences] = {
    at_tournaments.TableSealed: _sealed,
    at_tournaments.DealReleased: _released,
    at_tournaments.TableReported: _reported,
    at_tournaments.DealAdded: _deal_added,
    at_tournaments.TableVoided: _voided,
    at_tournaments.VoidScored: _void_scored,
    at_tournaments.TableStopped: _stopped,
    at_tournaments.ResultRuled: _ruled,
    at_tournaments.RulingReversed: _reversed,
}
