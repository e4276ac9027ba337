"""Upgrades a service in mid-play: `python -m tests.upgrade --from COMMIT [--seconds N] [--kill] [--in-turn]`.

The service of an older commit runs on new data while people and bots play all games. It is stopped or killed, as a
whole or part by part, and the current code continues with the same data and port until all tables have ended. Exits
with 1 if an acknowledged command is missing, doubled or changed, if an audit finds a difference, or if a request
was answered with an unexpected status such as 500.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.checks import free_port
from hoodwink.service.supervisor.roster import address
from tests.pace import pace_known_to
from tests.service.people import open_bot_table
from tests.service.plain_client import ServiceClient
from tests.service.processes import await_true
from tests.upgrade.checks import audit_faults, doubled, ended, exported, log_faults, lost, status_faults
from tests.upgrade.people import FORMS, PERSONS, Load, Party
from tests.upgrade.releases import CannotRun, check_imports, checked_out
from tests.upgrade.takeovers import Takeover, as_a_whole, part_by_part

TURN_SECONDS = 60
_PATIENCE_SECONDS = 300


class Upgraded(NamedTuple):
    """The outcome of an upgrade under load.

    Attributes:
        parties: the people who played; their tables have ended.
        tables: the number of tables, including bot tables.
        ended_before: the number of tables ended before the upgrade.
        stopped_at: the time of the old service's stop, in monotonic seconds.
        faults: every violation, one line each.
    """

    parties: Sequence[Party]
    tables: int
    ended_before: int
    stopped_at: float
    faults: Sequence[str]


def main() -> None:
    """Runs an upgrade, prints a report and exits."""
    parser = argparse.ArgumentParser(description="Upgrade a service in mid-play, and report what was lost.")
    parser.add_argument("--from", dest="commit", required=True, help="the commit to upgrade from")
    parser.add_argument(
        "--seconds", type=float, default=10.0, help="seconds of play before the upgrade, and again afterwards"
    )
    parser.add_argument("--kill", action="store_true", help="end the old service with kill -9")
    parser.add_argument("--in-turn", action="store_true", help="replace the service part by part")
    given = parser.parse_args()
    takeover = part_by_part if given.in_turn else as_a_whole
    try:
        with checked_out(given.commit) as tree, tempfile.TemporaryDirectory() as data:
            settings = Settings(port=free_port("127.0.0.1", 0), data=data)
            check_imports(tree, settings)
            with takeover(tree, settings, is_killed=given.kill) as (running, take_over):
                done = upgraded(running, take_over, given.seconds)
    except CannotRun as error:
        sys.exit(f"Error: {error}")
    print(*report(done), sep="\n")
    sys.exit(1 if done.faults else 0)


def upgraded(settings: Settings, take_over: Takeover, seconds: float) -> Upgraded:
    """Lets people play while the current code replaces the old service."""
    load = Load(settings, turn_seconds=TURN_SECONDS)
    time.sleep(seconds)
    bot_tables = [started_for_bots(settings, game) for game in FORMS]
    before = ended(settings, [table for party in load.parties for table in party.tables])
    old_logs = exported(settings, before)
    stopped_at = time.monotonic()
    take_over()
    time.sleep(seconds)
    load.finish()
    await_true(lambda: ended(settings, bot_tables) == bot_tables, within_s=_PATIENCE_SECONDS)
    tables = bot_tables + [table for party in load.parties for table in party.tables]
    faults = faults_of(settings, load.parties, exported(settings, tables), old_logs)
    return Upgraded(load.parties, len(tables), len(before), stopped_at, tuple(faults))


def started_for_bots(settings: Settings, game: str) -> str:
    """Starts a bot table; returns its id."""
    bots, options = FORMS[game]
    pace = pace_known_to(ServiceClient(address(settings)).get("/openapi.json"))
    return open_bot_table(settings, game, PERSONS + bots, pace=pace, options=options).rpartition("/")[2]


def faults_of(
    settings: Settings, parties: Sequence[Party], logs: dict[str, bytes], old_logs: dict[str, bytes]
) -> Iterator[str]:
    """Yields every violation of the requirements after an upgrade."""
    acknowledged = [command for party in parties for command in party.acknowledged]
    yield from lost(acknowledged, logs)
    yield from doubled(acknowledged, logs)
    yield from log_faults(logs, old_logs)
    yield from status_faults(parties)
    yield from audit_faults(settings)


def report(done: Upgraded) -> Iterator[str]:
    """Yields the lines of the report."""
    times = sorted(command.at for party in done.parties for command in party.acknowledged)
    before = [at for at in times if at <= done.stopped_at]
    after = [at for at in times if at > done.stopped_at]
    statuses = sum((party.client.statuses for party in done.parties), Counter[int]())
    yield f"tables: {done.tables}, {done.ended_before} of them ended before"
    yield f"acknowledged commands of people: {len(before)} before, {len(after)} after"
    yield f"seconds without an acknowledgement: {max(b - a for a, b in pairwise(times)):.1f}"
    yield "answers: " + ", ".join(f"{count} of {status}" for status, count in sorted(statuses.items()))
    yield from (f"fault: {fault}" for fault in done.faults)
    yield f"{len(done.faults)} faults" if done.faults else "nothing lost, doubled or changed; no differences"


if __name__ == "__main__":
    main()
