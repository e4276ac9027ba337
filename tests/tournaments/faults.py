"""A tournament of bots on a real service whose parts are killed at random: `python -m tests.tournaments.faults`.

At the end its standings must follow from the logs of its tables, rebuilt projections must equal the live ones, and the
audit must find nothing (T-15).
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from random import Random

import msgspec

from hoodwink.domain.projections import PROJECTIONS
from hoodwink.domain.tables.actor import ORGANISER
from hoodwink.domain.tables.proving.log import export_log
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.life import Advance, Enter, Phase, RankBy, Setup, Sitting, Tournament
from hoodwink.domain.tournaments.life.proving.log import export_log as export_tournament_log
from hoodwink.domain.tournaments.standings import standings
from hoodwink.domain.tournaments.terms import Format, Tiebreak
from hoodwink.service.adapters.process.audit_notes import AuditNotes
from hoodwink.service.application.ports import IdempotencyKey, StoreUnavailable
from hoodwink.service.application.projecting.projecting import lags, rebuild
from hoodwink.service.bootstrap import Service
from hoodwink.service.cli.shared.client import ServiceClient, ServiceError
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor import isolated_service
from hoodwink.service.supervisor.roster import address
from tests.workers.parts import EVERY_PART, await_stable, kill, until

PATIENCE_SECONDS = 3_600
MAX_PAUSE_SECONDS = 2.0

Report = Callable[[str], object]


def survive(
    settings: Settings, *, entrants: int, rounds: int, kills: int, seed: int, report: Report = print
) -> None:
    """Plays a tournament to its end while parts are killed this many times, and asserts that its outcome is correct."""
    service, chance, name = Service(settings), Random(seed), f"cup{seed}"
    # A worker exits with its broker; if it never ran longer before, the supervisor gives up.
    await_stable(settings, EVERY_PART)
    begin(service, name, entrants=entrants, rounds=rounds)
    began, done = time.monotonic(), 0
    while done < kills or not has_ended(service, name):
        assert time.monotonic() < began + PATIENCE_SECONDS, "the tournament does not end"
        if done < kills:
            assert not has_ended(service, name), (
                f"the tournament ended after {done} kills; give it more rounds"
            )
            time.sleep(chance.uniform(0, MAX_PAUSE_SECONDS))
            words = chance.sample(EVERY_PART, chance.randint(1, 2))
            await_stable(settings, words)
            kill(settings, words)
            done += 1
            report(f"{time.monotonic() - began:6.1f} s  killed {' and '.join(words)}, {done} of {kills}")
        time.sleep(0.1)
    report(f"{time.monotonic() - began:6.1f} s  the tournament has ended")
    assert_outcome(settings, service, name)
    report("standings, projections, due times and logs are right")


def begin(service: Service, name: str, *, entrants: int, rounds: int) -> None:
    """Opens and starts a tournament of bots whose rounds advance automatically."""
    setup = Setup(
        name="Cup of bots",
        format=Format.SWISS,
        game="blindside",
        seats=4,
        options={"rounds": 8},
        sittings=(Sitting(rounds=rounds),),
        tiebreaks=(Tiebreak.BUCHHOLZ, Tiebreak.WINS),
        advance=Advance.AUTOMATIC,
        rank_by=RankBy.LOT,
    )
    opening = life.OpenTournament(
        tournament=name, organiser="nobody", setup=setup, server_seed=service.entropy.server_seed()
    )
    service.tournaments.open(name, opening, by=ORGANISER, key=IdempotencyKey(name, ""))
    commands = [
        life.OpenRegistration(),
        *[Enter(player="", policy=("steady", "random")[n % 2]) for n in range(entrants)],
        life.StartTournament({}),
    ]
    for command in commands:
        service.tournaments.execute(name, lambda _, command=command: (command, ORGANISER))  # type: ignore[misc]


def has_ended(service: Service, name: str) -> bool:
    with suppress(StoreUnavailable):
        state: Tournament = service.tournaments.load(name).state
        return state.phase is Phase.FINISHED and state.is_seed_revealed
    return False


def assert_outcome(settings: Settings, service: Service, name: str) -> None:
    """Asserts that the standings match the tables' logs, and all stored projections the streams."""
    tournament = service.tournaments.load(name).state
    deals = [deal for round_ in tournament.rounds for match in round_.matches for deal in match.deals]
    tables = [deal.table for deal in deals]
    assert len(set(tables)) == len(tables) == len(list(service.store.streams("table")))
    verdict = life.verify_log(
        export_tournament_log(name, service.tournaments.entries(name)),
        (export_log(table, service.tables.entries(table)) for table in tables),
    )
    assert verdict.valid, verdict.finding
    assert verdict.crosstable is not None
    proven = standings(verdict.crosstable, draw=verdict.draw)
    assert proven.rows == life.standings_of(tournament).rows
    shown = until(lambda: _shown(settings, name))
    assert [(row["entrant"], row["rank"], row["score"]) for row in shown] == [
        (row.entrant, row.rank, str(row.score)) for row in proven.rows
    ]
    assert_rebuilt_equal(service)
    with tempfile.TemporaryDirectory() as folder:
        notes = AuditNotes(settings.data_folder / folder / "notes", afresh=True)
        assert list(service.log_audit(notes).broken()) == []
        notes.close()
    assert list(service.due_audit().differences()) == []


def _shown(settings: Settings, name: str) -> list[dict[str, object]]:
    with suppress(ServiceError):
        answer = ServiceClient(address(settings)).get(f"/v1/tournaments/{name}/standings")
        rows: list[dict[str, object]] = answer["rows"]
        return rows
    return []


def assert_rebuilt_equal(service: Service) -> None:
    """Asserts that every projection agrees with the logs and is the same after a rebuild."""
    # Waits for the rater, whose later entries would count as differences. By age, not by number: a Redis that was
    # killed may count a group's unread entries wrongly, but it knows the oldest one.
    until(lambda: not any(lag.age_ms for lag in lags(service.feed).values()))
    for projection in PROJECTIONS:
        assert list(service.audit(projection).differences()) == []
        before = contents(service, projection.name)
        rebuild([service.projectors[projection.name]])
        assert contents(service, projection.name) == before


def contents(service: Service, projection: str) -> bytes:
    return b"\n".join(
        msgspec.json.encode(
            # Sorted, because the order of an index depends on its encoding in Redis, which depends on how it grew.
            [
                *map(
                    sorted,
                    (
                        snapshot.rows.items(),
                        snapshot.counters.items(),
                        map(_in_order, snapshot.indexes.items()),
                    ),
                )
            ],
            enc_hook=str,
        )
        for snapshot in service.projection_store.contents(projection)
    )


def _in_order(index: tuple[str, dict[str, int]]) -> tuple[str, list[tuple[str, int]]]:
    name, orders = index
    return name, sorted(orders.items())


def main() -> None:
    """Runs one tournament with the given arguments."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--entrants", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="hoodwink-faults-") as folder,
        isolated_service(Settings(port=0, data=folder, api_workers=1)) as settings,
    ):
        survive(settings, entrants=asked.entrants, rounds=asked.rounds, kills=asked.kills, seed=asked.seed)


if __name__ == "__main__":
    main()
