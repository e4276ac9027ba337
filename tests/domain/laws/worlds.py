"""Other worlds that look the same to a viewer: the log of a table with hidden cards exchanged."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple, TypeAlias

from domain.kernel import Game, Viewer
from tests.domain.laws.cards import cards_in, count_cards, map_cards
from tests.domain.laws.entitlement import Entitlement, Look, picture, shown
from tests.domain.laws.playout import Entry


class World(NamedTuple):
    """A table's log up to some version, with the state after every entry."""

    start: Any
    entries: tuple[Entry, ...]


Sight: TypeAlias = tuple[Any, ...]
"""All that a viewer is entitled to see of one entry: the state after it, facts, and the event."""


def sight(rules: Entitlement, entry: Entry, viewer: Viewer) -> Sight:
    """Returns what the rules let the viewer see."""
    seen = picture(rules, look_at(entry, viewer)), rules.facts(entry.state)
    return *seen, None if entry.event is None else shown(rules, entry.event, viewer)


def look_at(entry: Entry, viewer: Viewer) -> Look:
    """Returns the viewer's look at the state after the entry."""
    return Look(entry.state, viewer, is_revealed=entry.kind == "score")


def permuted(world: World, game: Game[Any], sights: Sequence[Sight], chance: Random) -> World:
    """Returns the world with the faces that were not in sight in a round exchanged for each other.

    Only faces of which there are equally many copies change places: the pack stays the pack.
    """
    changes = {
        number: _shuffle_faces(unseen_faces(world, sights, number), chance)
        for number in {entry.round for entry in world.entries}
    }
    return _replayed(
        world, game, lambda entry: map_cards(entry.event, lambda face: changes[entry.round].get(face, face))
    )


def unseen_faces(world: World, sights: Sequence[Sight], number: int) -> dict[str, int]:
    """Returns the faces of round `number` none of whose copies were in sight, with how many there are."""
    entries = [
        (entry, seen) for entry, seen in zip(world.entries, sights, strict=True) if entry.round == number
    ]
    pack = count_cards([entry.event for entry, _ in entries if entry.kind == "deal"])
    known = set(cards_in([seen for _, seen in entries]))
    return {face: count for face, count in pack.items() if face not in known}


def _shuffle_faces(unseen: dict[str, int], chance: Random) -> dict[str, str]:
    changes: dict[str, str] = {}
    for copies in set(unseen.values()):
        faces = sorted(face for face, count in unseen.items() if count == copies)
        changes |= zip(faces, chance.sample(faces, len(faces)), strict=True)
    return changes


def swapped(
    world: World, game: Game[Any], rules: Entitlement, viewer: Viewer, sights: Sequence[Sight], chance: Random
) -> World | None:
    """Returns the world with two cards of the last deal exchanged, if the viewer cannot have noticed.

    This reaches single copies of faces the viewer knows, which `permuted` leaves alone.
    """
    first = max(index for index, entry in enumerate(world.entries) if entry.kind == "deal")
    deal = world.entries[first]
    for one, other in _pairs(cards_in(deal.event), chance):
        try:
            candidate = _replayed(world, game, _swap(deal, one, other), since=first)
        except ValueError:
            continue  # a later event names a card that is no longer where it was
        if _is_consistent(world, candidate, rules) and all(
            sight(rules, candidate.entries[index], viewer) == sights[index]
            # The last version first: that is where an exchange shows, if it does.
            for index in range(len(sights) - 1, first - 1, -1)
        ):
            return candidate
    return None


def _pairs(dealt: list[str], chance: Random) -> Iterator[tuple[int, int]]:
    for _ in range(12):
        one, other = chance.sample(range(len(dealt)), 2)
        if dealt[one] != dealt[other]:
            yield one, other


def _swap(deal: Entry, one: int, other: int) -> Callable[[Entry], Any]:
    """Returns the change that exchanges two cards of the deal and leaves all other events alone."""
    cards = cards_in(deal.event)
    cards[one], cards[other] = cards[other], cards[one]

    def change(entry: Entry) -> Any:
        if entry is not deal:
            return entry.event
        following = iter(cards)
        return map_cards(entry.event, lambda face: next(following))

    return change


def _replayed(world: World, game: Game[Any], change: Callable[[Entry], Any], *, since: int = 0) -> World:
    """Returns the world with its events from entry `since` on changed."""
    entries = list(world.entries[:since])
    state = entries[-1].state if entries else world.start
    for entry in world.entries[since:]:
        event = change(entry)
        state = game.void_round(state) if event is None else game.evolve(state, event)
        entries.append(entry._replace(event=event, state=state))
    return World(world.start, tuple(entries))


def _is_consistent(world: World, other: World, rules: Entitlement) -> bool:
    """Tells whether the same cards are in the game at the end."""
    return zone_cards(world.entries[-1].state, rules) == zone_cards(other.entries[-1].state, rules)


def zone_cards(state: Any, rules: Entitlement) -> Counter[str]:
    """Returns how often each face lies in the zones of the state."""
    return count_cards([getattr(state, name) for name in rules.zones])
