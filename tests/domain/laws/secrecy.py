"""The secrecy law: deal hidden cards differently, and everything that a viewer receives stays the same.

Every deal, action and score is decided again in the other world (`worlds.py`), so nothing that a game computes
from hidden cards escapes: a flag, a count, a seat, an order, an error, an option, an event.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import Any

import msgspec

from hoodwink.domain.kernel import Action, Event, Game, Observation, Viewer, plays_among, redact
from tests.domain.laws.playout import MAX_GRACE_MS, Entry, Play
from tests.domain.laws.universe import build_universe, verdict
from tests.domain.laws.worlds import Commit, Leak, Outlook, commits_of

PROBES, LAST_PROBES = 6, 120  # actions tried after each event, and after the last commit

encode = msgspec.json.encode


def viewers(play: Play) -> tuple[Viewer, ...]:
    """Returns every seat, and the spectator."""
    return (*range(play.seats), "spectator")


def keeps_secrets(play: Play) -> None:
    """Deal hidden cards differently, and all that a viewer receives stays the same (G-1, G-2, G-3, G-10).

    Checked for three viewers at three versions; over many tables each viewer has its turn.
    """
    _compare(play, viewers_count=3, versions_count=3)


def keeps_every_secret(play: Play) -> None:
    """As `keeps_secrets`, checked for all viewers, up to one event of each kind."""
    _compare(play, viewers_count=play.seats + 1, versions_count=len(play.entries))


def _compare(play: Play, *, viewers_count: int, versions_count: int) -> None:
    chance, commits = Random(play.seed), commits_of(play)
    ends = _ends(commits, chance)[:versions_count]
    for viewer in chance.sample(viewers(play), viewers_count):
        watcher = Watcher(Outlook(play, viewer, commits))
        for end in ends:
            watcher.compare(end, chance)


def _ends(commits: Sequence[Commit], chance: Random) -> list[int]:
    """Returns how many commits lead up to one event of each kind, so that rare ones weigh as much as others."""
    kinds = {
        type(entry.event): index + 1
        for index in chance.sample(range(len(commits)), len(commits))
        for entry in commits[index]
    }
    return chance.sample(sorted(set(kinds.values())), len(set(kinds.values())))


class Watcher:
    """A viewer of a play, to compare what it receives in other worlds."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook, self.play, self.viewer = outlook, outlook.play, outlook.viewer
        self._received: dict[int, list[tuple[str, Any]]] = {}

    def compare(self, end: int, chance: Random) -> None:
        """Compares what the viewer receives of the first `end` commits with what it would receive in other worlds."""
        for world in self.outlook.worlds(end, chance):
            index, last = 0, None
            for index, last in world:
                self._check_commit(index, last)
            if last is not None and isinstance(self.viewer, int):
                self._probe(index, last[-1], self.viewer)

    def _check_commit(self, index: int, commit: Commit) -> None:
        """Raises `Leak` for the first thing that differs for the viewer in the other world."""
        if index not in self._received:
            self._received[index] = list(self._receives(self.outlook.commits[index], index))
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
            yield "the plays that are tried", game.card_plays(state, viewer)
            for now in (entry.now, entry.now + MAX_GRACE_MS):
                legal = game.legal_actions(state, viewer, now)
                yield "the legal actions", legal
                plays = plays_among(game, legal)
                yield "what a bot is given", Observation(viewer, self.play.options, view, plays)

    def _probe(self, index: int, other: Entry, seat: int) -> None:
        """Compares the answers to many actions at the end of a commit with those in the other world."""
        mine = self._answers(self.outlook.commits[index][-1], seat, index, LAST_PROBES)
        others = self._answers(other, seat, index, LAST_PROBES)
        if mine != others:
            raise Leak(f"the refusals of commit {index + 1}, for {seat}: {_difference(mine, others)}")

    def _answers(self, entry: Entry, seat: int, start: int, count: int) -> list[Any]:
        """Returns the answer to each of some actions that the seat could ask for."""
        game, state, now = self.play.game, entry.state, entry.now
        return [
            (action, verdict(game, state, seat, action, now)) for action in probes(self.play, start, count)
        ]


def probes(play: Play, start: int, count: int) -> tuple[Action, ...]:
    """Returns some of all possible actions, different ones for each `start`."""
    universe = _universe(play.game, tuple(sorted(play.drawn[-1].given)))
    start = (play.seed + start) % (len(universe) // 2)
    return universe[start : start + count]


@lru_cache(32)
def _universe(game: Game[Any], pack: tuple[str, ...]) -> tuple[Action, ...]:
    """Returns actions of all types in any order, and the same once more."""
    chance = Random(game.name)
    universe = build_universe(game, pack, chance)
    return tuple(chance.sample(universe, len(universe)) * 2)


def _event(event: Event | None, viewer: Viewer) -> Any:
    """Returns an event as the viewer receives it, and what turn clocks reveal of one that it does not receive."""
    if event is None:
        return None
    seen = redact(event, viewer)
    return event.restarts_clock, event.opens_turn, seen and (seen.wire, encode(seen))


def _difference(value: Any, other: Any) -> str:
    """Returns an excerpt of where two answers begin to differ; pytest's own comparison line by line takes minutes on CI."""
    text, changed = str(value), str(other)
    index = next(
        (index for index, (left, right) in enumerate(zip(text, changed, strict=False)) if left != right),
        min(len(text), len(changed)),
    )
    start = max(0, index - 60)
    return f"…{text[start : index + 60]}… became …{changed[start : index + 60]}…"
