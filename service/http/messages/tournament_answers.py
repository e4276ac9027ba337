"""The API's answers about tournaments and their events."""

from collections.abc import Iterable

import msgspec

from hoodwink.domain.kernel import Event, Names, redact
from hoodwink.domain.projections import PlayerTournamentRow, TournamentRow
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tournaments.life import Tournament, TournamentView, evolve, view_tournament
from hoodwink.domain.words import Cast, tournament_sentence
from hoodwink.service.application.streams.tournaments import Accepted, LoadedTournament


class TournamentEventRecord(msgspec.Struct, frozen=True, gc=False):
    """An event of a tournament; the server seed is `??` until it is revealed.

    Attributes:
        version: the number of the event in its tournament, from 1.
        at: milliseconds since the epoch.
        by: `organiser`, `co-organiser:<id>`, `entrant:<id>`, `worker` or `admin`.
        data: the event's own fields.
        words: a sentence about the event; only with `include=words`.
    """

    version: int
    type: str
    at: int
    by: str
    data: Event
    words: str | msgspec.UnsetType = msgspec.UNSET


class TournamentAnswer(msgspec.Struct, frozen=True, gc=False):
    """A tournament.

    Attributes:
        version: the number of events so far.
        head: the hash of the last event, blinded until the server seed is revealed.
    """

    version: int
    head: str
    tournament: TournamentView


class TournamentAcceptedAnswer(msgspec.Struct, frozen=True, gc=False):
    """The effect of a command.

    Attributes:
        version, head: those of the tournament right after the command.
        events: the events of the command.
        tournament: the tournament right after the command.
    """

    version: int
    head: str
    events: tuple[TournamentEventRecord, ...]
    tournament: TournamentView


class TournamentEventsAnswer(msgspec.Struct, frozen=True, gc=False):
    """A page of a tournament's events.

    Attributes:
        cursor: send it to get the following events, now or later.
        more: whether there are more events now.
    """

    events: tuple[TournamentEventRecord, ...]
    cursor: str
    more: bool


class TournamentsAnswer(msgspec.Struct, frozen=True, gc=False):
    """Tournaments; the one that changed last comes first.

    Attributes:
        cursor: the cursor of the next page; `null` on the last one.
    """

    tournaments: tuple[TournamentRow, ...]
    cursor: str | None


class PlayerTournamentsAnswer(msgspec.Struct, frozen=True, gc=False):
    """A player's tournaments; the one that changed last comes first.

    Attributes:
        cursor: the cursor of the next page; `null` on the last one.
    """

    tournaments: tuple[PlayerTournamentRow, ...]
    cursor: str | None


def tournament_answer(loaded: LoadedTournament, names: Names) -> TournamentAnswer:
    """Returns the tournament as everybody may see it."""
    return TournamentAnswer(loaded.state.version, loaded.head, view_tournament(loaded.state, names))


def tournament_accepted(accepted: Accepted, names: Names, *, words: bool = False) -> TournamentAcceptedAnswer:
    after = accepted.after
    events = tournament_events(accepted.events, after.state, names, words=words)
    return TournamentAcceptedAnswer(
        after.state.version, after.head, events, view_tournament(after.state, names)
    )


def tournament_events(
    events: Iterable[Recorded], tournament: Tournament, names: Names, *, words: bool = False
) -> tuple[TournamentEventRecord, ...]:
    """Returns events as everybody may see them.

    Args:
        events: in order.
        tournament: at any version, even before the events.
    """
    cast, records = Cast(tournament, names) if words else None, []
    for recorded in events:
        # The seed may be revealed, and entrants may come, between the loaded version and these events.
        if recorded.entry.version > tournament.version:
            tournament = evolve(tournament, recorded)
            cast = cast and Cast(tournament, names)
        records.append(tournament_event(recorded, tournament, cast))
    return tuple(records)


def tournament_event(recorded: Recorded, tournament: Tournament, cast: Cast | None) -> TournamentEventRecord:
    """Returns an event as everybody may see it; with a cast, it has a sentence.

    Args:
        tournament: right after the event, or later.
        cast: the cast of that tournament.
    """
    event = recorded.event
    # The seed is all that a tournament hides. Once revealed, it is shown in earlier events, too.
    shown = event if tournament.is_seed_revealed else redact(event, "spectator")
    assert shown is not None, "no event of a tournament is hidden altogether"
    by = recorded.entry.by
    sentence = msgspec.UNSET if cast is None else tournament_sentence(shown, cast, by=by)
    return TournamentEventRecord(
        recorded.entry.version, event.wire, recorded.entry.at, recorded.entry.by, shown, sentence
    )
