"""Other worlds that look the same to a viewer: the same table with hidden cards dealt differently and decided again.

The deck is changed before the deal, and the game deals, decides and scores again. So everything that it computes
from hidden cards comes out differently, while all that the viewer is entitled to see stays what it was.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from random import Random
from typing import Any, TypeAlias

from hoodwink.domain.cards import Card
from hoodwink.domain.kernel import Action, Event, RuleViolation, Viewer
from tests.domain.laws.cards import cards_in, count_cards, map_cards
from tests.domain.laws.entitlement import Entitlement, Look, cards_of, picture
from tests.domain.laws.entitlements import ENTITLEMENTS
from tests.domain.laws.playout import Entry, Play

PAIRS = 3  # how many worlds with two faces exchanged are tried where one with all exchanged did not come far
SWAPS = 8  # how many worlds with two cards swapped are tried until one comes to the end

Commit: TypeAlias = tuple[Entry, ...]
"""The entries of one action, deal or score."""

Visible: TypeAlias = tuple[Any, ...]
"""All cards that a viewer is entitled to see of a commit, and the facts that everybody may know with it."""


class Leak(AssertionError):
    """A viewer receives something that depends on hidden cards."""


def commits_of(play: Play) -> list[Commit]:
    """Returns the entries of a play in groups, one for each commit."""
    return [tuple(group) for _, group in groupby(play.entries, key=lambda entry: entry.commit)]


def visible_to(rules: Entitlement, commit: Commit, viewer: Viewer) -> Visible:
    """Returns the cards that the rules let the viewer see.

    Other values of an event are not among them: they have to follow from what can be seen.
    """
    events = [entry.event for entry in commit if entry.event is not None]
    shown = [cards_of(rules, event, viewer) for event in events]
    return picture(rules, look_at(commit[-1], viewer)), *filter(None, shown), *facts(rules, commit)


def facts(rules: Entitlement, commit: Commit) -> list[Any]:
    """Returns what the rules make public although it follows from hidden cards."""
    return [
        rules.facts[entry.event.wire](entry.state)
        for entry in commit
        if entry.event is not None and entry.event.wire in rules.facts
    ]


def look_at(entry: Entry, viewer: Viewer) -> Look:
    """Returns the viewer's look at the state after the entry."""
    return Look(entry.state, viewer, is_revealed=entry.kind == "score")


@dataclass(frozen=True, kw_only=True)
class Change:
    """A change of the cards that are dealt.

    Attributes:
        round: from which on.
        faces: by round, the face that each face becomes, in decks and in what the seats do.
        swapped: the positions of two cards that change places in the round's deck.
    """

    round: int
    faces: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    swapped: tuple[int, int] | None = None

    def action(self, entry: Entry) -> Action:
        """Returns what the seat does instead."""
        return self._renamed(entry.round, entry.action)  # type: ignore[no-any-return]

    def deck(self, number: int, deck: tuple[Card, ...], round_: int) -> tuple[Card, ...]:
        """Returns what is drawn instead of a deck."""
        if self.swapped is None or (number, round_) != (self.round, self.round):
            return self._renamed(round_, deck)  # type: ignore[no-any-return]
        cards, (first, second) = list(deck), self.swapped
        cards[first], cards[second] = cards[second], cards[first]
        return tuple(cards)

    def _renamed(self, round_: int, value: Any) -> Any:
        faces = self.faces.get(round_)
        return map_cards(value, lambda face: faces.get(face, face)) if faces else value


class World:
    """Another world, up to where the viewer can distinguish it from the one that was played.

    Iterating over it yields each commit with its number; afterwards `is_whole` says whether it came to the end.
    """

    def __init__(self, outlook: "Outlook", change: Change, end: int) -> None:
        self._outlook, self.change, self._end = outlook, change, end
        self.begin = outlook.first_of(change.round)
        self.reached = self.begin

    def __iter__(self) -> Iterator[tuple[int, Commit]]:
        for commit in self._outlook.decided_again(self.begin, self._end, self.change):
            if not self._outlook.is_alike(self.reached, commit, self.change):
                return
            yield self.reached, commit
            self.reached += 1

    @property
    def is_whole(self) -> bool:
        return self.reached == self._end


class Outlook:
    """The cards that a viewer of a play is entitled to see, and the other worlds that show the same cards."""

    def __init__(self, play: Play, viewer: Viewer, commits: Sequence[Commit]) -> None:
        self.play, self.viewer, self.commits = play, viewer, commits
        self.rules = ENTITLEMENTS[play.game.name]
        self._visible: list[Visible] = []
        self._faces: list[frozenset[str]] = []

    def worlds(self, end: int, chance: Random) -> Iterator[World]:
        """Yields other worlds up to commit `end`; iterate over each of them before asking for the next."""
        for commit in self.commits[len(self._visible) : end]:
            self._visible.append(visible_to(self.rules, commit, self.viewer))
            self._faces.append(frozenset(cards_in(self._visible[-1])))
        yield from self._renamed(end, chance)
        yield from self._swapped(end, chance)

    def deck(self, number: int) -> tuple[Card, ...]:
        """Returns the deck of a round."""
        deck: tuple[Card, ...] = self.drawn(number, number)
        return deck

    def drawn(self, round_: int, number: int) -> Any:
        """Returns what chance gave in a round."""
        return next(
            drawn.given for drawn in self.play.drawn if (drawn.round, drawn.number) == (round_, number)
        )

    def first_of(self, round_: int) -> int:
        """Returns the index of the commit with which a round begins."""
        return next(index for index, commit in enumerate(self.commits) if commit[0].round == round_)

    def _renamed(self, end: int, chance: Random) -> Iterator[World]:
        """Yields worlds in which faces that the viewer did not see changed places with each other.

        First all of them, in the round before, too, where something may be left of it.
        """
        round_ = self.commits[end - 1][0].round
        unseen = {number: self._unseen(number, end) for number in (round_ - 1, round_) if number}
        changes = {number: _shuffled(faces, chance) for number, faces in unseen.items()}
        changes = {number: faces for number, faces in changes.items() if faces}
        if not changes:
            return
        yield (world := World(self, Change(round=min(changes), faces=changes), end))
        for _ in range(PAIRS):
            pair = _two_of(unseen[round_], chance)
            if world.is_whole or not pair:
                return
            yield (world := World(self, Change(round=round_, faces={round_: pair}), end))

    def _unseen(self, round_: int, end: int) -> dict[str, int]:
        """Returns the faces none of whose copies the viewer saw in the round, with how many there are."""
        seen = {
            face
            for commit, faces in zip(self.commits[:end], self._faces, strict=False)
            if commit[0].round == round_
            for face in faces
        }
        return {face: count for face, count in Counter(self.deck(round_)).items() if face not in seen}

    def _swapped(self, end: int, chance: Random) -> Iterator[World]:
        """Yields worlds in which two cards of the deck changed places, while all seats do what they did.

        This reaches unseen copies of faces that the viewer knows.
        """
        round_ = self.commits[end - 1][0].round
        deck = self.deck(round_)
        if len(set(deck)) == len(deck):
            return
        for _ in range(SWAPS):
            first, second = chance.sample(range(len(deck)), 2)
            if deck[first] == deck[second]:
                continue
            yield (world := World(self, Change(round=round_, swapped=(first, second)), end))
            if world.is_whole:
                return

    def is_alike(self, index: int, commit: Commit, change: Change) -> bool:
        """Returns whether this commit of another world looks to the viewer like the one that was played.

        Where only unseen faces changed places, by the rules all that the viewer may see is the same, unless they
        make something public that follows from hidden cards. Otherwise what the viewer may see is compared.
        """
        if change.swapped is None:
            return facts(self.rules, commit) == facts(self.rules, self.commits[index])
        return visible_to(self.rules, commit, self.viewer) == self._visible[index]

    def decided_again(self, begin: int, end: int, change: Change) -> Iterator[Commit]:
        """Yields the commits as they are in another world, as long as the other seats may act as they did.

        An action of another seat that is not legal there ends the comparison: the viewer saw the seat act, and so
        may conclude that it holds other cards. An action of the viewer's own is legal in both worlds, or hidden
        cards leak.
        """
        state = self.commits[begin - 1][-1].state if begin else self.play.start
        for commit in self.commits[begin:end]:
            first = commit[0]
            try:
                events = self._events(state, first, change)
            except RuleViolation as refusal:
                if first.seat == self.viewer:
                    raise Leak(f"{first.action} of seat {first.seat} is refused: {refusal}") from None
                return
            entries: list[Entry] = []
            for event in events:
                state = _after(self.play, state, event)
                entries.append(first._replace(event=event, state=state))
            yield tuple(entries)

    def _events(self, state: Any, entry: Entry, change: Change) -> tuple[Event | None, ...]:
        game = self.play.game
        match entry.kind:
            case "deal":
                return game.deal(state, Redrawn(self, entry.round, change))
            case "score":
                return game.score_round(state)
            case "void":
                return (None,)
            case "act":
                assert entry.seat is not None
                return game.decide(state, entry.seat, change.action(entry), entry.now)


@dataclass(frozen=True)
class Redrawn:
    """The draws of a play, with hidden cards in other places."""

    outlook: Outlook
    round: int
    change: Change
    first_dealer: None = None

    def seat(self, seats: int) -> int:
        dealer: int = self.outlook.drawn(self.round, -1)
        return dealer

    def deck(self, pack: Sequence[Card], number: int) -> tuple[Card, ...]:
        return self.change.deck(number, self.outlook.drawn(self.round, number), self.round)


def _after(play: Play, state: Any, event: Event | None) -> Any:
    return play.game.void_round(state) if event is None else play.game.evolve(state, event)


def _shuffled(unseen: Mapping[str, int], chance: Random) -> dict[str, str]:
    """Returns faces exchanged for each other; only those that are there equally often, so the pack stays the pack."""
    changes: dict[str, str] = {}
    for faces in _alike(unseen):
        changes |= zip(faces, chance.sample(faces, len(faces)), strict=True)
    return {face: other for face, other in changes.items() if face != other}


def _two_of(unseen: Mapping[str, int], chance: Random) -> dict[str, str]:
    """Returns two faces exchanged for each other, or none if there are no two."""
    groups = [faces for faces in _alike(unseen) if len(faces) > 1]
    if not groups:
        return {}
    first, second = chance.sample(chance.choice(groups), 2)
    return {first: second, second: first}


def _alike(unseen: Mapping[str, int]) -> list[list[str]]:
    return [
        sorted(face for face, count in unseen.items() if count == copies)
        for copies in sorted(set(unseen.values()))
    ]


def zone_cards(state: Any, rules: Entitlement) -> Counter[str]:
    """Returns how often each face lies in the zones of the state."""
    return count_cards([getattr(state, name) for name in rules.zones])
