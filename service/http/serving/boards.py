"""The standings that are watched in this process: each whole, at once and again whenever they have changed."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

from msgspec.structs import replace

from service.application.errors import NotFound
from service.application.ports import StreamId
from service.application.tournaments import LoadedTournament
from service.http.framework.streaming import StandingsSubscription
from service.http.messages.tournament_answers import StandingsAnswer, standings_answer
from service.http.serving.frames import end_frame, reset_frame, standings_frame
from service.http.serving.watcher import Stream

A = TypeVar("A")
R = TypeVar("R")

Load: TypeAlias = Callable[[str], LoadedTournament]


class OffTheLoop(Protocol):
    """Runs what takes long in another thread."""

    def __call__(self, function: Callable[[A], R], argument: A) -> Awaitable[R]: ...


class News(NamedTuple):
    """A tournament as it is now, with its standings if it has moved."""

    loaded: LoadedTournament
    standings: StandingsAnswer | None


class Board:
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
        """Shows the board to one more."""
        self._show([stream])
        if not self.is_over:
            self.streams.add(stream)

    def change(self, news: News) -> None:
        """Shows everybody the standings, if they are others than before."""
        standings = self.standings if news.standings is None else news.standings
        has_changed = replace(standings, version=0) != replace(self.standings, version=0)
        was_over = self.is_over
        self.loaded, self.standings = news.loaded, standings
        if has_changed or self.is_over != was_over:
            self._show(list(self.streams))

    def _show(self, streams: Iterable[Stream]) -> None:
        frame = standings_frame(self.loaded.position, self.standings)
        for stream in streams:
            stream.write(frame)
            if self.is_over:
                stream.write(end_frame(self.loaded.position))
                stream.end()
                self.streams.discard(stream)

    def end(self) -> None:
        """Ends all streams of a tournament that the store has put back to a time before its start."""
        for stream in self.streams:
            stream.write(reset_frame(0))
            stream.end()
        self.streams.clear()


class Boards:
    """All boards. They are made anew off the loop, for that takes milliseconds."""

    def __init__(self, load: Load, off_the_loop: OffTheLoop) -> None:
        self._load = load
        self._off_the_loop = off_the_loop
        self._boards: dict[StreamId, Board] = {}

    def __bool__(self) -> bool:
        return bool(self._boards)

    @property
    def size(self) -> int:
        """How many watchers there are."""
        return sum([len(board.streams) for board in self._boards.values()])

    def watched(self) -> set[StreamId]:
        """Returns the tournaments whose standings are watched."""
        return set(self._boards)

    async def join(self, stream: Stream, subscription: StandingsSubscription) -> None:
        """Writes the standings, and from then on each change."""
        board = self._boards.setdefault(subscription.stream, Board(subscription))
        await self.refresh(
            [subscription.stream]
        )  # of what happened since the request was read nobody was told
        # Whoever left meanwhile may have taken the board away.
        self._boards.setdefault(subscription.stream, board).add(stream)

    def leave(self, subscription: StandingsSubscription, stream: Stream) -> None:
        """Writes no more to the stream."""
        board = self._boards.get(subscription.stream)
        if board is not None:
            board.streams.discard(stream)
            if not board.streams:
                del self._boards[subscription.stream]

    def clear(self) -> None:
        self._boards.clear()

    async def refresh(self, named: Iterable[StreamId]) -> None:
        """Shows what has changed at those boards."""
        boards = {stream: self._boards[stream] for stream in named if stream in self._boards}
        if not boards:
            return
        found = await self._off_the_loop(self._news, {one: board.loaded for one, board in boards.items()})
        for stream, board in boards.items():
            if stream in found:
                board.change(found[stream])
            else:
                board.end()

    def _news(self, known: Mapping[StreamId, LoadedTournament]) -> dict[StreamId, News]:
        """Returns what has become of each tournament, without those that have no standings any more."""
        found = {}
        for stream, before in known.items():
            try:
                loaded = self._load(stream.id)
            except NotFound:
                continue
            if loaded.state.terms is not None:
                has_moved = loaded.position != before.position
                found[stream] = News(loaded, standings_answer(loaded.state, None) if has_moved else None)
        return found
