"""`/v1/series`: opens, lists and shows series, with their dates."""

import re
from collections.abc import Callable
from typing import Any, Final

import msgspec
from marshmallow import fields, validate

from hoodwink.domain.administration import Act
from hoodwink.domain.kernel import SharedCode
from hoodwink.domain.series import (
    OpenSeries,
    Points,
    Schedule,
    SeasonPhase,
    Series,
    SeriesCode,
    SeriesCommand,
    SkipDate,
    Stopped,
    StopSeries,
)
from hoodwink.domain.series.state import date_of
from hoodwink.domain.tables.actor import ORGANISER, Actor
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.setup import Advance
from hoodwink.service.application.commands import series_intents
from hoodwink.service.application.commands.series_dates import dates_of
from hoodwink.service.application.errors import (
    BusyCode,
    Forbidden,
    ForbiddenCode,
    NotFound,
    NotFoundCode,
)
from hoodwink.service.application.players.identity import idempotency_key
from hoodwink.service.application.players.new_names import legibly_named
from hoodwink.service.application.players.player_lookup import is_id
from hoodwink.service.application.streams.series import LoadedSeries
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, H, Reply, Tag, operation
from hoodwink.service.http.messages.schemas import ConfirmSchema, reason_field
from hoodwink.service.http.messages.tournament_answers import SeriesListAnswer, SeriesView, series_view
from hoodwink.service.http.messages.tournament_forms import SERIES_FORMS
from hoodwink.service.http.resources.access import command_key
from hoodwink.service.http.resources.opening import SERIES_CODES, count_series
from hoodwink.service.http.resources.pages import PageSchema, next_cursor, paging, rows

_SERIES: Final = Answer("The series.", {JSON: SeriesView})
_NUMBER: Final = re.compile("[1-9][0-9]?")


class SeriesListSchema(PageSchema):
    """The series to list."""

    phase = fields.String(
        validate=validate.OneOf([phase.value for phase in SeasonPhase]),
        metadata={"description": "The phase of the series.", "default": SeasonPhase.RUNNING.value},
    )


def load_series(service: Service, call: Call) -> LoadedSeries:
    """Returns the series in the path; raises `NotFound`."""
    # Everybody may see a series: it is public or unlisted, never private (S-1).
    if not is_id(call.path["series_id"]):
        raise NotFound(NotFoundCode.SERIES_NOT_FOUND)
    return service.series.load(call.path["series_id"])


def _series_operation(path: str, summary: str, **more: Any) -> Callable[[H], H]:
    """Declares a command to a series that cannot be undone; `path` follows the series' own."""
    return operation(
        method="POST",
        path=f"/v1/series/{{series_id}}{path}",
        tag=Tag.TOURNAMENTS,
        summary=summary,
        access=Access.PLAYER,
        body=ConfirmSchema(),
        answer=_SERIES,
        **more,
    )


class SeriesEndSchema(ConfirmSchema):
    """The end of a series, with its reason."""

    reason = reason_field(required=True)


class SeriesResource:
    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="POST",
        path="/v1/series",
        tag=Tag.TOURNAMENTS,
        summary="Open a series",
        description="The service opens a tournament with these settings for each date, as yours, and opens its registration "
        "`opens_hours` before its start. The name of each is that of the series and a number. Unless `advance` is `manual`, each "
        "starts by itself, and is cancelled if it cannot start.",
        access=Access.PLAYER,
        body=SERIES_FORMS,
        answer=Answer("The series.", {JSON: SeriesView}, 201, ("Location",)),
        refuses=(
            ForbiddenCode.NOT_FOR_BOTS,
            SharedCode.INVALID_OPTIONS,
            TournamentCode.INVALID_SETUP,
            SeriesCode.INVALID_SERIES,
            *SERIES_CODES,
        ),
    )
    def open_series(self, call: Call) -> Reply:
        identities = self._service.identities
        if call.actor.owner is not None:
            raise Forbidden(ForbiddenCode.NOT_FOR_BOTS)
        key = identities.key_or_fresh(call.key)
        form = {"advance": Advance.AUTOMATIC} | dict(call.form)  # S-4
        # An invalid series is refused here, before it counts against the limits.
        schedule = msgspec.convert(form.pop("schedule"), Schedule)
        points = msgspec.convert(form.pop("points", {}), Points)
        sitting = {"rounds": form.pop("rounds", None)}
        full = life.full_setup_from(form | {"sittings": [sitting]})
        opened = identities.series_id(call.actor.id, key)
        command = OpenSeries(
            series=opened,
            organiser=call.actor.id,
            setup=legibly_named(full.stored),
            compare=full.compared_by,
            arena=full.arena,
            admission=full.admission,
            schedule=schedule,
            points=points,
            dates=dates_of(schedule),
        )
        count_series(self._service, call, opened)
        by_key = idempotency_key(call.actor.id, key, call.raw)
        accepted = self._service.series.open(opened, command, by=ORGANISER, key=by_key)
        return self._shown(accepted.after.state, {"Location": f"/v1/series/{opened}"})

    @operation(
        method="GET",
        path="/v1/series",
        tag=Tag.TOURNAMENTS,
        summary="List series",
        query=SeriesListSchema(),
        answer=Answer("A page of series.", {JSON: SeriesListAnswer}),
    )
    def list_series(self, call: Call) -> Reply:
        asked, phase = paging(call), SeasonPhase(call.query.get("phase", SeasonPhase.RUNNING))
        page = self._service.queries.series(phase, before=asked.before, count=asked.count)
        return Reply(SeriesListAnswer(rows(page), next_cursor(page)))

    @operation(
        method="GET",
        path="/v1/me/series",
        tag=Tag.TOURNAMENTS,
        summary="List the series that you organise",
        description="They are not over. Those that are not public are included.",
        access=Access.PLAYER,
        query=PageSchema(),
        answer=Answer("A page of series.", {JSON: SeriesListAnswer}),
    )
    def list_organised_series(self, call: Call) -> Reply:
        asked = paging(call)
        page = self._service.queries.series_of(call.actor.id, before=asked.before, count=asked.count)
        return Reply(SeriesListAnswer(rows(page), next_cursor(page)))

    @operation(
        method="GET",
        path="/v1/series/{series_id}",
        tag=Tag.TOURNAMENTS,
        summary="View a series",
        answer=_SERIES,
    )
    def get_series(self, call: Call) -> Reply:
        return self._shown(load_series(self._service, call).state)

    @_series_operation(
        "/dates/{date}/skip",
        "Leave out a date (organiser only)",
        description="Possible until its tournament is opened for entries. The date does not come back.",
        refuses=(ForbiddenCode.NOT_ORGANISER, SeriesCode.DATE_SETTLED, BusyCode.SERIES_BUSY),
    )
    def skip_date(self, call: Call) -> Reply:
        number = call.path["date"]
        if not _NUMBER.fullmatch(number):
            raise NotFound(NotFoundCode.DATE_NOT_FOUND)

        def checked(series: Series) -> SeriesCommand:
            if date_of(series, int(number)) is None:
                raise NotFound(NotFoundCode.DATE_NOT_FOUND)
            return SkipDate(int(number))

        return self._execute(call, checked)

    @_series_operation(
        "/end",
        "End a series (organiser only)",
        description="No further tournament is opened. Those that are open still count; cancel them if they should not take place.",
        refuses=(ForbiddenCode.NOT_ORGANISER, SeriesCode.SERIES_STOPPED, BusyCode.SERIES_BUSY),
    )
    def end_series(self, call: Call) -> Reply:
        return self._execute(call, lambda _: StopSeries(Stopped.ORGANISER))

    @operation(
        method="POST",
        path="/v1/series/{series_id}/stop",
        tag=Tag.ADMINISTRATION,
        summary="End a series (administrators only)",
        description="No further tournament is opened, as if the organiser had ended the series. Those that are open still count; end "
        "them if they should not take place. The event contains a salted hash of your reason; `GET /v1/reasons/{digest}` shows the text.",
        access=Access.ADMINISTRATOR,
        body=SeriesEndSchema(),
        answer=_SERIES,
        refuses=(SeriesCode.SERIES_STOPPED, TableCode.INVALID_REASON, BusyCode.SERIES_BUSY),
    )
    def stop_series(self, call: Call) -> Reply:
        series, key = load_series(self._service, call).state.id, command_key(call)
        repository = self._service.series
        digest = self._service.administration.record(
            call.administrator,
            Act.END_SERIES,
            series,
            reason=call.form["reason"],
            key=key,
            check=lambda digest: repository.check(series, series_intents.close(digest)),
        )
        return self._shown(repository.execute(series, series_intents.close(digest), key=key).after.state)

    def _execute(self, call: Call, command: Callable[[Series], SeriesCommand]) -> Reply:
        def intent(series: Series) -> tuple[SeriesCommand, Actor]:
            if series.organiser != call.actor.id:
                raise Forbidden(ForbiddenCode.NOT_ORGANISER)
            return command(series), ORGANISER

        loaded = load_series(self._service, call)
        accepted = self._service.series.execute(loaded.state.id, intent, key=command_key(call))
        return self._shown(accepted.after.state)

    def _shown(self, series: Series, headers: dict[str, str] | None = None) -> Reply:
        names = self._service.players.names([series.organiser])
        return Reply(series_view(series, names), headers or {})
