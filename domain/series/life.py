"""The life of a series: decides its commands, and applies its events (S-1 … S-13)."""

from typing import Final, TypeAlias, assert_never

from msgspec.structs import replace

from hoodwink.domain.due_times import IMMEDIATELY, NOTHING_DUE, WorkDue
from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.series import commands, events
from hoodwink.domain.series.codes import SeriesCode
from hoodwink.domain.series.plan import check_plan
from hoodwink.domain.series.state import (
    UNOPENED,
    UNSETTLED,
    DateStatus,
    Plan,
    SeasonDate,
    SeasonPhase,
    Series,
    date_of,
    next_date,
    opens_at,
    plan_of,
    tournament_id,
)
from hoodwink.domain.tables.deciding.corrections import check_reason
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.life import MAX_TITLE_LENGTH, OpenTournament, SeriesPlace, Visibility
from hoodwink.domain.tournaments.life.events import TournamentOpened

Events: TypeAlias = tuple[events.SeriesEvent, ...]

CORRECTION_PAUSE_MS: Final = 300_000
"""The time between two corrections of a result. Each copies all places of the tournament (S-10)."""

_MAX_NAME: Final = MAX_TITLE_LENGTH - len(" 60")


def decide(series: Series, command: commands.SeriesCommand, now: int) -> Events:
    """Returns the events that the command leads to at time `now` (ms); raises `RuleViolation`."""
    if isinstance(command, commands.OpenSeries):
        return (_opened(series, command, now),)
    assert series.version, "a series that does not exist takes no other command"
    match command:
        case commands.ConfirmTournament():
            date = _planned(series, command.number)
            decided: events.SeriesEvent = events.SeriesTournamentOpened(
                date.number, tournament_id(series.id, date.number)
            )
        case commands.SkipDate():
            decided = events.DateSkipped(_skippable(series, command.number, now).number)
        case commands.MissDate():
            decided = events.DateMissed(_planned(series, command.number).number, command.why)
        case commands.CountTournament():
            decided = _counted(series, command)
        case commands.StopSeries():
            _check_stoppable(series, command.why, now)
            decided = events.SeriesStopped(command.why)
        case commands.CloseSeries():
            _check_stoppable(series, events.Stopped.ADMINISTRATOR, now)
            check_reason(command.reason)
            decided = events.SeriesClosed(command.reason)
        case _:
            assert_never(command)
    return _with_end(series, decided, now)


def tournament_to_open(series: Series, date: SeasonDate, server_seed: str) -> OpenTournament:
    """Returns the command that opens the tournament of a date, as the organiser's (S-3)."""
    plan = plan_of(series)
    (sitting,) = plan.setup.sittings
    return OpenTournament(
        tournament=tournament_id(series.id, date.number),
        organiser=series.organiser,
        setup=replace(
            plan.setup,
            name=f"{plan.setup.name} {date.number}",
            sittings=(replace(sitting, starts_at=date.starts_at),),
        ),
        server_seed=server_seed,
        compare=plan.compare,
        arena=plan.arena,
        admission=plan.admission,
        series=SeriesPlace(series.id, date.number),
    )


def due_date(series: Series, now: int) -> SeasonDate | None:
    """Returns the date whose tournament has to be opened now."""
    date = next_date(series)
    return date if date is not None and opens_at(series, date) <= now else None


def counts_at(series: Series, command: commands.CountTournament) -> int | None:
    """Returns when a result has to be counted, in ms or `IMMEDIATELY`; `None` unless it is the first of its tournament or a correction."""
    # A tournament may end before its opening is confirmed.
    date = date_of(series, command.number)
    if date is None:
        return None
    if not date.version:
        return IMMEDIATELY
    is_correction = command.version > date.version and command.placings != date.placings
    return date.counted_at + CORRECTION_PAUSE_MS if is_correction else None  # S-10


def work_due(series: Series) -> WorkDue:
    """Returns when the service has to open the next tournament."""
    date = next_date(series)
    return NOTHING_DUE if date is None else WorkDue(opens_at(series, date))


def evolve(series: Series, recorded: Recorded) -> Series:
    """Returns the series after the event, without checking the event."""
    event = recorded.event
    assert isinstance(event, events.SeriesEvent), "the stream has no other events"
    series = replace(series, corrected=None)
    return replace(_applied(series, event, recorded.entry.at), version=recorded.entry.version)


def _opened(series: Series, command: commands.OpenSeries, now: int) -> events.SeriesOpened:
    if series.version:
        raise RuleViolation(SeriesCode.SERIES_EXISTS)
    setup = command.setup
    check_plan(command.schedule, command.points, setup.format, command.dates, now)
    if command.admission.visibility is Visibility.PRIVATE:
        raise RuleViolation(SeriesCode.INVALID_SERIES, "A series is public or unlisted.")  # S-1
    if len(setup.sittings) != 1:
        raise RuleViolation(SeriesCode.INVALID_SERIES, "Each tournament of a series has one sitting.")
    if len(setup.name) > _MAX_NAME:
        raise RuleViolation(SeriesCode.INVALID_SERIES, f"`name` must have at most {_MAX_NAME} characters.")
    opened = events.SeriesOpened(
        **{field: getattr(command, field) for field in commands.OpenSeries.__struct_fields__}
    )
    # The settings are those of the first tournament, so the rules of tournaments check them.
    draft = _applied(UNOPENED, opened, now)
    first, *_ = life.decide(life.UNOPENED, tournament_to_open(draft, draft.dates[0], ""), now)
    assert isinstance(first, TournamentOpened), "a tournament begins with its opening"
    return replace(opened, setup=replace(setup, options=first.setup.options))


def _planned(series: Series, number: int) -> SeasonDate:
    date = date_of(series, number)
    if date is None:
        raise RuleViolation(SeriesCode.NO_SUCH_DATE)
    if date.status is not DateStatus.PLANNED:
        raise RuleViolation(SeriesCode.DATE_SETTLED)
    return date


def _skippable(series: Series, number: int, now: int) -> SeasonDate:
    """Returns the date; raises `RuleViolation` unless the organiser can leave it out."""
    date = _planned(series, number)
    # The service may be opening the tournament in this moment.
    if opens_at(series, date) <= now:
        raise RuleViolation(SeriesCode.DATE_SETTLED)
    return date


def _check_stoppable(series: Series, why: events.Stopped, now: int) -> None:
    if not any(_is_left_out(series, date, why, now) for date in series.dates):
        raise RuleViolation(SeriesCode.SERIES_STOPPED)


def _is_left_out(series: Series, date: SeasonDate, why: events.Stopped, at: int) -> bool:
    """Returns whether the end of the series leaves out a date: not one whose tournament may be opening (S-6)."""
    is_opening = opens_at(series, date) <= at and why is not events.Stopped.ORGANISER_GONE
    return date.status is DateStatus.PLANNED and not is_opening


def _counted(series: Series, command: commands.CountTournament) -> events.TournamentCounted:
    date = date_of(series, command.number)
    if date is None:
        raise RuleViolation(SeriesCode.NO_SUCH_DATE)
    if counts_at(series, command) is None:
        raise RuleViolation(SeriesCode.NOT_COUNTED)
    return events.TournamentCounted(
        date.number, tournament_id(series.id, date.number), command.version, command.head, command.placings
    )


def _with_end(series: Series, event: events.SeriesEvent, now: int) -> Events:
    after = _applied(series, event, now)
    is_settled = not any(date.status in UNSETTLED for date in after.dates)
    ends = is_settled and series.phase is SeasonPhase.RUNNING
    return (event, events.SeasonEnded()) if ends else (event,)  # S-12


def _applied(series: Series, event: events.SeriesEvent, at: int) -> Series:
    match event:
        case events.SeriesOpened():
            plan = Plan(**{field: getattr(event, field) for field in Plan.__struct_fields__})
            dates = [
                SeasonDate(number=number, starts_at=at) for number, at in enumerate(event.dates, start=1)
            ]
            return replace(series, id=event.series, organiser=event.organiser, plan=plan, dates=tuple(dates))
        case events.SeriesTournamentOpened():
            return _with_date(series, event.number, status=DateStatus.OPEN, tournament=event.tournament)
        case events.DateSkipped():
            return _with_date(series, event.number, status=DateStatus.SKIPPED)
        case events.DateMissed():
            return _with_date(series, event.number, status=DateStatus.MISSED, why=event.why)
        case events.TournamentCounted():
            return _counting(series, event, at)
        case events.SeriesStopped():
            return _after_end(series, event.why, at)
        case events.SeriesClosed():
            return _after_end(series, events.Stopped.ADMINISTRATOR, at)
        case events.SeasonEnded():
            return replace(series, phase=SeasonPhase.ENDED)
        case _:
            assert_never(event)


def _after_end(series: Series, why: events.Stopped, at: int) -> Series:
    dates = [
        replace(date, status=DateStatus.SKIPPED) if _is_left_out(series, date, why, at) else date
        for date in series.dates
    ]
    return replace(series, stopped=why, dates=tuple(dates))


def _counting(series: Series, event: events.TournamentCounted, at: int) -> Series:
    date = series.dates[event.number - 1]
    return _with_date(
        replace(series, corrected=date if date.version else None),
        event.number,
        status=DateStatus.OVER,
        tournament=event.tournament,
        version=event.version,
        counted_at=at,
        placings=event.placings,
    )


def _with_date(series: Series, number: int, **changes: object) -> Series:
    dates = list(series.dates)
    dates[number - 1] = replace(dates[number - 1], **changes)
    return replace(series, dates=tuple(dates))
