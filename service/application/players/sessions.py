"""Sessions: the devices and programs that are signed in as a player, with their names and the days of their last use.

Names and days are personal. They are in no event, so that they can be erased.
"""

from collections.abc import Iterable, Mapping, Sequence
from threading import Lock
from typing import Final, NamedTuple, Protocol

from hoodwink.domain.players import Player, Session, session_of
from hoodwink.service.application.errors import NotFound, NotFoundCode
from hoodwink.service.application.players.devices import device_name
from hoodwink.service.application.players.players import Players
from hoodwink.service.application.ports import Clock, StoreUnavailable

MAX_SESSIONS: Final = 10
MAX_DEVICE_NAME: Final = 40

_DAY_MS: Final = 86_400_000
_MAX_NOTED: Final = 100_000


class SessionNote(NamedTuple):
    """The note on a session, stored next to its player's events.

    Attributes:
        name: of the device.
        day: of the last use, in days since the epoch.
    """

    name: str
    day: int


class SessionUse(NamedTuple):
    """The first use of a session on a day. The session is known by its token: requests do not look up its number."""

    player: str
    token_hash: str
    name: str
    day: int


class SessionNotes(Protocol):
    """The notes about sessions, by player and number. Every call may raise `StoreUnavailable`."""

    def of(self, player: str) -> dict[int, SessionNote]: ...

    def use(self, uses: Iterable[tuple[str, int, SessionNote]]) -> None:
        """Notes uses; a session that has a name keeps it."""
        ...

    def rename(self, player: str, session: int, name: str) -> None: ...

    def remove(self, player: str, sessions: Sequence[int]) -> None: ...

    def erase(self, player: str) -> None:
        """Deletes the notes about a player who was erased."""
        ...


class SessionUses:
    """Remembers which sessions were used today, so that requests need no write. Safe to share between threads."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._days: dict[str, int] = {}
        self._new: dict[str, SessionUse] = {}
        self._lock = Lock()

    def note(self, player: Player, user_agent: str) -> None:
        """Notes a use of the token with which the player acts."""
        day, token_hash = self._clock.now_ms() // _DAY_MS, player.token_hash
        # Without the lock, because every request comes here. At worst, two threads note the same use.
        if self._days.get(token_hash) == day:
            return
        with self._lock:
            if len(self._days) >= _MAX_NOTED:  # at worst, a use is stored twice
                self._days.clear()
            self._days[token_hash] = day
            self._new[token_hash] = SessionUse(player.id, token_hash, device_name(user_agent), day)

    def take(self, player: str | None = None) -> list[SessionUse]:
        """Returns the uses that are not stored yet, of one player or of all, and forgets them."""
        with self._lock:
            taken = [use for use in self._new.values() if player in {None, use.player}]
            for use in taken:
                del self._new[use.token_hash]
        return taken

    def put_back(self, uses: Iterable[SessionUse]) -> None:
        """Takes uses that could not be stored."""
        with self._lock:
            self._new.update({use.token_hash: use for use in uses})


class NotedSession(NamedTuple):
    """A session with its note."""

    session: Session
    note: SessionNote


class Sessions:
    """Lists, names and ends sessions. Every call may raise `StoreUnavailable`."""

    def __init__(self, *, players: Players, notes: SessionNotes, uses: SessionUses) -> None:
        self._players = players
        self._notes = notes
        self._uses = uses

    def of(self, player: Player) -> tuple[NotedSession, ...]:
        """Returns the sessions of a player, in the order in which they began."""
        self._store(self._uses.take(player.id))
        notes = self._notes.of(player.id)
        return tuple([NotedSession(session, _note(session, notes)) for session in player.sessions])

    def note_device(self, player: Player, user_agent: str) -> None:
        """Notes the device of a session that has just begun."""
        # Now and not with the next uses: another process would have to hear of the session first.
        self._uses.note(player, user_agent)
        self._store(self._uses.take(player.id))

    def rename(self, player: Player, number: int, name: str) -> None:
        """Names the device of a session; raises `NotFound`."""
        if all(session.number != number for session in player.sessions):
            raise NotFound(NotFoundCode.SESSION_NOT_FOUND)
        self._notes.rename(player.id, number, name)

    def end(self, player: Player, number: int) -> Player:
        """Ends a session, if it has not ended already; raises `SignedOut`."""
        return self._end(player, [session for session in player.sessions if session.number == number])

    def end_others(self, player: Player) -> Player:
        """Ends all sessions but the one that asks; raises `SignedOut`."""
        return self._end(
            player, [session for session in player.sessions if session.token_hash != player.token_hash]
        )

    def _end(self, player: Player, chosen: Sequence[Session]) -> Player:
        numbers = [session.number for session in chosen]
        # The event first: a note without a session is harmless, but a session in use must keep its name.
        changed = self._players.end_sessions(player, lambda session: session.number in numbers)
        self._notes.remove(player.id, numbers)
        return changed

    def to_make_room(self, player: Player) -> tuple[int, ...]:
        """Returns the sessions that have to end before another one begins: those whose last use is the longest ago."""
        notes = self._notes.of(player.id)
        by_use = sorted(player.sessions, key=lambda session: _note(session, notes).day)
        return tuple([session.number for session in by_use[: max(0, len(by_use) - MAX_SESSIONS + 1)]])

    def store_uses(self) -> None:
        """Stores all uses that this process has noted."""
        self._store(self._uses.take())

    def _store(self, uses: Sequence[SessionUse]) -> None:
        try:
            found = self._players.find_each({use.player for use in uses})
            self._notes.use(_numbered(uses, found))
        except StoreUnavailable:
            self._uses.put_back(uses)
            raise


def _numbered(
    uses: Sequence[SessionUse], players: Mapping[str, Player]
) -> Iterable[tuple[str, int, SessionNote]]:
    """Yields uses with the numbers of their sessions, without those of sessions that have ended."""
    for use in uses:
        session = session_of(players[use.player], use.token_hash) if use.player in players else None
        if session is not None:
            yield use.player, session.number, SessionNote(use.name, use.day)


def _note(session: Session, notes: Mapping[int, SessionNote]) -> SessionNote:
    name, day = notes.get(session.number, SessionNote("", 0))
    return SessionNote(name, max(day, session.opened_at // _DAY_MS))
