"""The error codes of series; see `RuleViolation`."""

from hoodwink.domain.kernel import RuleCode


class SeriesCode(RuleCode):
    """The error codes of series."""

    SERIES_EXISTS = ("series_exists", "The series is already open.")
    INVALID_SERIES = (
        "invalid_series",
        "A setting of the series is not allowed, or does not fit another one.",
    )
    SERIES_STOPPED = ("series_stopped", "The series has no dates left that could be left out.")
    NO_SUCH_DATE = ("no_such_date", "The series has no such date.")
    DATE_SETTLED = (
        "date_settled",
        "The tournament on this date has been opened, or the date has been left out.",
    )
    NOT_COUNTED = ("not_counted", "This result cannot be counted.")
