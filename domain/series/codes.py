"""The error codes of series; see `RuleViolation`."""

from hoodwink.domain.kernel import RuleCode


class SeriesCode(RuleCode):
    """The error codes of series."""

    SERIES_EXISTS = ("series_exists", "The series is already open.")
    INVALID_SERIES = (
        "invalid_series",
        "A setting of the series is not allowed, or does not fit another one.",
    )
    SERIES_STOPPED = ("series_stopped", "No further tournament of this series will open.")
    NO_SUCH_DATE = ("no_such_date", "The series has no such date.")
    DATE_SETTLED = (
        "date_settled",
        "The tournament of this date has been opened, or the date is left out already.",
    )
    NOT_COUNTED = ("not_counted", "This result cannot be counted.")
