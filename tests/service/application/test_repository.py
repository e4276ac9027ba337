"""Commands to an aggregate from processes whose clocks differ."""

from hoodwink.domain.tables.actor import HOST
from hoodwink.domain.tables.commands import StartTable
from tests.service.application.world import StandingClock, World


def test_time_on_a_stream_never_runs_backwards():
    world, behind = World(), StandingClock()
    table = world.table("ada", "bo", start=False)
    latest = world.service.tables.load(table).at
    behind.now -= 5_000
    late = World(world.client, behind)
    started = late.service.tables.execute(table, lambda _: (StartTable(), HOST))
    assert {recorded.entry.at for recorded in started.events} == {latest}
