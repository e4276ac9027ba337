"""Quiet commits, which are not in the feed of the consumer groups."""

from random import Random

import pytest

from hoodwink.domain.kernel import Action, Stage
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.actor import HOST
from hoodwink.domain.tables.state import stage_of, turn_of
from hoodwink.domain.tables.view import legal_actions_of
from hoodwink.service.adapters.process.system import SystemClock
from hoodwink.service.adapters.store.event_store import RedisEventStore
from hoodwink.service.application.ports import IdempotencyKey
from hoodwink.service.application.streams.aggregates import TABLE
from hoodwink.service.application.streams.tables import Tables
from tests.service.application.world import RecordedRollbacks
from tests.service.databases import new_redis


class Listening:
    """A store that records quiet commits."""

    def __init__(self):
        self._store = RedisEventStore(client=new_redis())
        self.read, self.known = self._store.read, self._store.known
        self.quiet = {}

    def append(self, commit):
        self.quiet[commit.expected_version + 1] = commit.is_quiet
        return self._store.append(commit)


@pytest.fixture
def store():
    return Listening()


def always(command, by="host"):
    return lambda _: (command, by)


def play_table(store, *, turn_seconds=0):
    """Plays a table of two, and returns for each version its event types and whether the commit was quiet."""
    tables = Tables(
        aggregate=TABLE,
        store=store,
        clock=SystemClock(),
        rollbacks=RecordedRollbacks(),
    )
    table, chance = "tabletable", Random(1)
    opening = commands.OpenTable(
        table=table,
        game="blindside",
        seats=2,
        options={"rounds": 2},
        host="p0",
        turn_seconds=turn_seconds,
        bot_delay=0,
        round_pause=0,
        server_seed="ab" * 32,
    )
    tables.open(table, opening, by=HOST, key=IdempotencyKey("k", ""))
    for seat in range(2):
        taken = commands.TakeSeat(player=f"p{seat}", seat=seat)
        tables.execute(table, always(taken))
    tables.execute(table, always(commands.StartTable()))
    while (stage := stage_of(now := tables.load(table).state)) is not None:
        if stage is not Stage.IN_PLAY:
            due = commands.DealRound() if stage is Stage.TO_DEAL else commands.ScoreRound()
            tables.execute(table, always(due, "worker"))
            continue
        seat = turn_of(now).owes[0]
        action = chance.choice(legal_actions_of(now, seat, 0))
        assert isinstance(action, Action)
        tables.execute(table, always(commands.Act(seat, action), f"player:{seat}"))
    return {
        version: (record.type, store.quiet[version])
        for version, record in enumerate(tables.entries(table), start=1)
        if version in store.quiet
    }


def test_an_action_without_follow_up_work_is_quiet(store):
    found = list(play_table(store).values())

    quiet = [type_ for type_, is_quiet in found if is_quiet]
    loud = [type_ for type_, is_quiet in found if not is_quiet]
    assert len(quiet) == 2 * (2 + 2 * 3 * 3 - 1)
    assert all(type_.startswith("blindside.") for type_ in quiet)
    assert loud.count("blindside.card_discarded") == 2  # the last action of each round, before scoring
    assert {type_.partition(".")[0] for type_ in loud} == {"table", "blindside"}
    assert loud.count("blindside.round_dealt") == loud.count("blindside.blindsides_revealed") == 2


def test_with_a_running_clock_no_action_is_quiet(store):
    assert not any(is_quiet for _, is_quiet in play_table(store, turn_seconds=60).values())
