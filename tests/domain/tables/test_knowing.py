"""What a seat knows, from the log of its table (G-19)."""

from random import Random

import pytest
from msgspec.structs import replace

from hoodwink.domain.games import GAMES
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.codec import decode_event
from hoodwink.domain.tables.entries import decoded
from hoodwink.domain.tables.knowing import knowledge_of, observe
from hoodwink.domain.tables.state import MAX_ACTIONS_PER_ROUND
from tests.domain.tables.sitting import playing
from tests.domain.tables.test_forks import dealt_at, forked, parent_of


def known(sitting, seat=0):
    return knowledge_of(decoded(sitting.entries, decode_event), seat)


def imagines_what_it_sees(sitting, seat=0):
    rulebook, state = sitting.table.rulebook, sitting.table.state
    imagined = rulebook.imagine(known(sitting, seat), Random(1))
    return rulebook.view(imagined, seat) == rulebook.view(state, seat)


@pytest.mark.parametrize("game", GAMES)
def test_g_19_the_knowledge_from_a_log_leads_to_the_views_of_the_table(game):
    sitting = playing(*["Ada", "Bob", "Cy"][: GAMES[game].seats[1]], game=game)
    for _ in range(12):
        assert imagines_what_it_sees(sitting)
        sitting.step()


@pytest.mark.parametrize("game", GAMES)
def test_g_19_a_bot_receives_the_view_of_its_seat(game):
    sitting = playing("Ada", "Bob", game=game)
    table = sitting.table
    (seat, *_) = table.rulebook.turn(table.state).owes
    observed = observe(table, seat, sitting.now, known(sitting, seat))
    assert observed is not None
    assert observed.view == table.rulebook.view(table.state, seat)
    assert observed.view != table.rulebook.view(table.state, "everybody")


def test_g_15_g_19_a_void_round_leaves_nothing_to_know():
    sitting = playing("Ada", "Bob", game="coconut", rounds=2)
    sitting.table = replace(sitting.table, round_actions=MAX_ACTIONS_PER_ROUND - 1)
    sitting.act(0)
    assert not known(sitting).marks
    assert imagines_what_it_sees(sitting)


def test_g_18_g_19_a_wait_that_an_outage_postponed_is_known():
    sitting = playing("Ada", "Bob", "Cy", game="coconut", sneak_grace_ms=60_000)
    while not sitting.table.rulebook.waits_until(sitting.table.state):
        sitting.step()
    sitting.do(commands.MoveClocks(sitting.now + 1, sitting.now + 10_000), after_ms=10_000)
    assert imagines_what_it_sees(sitting)


@pytest.mark.parametrize("game", GAMES)
def test_g_19_a_bot_at_a_fork_knows_what_its_seat_saw_and_not_the_deck(game):
    parent = parent_of(
        game=game, seats=2, **({"rounds": 2} if "rounds" in GAMES[game].options.__struct_fields__ else {})
    )
    version = dealt_at(parent, 1) + 5
    fork = forked(parent, version, "Ada", "Bob")
    length = fork.table.parent.version
    before = knowledge_of(decoded(parent.entries[:length], decode_event), 1)
    assert known(fork, 1) == before
    assert before.marks
    rulebook, state = fork.table.rulebook, fork.table.state
    assert all(rulebook.imagine(before, Random(seed)) != state for seed in range(20))
