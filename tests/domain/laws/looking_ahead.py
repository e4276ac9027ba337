"""The laws of looking ahead: quick play keeps the rules, and the moves compared are all that differ."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

from hoodwink.domain.bots import choose_cards
from hoodwink.domain.cards import JOKER
from hoodwink.domain.kernel import Action, CardChoice, Game, Stage, plays_among
from tests.domain.laws.cards import cards_in, map_cards
from tests.domain.laws.imagining import knowledge_of
from tests.domain.laws.playout import Play

_FOREVER = 1 << 62
_LOOKS = 8
_SETS = frozenset({"hands", "face_up", "pockets", "sleeves", "chosen"})


def looks_ahead_by_the_rules(play: Play) -> None:
    """Moves and guesses are legal and follow from knowledge, `apply` agrees with `decide`, and playing on takes legal actions."""
    game, chance = play.game, Random(play.seed)
    lookahead = game.lookahead
    if lookahead is None:
        return
    picked = set(chance.sample(range(len(play.entries)), min(_LOOKS, len(play.entries))))
    picked |= {index - 1 for index, entry in enumerate(play.entries) if entry.kind == "score"}
    viewer = chance.randrange(play.seats)
    for index, known in enumerate(knowledge_of(play, viewer)):
        entry = play.entries[index]
        if index not in picked or _is_inside(play, index):
            continue
        if game.stage(entry.state) in {Stage.IN_PLAY, Stage.TO_SCORE}:
            assert all(0 <= result <= 1 for result in lookahead.value(entry.state))
        for seat in range(play.seats):
            legal = list(everything(game, entry.state, seat))
            moves = lookahead.moves(entry.state, seat)
            _check_moves(game, entry.state, seat, moves, legal)
            if seat == viewer:
                assert lookahead.moves(known.state, seat) == moves
            if game.stage(entry.state) is Stage.IN_PLAY:
                guess = lookahead.guess(entry.state, seat)
                assert guess is None or guess in legal
                assert seat != viewer or lookahead.guess(known.state, seat) == guess
        if game.stage(entry.state) is Stage.IN_PLAY:
            after = lookahead.play_on(entry.state, chance)
            assert any(
                alike(lookahead.apply(entry.state, seat, action), after)
                for seat in range(play.seats)
                for action in everything(game, entry.state, seat)
            )


def _is_inside(play: Play, index: int) -> bool:
    return index + 1 < len(play.entries) and play.entries[index].commit == play.entries[index + 1].commit


def _check_moves(
    game: Game[Any], state: Any, seat: int, moves: tuple[Action, ...], legal: list[Action]
) -> None:
    lookahead = game.lookahead
    assert lookahead is not None
    assert len(set(moves)) == len(moves)
    for move in moves:
        decided = state
        for event in game.decide(state, seat, move, _FOREVER):
            decided = game.evolve(decided, event)
        assert alike(lookahead.apply(state, seat, move), decided), move
    results = [outline(lookahead.apply(state, seat, move)) for move in moves]
    for action in legal:
        assert outline(lookahead.apply(state, seat, action)) in results, action


def alike(applied: Any, decided: Any) -> bool:
    """Returns whether two states are the same but for times."""
    return outline(applied) == outline(decided) and Counter(cards_in(applied)) == Counter(cards_in(decided))


def outline(state: Any) -> str:
    """Returns the state without times, suits and the order in which hands lie, as far as they never matter."""
    fields = {name: map_cards(getattr(state, name), _rank) for name in state.__struct_fields__}
    return repr(
        [
            tuple(map(_in_order, value)) if name in _SETS else value
            for name, value in fields.items()
            if name != "laid_at"
        ]
    )


def _rank(face: str) -> str:
    return face if face == JOKER else face[0]


def _in_order(cards: Any) -> Any:
    return sorted(map(str, cards)) if isinstance(cards, tuple) else cards


def everything(game: Game[Any], state: Any, seat: int) -> Iterator[Action]:
    """Yields every legal play of the seat, each choice of cards in the order in which they are listed."""
    for entry in plays_among(game, game.legal_actions(state, seat, _FOREVER)):
        if not isinstance(entry, CardChoice):
            yield entry
            continue
        for count in range(entry.at_least, entry.at_most + 1):
            for cards in dict.fromkeys(combinations(entry.cards, count)):
                if entry.including is None or entry.including in cards:
                    yield choose_cards(game, entry, cards)
