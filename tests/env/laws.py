"""The laws of the encodings, checked on tables played at random with any options."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

from hoodwink.domain.cards import Card
from hoodwink.domain.kernel import Action, CardChoice, Game, Knowledge, LegalAction, is_mark, plays_among
from hoodwink.env.encodings import Encoding, encoding_of
from hoodwink.env.memory import Memory
from tests.domain.laws.imagining import knowledge_of
from tests.domain.laws.playout import Entry, Play
from tests.domain.laws.worlds import Outlook, commits_of

LOOKS = 12
LATE = 10**15  # after every wait (CO-37)


class Look(NamedTuple):
    """What an encoding gives a seat: the numbers observed, and those that it may choose from."""

    row: bytes
    options: tuple[int, ...]


def look_at(encoding: Encoding[Any], play: Play, state: Any, seat: int, memory: Memory) -> Look:
    row = encoding.layout.empty_row()
    encoding.write(row, state, seat, memory)
    legal = plays_of(play, state, seat)
    options = encoding.options(seat, legal, []) if legal else []
    return Look(row.tobytes(), tuple(options))


def plays_of(play: Play, state: Any, seat: int) -> tuple[LegalAction, ...]:
    return plays_among(play.game, play.game.legal_actions(state, seat, LATE))


def memory_after(encoding: Encoding[Any], play: Play, entries: Sequence[Entry]) -> Iterator[Memory]:
    """Yields the cards remembered after each entry."""
    memory = Memory.empty(play.seats, len(encoding.layout.faces))
    before = play.start
    for entry in entries:
        if entry.event is None:
            memory.clear()
        else:
            encoding.remember(memory, before, entry.event, entry.state)
        before = entry.state
        yield memory


def memory_of(encoding: Encoding[Any], play: Play, known: Knowledge[Any]) -> Memory:
    """Returns the cards that a viewer knows to be each seat's, from its knowledge alone."""
    memory, state = Memory.empty(play.seats, len(encoding.layout.faces)), known.state
    for zone in ("hands", "loot", "captured"):
        for seat, cards in enumerate(getattr(state, zone, ())):
            memory.add(seat, [card for card in cards if not is_mark(card)])
    if hasattr(state, "keepers"):  # in Blindside, a card that was taken may lie on the Keeper Pile by now
        for face, (mark, *_) in known.among:
            for seat, hand in enumerate(state.hands):
                if mark in hand or mark in state.keepers[seat]:
                    memory.add(seat, (face,))
    return memory


def observes_its_knowledge(play: Play) -> None:
    """A seat's observation and mask are the same for the real state and for what the seat knows of it."""
    encoding, chance = encoding_of(play.game.name, play.seats), Random(play.seed)
    seat = chance.randrange(play.seats)
    picked = set(chance.sample(range(len(play.entries)), min(LOOKS, len(play.entries))))
    both = zip(
        play.entries, memory_after(encoding, play, play.entries), knowledge_of(play, seat), strict=True
    )
    for index, (entry, memory, known) in enumerate(both):
        if index in picked and is_settled(play, index):
            real = look_at(encoding, play, entry.state, seat, memory)
            assert real == look_at(encoding, play, known.state, seat, memory_of(encoding, play, known)), index


def is_settled(play: Play, index: int) -> bool:
    """Returns whether the entry is the last one of its commit."""
    return index + 1 == len(play.entries) or play.entries[index].commit != play.entries[index + 1].commit


def keeps_secrets(play: Play) -> None:
    """Deal hidden cards differently, and a seat that receives the same events gets equal tensors and masks."""
    encoding, chance, commits = encoding_of(play.game.name, play.seats), Random(play.seed), commits_of(play)
    seat = chance.randrange(play.seats)
    outlook = Outlook(play, seat, commits)
    for world in outlook.worlds(chance.randint(1, len(commits)), chance):
        before = [entry for commit in commits[: world.begin] for entry in commit]
        other = before + [entry for _, commit in world for entry in commit]
        mine = [entry for commit in commits[: world.reached] for entry in commit]
        both = zip(memory_after(encoding, play, mine), memory_after(encoding, play, other), strict=True)
        for index, (memory, there) in enumerate(both):
            if index >= len(before) and is_settled(play, index):
                real = look_at(encoding, play, mine[index].state, seat, memory)
                assert real == look_at(encoding, play, other[index].state, seat, there), index


def numbers_every_action(play: Play) -> None:
    """The numbers lead to exactly the legal actions, and an action's numbers lead back to it."""
    encoding, chance = encoding_of(play.game.name, play.seats), Random(play.seed)
    for entry in chance.sample(play.entries, min(LOOKS, len(play.entries))):
        seat = chance.randrange(play.seats)
        legal = plays_of(play, entry.state, seat)
        if legal and all(len(getattr(choice, "cards", ())) <= 8 for choice in legal):
            listed = {name(action) for choice in legal for action in expanded(play.game, choice)}
            reached = set(reachable(encoding, seat, legal))
            assert reached == listed


def returns_actions_played(play: Play) -> None:
    """Each action that was played is found again by its numbers, and each of them was offered."""
    encoding, before = encoding_of(play.game.name, play.seats), play.start
    for commit in commits_of(play):
        action = commit[0].action
        if action is not None and not isinstance(action, play.game.offences):
            check_numbers(encoding, play, before, commit[0].seat, action)
        before = commit[-1].state


def check_numbers(encoding: Encoding[Any], play: Play, state: Any, seat: Any, action: Action) -> None:
    legal = plays_of(play, state, seat)
    selected: list[Card] = []
    *first, last = encoding.numbers_of(seat, action)
    for number in first:
        assert number in encoding.options(seat, legal, selected)
        assert encoding.choose(seat, legal, selected, number) is None
    assert last in encoding.options(seat, legal, selected)
    assert encoding.choose(seat, legal, selected, last) == action


def expanded(game: Game[Any], choice: LegalAction) -> Iterator[Action]:
    """Yields the legal actions that a choice stands for, with the cards in one order."""
    if not isinstance(choice, CardChoice):
        yield choice
        return
    (kind,) = [kind for kind in game.actions if kind.__struct_config__.tag == choice.type]
    for count in range(choice.at_least, choice.at_most + 1):
        for cards in combinations(choice.cards, count):
            if choice.including in (None, *cards):
                yield kind(cards=cards)


def reachable(encoding: Encoding[Any], seat: int, legal: tuple[LegalAction, ...]) -> Iterator[str]:
    """Yields every action that the numbers lead to, by its name."""
    paths: list[list[Card]] = [[]]
    seen: set[tuple[Card, ...]] = set()
    while paths:
        path = paths.pop()
        numbers = encoding.options(seat, legal, path)
        assert numbers, "a selection leads nowhere"
        for number in set(numbers):
            selected = list(path)
            action = encoding.choose(seat, legal, selected, number)
            if action is not None:
                yield name(action)
            elif (key := tuple(sorted(selected))) not in seen:
                seen.add(key)
                paths.append(selected)


def name(action: Any) -> str:
    """Returns a text for the action in which the order of its cards makes no difference."""
    fields = {field: getattr(action, field) for field in action.__struct_fields__}
    if "cards" in fields:
        fields["cards"] = sorted(Counter(fields["cards"]).elements())
    return f"{type(action).__name__} {fields}"


LAWS = (observes_its_knowledge, keeps_secrets, numbers_every_action, returns_actions_played)
