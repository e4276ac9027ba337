"""A channel: a watched stream of the store, and its watchers in this process."""

from collections import defaultdict
from collections.abc import Collection, Hashable, Sequence
from itertools import groupby
from typing import Any

from domain.kernel import Names
from domain.tables import Recorded
from service.application.history import Loaded, Position, position_of
from service.application.ports import StreamId
from service.http.framework.streaming import Subscription, TableSubscription, TournamentSubscription
from service.http.serving.frames import end_frame
from service.http.serving.watched_table import Kind, NowMs, TableWatcher, WatchedTable
from service.http.serving.watched_tournament import TournamentWatcher, WatchedTournament
from service.http.serving.watcher import Stream, Watched, Watcher


def watched(stream: StreamId, loaded: Loaded[Any], names: Names, now_ms: NowMs) -> Watched:
    """Returns the table or tournament that a channel of that stream shows."""
    if stream.category == TableSubscription.category:
        return WatchedTable(loaded, names, now_ms)
    return WatchedTournament(loaded, names)


def watcher_of(stream: Stream, subscription: Subscription, now_ms: NowMs) -> Watcher:
    """Returns the watcher for a subscription."""
    match subscription:
        case TableSubscription():
            since = subscription.loaded.state.version
            kind = Kind(subscription.viewer, subscription.words, subscription.with_view)
            return TableWatcher(stream, kind, subscription.player, since, now_ms)
        case TournamentSubscription():
            return TournamentWatcher(stream, words=subscription.words)
        case _:
            raise TypeError(f"no watcher follows {subscription!r}")


class Channel:
    """A watched stream; everything up to the position `cursor` has been written to its watchers."""

    __slots__ = ("_now_ms", "_watched", "cursor", "stream", "watchers")

    def __init__(self, stream: StreamId, loaded: Loaded[Any], names: Names, now_ms: NowMs) -> None:
        self.stream = stream
        self._now_ms = now_ms
        self.watchers: defaultdict[Hashable, set[Watcher]] = defaultdict(set)
        self._begin(loaded, names)

    def _begin(self, loaded: Loaded[Any], names: Names) -> None:
        self.cursor = loaded.position
        self._watched = watched(self.stream, loaded, names, self._now_ms)

    @property
    def is_over(self) -> bool:
        """Whether the table or tournament has ended."""
        return self._watched.is_over

    @property
    def size(self) -> int:
        """How many watchers there are."""
        return sum([len(group) for group in self.watchers.values()])

    @property
    def changes_at(self) -> int | None:
        """The time, in ms, from which watchers with views need another one; `None` without such watchers."""
        return self._watched.changes_at if self._watched.has_views(self.watchers) else None

    @property
    def people(self) -> Collection[str]:
        """The ids of the people whose names are sent."""
        return self._watched.people

    def everybody(self) -> list[Watcher]:
        """Returns all watchers."""
        return [watcher for group in self.watchers.values() for watcher in group]

    def add(self, watcher: Watcher) -> None:
        self.watchers[watcher.kind].add(watcher)

    def drop(self, watcher: Watcher) -> None:
        group = self.watchers[watcher.kind]
        group.discard(watcher)
        if not group:
            del self.watchers[watcher.kind]

    def deliver(self, fresh: Sequence[Recorded], names: Names) -> None:
        """Writes the events after the cursor to the watchers, with the present names."""
        self._watched.rename(names)
        for part in _commits(fresh) if self._watched.has_views(self.watchers) else [fresh]:
            for recorded in part:
                if self._watched.apply(recorded):
                    # Before the events are written: nothing is hidden before the start, and a view is for the new viewer.
                    self._regroup(recorded)
            self._write(part)
        if not fresh:
            return
        self.cursor = position_of(fresh[-1].entry)
        if self.is_over:
            self._end()

    def catch_up(self, watcher: Watcher, page: Sequence[Recorded], names: Names) -> Position:
        """Writes to one watcher those events of a page that the others have already; returns the position reached.

        Args:
            watcher: at a position before that of the others.
            page: the events after that position.
            names: of the people at the table or in the tournament.
        """
        self._watched.rename(names)
        missed = [recorded for recorded in page if recorded.entry.version <= self.cursor.version]
        for recorded in missed:
            watcher.adjust(recorded)
        watcher.stream.write(self._watched.frames(missed, watcher.kind))
        return position_of(missed[-1].entry)

    def restart(self, loaded: Loaded[Any], names: Names) -> None:
        """Sends all watchers a snapshot, because the store was restored from an older copy."""
        everybody = self.everybody()
        self.watchers.clear()
        self._begin(loaded, names)
        for watcher in everybody:
            watcher.restart(loaded, names)
            self.add(watcher)
        if self.is_over:
            self._end()

    def show(self) -> None:
        """Writes the present state to the watchers with views, although nothing has happened."""
        for kind, group in self.watchers.items():
            if self._watched.has_views([kind]):
                chunk = self._watched.frames((), kind)
                for watcher in group:
                    watcher.stream.write(chunk)

    def _write(self, records: Sequence[Recorded]) -> None:
        for kind, group in self.watchers.items():
            chunk = self._watched.frames(records, kind)
            if chunk:
                for watcher in group:
                    watcher.stream.write(chunk)

    def _regroup(self, recorded: Recorded) -> None:
        for watcher in self.everybody():
            before = watcher.kind
            if watcher.adjust(recorded):
                self.watchers[before].discard(watcher)
                self.add(watcher)

    def _end(self) -> None:
        for watcher in self.everybody():
            self.end(watcher)

    def end(self, watcher: Watcher) -> None:
        """Ends the stream of a watcher that has received all events."""
        watcher.stream.write(end_frame(self.cursor))
        watcher.stream.end()


def _commits(records: Sequence[Recorded]) -> list[Sequence[Recorded]]:
    """Returns the records of each commit."""
    return [tuple(commit) for _, commit in groupby(records, key=lambda recorded: recorded.entry.cmd)]
