"""Sends standings to this process's watchers as soon as they are known, then after each change.

Jobs compute the standings of large tournaments. Requests use the same jobs, so all processes share them.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from typing import Final, NamedTuple, Protocol, TypeAlias, TypeVar

import msgspec
import structlog

from hoodwink.domain.tables.codec import UnknownEvent
from hoodwink.domain.tournaments.life import Tournament, people_in
from hoodwink.service.application.errors import Busy, NotFound
from hoodwink.service.application.jobs.effort import has_many_lines
from hoodwink.service.application.players.player_names import PlayerNames
from hoodwink.service.application.ports import DamagedArchive, StoreUnavailable, StreamId
from hoodwink.service.application.streams.tournaments import LoadedTournament
from hoodwink.service.http.framework.streaming import StandingsSubscription, Visitor
from hoodwink.service.http.messages.answers import encode
from hoodwink.service.http.messages.standings_answers import standings_answer
from hoodwink.service.http.resources.tournaments.readings import begin_standings_job
from hoodwink.service.http.serving.streams.frames import end_frame, reset_frame, standings_frame
from hoodwink.service.http.serving.streams.job_watch import JobWatch
from hoodwink.service.http.serving.streams.watcher import Stream

log = structlog.get_logger(__name__)

A = TypeVar("A")
R = TypeVar("R")

FIRST_PAUSE_SECONDS: Final = 5.0
"""The pause after a failed job. It doubles with each further failure, because each attempt occupies a job worker."""
# At most eleven minutes.
_MAX_DOUBLINGS: Final = 7

Load: TypeAlias = Callable[[str], LoadedTournament]


class InThread(Protocol):
    """Runs a function in another thread."""

    def __call__(self, function: Callable[[A], R], argument: A) -> Awaitable[R]: ...


class Shown(NamedTuple):
    """Standings of a tournament as JSON, and the state that they were computed from."""

    loaded: LoadedTournament
    standings: bytes

    @property
    def is_over(self) -> bool:
        """Whether no table is open any more."""
        return self.loaded.state.is_seed_revealed


class StandingsChannel:
    """The standings of a tournament, as its watchers have seen them.

    Attributes:
        shown: `None` until the first standings are known.
        finding: the task that waits for the next standings' job, and for the pause after a failed one.
        failures: failed jobs since the last success.
    """

    __slots__ = ("failures", "finding", "shown", "streams")

    def __init__(self, subscription: StandingsSubscription) -> None:
        loaded, standings = subscription.loaded, subscription.standings
        self.shown = None if standings is None else Shown(loaded, standings)
        self.streams: dict[Stream, Visitor] = {}
        self.finding: asyncio.Task[None] | None = None
        self.failures = 0

    def add(self, stream: Stream, visitor: Visitor) -> None:
        """Sends the standings to a stream as soon as they are known, then after each change."""
        self.streams[stream] = visitor
        if self.shown is not None:
            self._send(self.shown, [stream])

    def show(self, now: Shown) -> None:
        """Sends the standings to all streams if they have changed or are final."""
        before, self.shown = self.shown, now
        for stream, visitor in list(self.streams.items()):
            if not visitor.may_see(now.loaded.state):  # T-24
                stream.end()
                del self.streams[stream]
        # Every event raises the version, but few change the standings.
        if (
            before is None
            or before.is_over != now.is_over
            or _without_version(before.standings) != _without_version(now.standings)
        ):
            self._send(now, list(self.streams))

    def _send(self, shown: Shown, streams: Iterable[Stream]) -> None:
        position = shown.loaded.position
        frame = standings_frame(position, shown.standings)
        for stream in streams:
            stream.write(frame)
            if shown.is_over:
                stream.write(end_frame(position))
                stream.end()
                self.streams.pop(stream, None)

    def end(self) -> None:
        """Ends all streams, because the restored store has no standings of the tournament."""
        for stream in self.streams:
            stream.write(reset_frame(0))
            stream.end()
        self.streams.clear()


def pause_after(failures: int) -> float:
    """Returns the seconds before the next job starts."""
    return FIRST_PAUSE_SECONDS * 2.0 ** min(failures - 1, _MAX_DOUBLINGS)


def _without_version(standings: bytes) -> dict[str, msgspec.Raw]:
    return msgspec.json.decode(standings, type=dict[str, msgspec.Raw]) | {"version": msgspec.Raw()}


def _are_outdated(shown: Shown | None, loaded: LoadedTournament) -> bool:
    """Returns whether standings must be computed. In a large tournament only a completed round makes them outdated."""
    if shown is None:
        return True
    if shown.loaded.position == loaded.position:
        return False
    before, now = shown.loaded.state, loaded.state
    if not has_many_lines(now) or now.is_seed_revealed or len(before.rounds) > len(now.rounds):
        return True
    return _complete(now) != _complete(before)


def _complete(tournament: Tournament) -> int:
    return sum(round_.is_complete for round_ in tournament.rounds)


class StandingsChannels:
    """The channels of all standings watched in this process."""

    def __init__(
        self,
        load: Load,
        names: Callable[[Collection[str]], PlayerNames],
        in_thread: InThread,
        jobs: JobWatch,
    ) -> None:
        self._load = load
        self._names = names
        self._in_thread = in_thread
        self._jobs = jobs
        self._channels: dict[StreamId, StandingsChannel] = {}

    def __bool__(self) -> bool:
        return bool(self._channels)

    def watched(self) -> set[StreamId]:
        return set(self._channels)

    async def join(self, stream: Stream, subscription: StandingsSubscription) -> None:
        """Sends the standings to a stream, then each change."""
        channel = self._channels.setdefault(subscription.stream, StandingsChannel(subscription))
        # A change since the subscription was loaded was not noticed, because there may have been no channel.
        await self.refresh([subscription.stream])
        # The last watcher may have left meanwhile, which removed the channel.
        self._channels.setdefault(subscription.stream, channel).add(stream, subscription.visitor)

    def leave(self, subscription: StandingsSubscription, stream: Stream) -> None:
        """Sends nothing more to the stream."""
        channel = self._channels.get(subscription.stream)
        if channel is not None:
            channel.streams.pop(stream, None)
            if not channel.streams:
                self._drop(subscription.stream)

    def clear(self) -> None:
        for stream in self.watched():
            self._drop(stream)

    def _drop(self, stream: StreamId) -> None:
        channel = self._channels.pop(stream)
        if channel.finding is not None:
            channel.finding.cancel()  # only the waiting: the job continues, since others may share it

    async def refresh(self, named: Iterable[StreamId]) -> None:
        """Sends the changes of those standings. A thread computes small ones, a job large ones."""
        channels = {stream: self._channels[stream] for stream in named if stream in self._channels}
        if not channels:
            return
        found = await self._in_thread(
            self._changes, {stream: channel.shown for stream, channel in channels.items()}
        )
        for stream, change in found.items():
            channel = channels[stream]
            match change:
                case None:
                    channel.end()
                case Shown():
                    channel.show(change)
                case _ if self._channels.get(stream) is channel:  # somebody still watches
                    self._ensure_finding(channel, change)

    def _ensure_finding(self, channel: StandingsChannel, loaded: LoadedTournament) -> None:
        # Changes during a job are not lost: the hub reads all streams again every `CHECK_SECONDS`.
        if channel.finding is None or channel.finding.done():
            channel.finding = asyncio.create_task(self._find(channel, loaded))

    def _changes(
        self, known: Mapping[StreamId, Shown | None]
    ) -> dict[StreamId, Shown | LoadedTournament | None]:
        """Returns the new standings of those that are outdated.

        Returns:
            the state alone if a job has to compute them, and `None` for a tournament that no longer has standings.
        """
        found: dict[StreamId, Shown | LoadedTournament | None] = {}
        for stream, before in known.items():
            try:
                loaded = self._load(stream.id)
            except (NotFound, UnknownEvent, DamagedArchive):  # it has vanished, or its log is damaged
                found[stream] = None
                continue
            # The store came back from a copy that is older than the start.
            if loaded.state.terms is None:
                found[stream] = None
            elif _are_outdated(before, loaded):
                found[stream] = loaded if has_many_lines(loaded.state) else self._compute(loaded)
        return found

    def _compute(self, loaded: LoadedTournament) -> Shown:
        names = self._names(people_in(loaded.state))
        return Shown(loaded, encode(standings_answer(loaded.state, None, names)))

    async def _find(self, channel: StandingsChannel, loaded: LoadedTournament) -> None:
        """Lets a job compute the standings. After a failure it returns only after a pause, which delays the next try."""
        try:
            outcome = await self._jobs.outcome(
                lambda jobs: begin_standings_job(jobs, loaded, self._names(people_in(loaded.state)))
            )
        except (Busy, StoreUnavailable):
            outcome = None
        if outcome is not None and not outcome.is_failure:
            channel.failures = 0
            channel.show(Shown(loaded, bytes(outcome.body)))
            return
        log.warning("the standings could not be computed", tournament=loaded.state.id)
        channel.failures += 1
        await asyncio.sleep(pause_after(channel.failures))
