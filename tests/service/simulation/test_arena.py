"""The arena: duplicate deals, the statistics over whole deals, and the command."""

import json
from collections import defaultdict

import pytest
from click.testing import CliRunner

from hoodwink.domain.bots import VERSIONS
from hoodwink.domain.games import GAMES
from hoodwink.domain.tables.codec import decode_event
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.service.cli import hoodwink
from hoodwink.service.simulation.arena.kept import KeptResults
from hoodwink.service.simulation.arena.results import Arena, estimate
from hoodwink.service.simulation.arena.tasks import (
    DEALS_PER_TASK,
    Pairing,
    Terms,
    _DuplicateTable,
    pairings,
    play,
    tasks_of,
)
from hoodwink.service.simulation.outside.outsider import Outsiders
from hoodwink.service.simulation.outside.process import Limits

STEADY = Pairing("steady", "random")


def terms_of(game="blind_don", *, seats=2, rounds=1, seed="1"):
    return Terms(game, seats, {}, rounds, seed, Limits())


def arena_of(terms, matches, deals):
    arena = Arena(terms, matches, deals)
    for task in tasks_of(terms, matches, deals):
        arena.add(task, play(task))
    return arena


def run(*words, code=0):
    done = CliRunner().invoke(hoodwink, ["arena", *map(str, words)], catch_exceptions=False)
    assert done.exit_code == code, done.output
    return done


@pytest.mark.parametrize("game", GAMES)
def test_a_deal_has_the_same_cards_and_dealer_with_every_seating(game):
    seats = GAMES[game].seats[0]
    dealt: defaultdict[int, set[str]] = defaultdict(set)
    for task in tasks_of(terms_of(game, seats=seats), [STEADY], 2):
        for deal in range(2):
            table = _DuplicateTable(
                task, ["steady", *["random"] * (seats - 1)], deal, Outsiders(task.terms.limits)
            )
            table.step()
            (first,) = {entry.cmd for entry in table.entries if entry.by == "worker"}
            dealt[deal].add(str([decode_event(e.type, e.data) for e in table.entries if e.cmd == first]))

    assert [len(hands) for hands in dealt.values()] == [1, 1]
    assert dealt[0] != dealt[1]


@pytest.mark.parametrize(("game", "rounds"), [("blind_don", 1), ("blind_don", 9), ("double_blind", 2)])
def test_a_table_stops_after_its_rounds_and_its_log_verifies(game, rounds):
    terms = terms_of(game, seats=GAMES[game].seats[0], rounds=rounds)
    (task, *_) = tasks_of(terms, [STEADY], 1)
    table = _DuplicateTable(task, ["steady"] * terms.seats, 0, Outsiders(terms.limits))

    table.play_rounds(rounds)

    assert table.table.round == (4 if rounds == 9 else rounds)  # Blind Don ends after four rounds
    assert verify_log(table.log()).valid


def test_every_seat_is_played_alone_and_in_company():
    played: defaultdict[int, set[int]] = defaultdict(set)
    for task in tasks_of(terms_of("coconut", seats=3), [STEADY], DEALS_PER_TASK + 1):
        played[task.seating] |= set(range(task.first_deal, task.first_deal + task.deals))

    assert played == {seating: set(range(DEALS_PER_TASK + 1)) for seating in range(6)}


def test_a_round_robin_has_every_pair_once_and_mirrors_on_request():
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    mirrors = [(bot, bot) for bot in "abc"]

    assert pairings("abc", has_mirrors=False) == tuple(Pairing(*pair) for pair in pairs)
    assert pairings("abc", has_mirrors=True) == tuple(Pairing(*pair) for pair in pairs + mirrors)


def test_an_interval_resamples_deals():
    """Five deals that were won or lost with all seatings say no more than five numbers."""
    wide, narrow = estimate([0, 1, 0, 1, 1]), estimate([0.5, 0.7, 0.6, 0.6, 0.6])

    assert wide.mean == pytest.approx(narrow.mean)
    assert (wide.low, wide.high) == (0.2, 1.0)
    assert (narrow.low, narrow.high) == pytest.approx((0.54, 0.66))


def test_the_interval_contains_the_truth_in_about_95_of_100_runs():
    matches = [Pairing("random", "random")]
    arenas = [arena_of(terms_of(seed=str(seed)), matches, 20) for seed in range(20)]
    scores = [arena.results()[0].score for arena in arenas]

    assert sum(score.low <= 0.5 <= score.high for score in scores) >= 16


def test_the_same_seed_repeats_the_run_with_any_number_of_processes():
    words = ("blind_don", "--deals", 60, "--seed", "x", "--json", "--bots", "steady,random")

    def results(processes):
        document = json.loads(run(*words, "--processes", processes).stdout)
        return [document[name] for name in ("command", "terms", "deals", "matches", "checks")]

    assert results(1) == results(3)


def test_an_interrupted_run_continues(tmp_path, monkeypatch):
    kept = tmp_path / "kept.ndjson"
    words = ("blind_don", "--deals", 3, "--seed", "x", "--json", "--bots", "steady,novice")

    def results(*more):
        document = json.loads(run(*words, *more).stdout)
        return [document["matches"], [row["moves"] for row in document["ladder"]]]

    expected = results()
    assert results("--results", kept) == expected
    whole = kept.read_bytes()
    kept.write_bytes(whole[: len(whole) // 2])  # killed while it wrote a line
    assert results("--results", kept) == expected
    monkeypatch.setattr("hoodwink.service.cli.bots.arena._in_processes", lambda *_: iter(()))
    assert results("--results", kept) == expected, "nothing was left to play"
    versions = {**VERSIONS, "steady": 0}
    monkeypatch.setattr("hoodwink.service.simulation.arena.kept.VERSIONS", versions)
    assert not KeptResults(kept).read(), "a level of another version may play otherwise"


def test_the_printed_command_repeats_the_run():
    output = run("coconut", "--deals", 4, "--seats", 3, "--option", "sneak=false", "--sanity").stdout
    command = output.splitlines()[-1]
    assert command.startswith(
        "Play it again: hoodwink arena coconut --deals 4 --seats 3 --option sneak=false --seed "
    )
    assert command.endswith(" --sanity")

    again = run(*command.split()[5:]).stdout

    def figures(text):
        return [line for line in text.splitlines() if "%" in line and "CPU" not in line]

    assert figures(again)[-8:] == figures(output)[-8:]


def test_the_ladder_and_the_checks():
    arena = arena_of(terms_of(), pairings(["steady", "random"], has_mirrors=True), 12)

    best, worst = arena.ladder()
    assert (best.bot, worst.bot) == ("steady", "random")
    assert best.score.mean + worst.score.mean == pytest.approx(1)
    assert best.moves == worst.moves == 12 * 2 * 18 * 3  # alone, and two in the mirror match
    assert best.cpu_p95_ms >= best.cpu_mean_ms > worst.cpu_mean_ms > 0


def test_mistakes_are_reported_with_position_and_log(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(observation):\n    raise ValueError('no idea')\n")

    document = json.loads(run("blind_don", "--deals", 2, "--bots", f"{bot},steady", "--json").stdout)
    output = run(
        "blind_don", "--deals", 2, "--bots", f"{bot},steady", "--mistakes", tmp_path / "mistakes"
    ).stdout

    assert document["mistakes"] == [{"bot": str(bot), "kind": "exception", "times": 2 * 2 * 18}]
    example = document["examples"][0]
    assert example["mistake"]["position"]["legal_actions"]["actions"]
    assert verify_log(example["log"].encode()).valid
    assert "no idea" in output
    assert sorted(file.name for file in (tmp_path / "mistakes").iterdir())[:3] == [
        f"01-exception.{suffix}" for suffix in ("json", "log", "txt")
    ]


def test_a_file_that_contains_something_else_is_refused_and_kept(tmp_path):
    file = tmp_path / "table.log"
    file.write_bytes(b'{"format":"hoodwink-log/3"}\n\xff\n')

    said = run("blind_don", "--results", file, "--seed", "1", code=2).output

    assert "contains no results of an arena" in said
    assert file.read_bytes() == b'{"format":"hoodwink-log/3"}\n\xff\n'


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--bots", "steady"), "name at least two bots"),
        (("--bots", "steady,steady"), "name at least two bots"),
        (("--bots", "steady,cunning"), "there is no policy cunning"),
        (("--bots", "steady,./nowhere.py"), "./nowhere.py cannot be loaded"),
        (("--seats", "0"), "Blind Don takes 2 seats"),
        (("--seats", "3"), "Blind Don takes 2 seats"),
        (("--results", "kept"), "needs a --seed"),
        (("--results", "kept", "--seed", "1", "--bots", "steady,builtins:len"), "built-in bots"),
    ],
)
def test_a_wrong_argument_is_reported(words, message):
    assert message in run("blind_don", *words, code=2).output


@pytest.mark.campaign
@pytest.mark.parametrize("game", GAMES)
def test_steady_beats_random_and_ties_with_itself(game):
    document = json.loads(
        run(game, "--deals", 300, "--sanity", "--json", "--bots", "steady", "--seed", "1").stdout
    )

    assert [check["is_met"] for check in document["checks"]] == [True, True, True]
