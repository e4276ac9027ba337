"""SH-59: a round that no legal play can end any more, found by search among all states with few cards."""

from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from itertools import product
from unittest.mock import Mock

import pytest

from hoodwink.domain.cards import commitment
from hoodwink.domain.due_times import IMMEDIATELY, WorkDue
from hoodwink.domain.games.shithead import GAME
from hoodwink.domain.games.shithead.rules import is_endless
from hoodwink.domain.games.shithead.state import State
from hoodwink.domain.kernel import Action, Event, Stage
from hoodwink.domain.tables.allowed_actors import allowed_actors
from hoodwink.domain.tables.commands import ForkTable, RevealSeed, VoidRound
from hoodwink.domain.tables.due import work_due
from hoodwink.domain.tables.events import RoundVoided, SeedRevealed, TableEnded
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.domain.tables.state import Table
from hoodwink.service.application.streams.history import Loaded
from hoodwink.service.application.streams.repository import Accepted
from hoodwink.service.application.streams.tables import DueStep
from hoodwink.service.application.work.due import IdleTimes
from hoodwink.service.application.work.table_worker import TableWorker
from hoodwink.service.simulation.tables import BotTable
from tests.domain.games.shithead_table import after, counter, joker, table
from tests.domain.tables.sitting import Sitting, playing

PICKED_UP = {"joker_fate": "picked_up", "jokers": 4}
ON_THE_TABLE = [("", ""), ("", "4C"), ("JK", "4C 4D 4H"), ("9S", "4C 4D 4H")]
"""Face-up and face-down cards of a seat; a seat with face-up cards always has face-down ones."""


def following(state: State) -> Iterator[State]:
    """Yields the state after each legal action of the seat to move."""
    for action in GAME.legal_actions(state, state.to_move, 0):
        assert isinstance(action, Action)
        yield after(state, (state.to_move, action))


def can_end(start: State) -> bool:
    """Returns whether some sequence of legal actions ends the round."""
    seen, waiting = {start}, [start]
    while waiting:
        for state in following(waiting.pop()):
            if state.stage is not Stage.IN_PLAY:
                return True
            if state not in seen:
                seen.add(state)
                waiting.append(state)
    return False


def leads(seats: int, jokers: int) -> Iterator[State]:
    """Yields every state in which seat 0 leads on an empty pile, and all hands hold nothing but Jokers."""
    for held in product(range(jokers + 1), repeat=seats):
        if held[0] and sum(held) <= jokers:
            hands = [" ".join(["JK"] * count) for count in held]
            for shown in product(ON_THE_TABLE, repeat=seats):
                yield table(
                    *hands,
                    face_up=[up for up, _ in shown],
                    blind=[down for _, down in shown],
                    options=PICKED_UP,
                )


@pytest.mark.parametrize(("seats", "jokers"), [(2, 3), (3, 2)])
def test_sh_59_a_round_is_endless_exactly_if_no_legal_play_can_end_it(seats, jokers):
    found: dict[bool, int] = defaultdict(int)
    for state in leads(seats, jokers):
        if state.seats - len(state.finished) > 1:
            found[is_endless(state)] += 1
            assert is_endless(state) is not can_end(state), state
    assert min(found[True], found[False]) > 10


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_sh_59_an_endless_round_stays_endless_at_every_lead(seats):
    start = table("JK JK", *["JK"] * (seats - 1), blind=["4C"] * seats, options=PICKED_UP)
    seen, waiting = {start}, [start]
    while waiting and len(seen) < 3_000:
        for state in following(waiting.pop()):
            assert is_endless(state) or state.jokers
            if state not in seen:
                seen.add(state)
                waiting.append(state)


def test_sh_59_a_player_with_nothing_but_jokers_can_still_win_against_face_down_cards():
    state = table("JK JK", "", blind=["", "4C"], options=PICKED_UP)
    assert not is_endless(state)
    state = after(state, (0, joker(1)), (1, joker(0)))
    state = after(state, (0, counter(1)))
    assert (state.stage, state.finished) == (Stage.TO_SCORE, (0,))


@pytest.mark.parametrize(
    "change",
    [
        {"options": {"jokers": 4}},
        {"pile": "4S"},
        {"stock": "4S"},
        {"to_move": 2},
        {"hands": ("JK", "JK 5C", "")},
        {"stage": Stage.TO_SCORE},
    ],
)
def test_sh_59_a_round_that_can_end_goes_on(change):
    hands = change.pop("hands", ("JK", "JK", ""))
    given = {"options": PICKED_UP} | change
    assert is_endless(table("JK", "JK", "", blind=["4C", "5C", "6C"], options=PICKED_UP))
    assert not is_endless(table(*hands, blind=["4C", "5C", "6C"], **given))


@pytest.fixture
def stuck():
    """Returns a table whose bots have played to a round without end."""
    bots = BotTable(
        game="shithead",
        seats=2,
        options=PICKED_UP,
        policies=["steady", "steady"],
        seed="50",
    )
    while not is_endless(bots.table.state):
        bots.step()
    sitting = Sitting(seats=2)
    sitting.table, sitting.entries, sitting.now = bots.table, bots.entries, bots.table.moved_at
    return sitting


def test_sh_59_the_service_voids_an_endless_round_immediately(stuck):
    assert work_due(stuck.table) == WorkDue(IMMEDIATELY, is_for_bots=True)
    steps: list[tuple[Event, ...]] = []

    def execute_due(_table: str, due: DueStep) -> Accepted[Table] | None:
        step = due(stuck.table)
        if step is None:
            return None
        command, by = step
        steps.append(stuck.do(command, by=by))
        return Accepted(Loaded(stuck.table, due=work_due(stuck.table)), ())

    tables = Mock(execute_due=execute_due, load=lambda _: Loaded(stuck.table))
    TableWorker(
        tables=tables,
        due_times=Mock(),
        clock=Mock(now_ms=lambda: stuck.now, elapsed_ms=lambda: 0),
        idle_times=IdleTimes(10**9, 10**9),
        outages=Mock(),
        thoughts=Mock(),
    ).run_bots("2004", until=0)
    ((void, ended, seed),) = steps
    assert void == RoundVoided(1)
    assert isinstance(ended, TableEnded)
    assert ended.outcome == "no_result"
    assert isinstance(seed, SeedRevealed)
    assert verify_log(stuck.log()).valid


def test_sh_59_a_log_in_which_an_endless_round_went_on_verifies(stuck):
    for _ in range(20):
        stuck.act(stuck.owing(), after_ms=1)
    while not is_endless(stuck.table.state):
        stuck.act(stuck.owing(), after_ms=1)
    stuck.do(VoidRound())
    assert verify_log(stuck.log()).valid


def test_sh_59_only_the_service_voids_a_round_and_only_an_endless_one(stuck):
    assert allowed_actors(stuck.table, VoidRound()) == ("worker",)
    going_on = playing("ada", "bo", game="shithead", joker_fate="picked_up")
    assert going_on.refusal(VoidRound()) == "round_can_end"
    assert Sitting(seats=2, game="shithead").refusal(VoidRound()) == "round_can_end"


def test_sh_59_a_fork_reveals_its_seeds_before_an_endless_round_is_voided(stuck):
    in_play = tuple(stuck.entries)
    stuck.do(VoidRound())
    seed = "0" * 32
    given = ForkTable(
        table="fork", host="holly", server_seed="f0" * 32, entries=in_play, seed_commitment=commitment(seed)
    )
    fork = Sitting(given).sit("bot", "bot").start()

    assert is_endless(fork.table.state)
    assert fork.refusal(VoidRound()) == "seeds_awaited"
    fork.do(RevealSeed(None, seed), by="host")
    assert fork.do(VoidRound())[0] == RoundVoided(1)


def test_sh_59_a_log_that_voids_a_round_that_could_end_is_refused(monkeypatch):
    going_on = playing("ada", "bo", game="shithead", joker_fate="picked_up")
    with monkeypatch.context() as patched:
        rules = import_module("hoodwink.domain.tables.deciding.decide")
        patched.setattr(rules, "_void_round", lambda table: rules._voided(table, table.state))
        going_on.do(VoidRound())
    finding = verify_log(going_on.log()).finding
    assert finding is not None
    assert finding.code == "illegal"


def test_sh_59_bots_of_a_simulation_end_an_endless_round():
    table = BotTable(game="shithead", seats=2, options=PICKED_UP, policies=["steady"] * 2, seed="50")
    table.play()
    assert table.table.result is not None
    assert table.table.result.outcome == "no_result"
    assert table.table.round_actions < 200
