"""Forks: tables that continue from a version of an ended table (docs/FAIRNESS.md)."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from hoodwink.domain.kernel import Event, RuleViolation, Stage
from hoodwink.domain.tables.codec import UnknownEvent, decode_event
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.commands import ForkTable, OpenTable
from hoodwink.domain.tables.deciding.rooms import is_listed
from hoodwink.domain.tables.deciding.seating import open_table, seated_by_host
from hoodwink.domain.tables.entries import Entry
from hoodwink.domain.tables.events import Parent, TableForked
from hoodwink.domain.tables.evolve import opened_with, table_after
from hoodwink.domain.tables.state import Table

Events = tuple[Event, ...]

MAX_GENERATIONS = 8
"""The maximum length of a chain of forks. It is limited because each log contains the logs of all forks before it."""


def fork_table(table: Table, command: ForkTable, now: int) -> Events:
    """Returns the events that open a fork and seat its bots and its host.

    The command's entries are trusted: the caller has read them from a stored log, and `verify` checks them.
    """
    parent = table_after(command.entries)
    if parent.rulebook.stage(parent.state) is Stage.OVER:
        raise RuleViolation(TableCode.NOTHING_TO_PLAY)
    if generations(command.entries) >= MAX_GENERATIONS:
        raise RuleViolation(
            TableCode.TOO_MANY_FORKS,
            f"At most {MAX_GENERATIONS} forks may follow one another; open a new table.",
        )
    opened = _opened(table, command, parent)
    events: Events = (opened, TableForked(command.entries))
    return events + seated_by_host(opened_with(table, events, now), command.occupants, now)


def _opened(table: Table, command: ForkTable, parent: Table) -> Event:
    (opened,) = open_table(
        table,
        OpenTable(
            table=command.table,
            game=parent.game,
            seats=len(parent.seats),
            options=msgspec.to_builtins(parent.options),
            host=command.host,
            turn_seconds=command.turn_seconds,
            bot_delay=command.bot_delay,
            round_pause=command.round_pause,
            server_seed=command.server_seed,
            edition=command.edition,
            seed_commitment=command.seed_commitment,
            rated=False,
            # Its log contains the parent's, so only those who may see the parent may see the fork.
            private=not is_listed(parent),
            watch=parent.watch,
            take_backs=command.take_backs,
        ),
    )
    return replace(opened, first_dealer=parent.first_dealer, parent=parent_of(command.entries))


def parent_of(entries: Sequence[Entry]) -> Parent:
    """Returns the parent of a fork that continues from the last of these entries."""
    return Parent(table=table_after(entries[:1]).id, version=len(entries), head=entries[-1].hash)


def generations(entries: Sequence[Entry]) -> int:
    """Returns the length of the chain of forks that ends with the table of these entries; 0 if it is not a fork."""
    # Bounded, because a forged log could nest any number of forks.
    count = 0
    while (kept := parent_entries(entries)) and count < MAX_GENERATIONS:
        entries, count = kept, count + 1
    return count


def parent_entries(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Returns the entries of its parent that a table's log contains; none if it is not a fork."""
    if len(entries) < 2 or entries[1].type != TableForked.wire:
        return ()
    try:
        forked = decode_event(entries[1].type, entries[1].data)
    except UnknownEvent:
        return ()
    assert isinstance(forked, TableForked), "the wire name says so"
    return forked.entries
