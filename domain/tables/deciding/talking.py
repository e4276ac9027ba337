"""The phrases and nudges that players send at a table. They are not events: no log has them, and no state depends on them."""

from typing import Final

from hoodwink.domain.kernel import RuleViolation, Stage
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.state import Phase, Table, is_played_by_bot, stage_of

NUDGE: Final = "nudge"
"""The saying that reminds one other seat of its turn."""

NUDGE_AFTER_MS: Final = 20_000
"""How long a turn must have lasted before anybody may nudge."""


def is_quiet(table: Table) -> bool:
    """Returns whether nobody may say anything: where results count, even a choice and its time could convey cards."""
    counts = table.rated or table.tournament is not None
    return counts and table.phase is Phase.PLAYING and stage_of(table) is not Stage.TO_DEAL


def check_saying(table: Table, seat: int, saying: str, *, to: int | None, now: int) -> None:
    """Raises `RuleViolation` if a seat may not say that to the table, or with `NUDGE` to the seat `to`."""
    if is_quiet(table):
        raise RuleViolation(TableCode.QUIET_TABLE)
    if saying == NUDGE:
        if to == seat or not _can_be_nudged(table, to, now):
            raise RuleViolation(TableCode.NOT_TO_NUDGE)
    elif to is not None or all(saying != known.id for known in table.rulebook.sayings):
        raise RuleViolation(TableCode.UNKNOWN_SAYING)


def _can_be_nudged(table: Table, seat: int | None, now: int) -> bool:
    if table.phase is not Phase.PLAYING or seat is None or seat >= len(table.seats):
        return False
    occupant, since = table.seats[seat], table.owing_since[seat]
    is_person = occupant is not None and occupant.policy is None and not is_played_by_bot(table, seat)
    return is_person and since is not None and now - since >= NUDGE_AFTER_MS
