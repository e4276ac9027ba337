"""Every encoding keeps the laws, by random play over seeds, seat counts and options."""

from random import Random
from typing import Any
from zlib import crc32

import pytest

from hoodwink.domain.cards import Card
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import CardChoice
from hoodwink.env.encodings import ENCODINGS, encoding_of
from hoodwink.env.table import Shuffles, Table
from tests.domain.laws.laws import replayable
from tests.domain.laws.playout import play
from tests.env import document, laws
from tests.env.laws import LAWS, keeps_secrets, observes_its_knowledge
from tests.seeds import chunks

TABLES = chunks(1_000, 100, first=8)

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def test_every_game_has_an_encoding():
    assert list(ENCODINGS) == list(GAMES)


@every_game
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("seeds", TABLES)
def test_g_19_encodings_keep_the_laws(game, law, seeds):
    for seed in seeds:
        with replayable(game, seed):
            law(play(game, seed, max_rounds=2, max_entries=400))


@pytest.mark.parametrize("at_most", [1, 2, 3])
def test_a_selection_contains_the_card_that_has_to_be_played(at_most):
    fours = tuple(map(Card, ("4C", "4H", "4D")))
    choice = CardChoice(type="play", cards=fours, at_least=1, at_most=at_most, including="4H")

    reached = set(laws.reachable(encoding_of("shithead", 2), 0, (choice,)))

    assert reached == {laws.name(action) for action in laws.expanded(GAMES["shithead"], choice)}


class Leaking:
    """An encoding that adds a number which depends on every card of the state."""

    def __init__(self, encoding: Any) -> None:
        self._encoding = encoding

    def __getattr__(self, name: str) -> Any:
        return getattr(self._encoding, name)

    def write(self, row: Any, state: Any, seat: int, memory: Any) -> None:
        self._encoding.write(row, state, seat, memory)
        row[0] = crc32(repr(state).encode()) % 1_000


@every_game
@pytest.mark.parametrize("law", [keeps_secrets, observes_its_knowledge], ids=lambda law: law.__name__)
def test_an_observation_that_depends_on_hidden_cards_is_found(game, law, monkeypatch):
    monkeypatch.setattr(laws, "encoding_of", lambda name, seats: Leaking(encoding_of(name, seats)))

    with pytest.raises(AssertionError):
        for seed in range(4):
            law(play(game, seed, max_rounds=1, max_entries=120))


def test_the_page_lists_the_fields_and_actions_of_the_code():
    assert document.PAGE.read_text(encoding="utf-8") == document.written()


def test_offences_are_not_offered():
    options = GAMES["double_blind"].options(exposure_actions=True)
    table, chance = Table("double_blind", 3, options), Random(1)
    table.deal(Shuffles(3, chance))

    while table.seat is not None:
        assert table.legal
        assert not [action for action in table.legal if isinstance(action, table.game.offences)]
        table.step(chance.choice(table.choices()))


@every_game
def test_an_illegal_number_raises(game):
    table, chance = Table(game.name, game.seats[0], game.options()), Random(1)
    table.deal(Shuffles(table.seats, chance))
    for _ in range(100):
        if table.seat is None:
            break
        for number in set(range(len(table.encoding.labels))) - set(table.choices()):
            with pytest.raises(ValueError, match="not a legal choice"):
                table.step(number)
        table.step(chance.choice(table.choices()))
