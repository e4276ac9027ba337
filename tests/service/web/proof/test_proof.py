"""The proof in the browser: hashes, draws, deals, and accepting every genuine log."""

import hashlib
import hmac
import json
from pathlib import Path
from random import Random

import pytest

from hoodwink.domain.cards import commitment
from hoodwink.domain.games import GAMES
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.fairness import REVEAL_MS
from hoodwink.domain.tables.proving.log import split_logs
from hoodwink.service.simulation.random_options import random_options
from hoodwink.service.simulation.tables import BotTable
from tests.domain.tables.sitting import Sitting, playing
from tests.service.web.modules import ELSEWHERE, Tab, served
from tests.service.web.proof.proofs import GOLDEN, report_on

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[4]
VECTORS = json.loads((ROOT / "docs" / "fairness-vectors.json").read_text("utf-8"))
SEED = VECTORS["server_seed"]
CHECKS = ["order", "secret", "seeds", "chain", "dealers", "cards", "scores", "kept"]
ADAS, HOSTS = "ada0" * 16, "0123456789abcdef" * 2
FORK_SEED = "f0" * 32

every_game = pytest.mark.parametrize("game", GAMES)


@pytest.fixture(scope="module")
def port():
    with served() as port:
        yield port


@pytest.fixture(scope="module")
def tab(chromium, port):
    """A tab with WebCrypto."""
    with chromium.new_context() as context:
        opened = Tab(context, port)
        assert opened.page.evaluate("Boolean(crypto.subtle)")
        yield opened
        assert opened.errors == []


@pytest.fixture(scope="module")
def bare_tab(chromium, port):
    """A tab without WebCrypto, where the page hashes by itself."""
    with chromium.new_context() as context:
        opened = Tab(context, port, ELSEWHERE)
        assert not opened.page.evaluate("Boolean(crypto.subtle)")
        yield opened
        assert opened.errors == []


@pytest.fixture(params=["with-webcrypto", "without"])
def each_tab(request, tab, bare_tab):
    """Each of the two. They hash differently, and do everything else in the same way."""
    return tab if request.param == "with-webcrypto" else bare_tab


def outcomes(report):
    return {check["id"]: check["passed"] for check in report["checks"]}


def check_named(report, name):
    return next(check for check in report["checks"] if check["id"] == name)


def texts(report, name):
    return [detail["text"] for detail in check_named(report, name)["details"]]


def assert_accepted(report, *, seeds=None, **other):
    """Asserts that all checks pass; by default there are no players' seeds."""
    assert report["fault"] is None
    assert report["passed"]
    assert outcomes(report) == dict.fromkeys(CHECKS, True) | {"seeds": seeds, "kept": None} | other


# ------------------------------------------------------------------------------------- hashes


def test_hashes_match_pythons(each_tab):
    chance = Random(1)
    lengths = [*range(130), 1_000, 100_000]
    given = [[chance.randbytes(length), chance.randbytes(length + 1)] for length in lengths]

    # As text, because Playwright writes each number of a list as an object.
    found = each_tab.run(
        """(given) => Promise.all(given.map(async (pair) => {
            const [bytes, secret] = pair.map((text) => Uint8Array.from(text, (byte) => byte.charCodeAt()));
            const { hex, sha256, hmac } = modules.hashing;
            return [hex(await sha256(bytes)), hex(await hmac(secret, bytes))];
        }))""",
        [[part.decode("latin-1") for part in pair] for pair in given],
    )

    assert found == [
        [hashlib.sha256(data).hexdigest(), hmac.new(key, data, "sha256").hexdigest()] for data, key in given
    ]


def test_seeds_are_drawn_without_webcrypto(bare_tab):
    seeds = [bare_tab.call("proof/hashing.js", "randomSeed") for _ in range(2)]

    assert all(len(seed) == 64 and set(seed) <= set("0123456789abcdef") for seed in seeds)
    assert seeds[0] != seeds[1]
    assert bare_tab.call("proof/hashing.js", "fingerprint", seeds[0]) == commitment(seeds[0])


# ------------------------------------------------------------------------------------- vectors


def draw_in_page(tab, seeds, vectors):
    """Returns the key, the first dealer and the decks drawn by a page."""
    return tab.run(
        """async ({ serverSeed, seeds, seats, decks }) => {
            const { Draw, drawKey, joinedSeeds, newPack } = modules.draws;
            const key = await drawKey(serverSeed, seeds);
            const draw = (label) => new Draw(key, `v2:${label}`);
            return {
                joined: joinedSeeds(seeds),
                key: modules.hashing.hex(key),
                seat: await draw('seat:0').below(seats),
                decks: await Promise.all(decks.map(({ packs, jokers, number }) =>
                    draw(`deck:${number}`).shuffled(newPack(packs, jokers)))),
            };
        }""",
        {
            "serverSeed": SEED,
            "seeds": seeds,
            "seats": vectors["first_dealer"]["seats"],
            "decks": vectors["decks"],
        },
    )


def assert_drawn(found, vectors):
    assert found["key"] == vectors["key"]
    assert found["seat"] == vectors["first_dealer"]["seat"]
    assert found["decks"] == [deck["cards"].split() for deck in vectors["decks"]]


def test_seeds_and_draws_match_the_vectors(each_tab):
    holders = [VECTORS["host_seed"], *VECTORS["player_seeds"]]
    found = draw_in_page(each_tab, [holder["seed"] for holder in holders], VECTORS)

    assert found["joined"] == VECTORS["joined"]
    assert_drawn(found, VECTORS)
    assert each_tab.call("proof/hashing.js", "fingerprint", SEED) == VECTORS["commitment"]
    for holder in holders:
        if holder["status"] == "revealed":
            assert each_tab.call("proof/hashing.js", "fingerprint", holder["seed"]) == holder["commitment"]


def test_the_chain_matches_the_vectors(each_tab):
    key, hashes = each_tab.run(
        """async ({ serverSeed, events }) => {
            const key = await modules.chain.chainKey(serverSeed);
            const before = (i) => (i ? events[i - 1].hash : '');
            const hashed = (event, i) => modules.chain.chainHash(key, before(i), event);
            return [modules.hashing.hex(key), await Promise.all(events.map(hashed))];
        }""",
        {"serverSeed": SEED, "events": VECTORS["chain"]["events"]},
    )

    assert key == VECTORS["chain"]["key"]
    assert hashes == [event["hash"] for event in VECTORS["chain"]["events"]]


def test_tournaments_match_the_vectors(tab):
    vectors = VECTORS["tournament"]

    for table in vectors["tables"]:
        at = {name: table[name] for name in ("round", "board", "deal")} | {"tournament": vectors["id"]}
        assert tab.call("proof/draws.js", "tournamentTable", SEED, at) == {
            name: table[name] for name in ("table", "server_seed")
        }
    for lot in (vectors["ranks"], vectors["pairing"]):
        order = tab.run(
            """async ({ serverSeed, seeds, purpose, round }) => {
                const key = await modules.draws.drawKey(serverSeed, seeds);
                return new modules.draws.Draw(key, `tournament:${purpose}:${round}`).shuffled([...Array(8).keys()]);
            }""",
            {"serverSeed": SEED, **lot},
        )
        assert order == [int(number) for number in lot["of_eight"].split()]


# ------------------------------------------------------------------------------------- genuine logs


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.log")), ids=lambda path: path.stem)
def test_a_golden_log_is_accepted(tab, path):
    log = path.read_bytes()
    report = report_on(tab, log)

    assert_accepted(report, seeds=b"table.player_seed_revealed" in log or None)
    deals = log.count(b"_dealt") if b"table.forked" in log else log.count(b'_dealt","at"')
    assert len(texts(report, "cards")) == deals
    assert report["opened"]["game"] == path.stem.rpartition("-")[0]


@every_game
@pytest.mark.parametrize("count", [2, pytest.param(12, marks=pytest.mark.campaign)])
def test_logs_of_tables_with_any_options_are_accepted(tab, game, count):
    chance = Random(game)
    rulebook = GAMES[game]
    for number in range(count):
        seats = chance.randint(*rulebook.seats)
        options = random_options(rulebook, seats, chance)
        given = {name: getattr(options, name) for name in options.__struct_fields__}
        table = BotTable(
            game=game, seats=seats, options=given, policies=["random"] * seats, seed=f"{game}{number}"
        )
        table.play()
        log = table.log()

        # A round without progress is void (G-15), so there may be no scores.
        assert_accepted(report_on(tab, log), scores=b"table.round_scored" in log or None)


def test_seeds_of_host_and_players_are_part_of_every_shuffle(tab):
    sitting = Sitting(seats=4, game="coconut", seed_commitment=commitment(HOSTS))
    sitting.sit_committed("ada", ADAS).sit_committed("bo", "b" * 32).sit("cy", "bot").start()
    sitting.do(commands.RevealSeed(0, ADAS), by="player:0", after_ms=1)
    sitting.do(commands.RevealSeed(None, HOSTS), by="host", after_ms=REVEAL_MS - 2)
    sitting.do(commands.MissSeed(1), after_ms=1)
    report = report_on(tab, sitting.play_out().log(), names=["Ada", "Bo", "Cy", "Bot"])

    assert_accepted(report, seeds=True)
    assert texts(report, "seeds") == [
        "Ada committed to a seed and revealed it.",
        "Bo committed to a seed and did not reveal it in time, so it counts as empty.",
        "The host committed to a seed and revealed it.",
    ]


def test_a_table_without_deals_has_no_cards_to_check(tab):
    sitting = Sitting(seats=2).sit("ada")
    sitting.do(commands.CloseTable(), by="host")

    assert_accepted(report_on(tab, sitting.log()), dealers=None, cards=None, scores=None)


def play_fork(parent, version, **given):
    """Returns a fork of a table at a version, with bots in all seats, played to its end."""
    cmd = parent.entries[version - 1].cmd
    entries = tuple(entry for entry in parent.entries if entry.version <= version or entry.cmd == cmd)
    command = commands.ForkTable(
        host="holly",
        turn_seconds=0,
        bot_delay=0,
        round_pause=0,
        server_seed=FORK_SEED,
        entries=entries,
        **given,
    )
    return Sitting(command).sit(*["bot"] * len(parent.table.seats)).start().play_out()


@every_game
def test_a_fork_of_a_fork_keeps_the_cards_of_its_parents(tab, game):
    parent = playing("bot", "bot", game=game).play_out()
    child = play_fork(
        parent, next(entry.version for entry in parent.entries if "dealt" in entry.type), table="child"
    )
    grandchild = play_fork(child, child.table.version // 2, table="grandchild")

    report = report_on(tab, grandchild.log())

    assert_accepted(report)
    assert "of table t1, whose cards everybody can read" in texts(report, "cards")[0]


def test_tournament_tables_follow_from_its_secret(tab):
    log, *tables = split_logs((GOLDEN / "tournament-9.ndjson").read_bytes())
    opening = json.loads(log.split(b"\n")[1])["data"]
    for table in tables:
        assert_accepted(report_on(tab, table, tournament=opening))
        other = opening | {"server_seed": FORK_SEED, "commitment": commitment(FORK_SEED)}
        assert outcomes(report_on(tab, table, tournament=other))["secret"] is False


def test_checking_a_long_log_keeps_the_page_responsive(each_tab):
    log = (GOLDEN / "double_blind-4001.log").read_text("utf-8")

    passed, turns = each_tab.run(
        """async (log) => {
            // A clock that runs with every look at it, so that the machine's speed plays no part.
            let now = 0;
            performance.now = () => { now += 1; return now; };
            let turns = 0;
            const timer = setInterval(() => { turns += 1; }, 0);
            const { passed } = await modules.verify.verify(log);
            clearInterval(timer);
            delete performance.now;
            return [passed, turns];
        }""",
        log,
    )

    assert passed
    assert turns > 2
