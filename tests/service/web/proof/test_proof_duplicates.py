"""The proof in the browser of duplicate tournaments: shared deals, seals, releases and comparisons (D-2, D-3, D-8)."""

from fractions import Fraction
from functools import cache, partial
from random import Random

import pytest
from msgspec.structs import replace

from hoodwink.domain.cards import commitment
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import without_name
from hoodwink.domain.tables.actor import ORGANISER
from hoodwink.domain.tables.commands import ReleaseDeal
from hoodwink.domain.tables.fairness import REVEAL_MS
from hoodwink.domain.tables.proving.log import export_log
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.life import Enter
from hoodwink.domain.tournaments.life.events import SeriesJoined
from hoodwink.domain.tournaments.life.proving.log import export_log as export_tournament_log
from hoodwink.domain.tournaments.life.setup import TeamTerms
from hoodwink.domain.tournaments.standings import standings
from hoodwink.domain.tournaments.terms import Compare, Format
from hoodwink.service.application.ports import IdempotencyKey
from hoodwink.service.simulation.tournaments import TournamentSimulation, plan_entrants
from tests.domain.tables.forger import changed, entries_of, fields_of, rechained
from tests.domain.tables.sitting import Sitting as TableSitting
from tests.domain.tables.test_shared_deals import bots_at
from tests.domain.tournaments.life.test_duplicate import (
    duplicate_setup,
    opening_of_log,
    release_early,
    simulated,
    swap_seals,
)
from tests.domain.tournaments.life.test_verify import forged
from tests.service.application.test_duplicate_tournaments import end
from tests.service.application.test_early_reports import early_reports
from tests.service.application.test_tournament_worker import ID, do, setup_of, tables
from tests.service.application.world import World
from tests.service.web.modules import Tab, served
from tests.service.web.proof.proofs import GOLDEN, failures, report_on
from tests.service.web.proof.test_proof import SEED, VECTORS, outcomes

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def tab(chromium):
    with served() as port, chromium.new_context() as context:
        opened = Tab(context, port)
        yield opened
        assert opened.errors == []


def verified(tab, log, logs, rows=None):
    texts = [table.decode() for table in logs]
    return tab.call("proof/tournament.js", "verifyTournament", log.decode(), texts, {"standings": rows})


def rows_of(simulation):
    table = simulation.crosstable
    return [{"entrant": row.entrant, "score": str(row.score)} for row in standings(table).rows]


def faults(report):
    """Returns the check, the table and the text of all that is wrong."""
    return [
        (check["id"], detail.get("table"), detail["text"])
        for check in report["checks"]
        for detail in check["details"]
        if detail["passed"] is False
    ]


# ------------------------------------------------------------------------------------- genuine logs


def test_d_2_the_key_and_the_decks_match_the_vectors(tab):
    vectors = VECTORS["tournament"]["shared_deal"]
    at = {"round": vectors["round"], "deal": vectors["deal"]}

    assert tab.call("proof/draws.js", "sharedKey", SEED, vectors["seeds"], at) == vectors["key"]
    for deck in vectors["decks"]:
        shuffled = tab.run(
            """({ key, number }) => new modules.draws.Draw(modules.hashing.bytesOf(key), `v2:deck:${number}`)
                .shuffled(modules.draws.newPack(1, 0))""",
            {"key": vectors["key"], "number": deck["number"]},
        )
        assert shuffled == deck["cards"].split()


@pytest.mark.parametrize("game", GAMES)
def test_d_2_a_table_with_a_shared_deal_is_accepted(tab, game):
    sitting = bots_at(1, game).play_out()
    sitting.do(ReleaseDeal())
    report = report_on(tab, sitting.log())

    assert report["fault"] is None
    found = outcomes(report)
    assert (found["cards"], found["deal"]) == (True, None)
    assert "the key of the shared deal" in next(
        check["explanation"] for check in report["checks"] if check["id"] == "cards"
    )


@cache
def league(seed=51):
    """In the last round a bot has less than a no-show scores; with seed 16, bots are behind the only one who appeared."""
    simulation = TournamentSimulation(
        setup=duplicate_setup(
            format=Format.LEAGUE,
            seats=4,
            fill_with_bots=True,
            options={"rounds": 1},
            sittings=(life.Sitting(rounds=2),) * 3,
            best_of=2,
        ),
        entrants=plan_entrants(["steady", "random"], 10, latest=1, chance=Random(2)),
        seed=f"league {seed}",
        has_absences=True,
        compare=Compare.DIFFERENCE,
        deals_per_pairing=2,
    )
    simulation.play()
    return simulation


@cache
def margins():
    simulation = TournamentSimulation(
        setup=duplicate_setup(game="double_blind", seats=3, options={}, sittings=(life.Sitting(rounds=1),)),
        entrants=plan_entrants(["steady", "random"], 9, latest=1, chance=Random(3)),
        seed="margins",
        compare=Compare.MARGIN,
        teams=TeamTerms(3, 2),
    )
    simulation.play()
    return simulation


@pytest.mark.parametrize("held", [simulated, league, partial(league, 16), margins])
def test_d_3_d_8_a_duplicate_tournament_is_accepted_with_its_scores(tab, held):
    simulation = held()
    rows = rows_of(simulation)
    report = verified(tab, simulation.log(), simulation.logs.values(), rows)

    assert (report["passed"], faults(report)) == (True, [])
    assert outcomes(report) == {
        "order": True,
        "secret": True,
        "seeds": None,
        "chain": True,
        "tables": True,
        "deals": True,
        "releases": True,
        "scores": True,
    }
    table = next(iter(simulation.logs))
    alone = report_on(tab, simulation.logs[table], tournamentLog=simulation.log().decode())
    assert (alone["passed"], outcomes(alone)["deal"]) == (True, True)


def test_a_tournament_with_own_deals_is_accepted(tab):
    simulation = TournamentSimulation(
        setup=duplicate_setup(sittings=(life.Sitting(rounds=1),), turn_seconds=0),
        entrants=plan_entrants(["random"], 5, latest=1, chance=Random(1)),
        seed="own deals",
    )
    simulation.play()
    report = verified(tab, simulation.log(), simulation.logs.values())

    assert report["passed"]
    assert {"deals", "releases", "scores"}.isdisjoint(outcomes(report))


@cache
def seeded():
    """Returns the logs of a private tournament with seeds: two entrants revealed theirs, and one was too late."""
    world = World()
    seeds = {name: name[0].encode().hex() * 16 for name in ("ada", "bo", "cy")}
    setup = setup_of(
        seats=2, turn_seconds=60, bye_score=Fraction(1, 2), advance=life.Advance.MANUAL, rated=False
    )
    opening = life.OpenTournament(
        tournament=ID,
        organiser="orga",
        setup=setup,
        server_seed="5eed" * 16,
        compare=Compare.MATCHPOINTS,
        admission=life.Admission(visibility=life.Visibility.PRIVATE, approval=True),
    )
    world.service.tournaments.open(ID, opening, by=ORGANISER, key=IdempotencyKey("open", ""))
    do(world, life.OpenRegistration())
    for name, seed in seeds.items():
        do(world, Enter(player=name, seed_commitment=commitment(seed)), by=f"entrant:{name}")
    do(world, life.OfferEntries(("dee",)))
    do(world, Enter(player="dee"), by="entrant:dee")
    for name in ("ada", "bo", "cy"):
        do(world, life.AcceptEntry(name))
    do(world, life.StartTournament({}))
    do(world, life.OpenRound(1))
    for name in ("ada", "cy"):
        do(world, life.RevealEntrantSeed(name, seeds[name]), by=f"entrant:{name}")
    world.clock.now += REVEAL_MS
    world.settle()
    do(world, life.StartRound(1))
    world.settle()
    for table in tables(world):
        end(world, table)
    world.settle()
    do(world, life.Finish("enough"))
    world.settle()
    log = export_tournament_log(ID, world.service.tournaments.entries(ID), without_name)
    return log, [export_log(table, world.service.tables.entries(table)) for table in tables(world)]


def test_t_14_tables_reported_before_their_opening_is_confirmed_are_accepted(tab, monkeypatch):
    report = verified(tab, *early_reports(World(), monkeypatch))

    assert (report["passed"], faults(report)) == (True, [])


def test_d_2_t_14_the_entrants_seeds_are_part_of_the_key(tab):
    log, logs = seeded()
    assert life.verify_log(log, logs).valid
    report = verified(tab, log, logs)

    assert (report["passed"], faults(report)) == (True, [])
    assert outcomes(report)["seeds"] is True

    def other_seed(lines):
        revealed = next(line for line in lines if line["type"] == "tournament.entrant_seed_revealed")
        revealed["data"]["seed"] = "ef" * 16

    found = faults(verified(tab, forged(log, other_seed), logs))
    assert found[0] == ("seeds", None, "A different seed was committed to.")
    assert [text for check, _, text in found if check == "deals"] == [
        f"Table {fields_of(entries_of(table)[0])['table']}: the key of deal 1 does not follow from the tournament's "
        "secret and seeds."
        for table in logs
    ]


def test_t_24_t_26_the_proof_says_who_decided_about_entries(tab):
    log, logs = seeded()
    assert outcomes(verified(tab, log, logs))["entries"] is True

    def decided_by_another(lines):
        accepted = next(line for line in lines if line["type"] == "tournament.entry_accepted")
        accepted["by"] = "entrant:bo"

    another = forged(log, decided_by_another)
    assert faults(verified(tab, another, logs)) == [
        ("entries", None, "ada entered without the decision of the organiser.")
    ]
    assert not life.verify_log(another, logs).valid


@pytest.mark.parametrize("number", [8, 9, 10, 11])
def test_tournaments_of_each_edition_are_accepted(tab, number):
    text = (GOLDEN / f"tournament-{number}.ndjson").read_bytes()
    log, *logs = [b'{"format"' + each for each in text.split(b'{"format"')[1:]]
    report = verified(tab, log, logs)

    assert (report["passed"], faults(report)) == (True, [])
    assert report["tables"] == len(logs) > 0


# ------------------------------------------------------------------------------------- forged by the service


def test_d_8_swapped_seals_are_named(tab):
    logs = simulated().logs
    first, second, *_ = logs
    report = verified(tab, forged(simulated().log(), swap_seals), logs.values())

    assert faults(report) == [
        ("releases", table, f"Table {table} did not end as it was sealed before the release.")
        for table in (first, second)
    ]


def test_d_7_d_8_a_release_before_the_last_seal_is_named(tab):
    logs = simulated().logs
    _, *others = list(logs)[:4]
    report = verified(tab, forged(simulated().log(), release_early), logs.values())

    assert faults(report) == [
        ("releases", None, f"Deal 1 was released before table {table} had ended.") for table in others
    ]
    assert report["fault"]["text"] == f"Deal 1 was released before table {others[0]} had ended."


def test_d_2_d_8_a_forged_key_is_named(tab):
    table, *others = simulated().logs
    opening = opening_of_log(simulated().logs[table])
    assert opening.shared is not None
    other = TableSitting(replace(opening, shared=replace(opening.shared, key="f" * 64))).play_out()
    other.do(ReleaseDeal())
    report = verified(tab, simulated().log(), [other.log(), *[simulated().logs[name] for name in others]])

    assert failures(report) == ["tables", "deals", "releases"]
    found = faults(report)
    assert (
        "deals",
        table,
        f"Table {table}: the key of deal 1 does not follow from the tournament's secret and seeds.",
    ) in found
    assert any(text.endswith("was dealt other cards in game round 1 of deal 1.") for _, _, text in found)
    alone = report_on(tab, other.log(), tournamentLog=simulated().log().decode())
    assert failures(alone) == ["deal"]


def test_d_2_a_key_that_gives_other_cards_is_found_at_the_table_alone(tab):
    log = next(iter(simulated().logs.values()))
    report = report_on(tab, changed(log, 2, lambda fields: fields.update(key="f" * 64)))

    assert failures(report) == ["cards"]


def test_d_7_a_table_that_revealed_its_secret_at_its_end_is_found(tab):
    log = next(iter(simulated().logs.values()))
    *played, ended, released = entries_of(log)
    report = report_on(tab, rechained([*played, ended, replace(released, cmd=ended.cmd)]))

    assert failures(report) == ["deal"]
    assert "without waiting for the other tables" in report["fault"]["text"]


def test_d_3_other_scores_in_the_standings_are_named(tab):
    rows = rows_of(simulated())
    rows[0]["score"], rows[1]["score"] = rows[1]["score"], rows[0]["score"]
    assert rows[0]["score"] != rows[1]["score"]
    report = verified(tab, simulated().log(), simulated().logs.values(), rows)

    assert failures(report) == ["scores"]
    assert len(faults(report)) == 2


def test_d_3_standings_with_an_entrant_twice_are_named(tab):
    rows = rows_of(simulated())
    report = verified(tab, simulated().log(), simulated().logs.values(), [*rows[1:], rows[1]])

    assert failures(report) == ["scores"]


def test_scores_are_compared_in_a_log_with_arbiters_and_added_rounds_and_of_a_series(tab):
    def decide(lines):
        opening = next(line for line in lines if line["type"].startswith("tournament.opened"))
        joined = opening | {"type": SeriesJoined.wire, "data": {"series": "theclub", "number": 1}}
        lines.insert(lines.index(opening) + 1, joined)
        finished = next(line for line in lines if line["type"] == "tournament.finished")
        kinds = ("arbiter_named", "rounds_added", "marked_absent", "described", "announced")
        for kind in (*kinds, "co_organiser_named", "place_offered", "place_declined", "absence_reversed"):
            event = {"type": f"tournament.{kind}", "by": "co_organiser:cy", "data": {}}
            lines.insert(lines.index(finished), finished | event)

    report = verified(tab, forged(simulated().log(), decide), simulated().logs.values(), rows_of(simulated()))

    assert outcomes(report)["scores"] is True


def test_scores_are_not_compared_if_the_log_has_unknown_events(tab):
    def rule(lines):
        finished = next(line for line in lines if line["type"] == "tournament.finished")
        lines.insert(lines.index(finished), finished | {"type": "tournament.something_ruled", "data": {}})

    rows = [{"entrant": 1, "score": "99"}]
    report = verified(tab, forged(simulated().log(), rule), simulated().logs.values(), rows)

    assert (report["passed"], outcomes(report)["scores"]) == (True, None)


def test_t_14_a_missing_a_foreign_and_a_repeated_log_are_named(tab):
    first, *others = simulated().logs.values()
    stranger = bots_at(1, "coconut").play_out()
    stranger.do(ReleaseDeal())
    found = faults(verified(tab, simulated().log(), [*others, others[0], stranger.log()]))

    assert [check for check, _, _ in found] == ["tables"] * 3
    assert "or its log was given twice" in found[0][2]
    assert "The tournament has no table t1" in found[1][2]
    assert found[2][2] == f"The log of table {fields_of(entries_of(first)[0])['table']} is missing."


@pytest.mark.parametrize("text", ["", "{}\n", "x", '{"format":"hoodwink-tournament-log/2"}\n'])
def test_a_text_that_is_no_tournament_fails(tab, text):
    report = verified(tab, text.encode(), [])

    assert not report["passed"]
    assert report["checks"][0]["id"] == "order"
