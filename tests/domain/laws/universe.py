"""All possible actions, built from the action types alone, and which of them are legal."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from random import Random
from typing import Any

from msgspec import inspect

from hoodwink.domain.bots import choose_cards, pick_action
from hoodwink.domain.cards import HIDDEN, JOKER, build_pack
from hoodwink.domain.kernel import Action, CardChoice, Game, LegalAction, RuleViolation
from hoodwink.service.simulation.random_options import plain

FACES = (*build_pack(), JOKER)
_WORDS = (*FACES, HIDDEN, "1X")  # every face, the back that nobody may name, and a text that is no card
_MAX_SEATS = 12
_NUMBERS = (*range(-_MAX_SEATS, _MAX_SEATS + 1), 1_000_000)
_MAX_OF_A_KIND = 1_500
_ALIKE = (
    *[(word,) for word in _WORDS],
    *[(face, face) for face in FACES],
    *[cards for rank in range(13) for count in (2, 3, 4) for cards in combinations(FACES[rank:52:13], count)],
)


def build_universe(game: Game[Any], held: tuple[str, ...], chance: Random) -> tuple[Action, ...]:
    """Returns actions of every type with every value of every field.

    Tuples of cards are all singles, many of a kind, and a sample of others, drawn from `held` too.
    """
    hands = _card_tuples(held, chance)
    actions: list[Action] = []
    for kind in game.actions:
        choices = [tuple(_values(field, hands)) for field in _field_types(kind)]
        actions += _sample([kind(*values) for values in _products(choices, chance)], chance)
    return tuple(actions)


@cache
def _field_types(kind: type[Action]) -> list[inspect.Type]:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return [plain(field.type) for field in info.fields]


def _products(choices: list[tuple[Any, ...]], chance: Random) -> Iterator[tuple[Any, ...]]:
    size = 1
    for values in choices:
        size *= len(values)
    if size <= 10 * _MAX_OF_A_KIND:
        return product(*choices)
    return (tuple(chance.choice(values) for values in choices) for _ in range(_MAX_OF_A_KIND))


def _sample(actions: list[Action], chance: Random) -> list[Action]:
    return actions if len(actions) <= _MAX_OF_A_KIND else chance.sample(actions, _MAX_OF_A_KIND)


def _values(kind: inspect.Type, hands: tuple[tuple[str, ...], ...]) -> Iterator[Any]:
    match kind:
        case inspect.StrType():
            yield from _WORDS
        case inspect.LiteralType():
            yield from kind.values
        case inspect.IntType():
            yield from (n for n in _NUMBERS if _within(kind, n))
        case inspect.BoolType():
            yield from (False, True)
        case inspect.NoneType():
            yield None
        case inspect.VarTupleType():
            yield from (hand for hand in hands if _long_enough(kind, hand))
        case inspect.UnionType():
            for member in kind.types:
                yield from _values(plain(member), hands)
        case _:
            raise AssertionError(f"no universe for {kind}")


def _within(kind: inspect.IntType, number: int) -> bool:
    return (
        (kind.ge is None or number >= kind.ge)
        and (kind.gt is None or number > kind.gt)
        and (kind.le is None or number <= kind.le)
        and (kind.lt is None or number < kind.lt)
    )


def _long_enough(kind: inspect.VarTupleType, hand: tuple[str, ...]) -> bool:
    longest = len(hand) if kind.max_length is None else kind.max_length
    return (kind.min_length or 0) <= len(hand) <= longest


def _card_tuples(held: tuple[str, ...], chance: Random) -> tuple[tuple[str, ...], ...]:
    own = [tuple(chance.sample(held, chance.randint(1, min(6, len(held))))) for _ in range(200) if held]
    by_rank = [_one_rank(held, chance) for _ in range(100) if held]
    return ((), *dict.fromkeys([*_ALIKE, *own, *by_rank, (JOKER, JOKER), (HIDDEN, HIDDEN)]))


def _one_rank(held: tuple[str, ...], chance: Random) -> tuple[str, ...]:
    rank = chance.choice(held)[0]
    cards = [card for card in held if card[0] == rank]
    return tuple(chance.sample(cards, chance.randint(1, len(cards))))


class Listing:
    """A list of legal actions, with a quick test of whether it holds an action."""

    def __init__(self, legal: tuple[LegalAction, ...]) -> None:
        self.choices = [entry for entry in legal if isinstance(entry, CardChoice)]
        self.actions = frozenset(entry for entry in legal if not isinstance(entry, CardChoice))

    def __contains__(self, action: Action) -> bool:
        return action in self.actions or any(_chooses(choice, action) for choice in self.choices)


def _chooses(choice: CardChoice, action: Action) -> bool:
    if type(action).__struct_config__.tag != choice.type:
        return False
    cards: tuple[str, ...] = action.cards  # type: ignore[attr-defined]
    return (
        choice.at_least <= len(cards) <= choice.at_most
        and Counter(cards) <= Counter(choice.cards)
        and (choice.including is None or choice.including in cards)
    )


def expand(game: Game[Any], legal: tuple[LegalAction, ...], chance: Random) -> Iterator[Action]:
    """Yields every action listed; of a choice its extremes and a sample, in several orders."""
    for entry in legal:
        if not isinstance(entry, CardChoice):
            yield entry
            continue
        for _ in range(6):
            action = pick_action(game, entry, chance)
            yield action
            yield choose_cards(game, entry, tuple(reversed(action.cards)))  # type: ignore[attr-defined]


def verdict(game: Game[Any], state: Any, seat: int, action: Action, now: int) -> tuple[str, str] | None:
    """Returns the code and detail of the refusal, or `None` if the action is accepted."""
    try:
        game.decide(state, seat, action, now)
    except RuleViolation as refusal:
        return refusal.code, refusal.detail
    return None
