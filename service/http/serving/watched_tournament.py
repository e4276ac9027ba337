"""A watched tournament. Everybody sees the same of it; some read it in words."""

from collections.abc import Sequence

from domain.tables import Recorded
from service.application.aggregates import TOURNAMENT
from service.application.tournaments import LoadedTournament
from service.http.serving.frames import reset_frame, tournament_event_frame, tournament_snapshot_frame
from service.http.serving.watcher import Stream


class TournamentWatcher:
    """A stream; `kind` is whether it has words."""

    __slots__ = ("kind", "stream")

    def __init__(self, stream: Stream, *, words: bool) -> None:
        self.stream = stream
        self.kind = words

    def note(self, one: Recorded) -> bool:
        return False

    def snapshot(self, loaded: LoadedTournament) -> None:
        self.stream.write(tournament_snapshot_frame(loaded))

    def restart(self, loaded: LoadedTournament) -> None:
        self.stream.write(reset_frame(loaded.state.version) + tournament_snapshot_frame(loaded))


class WatchedTournament:
    """A tournament as its watchers have seen it."""

    __slots__ = ("_tournament",)

    def __init__(self, loaded: LoadedTournament) -> None:
        self._tournament = loaded.state

    @property
    def is_over(self) -> bool:
        return self._tournament.is_seed_revealed

    def apply(self, one: Recorded) -> bool:
        self._tournament = TOURNAMENT.evolve(self._tournament, one)
        return False

    def frames(self, records: Sequence[Recorded], kind: bool) -> bytes:  # noqa: FBT001 - whether it has words is the kind
        return b"".join([tournament_event_frame(one, self._tournament, words=kind) for one in records])
