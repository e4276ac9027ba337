"""Sentences for the events that the tables of all games share."""

from collections.abc import Mapping
from operator import itemgetter
from types import MappingProxyType
from typing import Final, assert_never

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import bot_name
from hoodwink.domain.phrases import away, counted, ordinal, per_player, signed
from hoodwink.domain.tables import events
from hoodwink.domain.tables.actor import HOST
from hoodwink.domain.words.reasons import because
from hoodwink.domain.words.seating import Seating

_ENDINGS: Final[Mapping[events.Outcome, str]] = MappingProxyType(
    {
        "played_out": "The table is over.",
        "last_seat": "The table is over, because only one player has not resigned.",
        "no_result": "The table is over without a result, because no round had one.",
        "closed": "The table was closed before it started.",
        "expired": "The table was closed, because nobody had started it for too long.",
        "stopped": "The table was ended early; only bots played there.",
        "cancelled": "The table was ended without a result, by an official or with its whole tournament.",
        "abandoned": "The table was abandoned, because no person had acted for too long.",
    }
)


def say(game: str, event: events.TableEvent, seating: Seating, *, by: str) -> str:
    if isinstance(event, events.RoomEvent):
        return _room(event, seating, by=by)
    if isinstance(event, events.SeatEvent):
        return _seat(event, seating.names[event.seat])
    if isinstance(event, events.ResultEvent):
        return _result(game, event, seating)
    match event:
        case events.TableOpened():
            return _opened(event)
        case events.TableForked():
            return "It continues from there. That table's log shows the cards of a round in play."
        case events.DealShared():
            return f"The table plays deal {event.deal} of its tournament, like the other tables of the round."
        case events.TableStarted():
            return f"Play began; seats and seeds are fixed from here on.{_clock(event.turn_seconds)}"
        case events.PlayerSeedRevealed():
            return f"{_holder(event.seat, seating)} revealed the seed they had committed to."
        case events.PlayerSeedMissed():
            return f"{_holder(event.seat, seating)} did not reveal a seed in time, so it counts as empty."
        case events.ActionTakenBack():
            return f"{seating.names[event.seat]} took back their last action."
        case events.ClocksMoved():
            return away(event.since, event.until)
        case events.SeedRevealed():
            return "The server seed was revealed, so anybody can recompute every shuffle."
        case events.RematchOpened():
            return "A rematch was opened: the same players may play again."
        case _:
            assert_never(event)


def _holder(seat: int | None, seating: Seating) -> str:
    return "The host" if seat is None else seating.names[seat]


def _opened(event: events.TableOpened) -> str:
    table = f"A table of {GAMES[event.game].title} with {event.seats} seats"
    return f"{table} was opened{_occasion(event)}.{_clock(event.turn_seconds)}"


def _clock(turn_seconds: int | None) -> str:
    return f" A turn may last {counted(turn_seconds, 'second')}." if turn_seconds else ""


def _occasion(event: events.TableOpened) -> str:
    if event.tournament is not None:
        return f" for board {event.tournament.board} of round {event.tournament.round} of a tournament"
    if event.parent is not None:
        return f" to play on from version {event.parent.version} of table {event.parent.table}"
    if event.rematch_of is not None:
        return " for a rematch"
    return ""


def _room(event: events.RoomEvent, seating: Seating, *, by: str) -> str:
    match event:
        case events.SeatTaken():
            return _taken(event, seating)
        case events.SeatLeft():
            return f"The host freed seat {event.seat}." if by == HOST else _left(event)
        case events.SeatOffered():
            return f"The host offered seat {event.seat} to {seating.named(event.player)}."
        case events.OfferWithdrawn():
            return _freed(event, by=by)
        case events.HostChanged():
            return f"{seating.named(event.player)} is the host now."
        case _:
            assert_never(event)


def _taken(event: events.SeatTaken, seating: Seating) -> str:
    # The seating may be of a later version, at which another player holds the seat.
    if event.policy is not None:
        name = bot_name(event.policy)
        return f"{name} was seated at seat {event.seat}."
    name = seating.named(event.player)
    if event.seed_commitment:
        return f"{name} sat down at seat {event.seat} and committed to a seed."
    if event.seed:
        return f"{name} sat down at seat {event.seat} with a seed that everybody can read."
    return f"{name} sat down at seat {event.seat}."


def _left(event: events.SeatLeft) -> str:
    return f"The player at seat {event.seat} left."


def _freed(event: events.OfferWithdrawn, *, by: str) -> str:
    if by == HOST:
        return f"The host withdrew the offer of seat {event.seat}."
    return f"The player who was offered seat {event.seat} declined it."


def _seat(event: events.SeatEvent, name: str) -> str:
    match event:
        case events.PlayerReady():
            return f"{name} is ready."
        case events.NoShow():
            return f"{name} did not appear in time; a bot takes over the seat."
        case events.SeatResigned():
            return f"{name} resigned; a bot takes over the seat."
        case events.ClockRanOut():
            return f"{name} ran out of time, so a bot makes the next move."
        case events.SeatClaimed():
            return f"{name} is away: another player claimed the seat, so a bot takes it over."
        case events.PlayerReturned():
            return f"{name} returned and took the seat back from the bot."
        case _:
            assert_never(event)


def _result(game: str, event: events.ResultEvent, seating: Seating) -> str:
    match event:
        case events.RoundScored():
            return _scored(event, seating)
        case events.RoundVoided():
            return f"Round {event.round} would not end, so it was stopped without a result."
        case events.TableEnded():
            return _ended(game, event, seating)
        case events.TableVoided():
            return f"{event.admin}, an administrator, took the result back{because(event.reason)}"
        case _:
            assert_never(event)


def _scored(event: events.RoundScored, seating: Seating) -> str:
    changes = per_player(
        seating.names,
        [f"{signed(delta)} (now {total})" for delta, total in zip(event.deltas, event.totals, strict=True)],
    )
    return f"Round {event.round} is scored in {event.unit}s: {changes}."


def _ended(game: str, event: events.TableEnded, seating: Seating) -> str:
    ending = _ENDINGS[event.outcome]
    if event.places is None or event.scores is None:
        return ending
    unit = GAMES[game].unit
    results = sorted(zip(event.places, seating.names, event.scores, strict=True), key=itemgetter(0))
    places = ", ".join(
        f"{ordinal(place)} {name} with {counted(score, unit)}" for place, name, score in results
    )
    return f"{ending} Places: {places}."
