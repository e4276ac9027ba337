"""Sends standings to everybody in this process who watches them: first immediately, then after each change."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

from msgspec.structs import replace

from domain.kernel import Names
from domain.tournaments.life import Tournament, people_in
from service.application.errors import NotFound
from service.application.ports import StreamId
from service.application.tournaments import LoadedTournament
from service.http.framework.streaming import StandingsSubscription
from service.http.messages.standings_answers import StandingsAnswer, standings_answer
from service.http.serving.frames import end_frame, reset_frame, standings_frame
from service.http.serving.watcher import Stream

A = TypeVar("A")
R = TypeVar("R")

Load: TypeAlias = Callable[[str], LoadedTournament]


class InThread(Protocol):
    """Runs a function in another thread."""

    def __call__(self, function: Callable[[A], R], argument: A) -> Awaitable[R]: ...


class Update(NamedTuple):
    """The present state of a tournament, with its standings if it has new events."""

    loaded: LoadedTournament
    standings: StandingsAnswer | None


class StandingsChannel:
    """The standings of a tournament, as its watchers have seen them."""

    __slots__ = ("loaded", "standings", "streams")

    def __init__(self, subscription: StandingsSubscription) -> None:
        self.loaded = subscription.loaded
        self.standings = subscription.standings
        self.streams: set[Stream] = set()

    @property
    def is_over(self) -> bool:
        """Whether no table is open any more."""
        return self.loaded.state.is_seed_revealed

    def add(self, stream: Stream) -> None:
        """Sends the standings to a stream, and from now on each change."""
        self._send([stream])
        if not self.is_over:
            self.streams.add(stream)

    def change(self, update: Update) -> None:
        """Sends the standings to all streams if they have changed or are final."""
        standings = self.standings if update.standings is None else update.standings
        has_changed = replace(standings, version=0) != replace(self.standings, version=0)
        was_over = self.is_over
        self.loaded, self.standings = update.loaded, standings
        if has_changed or self.is_over != was_over:
            self._send(list(self.streams))

    def _send(self, streams: Iterable[Stream]) -> None:
        frame = standings_frame(self.loaded.position, self.standings)
        for stream in streams:
            stream.write(frame)
            if self.is_over:
                stream.write(end_frame(self.loaded.position))
                stream.end()
                self.streams.discard(stream)

    def end(self) -> None:
        """Ends all streams, because the restored store has no standings of the tournament."""
        for stream in self.streams:
            stream.write(reset_frame(0))
            stream.end()
        self.streams.clear()


class StandingsChannels:
    """The channels of all standings that are watched in this process."""

    def __init__(self, load: Load, names: Callable[[Collection[str]], Names], in_thread: InThread) -> None:
        self._load = load
        self._names = names
        self._in_thread = in_thread
        self._channels: dict[StreamId, StandingsChannel] = {}

    def __bool__(self) -> bool:
        return bool(self._channels)

    @property
    def size(self) -> int:
        """How many watchers there are."""
        return sum([len(channel.streams) for channel in self._channels.values()])

    def watched(self) -> set[StreamId]:
        """Returns the tournaments whose standings are watched."""
        return set(self._channels)

    async def join(self, stream: Stream, subscription: StandingsSubscription) -> None:
        """Sends the standings to a stream, and from then on each change."""
        channel = self._channels.setdefault(subscription.stream, StandingsChannel(subscription))
        # Nobody was sent the changes between the loading of the subscription and now.
        await self.refresh([subscription.stream])
        # The last watcher may have left meanwhile, which removed the channel.
        self._channels.setdefault(subscription.stream, channel).add(stream)

    def leave(self, subscription: StandingsSubscription, stream: Stream) -> None:
        """Sends nothing more to the stream."""
        channel = self._channels.get(subscription.stream)
        if channel is not None:
            channel.streams.discard(stream)
            if not channel.streams:
                del self._channels[subscription.stream]

    def clear(self) -> None:
        self._channels.clear()

    async def refresh(self, named: Iterable[StreamId]) -> None:
        """Sends the changes of those standings, which are computed in another thread because that takes milliseconds."""
        channels = {stream: self._channels[stream] for stream in named if stream in self._channels}
        if not channels:
            return
        found = await self._in_thread(
            self._updates, {stream: channel.loaded for stream, channel in channels.items()}
        )
        for stream, channel in channels.items():
            if stream in found:
                channel.change(found[stream])
            else:
                channel.end()

    def _updates(self, known: Mapping[StreamId, LoadedTournament]) -> dict[StreamId, Update]:
        """Returns the present state of each tournament, without those that no longer have standings."""
        found = {}
        for stream, before in known.items():
            try:
                loaded = self._load(stream.id)
            except NotFound:
                continue
            if loaded.state.terms is not None:
                has_moved = loaded.position != before.position
                found[stream] = Update(loaded, self._standings(loaded.state) if has_moved else None)
        return found

    def _standings(self, tournament: Tournament) -> StandingsAnswer:
        return standings_answer(tournament, None, self._names(people_in(tournament)))
