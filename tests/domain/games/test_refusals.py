"""Actions can be refused with every code that they list; the laws prove that there is no other code."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, Final

import pytest

from hoodwink.domain.games import GAMES
from hoodwink.domain.games.coconut.state import Step as CoconutStep
from hoodwink.domain.games.shithead.state import Step
from hoodwink.domain.kernel import Action, Code, Game
from tests.domain.games import coconut_table, shithead_table
from tests.domain.laws.cards import count_cards
from tests.domain.laws.laws import accepts_exactly_what_it_lists, settled
from tests.domain.laws.playout import Entry, Play, play
from tests.domain.laws.universe import build_universe, verdict

_TABLES = 60
_MOMENTS = 6
_ACTIONS = 60

Refused = set[tuple[type[Action], Code]]

_OPENING = shithead_table.table("4C 5D JK", "6C", starting_card="4C", step=Step.PLAY)
_FACE_UP = shithead_table.table("", "KD", face_up=["4C"], pile="9S")
_TO_OPEN = coconut_table.table("4C 5C", "6C", step=CoconutStep.OPEN)
_FACE_DOWN = coconut_table.table("", "3C", face_up=("", ""), pile="7D")
RARE: Final[dict[str, tuple[tuple[Any, Action], ...]]] = {
    "coconut": ((_FACE_DOWN, coconut_table.PICK_UP), (_TO_OPEN, coconut_table.play("5C"))),
    "shithead": (
        (_OPENING, shithead_table.play("5D")),
        (_OPENING, shithead_table.joker(1)),
        (_FACE_UP, shithead_table.PICK_UP),
    ),
}
"""Situations that random play seldom reaches, with an action of seat 0."""


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_listed_code_of_an_action_occurs(game):
    unseen = {(kind, code) for kind in game.actions for code in kind.refusals}
    for state, action in RARE.get(game.name, ()):
        unseen -= set(refusals(game, state, 0, (action,), 0))
    for seed in range(_TABLES):
        unseen = unseen and unseen - refused_at_random(game, seed)

    assert unseen == set()


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_an_unlisted_code_of_an_action_is_noticed(game, monkeypatch):
    for kind in game.actions:
        monkeypatch.setattr(kind, "refusals", ())

    with pytest.raises(AssertionError, match=r"Code\."):
        accepts_exactly_what_it_lists(play(game, 0, max_rounds=1, max_entries=60))


def refused_at_random(game: Game[Any], seed: int) -> Refused:
    """Returns the actions that are refused at a random table, and the codes."""
    table, chance, found = play(game, seed, max_entries=400), Random(seed), Refused()
    entries = settled(table)
    for entry in chance.sample(entries, min(_MOMENTS, len(entries))):
        found |= refused_at(table, entry, chance)
    return found


def refused_at(table: Play, entry: Entry, chance: Random) -> Refused:
    """Returns which of many actions of each kind and seat are refused at one version."""
    universe = build_universe(table.game, tuple(count_cards(entry.state).elements()), chance)
    kinds = [[action for action in universe if type(action) is kind] for kind in table.game.actions]
    actions = [action for kind in kinds for action in chance.sample(kind, min(_ACTIONS, len(kind)))]
    now = entry.now + chance.choice((0, 1))
    return {
        refused
        for seat in range(table.seats)
        for refused in refusals(table.game, entry.state, seat, actions, now)
    }


def refusals(
    game: Game[Any], state: Any, seat: int, actions: Iterable[Action], now: int
) -> Iterator[tuple[type[Action], Any]]:
    """Yields each action of a seat that is refused, by its kind, and the code."""
    for action in actions:
        refusal = verdict(game, state, seat, action, now)
        if refusal is not None:
            yield type(action), refusal[0]
