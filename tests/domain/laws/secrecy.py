"""The secrecy law: deal what a viewer may not see otherwise, and everything the viewer receives stays the same.

Every deal, action and score is decided again in the other world (`worlds.py`), so nothing that a game computes
from hidden cards escapes: a flag, a count, a seat, an order, an error, an option, an event.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

import msgspec

from domain.bots import Sight as BotSight
from domain.kernel import Action, Event, Viewer, plays_among, redact
from tests.domain.laws.cards import cards_in
from tests.domain.laws.entitlement import ENTITLEMENTS
from tests.domain.laws.playout import LONGEST_GRACE_MS, Entry, Play
from tests.domain.laws.universe import build_universe, verdict
from tests.domain.laws.worlds import (
    Change,
    Commit,
    Sight,
    commits_of,
    decided_again,
    facts,
    shuffled_faces,
    sight,
    two_faces,
    unseen_faces,
)

PAIRS = 3  # how many worlds with two faces exchanged are tried where one with all exchanged did not come far
SWAPS = 8  # how many worlds with two cards swapped are tried until one comes to the end
PROBES, LAST_PROBES = 6, 120  # actions tried after each event, and after the last commit

encode = msgspec.json.encode


class Leak(AssertionError):
    """A viewer receives something that depends on hidden cards."""


class Compared(NamedTuple):
    """How many commits of another world were compared, and of how many."""

    reached: int
    wanted: int


def viewers(play: Play) -> tuple[Viewer, ...]:
    """Returns every seat, and the spectator."""
    return (*range(play.seats), "spectator")


def keeps_secrets(play: Play, *, viewers_count: int = 3, versions_count: int = 3) -> None:
    """Deal hidden cards otherwise, and all that a viewer receives stays the same.

    Asked of some viewers up to some versions; over the tables each viewer and each kind of event has its turn.
    """
    chance, commits = Random(play.seed), commits_of(play)
    ends = _ends(commits, chance)[:versions_count]
    for viewer in chance.sample(viewers(play), min(viewers_count, play.seats + 1)):
        watcher = Watcher(play, viewer, commits)
        for end in ends:
            for _ in watcher.compare(end, chance):
                pass


def _ends(commits: Sequence[Commit], chance: Random) -> list[int]:
    """Returns how many commits lead up to one event of each kind, so that rare ones weigh as much as others."""
    kinds = {
        type(entry.event): index + 1
        for index in chance.sample(range(len(commits)), len(commits))
        for entry in commits[index]
    }
    return chance.sample(sorted(set(kinds.values())), len(set(kinds.values())))


class Watcher:
    """A viewer of a play, who is shown other worlds."""

    def __init__(self, play: Play, viewer: Viewer, commits: Sequence[Commit]) -> None:
        self.play, self.viewer, self.commits = play, viewer, commits
        self.rules = ENTITLEMENTS[play.game.name]
        self._sights: list[Sight] = []
        self._faces: list[frozenset[str]] = []
        self._received: dict[int, list[tuple[str, Any]]] = {}

    @cached_property
    def _universe(self) -> tuple[Action, ...]:
        """All that the viewer could ask for, in any order, and once more."""
        chance = Random(self.play.seed)
        pack = next(drawn.given for drawn in self.play.drawn if drawn.number > 0)
        universe = build_universe(self.play.game, pack, chance)
        return tuple(chance.sample(universe, len(universe)) * 2)

    def compare(self, end: int, chance: Random) -> Iterator[Compared]:
        """Compares what the viewer receives of the first `end` commits with what it would in other worlds."""
        for commit in self.commits[len(self._sights) : end]:
            self._sights.append(sight(self.rules, commit, self.viewer))
            self._faces.append(frozenset(cards_in(self._sights[-1])))
        yield from self._renamed(end, chance)
        yield from self._swapped(end, chance)

    def _renamed(self, end: int, chance: Random) -> Iterator[Compared]:
        """Compares with worlds in which faces that the viewer did not see changed places with each other.

        By the rules the viewer sees the same there, unless they tell everybody something that follows from it.
        """
        round_ = self.commits[end - 1][0].round
        unseen = unseen_faces(self.play, self.commits[:end], self._faces)
        compared = self._compare_renamed(
            {number: shuffled_faces(unseen[number], chance) for number in unseen if number >= round_ - 1}, end
        )
        yield compared
        for _ in range(PAIRS):
            if compared.reached == compared.wanted:
                break
            compared = self._compare_renamed({round_: two_faces(unseen[round_], chance)}, end)
            yield compared

    def _compare_renamed(self, faces: dict[int, dict[str, str]], end: int) -> Compared:
        begin = self._first_of(min(faces))
        is_like = lambda index, commit: facts(self.rules, commit) == facts(self.rules, self.commits[index])  # noqa: E731
        return self._compared(Change(faces=faces), begin, end, is_like)

    def _swapped(self, end: int, chance: Random) -> Iterator[Compared]:
        """Compares with worlds in which two cards of the deck changed places: of faces seen, a copy not seen.

        Whether the viewer may notice is asked of the rules, commit by commit.
        """
        round_ = self.commits[end - 1][0].round
        deck = next(drawn.given for drawn in self.play.drawn if drawn.round == drawn.number == round_)
        if len(set(deck)) == len(deck):
            return  # no face has a second copy
        begin = self._first_of(round_)
        is_like = lambda index, commit: sight(self.rules, commit, self.viewer) == self._sights[index]  # noqa: E731
        for _ in range(SWAPS):
            one, other = chance.sample(range(len(deck)), 2)
            if deck[one] != deck[other]:
                compared = self._compared(Change(swapped=(one, other), round=round_), begin, end, is_like)
                yield compared
                if compared.reached == compared.wanted:
                    return

    def _first_of(self, round_: int) -> int:
        return next(index for index, commit in enumerate(self.commits) if commit[0].round == round_)

    def _compared(
        self, change: Change, begin: int, end: int, is_like: Callable[[int, Commit], bool]
    ) -> Compared:
        """Compares commit by commit until the viewer may notice that this is another world."""
        reached, last = 0, None
        for index, commit in enumerate(
            decided_again(self.play, self.commits[begin:end], change, self.viewer), start=begin
        ):
            if not is_like(index, commit):
                break
            self._hold_against(index, commit)
            reached, last = reached + 1, commit
        if last is not None and isinstance(self.viewer, int):
            self._probe(begin + reached - 1, last[-1], self.viewer)
        return Compared(reached, end - begin)

    def _hold_against(self, index: int, commit: Commit) -> None:
        """Raises `Leak` for the first thing that the viewer receives otherwise in the other world."""
        if index not in self._received:
            self._received[index] = list(self._receives(self.commits[index], index))
        for (name, mine), (_, other) in zip(
            self._received[index], self._receives(commit, index), strict=False
        ):
            if mine != other:
                raise Leak(f"{name} of commit {index + 1}, for {self.viewer}: {_difference(mine, other)}")

    def _receives(self, commit: Commit, index: int) -> Iterator[tuple[str, Any]]:
        yield "the number of events", len(commit)
        for entry in commit:
            yield "the event", _event(entry.event, self.viewer)
            yield from self._looks(entry)
            if isinstance(self.viewer, int):
                yield "the refusals", self._answers(entry, self.viewer, index * PROBES, PROBES)

    def _looks(self, entry: Entry) -> Iterator[tuple[str, Any]]:
        game, state, viewer = self.play.game, entry.state, self.viewer
        view = game.view(state, viewer)
        yield "the view", encode(view)
        yield "the turn", game.turn(state)
        yield "the stage", game.stage(state)
        yield "the scores", game.scores(state)
        yield "the time to wait", game.waits_until(state)
        if isinstance(viewer, int):
            yield "what a clock makes the seat do", game.overdue(state, viewer)
            for now in (entry.now, entry.now + LONGEST_GRACE_MS):
                legal = game.legal_actions(state, viewer, now)
                yield "the legal actions", legal
                plays = plays_among(game, legal)
                yield "what a bot is given", BotSight(viewer, self.play.options, view, plays)

    def _probe(self, index: int, other: Entry, seat: int) -> None:
        """Holds the answers to many actions at the end of a commit against those in the other world."""
        mine = self._answers(self.commits[index][-1], seat, index, LAST_PROBES)
        others = self._answers(other, seat, index, LAST_PROBES)
        if mine != others:
            raise Leak(f"the refusals of commit {index + 1}, for {seat}: {_difference(mine, others)}")

    def _answers(self, entry: Entry, seat: int, start: int, count: int) -> list[Any]:
        """Returns what the seat is told of each of some actions it could ask for."""
        start %= len(self._universe) // 2
        game, state, now = self.play.game, entry.state, entry.now
        return [
            (action, verdict(game, state, seat, action, now))
            for action in self._universe[start : start + count]
        ]


def _event(event: Event | None, viewer: Viewer) -> Any:
    """Returns what the viewer is told of an event, and what clocks tell of one that it is not told of."""
    if event is None:
        return None
    told = redact(event, viewer)
    return event.restarts_clock, event.opens_turn, told and (told.wire, encode(told))


def _difference(value: Any, other: Any) -> str:
    """Returns where two answers begin to differ, in few words: pytest would compare them line by line, on CI for minutes."""
    ones, others = str(value), str(other)
    place = next(
        (place for place, (one, two) in enumerate(zip(ones, others, strict=False)) if one != two),
        min(len(ones), len(others)),
    )
    start = max(0, place - 60)
    return f"…{ones[start : place + 60]}… became …{others[start : place + 60]}…"
