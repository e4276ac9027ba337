"""A channel: a stream of the store that is being watched, and its watchers in this process."""

from asyncio import TimerHandle
from collections import defaultdict
from collections.abc import Collection, Hashable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from hoodwink.domain.kernel import Names
from hoodwink.domain.tables.entries import Recorded
from hoodwink.service.application.ports import StreamId
from hoodwink.service.application.streams.history import Loaded, Position, position_of
from hoodwink.service.http.framework.streaming import Subscription, TableSubscription, TournamentSubscription
from hoodwink.service.http.serving.streams.frames import end_frame, presence_frame, reset_frame, said_frame
from hoodwink.service.http.serving.streams.watched_table import Kind, NowMs, TableWatcher, WatchedTable
from hoodwink.service.http.serving.streams.watched_tournament import TournamentWatcher, WatchedTournament
from hoodwink.service.http.serving.streams.watcher import Stream, Watched, Watcher


class Wait(NamedTuple):
    """The time (ms) from which watchers with views need a new one, and the timer that sends it."""

    until: int
    timer: TimerHandle


def watched(stream: StreamId, loaded: Loaded[Any], names: Names, now_ms: NowMs) -> Watched:
    """Returns the table or tournament of a stream."""
    if stream.category == TableSubscription.category:
        return WatchedTable(loaded, names, now_ms)
    return WatchedTournament(loaded, names)


def watcher_of(stream: Stream, subscription: Subscription, now_ms: NowMs) -> Watcher:
    match subscription:
        case TableSubscription():
            since = subscription.loaded.state.version
            kind = Kind(subscription.viewer, subscription.words, subscription.with_view)
            return TableWatcher(
                stream,
                kind,
                subscription.player,
                since,
                now_ms,
                is_invited=subscription.is_invited,
                with_company=subscription.with_company,
            )
        case TournamentSubscription():
            return TournamentWatcher(stream, subscription.visitor, words=subscription.words)
        case _:
            raise TypeError(f"no watcher follows {subscription!r}")


class Channel:
    """A watched stream. Its watchers have been sent everything up to the position `cursor`.

    Attributes:
        beginning: new watchers, which have to catch up before they are added.
        closing: the timer that ends the streams kept open after the end of the table.
    """

    __slots__ = ("_now_ms", "_watched", "beginning", "closing", "cursor", "stream", "watchers")

    def __init__(self, stream: StreamId, loaded: Loaded[Any], names: Names, now_ms: NowMs) -> None:
        self.stream = stream
        self._now_ms = now_ms
        self.beginning: set[Watcher] = set()
        self.closing: TimerHandle | None = None
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
    def is_staying(self) -> bool:
        """Whether watchers stay after the end, because a rematch may follow soon."""
        return self.is_over and self._watched.may_go_on and bool(self.watchers)

    @property
    def players(self) -> set[str]:
        """The players with a seat at the table who have a stream here."""
        found = map(self._watched.player_of, self.everybody())
        return {player for player in found if player is not None}

    def player_of(self, watcher: Watcher) -> str | None:
        """Returns the player whose stream this is, or `None` without a seat."""
        return self._watched.player_of(watcher)

    @property
    def company(self) -> list[TableWatcher]:
        """The watchers who want to know who is connected, and what players say."""
        return [each for each in self.everybody() if isinstance(each, TableWatcher) and each.with_company]

    def tell_connected(self, players: Collection[str]) -> None:
        """Writes the seats of these players to the watchers who want to know them, unless they do already."""
        assert isinstance(self._watched, WatchedTable), "tournaments have no company"
        seats = self._watched.seats_of(players)
        frame = presence_frame(seats)
        for watcher in self.company:
            if watcher.connected != seats:
                watcher.connected = seats
                watcher.stream.write(frame)

    def tell(self, said: bytes) -> None:
        """Writes what a player said to the watchers who want to know it."""
        frame = said_frame(said)
        for watcher in self.company:
            watcher.stream.write(frame)

    @property
    def changes_at(self) -> int | None:
        """The time (ms) from which watchers with views need a new view; `None` without such watchers."""
        return self._watched.changes_at if self._watched.has_views(self.watchers) else None

    @property
    def people(self) -> Collection[str]:
        """The ids of the people whose names are sent."""
        return self._watched.people

    def everybody(self) -> list[Watcher]:
        # A new list, because callers regroup and drop watchers while they iterate.
        return [watcher for group in self.watchers.values() for watcher in group]

    def add(self, watcher: Watcher) -> None:
        self.beginning.discard(watcher)
        self.watchers[watcher.kind].add(watcher)

    def drop(self, watcher: Watcher) -> None:
        self.beginning.discard(watcher)
        group = self.watchers[watcher.kind]
        group.discard(watcher)
        if not group:
            del self.watchers[watcher.kind]

    def deliver(self, fresh: Sequence[Recorded], names: Names) -> None:
        """Writes the events after the cursor to the watchers, with current names."""
        self._watched.rename(names)
        was_over = self.is_over
        # A view shows the table right after its commit, so with views the state must not run ahead of it.
        for part in _commits(fresh) if self._watched.has_views(self.watchers) else [fresh]:
            for recorded in part:
                if self._watched.apply(recorded):
                    # Before the events are written, so that a view is for the new viewer. This reveals nothing,
                    # because no event is hidden before the start.
                    self._regroup(recorded)
            self._write(part)
        if not fresh:
            return
        self.cursor = position_of(fresh[-1].entry)
        if self.is_over and not was_over:
            for watcher in self.everybody():
                watcher.stream.write(end_frame(self.cursor))
        if self.is_over and not self._watched.may_go_on:
            self.close()

    def catch_up(self, watcher: Watcher, page: Sequence[Recorded], names: Names) -> Position:
        """Writes to one watcher the events of a page that the others have received; returns the position reached.

        Args:
            watcher: at a position before that of the others.
            page: the events after that position.
            names: of the people at the table or in the tournament.
        """
        self._watched.rename(names)
        # Newer events would arrive twice: the channel itself delivers them once the watcher has been added.
        missed = [recorded for recorded in page if recorded.entry.version <= self.cursor.version]
        for recorded in missed:
            watcher.adjust(recorded)
        watcher.stream.write(self._watched.frames(missed, watcher.kind))
        # There is one: the watcher is behind the cursor, and the page begins right after its position.
        return position_of(missed[-1].entry)

    def restart(self, loaded: Loaded[Any], names: Names) -> None:
        """Sends all watchers a snapshot after the store was restored from an older copy."""
        if self.closing is not None:  # it belonged to an end that has vanished
            self.closing.cancel()
            self.closing = None
        # Taken out first: a restart can change the kind of a watcher, by which it is found.
        everybody = self.everybody()
        self.watchers.clear()
        self._begin(loaded, names)
        for watcher in everybody:
            if not self.admits(watcher):
                watcher.stream.end()
                continue
            watcher.restart(loaded, names)
            self.add(watcher)
        if self.is_over:
            for watcher in self.everybody():
                self.end(watcher)

    def show(self) -> None:
        """Writes the current state to the watchers with views, without any event."""
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
            self.drop(watcher)  # before its kind changes, by which its group is found
            watcher.adjust(recorded)
            self.add(watcher)
            if not self.admits(watcher):
                self.dismiss(watcher)

    def admits(self, watcher: Watcher) -> bool:
        """Returns whether a watcher may continue. A player whose seat the host freed, for example, may not."""
        return self._watched.admits(watcher)

    def close(self) -> None:
        for watcher in self.everybody():
            self.dismiss(watcher)

    def vanish(self) -> None:
        """Ends all streams, because the restored store has no such table or tournament."""
        for watcher in self.everybody():
            watcher.stream.write(reset_frame(0))
            self.dismiss(watcher)

    def dismiss(self, watcher: Watcher) -> None:
        self.drop(watcher)
        watcher.stream.end()

    def end(self, watcher: Watcher, *, may_stay: bool = False) -> None:
        """Tells a watcher that has received all events of the end. It may stay if a rematch can follow soon."""
        watcher.stream.write(end_frame(self.cursor))
        if not (may_stay and self.is_staying):
            self.dismiss(watcher)


def _commits(records: Sequence[Recorded]) -> list[Sequence[Recorded]]:
    # The events of a commit follow each other and have the id of its command.
    return [tuple(commit) for _, commit in groupby(records, key=lambda recorded: recorded.entry.cmd)]
