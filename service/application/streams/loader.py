"""Reads aggregates from their streams and caches them."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Generic

from hoodwink.domain.tables.entries import Entry
from hoodwink.service.application.ports import EventStore, StreamId
from hoodwink.service.application.streams.aggregates import Aggregate, C, S
from hoodwink.service.application.streams.cache import Cache
from hoodwink.service.application.streams.history import Loaded, before, extended, tail_after
from hoodwink.service.application.streams.parts import PART, rest

_CHECKPOINT_EVERY: Final = 64
"""The interval of versions between two checkpoints, from which an earlier state is replayed."""

_MAX_CHECKPOINTS: Final = 2_000


class Loader(Generic[S, C]):
    """Reads the aggregates of one kind. Safe to share between threads."""

    def __init__(self, *, aggregate: Aggregate[S, C], store: EventStore, cached: int) -> None:
        """Keeps the latest state of up to `cached` aggregates in memory."""
        self._aggregate = aggregate
        self._store = store
        self._cache: Cache[str, Loaded[S]] = Cache(cached)
        # A cache of its own: browsing history must not displace the states on which commands are decided.
        self._checkpoints: Cache[tuple[str, int], Loaded[S]] = Cache(_MAX_CHECKPOINTS)
        self.unopened = Loaded(aggregate.unopened)

    def remembered(self, id_: str) -> Loaded[S]:
        """Returns the latest remembered state, or the unopened one if the aggregate was not read yet."""
        return self._cache.get(id_) or self.unopened

    def remember(self, id_: str, loaded: Loaded[S]) -> None:
        self._cache.put(id_, loaded)

    def forget(self, id_: str, loaded: Loaded[S]) -> bool:
        """Forgets a state; returns whether it was still remembered."""
        return self._cache.discard(id_, loaded)

    def refresh(self, id_: str, loaded: Loaded[S]) -> Loaded[S] | None:
        """Returns the aggregate as stored, or `None` if the stream no longer begins with the remembered events."""
        version = loaded.state.version
        if not version:
            return self.read_all(id_)
        # The last remembered event is read again. Only its hash proves that the store did not come back older and
        # then grow to the same length with other events.
        stored = self._store.read(self._stream(id_), after=version - 1, count=PART)
        if not stored or stored[0].hash != loaded.head:
            return None
        if len(stored) == 1:
            return loaded
        latest = extended(self._aggregate, loaded, stored[1:])
        if len(stored) == PART:
            further = self._read_on(id_, latest, self._extend)
            if further is None:
                return None
            latest = further
        self._cache.put(id_, latest)
        return latest

    def read_at(self, id_: str, version: int) -> Loaded[S]:
        """Returns the aggregate right after event `version`, or after the last one if there are fewer."""
        nearest, replay = self._nearest_checkpoint(id_, version), partial(self._replay, id_)
        # A checkpoint may belong to a history that the store has lost. Then all events are replayed.
        while (loaded := self._read_on(id_, nearest, replay, upto=version)) is None:
            nearest = self.unopened
        return loaded

    def read_all(self, id_: str) -> Loaded[S]:
        while (loaded := self._read_on(id_, self.unopened, self._extend)) is None:
            pass  # the store came back older while it was read
        # Ids that do not exist are not cached: anybody can name as many as they like.
        if loaded.state.version:
            self._cache.put(id_, loaded)
        return loaded

    def _nearest_checkpoint(self, id_: str, version: int) -> Loaded[S]:
        # A version may be any number that a client sends, and no checkpoint is later than the latest known state.
        latest = min(version, self.remembered(id_).state.version)
        for earlier in range(latest - latest % _CHECKPOINT_EVERY, 0, -_CHECKPOINT_EVERY):
            if checkpoint := self._checkpoints.get((id_, earlier)):
                return checkpoint
        return self.unopened

    def _replay(self, id_: str, loaded: Loaded[S], tail: Sequence[Entry]) -> Loaded[S]:
        """Returns the aggregate after the stored events `tail`, and remembers it at each checkpoint on the way."""
        while tail:
            count = _CHECKPOINT_EVERY - loaded.state.version % _CHECKPOINT_EVERY
            loaded, tail = extended(self._aggregate, loaded, tail[:count]), tail[count:]
            if not loaded.state.version % _CHECKPOINT_EVERY:
                self._checkpoints.put((id_, loaded.state.version), loaded)
        return loaded

    def _read_on(
        self,
        id_: str,
        loaded: Loaded[S],
        replay: Callable[[Loaded[S], Sequence[Entry]], Loaded[S]],
        *,
        upto: int | None = None,
    ) -> Loaded[S] | None:
        """Returns the aggregate with the stored events that follow, up to a version if one is given.

        Returns `None` if the store does not hold the last event before any of the parts that it reads.
        """
        stream = self._stream(id_)
        while True:
            start = before(loaded.position)
            count = PART if upto is None else min(PART, upto - start)
            stored = self._store.read(stream, after=start, count=count)
            # Checked for every part: the store may come back older between two of them.
            tail = tail_after(loaded.position, stored)
            if tail is None:
                return None
            loaded = replay(loaded, tail)
            if len(stored) < count or loaded.state.version == upto:
                return loaded
            rest()

    def _extend(self, loaded: Loaded[S], tail: Sequence[Entry]) -> Loaded[S]:
        return extended(self._aggregate, loaded, tail)

    def _stream(self, id_: str) -> StreamId:
        return StreamId(self._aggregate.category, id_)
