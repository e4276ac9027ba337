"""The API's answers about tournaments, their events, and the acts of officials."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import islice

import msgspec

from hoodwink.domain.kernel import Event, Names, redact
from hoodwink.domain.projections import PlayerTournamentRow, SeasonTrophyRow, SeriesRow, TournamentRow
from hoodwink.domain.series import Missed, Points, Schedule, SeasonPhase, SeasonRow, Series, Stopped
from hoodwink.domain.series.season import SeasonResult
from hoodwink.domain.series.state import DateStatus, opens_at, plan_of
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tournaments.life import (
    FullSetup,
    Tournament,
    TournamentView,
    evolve,
    full_setup,
    view_tournament,
)
from hoodwink.domain.tournaments.standings import three_decimals
from hoodwink.domain.words import Cast, tournament_sentence
from hoodwink.service.application.reading.official_acts import JournalAct, journal_of
from hoodwink.service.application.streams.tournaments import Accepted, LoadedTournament


class TournamentEventRecord(msgspec.Struct, frozen=True, gc=False):
    """An event of a tournament; the server seed is `??` until it is revealed.

    Attributes:
        version: the number of the event in its tournament, from 1.
        at: milliseconds since the epoch.
        by: `organiser`, `co_organiser:<id>`, `entrant:<id>`, `worker` or `admin`.
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


class SeasonDateView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One date of a series.

    Attributes:
        starts_at, opens_at: when its tournament starts, and when it is opened for entries, in ms since the epoch, as planned.
        tournament: the id of its tournament, or `None` if it was not opened.
        why: why it was missed, otherwise `None`.
        players: the number of players whose result counts.
    """

    number: int
    starts_at: int
    opens_at: int
    status: DateStatus
    tournament: str | None
    why: Missed | None
    players: int


class SeriesView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A series.

    Attributes:
        organiser, organiser_name: the id and the name of the player who opened it.
        setup: the settings of its tournaments, whose sitting has no time here.
        stopped: why no further tournament opens, or `None`.
    """

    id: str
    version: int
    phase: SeasonPhase
    organiser: str
    organiser_name: str
    setup: FullSetup
    schedule: Schedule
    points: Points
    stopped: Stopped | None
    dates: tuple[SeasonDateView, ...]


class SeriesListAnswer(msgspec.Struct, frozen=True, gc=False):
    """Series; the one that changed last comes first.

    Attributes:
        cursor: the cursor of the next page; `null` on the last one.
    """

    series: tuple[SeriesRow, ...]
    cursor: str | None


class SeasonPlayer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A player's row in a season table.

    Attributes:
        place: shared by players who are equal in everything.
        points: the sum of the results that count, exact.
        decimals: the points with three decimals, for people.
        results: the tournaments in which the player played, in order.
    """

    place: int
    player: str
    name: str
    points: Fraction
    decimals: str
    results: tuple[SeasonResult, ...]


class SeasonTableAnswer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A page of the season table of a series.

    Attributes:
        version: of the series from which it was computed.
        is_final: whether the season is over; corrections are still possible.
        players: the number of players in the whole table.
    """

    series: str
    version: int
    is_final: bool
    players: int
    rows: tuple[SeasonPlayer, ...]


class SeriesEventRecord(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An event of a series.

    Attributes:
        at: milliseconds since the epoch.
        by: `organiser`, `worker` or `admin`.
        words: a sentence about the event.
        reason: the salted hash of an administrator's reason, or `None`; see `GET /v1/reasons/{digest}`.
    """

    version: int
    type: str
    at: int
    by: str
    words: str
    reason: str | None


class SeriesHistoryAnswer(msgspec.Struct, frozen=True, gc=False):
    """The latest events of a series, the latest first."""

    events: tuple[SeriesEventRecord, ...]


class TrophiesAnswer(msgspec.Struct, frozen=True, gc=False):
    """A player's latest trophies: of tournaments and of seasons, the latest first."""

    tournaments: tuple[PlayerTournamentRow, ...]
    seasons: tuple[SeasonTrophyRow, ...]


def series_view(series: Series, names: Names) -> SeriesView:
    plan = plan_of(series)
    return SeriesView(
        id=series.id,
        version=series.version,
        phase=series.phase,
        organiser=series.organiser,
        organiser_name=names(series.organiser),
        setup=full_setup(plan.setup, plan.compare, plan.arena, plan.admission),
        schedule=plan.schedule,
        points=plan.points,
        stopped=series.stopped,
        dates=tuple(
            [
                SeasonDateView(
                    number=date.number,
                    starts_at=date.starts_at,
                    opens_at=opens_at(series, date),
                    status=date.status,
                    tournament=date.tournament,
                    why=date.why,
                    players=len(date.placings),
                )
                for date in series.dates
            ]
        ),
    )


def season_rows(rows: Iterable[SeasonRow], names: Names) -> tuple[SeasonPlayer, ...]:
    return tuple(
        [
            SeasonPlayer(
                place=row.place,
                player=row.player,
                name=names(row.player),
                points=row.points,
                decimals=three_decimals(row.points),
                results=row.results,
            )
            for row in rows
        ]
    )


class JournalEntry(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An act of an official or administrator.

    Attributes:
        version: the number of its event in the tournament.
        at: in ms since the epoch.
        by: `organiser`, `co_organiser:<id>`, `entrant:<id>`, `worker` or `admin`, as in the event.
        official: the id of the official who acted; `null` for an administrator.
        type: the type of the event.
        words: a sentence.
        reason: the reason as in the event, or its salted hash (see `GET /v1/reasons/{digest}`); empty without one.
        reversed_by: the version of the event by which an administrator reversed it, or `null`.
    """

    version: int
    at: int
    by: str
    official: str | None
    type: str
    words: str
    reason: str
    reversed_by: int | None


class JournalAnswer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The acts of officials and administrators, the latest first.

    Attributes:
        cursor: the cursor of the next page; `null` on the last one.
    """

    acts: tuple[JournalEntry, ...]
    cursor: str | None


def journal_answer(
    tournament: Tournament, latest: Iterable[Recorded], names: Names, *, before: int | None, count: int
) -> JournalAnswer:
    """Returns a page of acts; `before` is a version, and `latest` has the tournament's events, the latest first."""
    # A generator: `latest` reads the log backwards, and only as far as it is asked.
    acts = (
        act
        for act in journal_of(latest, tournament.organiser)
        if before is None or act.recorded.entry.version < before
    )
    cast, found = Cast(tournament, names), list(islice(acts, count + 1))
    shown = found[:count]
    cursor = str(shown[-1].recorded.entry.version) if len(found) > count else None
    return JournalAnswer(acts=tuple([_entry(act, cast) for act in shown]), cursor=cursor)


def _entry(act: JournalAct, cast: Cast) -> JournalEntry:
    entry, event = act.recorded.entry, act.recorded.event
    return JournalEntry(
        version=entry.version,
        at=entry.at,
        by=entry.by,
        official=act.official,
        type=event.wire,
        words=tournament_sentence(event, cast, by=entry.by),
        reason=getattr(event, "reason", ""),
        reversed_by=act.reversed_by,
    )
