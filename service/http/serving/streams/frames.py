"""Server-sent events as bytes. The id of each is its position in the history, from which a client resumes."""

from collections.abc import Sequence
from typing import Final

from hoodwink.domain.kernel import Names, Viewer
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tournaments.life import Tournament
from hoodwink.domain.words import Cast, Seating
from hoodwink.service.application.reading.my_tables import News, Told
from hoodwink.service.application.reading.seen import event_record
from hoodwink.service.application.streams.history import Position, position_of
from hoodwink.service.application.streams.tables import LoadedTable
from hoodwink.service.application.streams.tournaments import LoadedTournament
from hoodwink.service.http.messages.answers import PresenceAnswer, effect, encode, position_text, table_answer
from hoodwink.service.http.messages.my_tables import (
    MyTablesAnswer,
    NewsAnswer,
    OfferingTournament,
    TournamentOfferAnswer,
    my_table,
    told_text,
)
from hoodwink.service.http.messages.tournament_answers import tournament_answer, tournament_event

HEARTBEAT: Final = b":\n\n"  # a comment, which clients ignore

OPENING: Final = b"retry: 1000\n\n"
"""Sent first, because the head of the answer leaves with the first bytes. Sets browsers' pause before a reconnect (ms)."""


def snapshot_frame(loaded: LoadedTable, viewer: Viewer, names: Names, *, now: int, with_legal: bool) -> bytes:
    """Returns the table as the viewer sees it at the time `now` (ms)."""
    return _snapshot(loaded.position, table_answer(loaded, viewer, names, now=now, with_legal=with_legal))


def view_frame(  # noqa: PLR0913 - what the frame holds
    position: Position,
    after: LoadedTable,
    events: Sequence[Recorded],
    viewer: Viewer,
    names: Names,
    *,
    now: int,
    words: bool,
) -> bytes:
    """Returns events with the table right after them and the viewer's legal actions.

    Args:
        position: that of the last event, from which a client resumes.
    """
    answer = effect(after, events, viewer, names, now=now, words=words, with_legal=True)
    return b"id: %b\nevent: view\ndata: %b\n\n" % (_id(position), encode(answer))


def tournament_snapshot_frame(loaded: LoadedTournament, names: Names) -> bytes:
    """Returns the tournament as everybody sees it."""
    return _snapshot(loaded.position, tournament_answer(loaded, names))


def _snapshot(position: Position, answer: object) -> bytes:
    return b"id: %b\nevent: snapshot\ndata: %b\n\n" % (_id(position), encode(answer))


def standings_frame(position: Position, standings: bytes) -> bytes:
    """Returns the standings of a tournament, which are JSON, at a position in its history."""
    return b"id: %b\nevent: standings\ndata: %b\n\n" % (_id(position), standings)


def presence_frame(seats: tuple[int, ...]) -> bytes:
    """Returns which seats' players are connected. Without an id, because it is not in the history."""
    return b"event: presence\ndata: %b\n\n" % encode(PresenceAnswer(seats))


def said_frame(message: bytes) -> bytes:
    """Returns what a player said, which is JSON. It is not in the history either."""
    return b"event: said\ndata: %b\n\n" % message


def reset_frame(version: int) -> bytes:
    """Returns the message that the store has lost events that the client has received. A snapshot follows."""
    # The empty id clears the client's `Last-Event-ID`: if it reconnects before the snapshot, it gets one, too.
    return b'id:\nevent: reset\ndata: {"version":%d}\n\n' % version


def my_tables_frame(told: Told, answer: MyTablesAnswer) -> bytes:
    """Returns a player's tables, with which the player's own stream begins."""
    return b"id: %b\nevent: snapshot\ndata: %b\n\n" % (told_text(told).encode(), encode(answer))


def my_tables_reset_frame(now: int) -> bytes:
    """Returns the message that the store has lost events that the player was told of. A snapshot follows."""
    return b'id:\nevent: reset\ndata: {"now":%d}\n\n' % now


def news_frame(told: Told, news: News, player: str, now: int) -> bytes:
    """Returns one item of news from a player's table, with the table right after it."""
    answer = NewsAnswer(now, my_table(news.now, player))
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (told_text(told).encode(), news.kind.encode(), encode(answer))


def offer_frame(tournament: str, name: str, *, now: int) -> bytes:
    """Returns the message that a tournament offers the player an entry or a place."""
    answer = TournamentOfferAnswer(now, OfferingTournament(tournament, name))
    return b"event: tournament_offer\ndata: %b\n\n" % encode(answer)


def event_frame(game: str, recorded: Recorded, viewer: Viewer, seating: Seating | None, now: int) -> bytes:
    """Returns an event as the viewer may know it, or no bytes if it is hidden. A seating adds its words."""
    event = event_record(game, recorded, viewer, seating, now)
    if event is None:
        return b""
    return _event(recorded, event)


def tournament_event_frame(recorded: Recorded, tournament: Tournament, cast: Cast | None) -> bytes:
    """Returns the public form of a tournament's event. A cast adds its words.

    Args:
        recorded: the event.
        tournament: its state right after the event, or later.
        cast: of that tournament.
    """
    return _event(recorded, tournament_event(recorded, tournament, cast))


def _event(recorded: Recorded, event: object) -> bytes:
    return b"id: %b\ndata: %b\n\n" % (_id(position_of(recorded.entry)), encode(event))


def end_frame(position: Position) -> bytes:
    """Returns the last message of a stream, which says that the table or tournament is over."""
    return b'id: %b\nevent: end\ndata: {"version":%d}\n\n' % (_id(position), position.version)


def _id(position: Position) -> bytes:
    return position_text(position).encode()
