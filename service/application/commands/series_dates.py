"""The dates of a series, computed from its schedule with the time zones of the system (S-2)."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from itertools import islice
from zoneinfo import ZoneInfo, available_timezones

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.series import Schedule, SeriesCode
from hoodwink.domain.series.plan import MAX_DATES, Weekday


def dates_of(schedule: Schedule) -> tuple[int, ...]:
    """Returns the starts of the tournaments in ms since the epoch, one too many if there are too many.

    Raises:
        RuleViolation: there is no such time zone or day.
    """
    if schedule.zone not in _zones():
        raise RuleViolation(SeriesCode.INVALID_SERIES, f"There is no time zone {schedule.zone}.")
    zone, at = ZoneInfo(schedule.zone), time.fromisoformat(schedule.time)
    first = _day(schedule.first_day)
    last = date.max if schedule.last_day is None else _day(schedule.last_day)
    count = MAX_DATES + 1 if schedule.tournaments is None else schedule.tournaments
    days = islice(_days(schedule, first, last), count)
    # The first of two equal local times, and the offset before a gap: `fold` is 0.
    return tuple([_ms(datetime.combine(day, at, zone)) for day in days])


def _days(schedule: Schedule, first: date, last: date) -> Iterator[date]:
    """Yields the days in order, up to the last one or the end of time."""
    monday, offsets = _monday(first), sorted(list(Weekday).index(day) for day in set(schedule.weekdays))
    try:
        while True:
            for offset in offsets:
                day = monday + timedelta(days=offset)
                if day > last:
                    return
                if day >= first:
                    yield day
            monday += timedelta(weeks=schedule.every_weeks)
    except OverflowError:
        return


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _day(text: str) -> date:
    # Years that time zones and calendars can compute with.
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.min
    if not 1970 < day.year < 9000:
        raise RuleViolation(SeriesCode.INVALID_SERIES, f"There is no day {text}, or it is too far away.")
    return day


def _ms(start: datetime) -> int:
    return round(start.astimezone(UTC).timestamp()) * 1000


@cache
def _zones() -> frozenset[str]:
    # Cached, because this opens every file of the time zone database.
    return frozenset(available_timezones())
