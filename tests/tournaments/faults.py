"""A tournament of bots on a real service whose parts are killed at random: `python -m tests.tournaments.faults`.

At the end its standings must follow from the logs of its tables, rebuilt projections must equal the live ones, and the
audit must find nothing (T-15). With `--deal same` all tables of a round play the same deal, and the scores must be those that
`compared_again` computes from the logs. With `--arena-minutes` it is an arena, and the scores must be those of `points_of`.
"""

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from random import Random
from typing import Any

import msgspec

from hoodwink.domain.projections import PROJECTIONS
from hoodwink.domain.tables.actor import ORGANISER
from hoodwink.domain.tables.proving.log import export_log
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.life import Advance, Enter, Phase, RankBy, Setup, Sitting, Tournament
from hoodwink.domain.tournaments.life.proving.log import export_log as export_tournament_log
from hoodwink.domain.tournaments.life.setup import MAX_FINISH_MINUTES, ArenaTimes
from hoodwink.domain.tournaments.scoring import HALF
from hoodwink.domain.tournaments.standings import standings
from hoodwink.domain.tournaments.terms import Compare, Format, Tiebreak
from hoodwink.service.application.ports import IdempotencyKey, StoreUnavailable
from hoodwink.service.application.projecting.projecting import lags, rebuild
from hoodwink.service.bootstrap import Service
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor import isolated_service
from hoodwink.service.supervisor.roster import address
from tests.service.application.audits import differences as audited
from tests.service.direct import service_on
from tests.service.plain_client import ServiceClient, ServiceError
from tests.service.processes import service_settings
from tests.tournaments.arenas import check_seats, points_of
from tests.workers.parts import EVERY_PART, await_stable, kill, until

PATIENCE_SECONDS = 3_600
MAX_PAUSE_SECONDS = 2.0

Report = Callable[[str], object]


def survive(
    settings: Settings,
    *,
    entrants: int,
    rounds: int,
    kills: int,
    seed: int,
    is_duplicate: bool = False,
    arena_minutes: int | None = None,
    report: Report = print,
) -> None:
    """Plays a tournament to its end while parts are killed this many times, and asserts that its outcome is correct."""
    with service_on(settings) as service:
        # A worker exits with its broker; if it never ran longer before, the supervisor gives up.
        await_stable(settings, EVERY_PART)
        name = f"cup{seed}"
        arena = None if arena_minutes is None else ArenaTimes(arena_minutes, MAX_FINISH_MINUTES)
        begin(service, name, entrants=entrants, rounds=rounds, is_duplicate=is_duplicate, arena=arena)
        _survive(settings, service, name, kills=kills, chance=Random(seed), report=report)


def _survive(
    settings: Settings, service: Service, name: str, *, kills: int, chance: Random, report: Report
) -> None:
    began, done, killed = time.monotonic(), 0, Counter[str]()
    while done < kills or not has_ended(service, name):
        assert time.monotonic() < began + PATIENCE_SECONDS, "the tournament does not end"
        if done < kills:
            assert not has_ended(service, name), (
                f"the tournament ended after {done} kills; give it more rounds"
            )
            time.sleep(chance.uniform(0, MAX_PAUSE_SECONDS))
            part, others = EVERY_PART[done % len(EVERY_PART)], chance.sample(EVERY_PART, chance.randint(0, 1))
            victims = [*dict.fromkeys((part, *others))]
            await_stable(settings, victims)
            kill(settings, victims)
            killed.update(victims)
            done += 1
            report(f"{time.monotonic() - began:6.1f} s  killed {' and '.join(victims)}, {done} of {kills}")
        time.sleep(0.1)
    counts = ", ".join(f"{word} {count} times" for word, count in sorted(killed.items()))
    report(f"{time.monotonic() - began:6.1f} s  the tournament has ended; killed: {counts}")
    assert_outcome(settings, service, name)
    report("standings, projections, due times and logs are right")


def begin(
    service: Service,
    name: str,
    *,
    entrants: int,
    rounds: int,
    is_duplicate: bool = False,
    arena: ArenaTimes | None = None,
) -> None:
    """Opens and starts a tournament of bots whose rounds advance automatically."""
    shared: dict[str, Any] = {"seats": 2, "turn_seconds": 60, "bye_score": HALF} if is_duplicate else {}
    usual: dict[str, Any] = {
        "format": Format.SWISS,
        "seats": 4,
        "options": {"rounds": 8},
        "sittings": (Sitting(rounds=rounds),),
        "tiebreaks": (Tiebreak.BUCHHOLZ, Tiebreak.WINS),
    }
    if arena is not None:
        usual |= {"format": Format.ARENA, "seats": 2, "options": {"rounds": 2}, "turn_seconds": 60}
        usual |= {"sittings": (Sitting(),), "tiebreaks": (Tiebreak.WINS,)}
    setup = Setup(
        name="Cup of bots",
        game="blindside",
        advance=Advance.AUTOMATIC,
        rank_by=RankBy.LOT,
        **(usual | shared),
    )
    opening = life.OpenTournament(
        tournament=name,
        organiser="nobody",
        setup=setup,
        server_seed=service.entropy.server_seed(),
        compare=Compare.MATCHPOINTS if is_duplicate else None,
        arena=arena,
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
    if tournament.compare is not None:
        assert {row.entrant: row.score for row in proven.rows} == compared_again(service, tournament)
    if tournament.arena is not None:
        history = [*service.tournaments.history(name)]
        assert {row.entrant: row.score for row in proven.rows} == points_of(history)
        check_seats(history)
    shown = until(lambda: _shown(settings, name))
    assert [(row["entrant"], row["rank"], row["score"]) for row in shown] == [
        (row.entrant, row.rank, str(row.score)) for row in proven.rows
    ]
    assert_rebuilt_equal(service)
    assert audited(service, "logs", "due times", patience_seconds=10) == []


def compared_again(service: Service, tournament: Tournament) -> dict[int, Fraction]:
    """Returns the matchpoints of a Swiss of an even number of bots, from the tables' logs alone (D-3).

    Also asserts that the first game round of each table was dealt the same cards at all tables of the round (D-1).
    """
    scores = dict.fromkeys(range(1, len(tournament.entrants) + 1), Fraction(0))
    for round_ in tournament.rounds:
        boards = [(match.deals[0], service.tables.entries(match.deals[0].table)) for match in round_.matches]
        dealt = {
            next(bytes(entry.data) for entry in entries if entry.type.endswith("_dealt"))
            for _, entries in boards
        }
        assert len(dealt) == 1
        ends = [next(entry for entry in entries if entry.type == "table.ended") for _, entries in boards]
        points = [msgspec.json.decode(end.data)["scores"] for end in ends]
        for (deal, _), own in zip(boards, points, strict=True):
            for seat, number in enumerate(deal.seats):
                others = [theirs[seat] for theirs in points if theirs is not own]
                halves = sum(2 * (own[seat] > other) + (own[seat] == other) for other in others)
                assert number is not None
                scores[number] += Fraction(halves, 2 * len(others))
    return scores


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
        assert audited(service, projection.name, patience_seconds=10) == []
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
        for snapshot in (
            service.projection_store.contents(projection, number)
            for number in service.projection_store.partitions
        )
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
    parser.add_argument("--arena-minutes", type=int, help="play an arena this long instead of rounds")
    parser.add_argument("--deal", choices=["own", "same"], default="own")
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="hoodwink-faults-") as folder,
        isolated_service(service_settings(folder)) as settings,
    ):
        survive(
            settings,
            entrants=asked.entrants,
            rounds=asked.rounds,
            kills=asked.kills,
            seed=asked.seed,
            is_duplicate=asked.deal == "same",
            arena_minutes=asked.arena_minutes,
        )


if __name__ == "__main__":
    main()
