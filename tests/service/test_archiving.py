"""`hoodwink archive` on a running service: the API answers the same before and after."""

import os
import re
import subprocess
import sys
import time
from urllib.request import urlopen

import pytest

from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.supervisor import isolated_service
from hoodwink.service.supervisor.roster import address
from tests.service.direct import run_command, service_on
from tests.service.people import open_bot_table, playing
from tests.service.processes import PATIENCE_SECONDS, service_settings
from tests.service.test_operation import await_actions, await_end, await_ledger, member

pytestmark = pytest.mark.processes


@pytest.fixture
def running(tmp_path):
    with isolated_service(service_settings(tmp_path, job_slots=0)) as settings:
        yield settings


def hoodwink(settings, *words):
    """Returns the output and the exit code of a command."""
    done = run_command(settings, *words)
    return done.stdout.splitlines(), done.exit_code


def answers(settings, table):
    """Yields what the API says about a table, byte for byte except for the time."""
    for path in ("", "/log", "/events?limit=1000", "/ledger", "/statement?format=csv", "?version=9"):
        with urlopen(f"{address(settings)}{table}{path}") as answer:
            yield path, re.sub(rb'"now":\d+', b"", answer.read())


def test_an_archived_table_is_answered_as_before(running):
    table = open_bot_table(running, "blindside", 3, options={"rounds": 2})
    await_end(running, table)
    await_ledger(running, table)
    before = dict(answers(running, table))
    assert hoodwink(running, "archive", "run", "--days", "0") == (["1 log moved to the archive."], 0)
    (archived, in_memory), _ = hoodwink(running, "archive", "status")
    assert archived.startswith("1 log in 1 segment, ")
    assert in_memory == "0 logs in memory."
    killed = member(running, "hoodwink.service.http.server")
    killed.kill()
    killed.wait(PATIENCE_SECONDS)  # its successor remembers no table
    await_end(running, table)
    assert dict(answers(running, table)) == before
    assert hoodwink(running, "archive", "verify") == (["1 log intact."], 0)
    assert hoodwink(running, "audit", "--quick") == (["No differences in logs, archive, records."], 0)

    name = f"table:{table.rpartition('/')[2]}"
    assert hoodwink(running, "archive", "restore", name, name)[0] == [
        f"{name} is in memory again.",
        f"{name} is not in the archive.",
    ]
    assert dict(answers(running, table)) == before
    assert hoodwink(running, "audit")[1] == 0


@pytest.mark.campaign
def test_nothing_is_lost_while_the_archiver_is_killed(running):
    """Bots and people play, tables are archived the moment they end, and the archiver is killed again and again."""
    with service_on(running) as service:
        kill_archivers(running, service)


def kill_archivers(running, service):
    notes, kills_during_moves = Keys(running.partitions).in_each("archiving"), 0
    with playing(running, 4) as people:
        for number in range(30):
            for game in ("blindside", "shithead"):
                open_bot_table(running, game, 3)
            await_actions(people, 5)
            archiver = subprocess.Popen(
                [sys.executable, "-m", "hoodwink.service.cli", "archive", "run", "--days", "0"],
                env=os.environ | {"HOODWINK_DATA": running.data},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            # Not after a fixed time: it may take longer to start than to archive a few tables.
            before = service.client.mget(notes)
            while archiver.poll() is None and service.client.mget(notes) == before:
                time.sleep(0.001)
            time.sleep(0.003 * number)
            archiver.kill()
            archiver.wait()
            kills_during_moves += any(note and note not in before for note in service.client.mget(notes))
    assert kills_during_moves
    tables = {stream.id for stream in service.store.streams("table")}
    assert len(tables) >= 60
    assert hoodwink(running, "archive", "run", "--days", "0")[1] == 0
    assert {stream.id for stream in service.store.streams("table")} == tables
    assert hoodwink(running, "audit")[1] == 0
