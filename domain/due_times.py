"""The times at which the workers have something to do, as tables, tournaments and series give them to the feed."""

from typing import Final

import msgspec

IMMEDIATELY: Final = 0
"""A time that has always passed. The domain has no clock to ask for the current time."""


class WorkDue(msgspec.Struct, frozen=True, gc=False):
    """The times of scheduled work, in ms since the epoch or `IMMEDIATELY`; `None` if there is none.

    Attributes:
        at: the time of the work at the table or in the tournament itself.
        report_at: the time at which the table's tournament looks at the table.
        is_for_bots: whether the work at `at` is for a table where no person plays, so that all other work comes first.
    """

    at: int | None = None
    report_at: int | None = None
    is_for_bots: bool = False


NOTHING_DUE: Final = WorkDue()
