"""The log of a tournament is verified together with those of its tables; the first fault is reported (T-14)."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from hoodwink.domain.cards import commitment
from hoodwink.domain.tables.commands import CancelTable, Resign
from hoodwink.domain.tables.commands import VoidTable as VoidPlayed
from hoodwink.domain.tables.entries import Entry
from hoodwink.domain.tables.proving.log import (
    GENESIS,
    MalformedLog,
    chain_hash,
    chain_key,
)
from hoodwink.domain.tables.proving.proof import check_entries
from hoodwink.domain.tournaments.life import (
    TOURNAMENT,
    Announce,
    Cancel,
    Describe,
    Enter,
    Expel,
    Finish,
    RevealEntrantSeed,
    SayAbsent,
    Sitting,
    StartTournament,
    Verdict,
    VoidTable,
    export_log,
    verify_log,
)
from hoodwink.domain.tournaments.life.deciding.contact import MIN_GAP_MS
from hoodwink.domain.tournaments.life.editions import LOG_FORMATS
from hoodwink.domain.tournaments.life.proving.log import Header, parse_log
from hoodwink.domain.tournaments.terms import Format
from tests.domain.tables.sitting import Sitting as TableSitting
from tests.tournaments.played import Played, PlayedTable
from tests.tournaments.world import World, setup

Fields = dict[str, Any]
SECRET = "ab" * 16
HASH = f"sha256:{'0' * 64}"
FORMS = {
    "swiss": {"seats": 4, "sittings": (Sitting(rounds=2),)},
    "filled": {"seats": 4, "sittings": (Sitting(rounds=1),), "fill_with_bots": True},
    "duels": {"seats": 2, "sittings": (Sitting(rounds=2),), "game": "blind_don"},
    "round robin": {"format": Format.ROUND_ROBIN, "seats": 3, "sittings": (Sitting(rounds=2),)},
    "knockout": {"format": Format.KNOCKOUT, "seats": 2, "sittings": (Sitting(),), "game": "shithead"},
    "league": {"format": Format.LEAGUE, "seats": 3, "sittings": (Sitting(rounds=1),), "game": "coconut"},
}


@cache
def played(form: str = "swiss") -> Played:
    """Returns a tournament of five with seeds, an absent entrant and a no-show, played to its end."""
    world = Played(setup(**FORMS[form]))
    world.register("bo", "cy", "dee", bots=1)
    world.do(Enter(player="ada", seed_commitment=commitment(SECRET)))
    world.do(StartTournament({"bo": 5, "cy": 4, "dee": 4}))
    if form == "round robin":
        world.do(SayAbsent("cy"))
    world.serve()
    world.do(RevealEntrantSeed("ada", SECRET))
    world.run(no_shows=("dee",))
    return world


def verdict(world: Played) -> Verdict:
    return verify_log(world.log_of(), world.logs())


def finding(verdict_: Verdict) -> tuple[str, str | None, int | None]:
    assert not verdict_.valid
    assert verdict_.crosstable is None
    assert verdict_.finding is not None
    return verdict_.finding.code, verdict_.finding.table, verdict_.finding.version


def rounds_of(found: Verdict) -> int:
    assert found.crosstable is not None
    return len(found.crosstable.rounds)


def refused(log: bytes, *tables: bytes) -> tuple[str, str | None, int | None]:
    return finding(verify_log(log, tables))


def forged(log: bytes, change: Callable[[list[Fields]], object]) -> bytes:
    """Returns a log as a forger with the seed could make it: changed, and hashed again from the beginning."""
    header, entries = parse_log(log)
    lines = [
        {
            "type": entry.type,
            "at": entry.at,
            "by": entry.by,
            "cmd": entry.cmd,
            "data": msgspec.json.decode(entry.data),
        }
        for entry in entries
    ]
    change(lines)
    key, head, written = chain_key(str(lines[0]["data"].get("server_seed"))), GENESIS, []
    for version, line in enumerate(lines, start=1):
        data = msgspec.json.encode(line["data"])
        head = chain_hash(key, head, version, line["type"], line["at"], line["by"], line["cmd"], data)
        written.append({"version": version, **line, "hash": head})
    top = replace(header, version=len(written), head=head)
    return b"".join(msgspec.json.encode(line) + b"\n" for line in (top, *written))


def first(lines: list[Fields], kind: str) -> Fields:
    return next(line for line in lines if line["type"].partition("@")[0] == f"tournament.{kind}")


def place_of(log: bytes, kind: str) -> int:
    return next(
        entry.version for entry in parse_log(log)[1] if entry.type.partition("@")[0] == f"tournament.{kind}"
    )


# ---------------------------------------------------------------------- what is true


@pytest.mark.parametrize("form", FORMS)
def test_t_14_a_tournament_and_its_tables_are_proved(form):
    world = played(form)
    found = verdict(world)
    assert found.finding is None
    assert (found.valid, found.tournament, found.tables) == (True, "spring", len(world.tables))
    assert found.events == world.tournament.version
    assert found.rounds == rounds_of(found) == len(world.tournament.rounds)


def test_t_14_the_order_of_the_tables_logs_does_not_matter():
    world = played()
    assert verify_log(world.log_of(), reversed(world.logs())).valid


def test_t_14_an_entrants_seed_is_that_of_their_seat():
    seeds = {
        occupant.seed.text
        for table in played().tables.values()
        for occupant in table.table.seats
        if occupant is not None and occupant.player == "ada"
    }
    assert seeds == {SECRET}


def test_t_7_a_seat_resigned_by_the_service_is_proved_by_the_expulsion():
    world = Played(setup(sittings=(Sitting(rounds=1),)))
    world.begin("ada", "bo", "cy")
    while not world.open:
        world.serve()
    world.do(Expel("cy", "told Bo her cards"))
    world.expel_at_table("cy")
    world.run()
    assert verdict(world).valid


@pytest.mark.parametrize("actor", ["organiser", "admin"])
def test_t_2_a_cancelled_tournament_is_proved_with_its_cancelled_tables(actor):
    world = Played(setup())
    world.begin("ada", "bo", "cy")
    while not world.open:
        world.serve()
    world.do(Cancel("no hall"), by=actor)
    world.cancel_tables()
    assert verdict(world).valid


def test_a_tournament_that_never_started_is_proved_without_tables():
    world = Played(setup())
    world.do(Cancel("no hall"))
    found = verdict(world)
    assert (found.valid, found.crosstable) == (True, None)


def test_t_2_a_tournament_finished_early_reveals_its_seed_when_the_last_table_is_over():
    world = Played(setup())
    world.begin("ada", "bo", "cy")
    while not world.open:
        world.serve()
    world.do(Finish("night falls"))
    assert refused(world.log_of()) == ("incomplete", None, world.tournament.version)
    world.play_all()
    assert verdict(world).valid


# ---------------------------------------------------------------------- the tournament's own log


def test_t_60_t_61_descriptions_and_announcements_are_proved_by_their_writer_and_time():
    world = Played(setup(seats=2, sittings=(Sitting(rounds=1),)))
    world.do(Describe("olga", HASH))
    world.do(Announce("olga", HASH))
    world.now += MIN_GAP_MS
    world.do(Announce("olga", HASH))
    world.begin("ada", "bob")
    world.run()
    assert verdict(world).valid

    def earlier(lines: list[Fields]) -> None:
        lines[3]["at"] -= 1

    def by_ada(lines: list[Fields]) -> None:
        lines[1]["data"]["official"] = "ada"

    log, tables = world.log_of(), [*world.logs()]
    assert refused(forged(log, earlier), *tables) == ("illegal", None, 4)
    assert refused(forged(log, by_ada), *tables) == ("illegal", None, 2)


def test_a_log_in_the_format_of_another_edition_is_malformed():
    log = played().log_of().replace(b"hoodwink-tournament-log/3", b"hoodwink-tournament-log/1", 1)
    assert refused(log, *played().logs()) == ("malformed", None, None)


def test_a_log_is_written_and_read_in_its_own_format():
    log = played().log_of()
    header, entries = parse_log(log)
    assert header == Header(
        format="hoodwink-tournament-log/3", tournament="spring", version=len(entries), head=entries[-1].hash
    )
    assert export_log("spring", entries) == log
    with pytest.raises(MalformedLog):
        parse_log(next(iter(played().logs())))


def test_bytes_that_are_no_log_are_malformed():
    assert refused(b"nothing\n") == ("malformed", None, None)


def test_a_log_whose_end_is_missing_is_incomplete():
    lines = played().log_of().splitlines(keepends=True)
    assert refused(b"".join(lines[:-1]))[0] == "incomplete"


def test_a_changed_byte_breaks_the_chain():
    log = played().log_of()
    assert refused(log.replace(b'"entrant":"cy"', b'"entrant":"by"'))[0] == "chain_broken"


def test_the_header_names_the_last_hash_and_the_tournament():
    log = played().log_of()
    head = parse_log(log)[0].head.encode()
    assert refused(log.replace(head, b"0" * 64, 1)) == ("chain_broken", None, None)
    assert (
        refused(log.replace(b'"tournament":"spring"', b'"tournament":"autumn"', 1))[0] == "wrong_tournament"
    )


def test_another_seed_than_the_one_committed_to_is_found():
    log = forged(played().log_of(), lambda lines: lines[0]["data"].update(server_seed="0" * 64))
    assert refused(log) == ("commitment_broken", None, 1)


def test_a_log_begins_with_the_opening():
    assert refused(forged(played().log_of(), lambda lines: lines.pop(0))) == ("illegal", None, 1)


def test_an_event_that_begins_no_command_is_illegal():
    def cut(lines: list[Fields]) -> None:
        del lines[lines.index(first(lines, "round_completed"))]

    log = played().log_of()
    assert refused(forged(log, cut)) == ("incomplete", None, place_of(log, "round_completed") - 1)
    alone = forged(
        played().log_of(),
        lambda lines: lines.insert(1, first(lines, "round_completed") | {"cmd": "x", "at": lines[0]["at"]}),
    )
    assert refused(alone) == ("illegal", None, 2)


def _swap_ranks(lines: list[Fields]) -> None:
    entrants = first(lines, "started")["data"]["entrants"]
    entrants[0], entrants[1] = entrants[1], entrants[0]


def _swap_seats(lines: list[Fields]) -> None:
    seats = first(lines, "round_opened")["data"]["tables"][0]
    seats[0], seats[1] = seats[1], seats[0]


def _better_objective(lines: list[Fields]) -> None:
    first(lines, "round_opened")["data"]["objective"][0] = "-1"


def _free_win(lines: list[Fields]) -> None:
    first(lines, "round_opened")["data"]["absent"].append(1)


def _another_seed(lines: list[Fields]) -> None:
    first(lines, "entrant_seed_revealed")["data"]["seed"] = "cd" * 16


def _early_end(lines: list[Fields]) -> None:
    del lines[lines.index(first(lines, "seed_revealed"))]


@pytest.mark.parametrize(
    ("change", "kind", "code"),
    [
        (_swap_ranks, "started", "altered"),
        (_swap_seats, "round_opened", "altered"),
        (_better_objective, "round_opened", "altered"),
        (_free_win, "round_opened", "altered"),
        (_another_seed, "entrant_seed_revealed", "illegal"),
    ],
)
def test_t_14_ranks_pairings_and_seeds_are_recomputed(change, kind, code):
    log = forged(played().log_of(), change)
    assert refused(log) == (code, None, place_of(log, kind))


def test_an_actor_without_permission_is_found():
    def steal(lines: list[Fields]) -> None:
        first(lines, "entered")["by"] = "organiser"

    log = forged(played().log_of(), steal)
    assert refused(log) == ("illegal", None, place_of(log, "entered"))


def test_a_log_without_its_seed_is_incomplete():
    assert refused(forged(played().log_of(), _early_end))[0] == "incomplete"


def test_an_option_added_later_has_its_default():
    def older(lines: list[Fields]) -> None:
        del lines[0]["data"]["setup"]["options"]["start_tokens"]

    assert verify_log(forged(played().log_of(), older), played().logs()).valid


# ---------------------------------------------------------------------- the tables


def test_t_14_every_table_is_present_once_and_no_other():
    world = played()
    log, (present, *others) = world.log_of(), world.logs()
    missing = next(iter(world.tables))
    assert refused(log, *others) == ("missing_table", missing, None)
    assert refused(log, present, present, *others) == ("foreign_table", missing, None)
    stranger = TableSitting(seats=2, table="elsewhere").sit("ada", "bo").start().play_out()
    assert refused(log, stranger.log()) == ("foreign_table", "elsewhere", None)
    assert refused(log, b"nothing\n") == ("malformed", "log 1", None)


def detail_of(log: bytes, *tables: bytes) -> str:
    """Returns the first fault in words."""
    found = verify_log(log, tables).finding
    assert found is not None
    return found.detail


def test_t_14_a_log_of_another_tournament_or_table_is_named():
    world, other = played(), Played(setup(sittings=(Sitting(rounds=1),)), tournament="autumn")
    other.begin("ada", "bo")
    other.run()
    stranger = TableSitting(seats=2, table="elsewhere").sit("ada", "bo").start().play_out().log()
    own = world.logs()[0]

    assert detail_of(world.log_of(), *other.logs()) == "the log belongs to another tournament, autumn"
    assert detail_of(world.log_of(), stranger) == "the table was not played in a tournament"
    assert "given twice" in detail_of(world.log_of(), own, own)


def test_t_14_results_are_those_of_the_tables():
    def exchange(lines: list[Fields]) -> None:
        first(lines, "table_reported")["data"]["points"].reverse()

    def another_log(lines: list[Fields]) -> None:
        first(lines, "table_reported")["data"]["head"] = "0" * 64

    def nobody_left(lines: list[Fields]) -> None:
        reports = [line["data"] for line in lines if line["type"].startswith("tournament.table_reported")]
        next(data for data in reports if data["resigned"])["resigned"] = []

    def a_bot_played(lines: list[Fields]) -> None:
        data = first(lines, "table_reported")["data"]
        data["by_bot"] = [] if data["by_bot"] else [0]

    world = played()
    for change in (exchange, another_log, nobody_left, a_bot_played):
        found = refused(forged(world.log_of(), change), *world.logs())
        assert (found[0], found[2]) == ("wrong_result", None)


def test_t_20_a_report_without_the_turns_of_bots_proves_nothing():
    def as_before(lines: list[Fields]) -> None:
        report = first(lines, "table_reported")
        report["type"] = "tournament.table_reported"
        del report["data"]["by_bot"], report["data"]["resigned"]

    world = played()
    version = place_of(world.log_of(), "table_reported")
    assert refused(forged(world.log_of(), as_before), *world.logs()) == ("unknown_event", None, version)


def opened_otherwise(change: Callable[[Any], Any]) -> Played:
    """Returns a tournament whose first table was opened with something changed."""
    world = Played(setup(sittings=(Sitting(rounds=1),), fill_with_bots=True))
    world.begin("ada", "bo", "cy")
    while not world.open:
        world.serve()
    (order,) = world.open.values()
    world.tables[order.table] = PlayedTable(change(order), world.now)
    world.run()
    return world


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"server_seed": "0" * 64}, "wrong_seed"),
        ({"organiser": "zoe"}, "wrong_table"),
        ({"grace_seconds": 1}, "wrong_table"),
        ({"turn_seconds": 9}, "wrong_table"),
        ({"rated": False}, "wrong_table"),
        ({"options": {"rounds": 1}}, "wrong_table"),
    ],
)
def test_t_14_a_table_is_opened_by_the_order_of_the_tournament(change, code):
    world = opened_otherwise(lambda order: replace(order, **change))
    assert finding(verdict(world)) == (code, next(iter(world.tables)), 1)


def test_t_14_seats_and_seeds_are_the_tournaments():
    def exchanged(order: Any) -> Any:
        return replace(order, seats=order.seats[::-1])

    def with_seed(order: Any) -> Any:
        seat = next(seat for seat, occupant in enumerate(order.seats) if occupant.policy is None)
        lucky = replace(order.seats[seat], seed="lucky")
        return replace(order, seats=(*order.seats[:seat], lucky, *order.seats[seat + 1 :]))

    for change in (exchanged, with_seed):
        assert finding(verdict(opened_otherwise(change)))[0] == "wrong_seats"


def test_t_14_a_table_outside_the_tournament_is_reported():
    world = played()
    table = next(iter(world.tables))
    stranger = TableSitting(seats=2, table=table).sit("ada", "bo").start().play_out()
    assert refused(world.log_of(), stranger.log()) == ("wrong_table", table, 1)


def test_t_7_the_service_resigns_no_seat_without_an_expulsion():
    world = Played(setup(sittings=(Sitting(rounds=1),)))
    world.begin("ada", "bo", "cy")
    while not world.open:
        world.serve()
    (order,) = world.open.values()
    table = world.opened(order)
    table.do(Resign(0), by="worker")
    world.run()
    assert finding(verdict(world)) == (
        "wrong_table",
        order.table,
        table_version(table, "table.seat_resigned"),
    )


def test_t_2_the_service_cancels_no_table_of_a_tournament_that_goes_on():
    world = Played(setup(sittings=(Sitting(rounds=1),)))
    world.begin("ada", "bo", "cy")
    while not world.open:
        world.serve()
    (order,) = world.open.values()
    table = world.opened(order)
    table.do(CancelTable(), by="worker")
    world.report(order)
    world.run()
    assert finding(verdict(world)) == ("wrong_table", order.table, table_version(table, "table.ended"))


def table_version(table: PlayedTable, kind: str) -> int:
    return next(entry.version for entry in table.entries if entry.type == kind)


def test_t_12_both_logs_must_have_the_void_of_a_table():
    world = Played(setup(sittings=(Sitting(rounds=1),)))
    world.begin("ada", "bo", "cy")
    world.run()
    (table,) = world.tables.values()
    table.do(VoidPlayed("root", "a leak"), by="admin")
    assert finding(verdict(world)) == ("wrong_result", table.table.id, None)
    world.do(VoidTable(1, 1, 1, "a leak"), by="worker")
    assert verdict(world).valid


# ---------------------------------------------------------------------- what is stored


def test_a_stored_log_is_checked_before_its_end():
    world = World(setup())
    world.begin("ada", "bo", "cy")
    world.settle()
    assert check_entries(TOURNAMENT, "spring", world.entries) is None
    assert code_of("autumn", world.entries) == "wrong_tournament"
    assert code_of("spring", world.entries[1:]) == "chain_broken"
    assert code_of("spring", []) == "incomplete"


def code_of(tournament: str, entries: Sequence[Entry]) -> str:
    found = check_entries(TOURNAMENT, tournament, entries)
    assert found is not None
    return found.code


def test_a_log_in_the_format_of_another_edition_is_refused():
    world = played()
    other = world.log_of().replace(LOG_FORMATS[3].encode(), LOG_FORMATS[2].encode(), 1)

    found = verify_log(other, world.logs()).finding
    assert found is not None
    assert (found.code, found.line) == ("malformed", 1)
    assert found.detail == f"the log of a tournament of edition 3 has the format {LOG_FORMATS[3]}"
