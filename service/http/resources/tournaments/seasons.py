"""The results of series: season tables, histories, calendars and trophies."""

from typing import Final

from hoodwink.domain.series import SeasonPhase, SeasonRow, season_table
from hoodwink.domain.series.events import TournamentCounted
from hoodwink.domain.series.state import DateStatus
from hoodwink.domain.words import series_sentence
from hoodwink.service.application.reading.calendars import MEDIA_TYPE, series_calendar
from hoodwink.service.application.reading.sheets import season_csv
from hoodwink.service.application.streams.cache import Cache
from hoodwink.service.application.streams.series import LoadedSeries
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Cost, Reply, Tag, operation
from hoodwink.service.http.messages.fields import TextIntegerField, within
from hoodwink.service.http.messages.tournament_answers import (
    SeasonTableAnswer,
    SeriesEventRecord,
    SeriesHistoryAnswer,
    TrophiesAnswer,
    season_rows,
)
from hoodwink.service.http.resources.formats import CSV, CSV_TEXT, FormatSchema, csv_reply, wants_csv
from hoodwink.service.http.resources.pages import rows
from hoodwink.service.http.resources.players.books import is_own_account
from hoodwink.service.http.resources.tournaments.series import load_series

_MAX_ROWS: Final = 200
_MAX_EVENTS: Final = 200
_MAX_TROPHIES: Final = 100

_MAX_TABLES: Final = 8
"""Season tables that a process remembers."""


class SeasonTableSchema(FormatSchema):
    """The rows of a season table to show."""

    skip = TextIntegerField(
        validate=within(0, 100_000),
        metadata={"description": "The number of rows to leave out at the beginning.", "default": 0},
    )
    limit = TextIntegerField(
        validate=within(1, _MAX_ROWS),
        metadata={"description": "The maximum number of rows.", "default": _MAX_ROWS},
    )


class SeasonResource:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._tables: Cache[tuple[str, str], tuple[SeasonRow, ...]] = Cache(_MAX_TABLES)

    @operation(
        method="GET",
        path="/v1/series/{series_id}/table",
        cost=Cost.MUCH,
        tag=Tag.TOURNAMENTS,
        summary="View the season table",
        description="A tournament counts once it has finished and its last table has ended; a later correction changes the table. "
        "As CSV: all rows, with points that do not count in brackets.",
        query=SeasonTableSchema(),
        answer=Answer("The table.", {JSON: SeasonTableAnswer, CSV: CSV_TEXT}, 200, ("Content-Disposition",)),
    )
    def get_season_table(self, call: Call) -> Reply:
        loaded = load_series(self._service, call)
        series, table = loaded.state, self._table_of(loaded)
        if wants_csv(call):
            names = self._service.players.names([row.player for row in table])
            return csv_reply(season_csv(series, table, names), f"season-{series.id}")
        first = call.query.get("skip", 0)
        shown = table[first : first + call.query.get("limit", _MAX_ROWS)]
        names = self._service.players.names([row.player for row in shown])
        return Reply(
            SeasonTableAnswer(
                series=series.id,
                version=series.version,
                is_final=series.phase is SeasonPhase.ENDED,
                players=len(table),
                rows=season_rows(shown, names),
            )
        )

    def _table_of(self, loaded: LoadedSeries) -> tuple[SeasonRow, ...]:
        # The table of a large series takes half a second, for any page of it.
        # Without the names, which can change and be erased without an event.
        asked = (loaded.state.id, loaded.head)
        known = self._tables.get(asked)
        if known is None:
            known = season_table(loaded.state)
            self._tables.put(asked, known)
        return known

    @operation(
        method="GET",
        path="/v1/series/{series_id}/history",
        cost=Cost.MUCH,
        tag=Tag.TOURNAMENTS,
        summary="List what happened in a series, in words",
        description=f"The latest {_MAX_EVENTS} events.",
        answer=Answer("The events.", {JSON: SeriesHistoryAnswer}),
    )
    def get_series_history(self, call: Call) -> Reply:
        series = load_series(self._service, call).state
        history = self._service.series.history(series.id, after=max(0, series.version - _MAX_EVENTS))
        winners = [
            placing.player
            for recorded in history
            if isinstance(recorded.event, TournamentCounted)
            for placing in recorded.event.placings
            if placing.place == 1
        ]
        names = self._service.players.names(winners)
        events = [
            SeriesEventRecord(
                version=recorded.entry.version,
                type=recorded.event.wire,
                at=recorded.entry.at,
                by=recorded.entry.by,
                words=series_sentence(recorded.event, names),
                reason=getattr(recorded.event, "reason", None),
            )
            for recorded in reversed(history)
        ]
        return Reply(SeriesHistoryAnswer(tuple(events)))

    @operation(
        method="GET",
        path="/v1/series/{series_id}/calendar",
        cost=Cost.MUCH,
        tag=Tag.TOURNAMENTS,
        summary="Subscribe to the dates of a series",
        description="An iCalendar file (RFC 5545) with all dates, in UTC. Dates that were left out or missed are cancelled in it, and "
        "those of tournaments that are over are as they were planned. The UIDs are those of the tournaments' own calendars.",
        answer=Answer("The calendar.", {MEDIA_TYPE: {"type": "string"}}),
    )
    def get_series_calendar(self, call: Call) -> Reply:
        loaded = load_series(self._service, call)
        # Without those that are over: most of them are in the archive, and there may be 60 large ones.
        opened = {
            date.number: self._service.tournaments.load(date.tournament)
            for date in loaded.state.dates
            if date.status is DateStatus.OPEN and date.tournament is not None
        }
        text = series_calendar(loaded.state, opened, loaded.at, self._service.settings.own_origin)
        return Reply(text.encode(), media_type=f"{MEDIA_TYPE}; charset=utf-8")

    @operation(
        method="GET",
        path="/v1/players/{player_id}/trophies",
        tag=Tag.TOURNAMENTS,
        summary="List a player's trophies",
        description="The first three places of finished tournaments and of seasons, if more players took part than the place says: "
        f"the latest {_MAX_TROPHIES} of each. Those that are not public are included only if you ask for your own with a token.",
        access=Access.OPTIONAL,
        answer=Answer("The trophies.", {JSON: TrophiesAnswer}),
    )
    def list_trophies(self, call: Call) -> Reply:
        player = self._service.players.get(call.path["player_id"])
        if player.is_erased:  # S-11
            return Reply(TrophiesAnswer((), ()))
        tournaments, seasons = self._service.queries.trophies_of(
            player.id, unlisted=is_own_account(call), count=_MAX_TROPHIES
        )
        return Reply(TrophiesAnswer(rows(tournaments), rows(seasons)))
