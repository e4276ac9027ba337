"""A watched tournament. All its watchers see the same events, with or without words."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from hoodwink.domain.kernel import Names
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tournaments.life import events, people_in
from hoodwink.domain.words import Cast
from hoodwink.service.application.streams.aggregates import TOURNAMENT
from hoodwink.service.application.streams.tournaments import LoadedTournament
from hoodwink.service.http.framework.streaming import Visitor
from hoodwink.service.http.serving.streams.frames import (
    reset_frame,
    tournament_event_frame,
    tournament_snapshot_frame,
)
from hoodwink.service.http.serving.streams.watcher import Stream

_Leaving: TypeAlias = (
    events.EntrantWithdrew
    | events.EntrantWithdrawn
    | events.EntrantExpelled
    | events.EntryDeclined
    | events.RequestWithdrawn
    | events.OffersWithdrawn
    | events.OfferDeclined
    | events.TournamentStarted
    | events.ArbiterRemoved
    | events.CoOrganiserRemoved
    | events.PlaceDeclined
    | events.SubstitutionReversed  # an offer of the place lapses
    | events.InvitationReplaced
)
"""The events after which somebody may no longer see a private tournament (T-24)."""


class TournamentWatcher:
    """A watcher of a tournament; `kind` is whether its events have words."""

    __slots__ = ("kind", "stream", "visitor")

    def __init__(self, stream: Stream, visitor: Visitor, *, words: bool) -> None:
        self.stream = stream
        self.visitor = visitor
        self.kind = words

    def adjust(self, recorded: Recorded) -> bool:
        return False

    def snapshot(self, loaded: LoadedTournament, names: Names) -> None:
        self.stream.write(tournament_snapshot_frame(loaded, names))

    def restart(self, loaded: LoadedTournament, names: Names) -> None:
        self.stream.write(reset_frame(loaded.state.version) + tournament_snapshot_frame(loaded, names))


class WatchedTournament:
    """The tournament at the position that its watchers have reached."""

    __slots__ = ("_names", "_tournament")

    def __init__(self, loaded: LoadedTournament, names: Names) -> None:
        self._tournament = loaded.state
        self._names = names

    @property
    def people(self) -> tuple[str, ...]:
        return people_in(self._tournament)

    def rename(self, names: Names) -> None:
        self._names = names

    @property
    def is_over(self) -> bool:
        return self._tournament.is_seed_revealed

    @property
    def may_go_on(self) -> bool:
        return False  # only a table can have a rematch

    def player_of(self, watcher: TournamentWatcher) -> str | None:
        return None  # presence is only shown at tables

    def admits(self, watcher: TournamentWatcher) -> bool:
        return watcher.visitor.may_see(self._tournament)

    @property
    def changes_at(self) -> None:
        return None

    def has_views(self, kinds: Iterable[bool]) -> bool:
        return False

    def apply(self, recorded: Recorded) -> bool:
        self._tournament = TOURNAMENT.evolve(self._tournament, recorded)
        return isinstance(recorded.event, _Leaving)

    def frames(self, records: Sequence[Recorded], kind: bool) -> bytes:  # noqa: FBT001 - the kind is whether it has words
        cast = Cast(self._tournament, self._names) if kind else None
        return b"".join([tournament_event_frame(recorded, self._tournament, cast) for recorded in records])
