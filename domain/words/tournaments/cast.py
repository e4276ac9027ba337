"""The names of entrants in sentences."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from hoodwink.domain.kernel import Event, Names, without_name
from hoodwink.domain.phrases import listed
from hoodwink.domain.tournaments.life import Participant, Tournament
from hoodwink.domain.tournaments.life.state import name_of


class Cast:
    """The names of the entrants in sentences. Starting ranks or ids distinguish equal names.

    Building it takes about a microsecond per entrant, so share it between events.
    """

    __slots__ = ("_arbiters", "_by_id", "_by_number", "_gone", "tournament")

    def __init__(self, tournament: Tournament, names: Names = without_name) -> None:
        self.tournament = tournament
        called = {
            entrant.id: name_of(entrant, names) for entrant in (*tournament.entrants, *_others(tournament))
        }
        self._by_id = _distinct(tournament.entrants, called)
        self._by_number = {entrant.number: self._by_id[entrant.id] for entrant in tournament.entrants}
        self._gone = _distinct_gone(tournament, called)
        self._arbiters = {
            player: names(player) for player in (*tournament.arbiters, *tournament.former_arbiters)
        }

    def of(self, entrant: str) -> str:
        return self._by_id.get(entrant) or self._gone[entrant]

    def all_of(self, entrants: Iterable[str]) -> str:
        return listed([self.of(entrant) for entrant in entrants])

    def arbiter(self, player: str) -> str:
        return self._arbiters[player]

    def official(self, player: str) -> str:
        """Returns an official as the subject of a sentence."""
        return (
            "The organiser"
            if player == self.tournament.organiser
            else f"The arbiter {self._arbiters[player]}"
        )

    def at(self, number: int | None) -> str:
        return "a bot" if number is None else self._by_number[number]


def _distinct(entrants: Iterable[Participant], called: Mapping[str, str]) -> Mapping[str, str]:
    counts = Counter(called[entrant.id] for entrant in entrants)
    return {
        entrant.id: name if counts[name] == 1 else f"{name} ({entrant.number or _shown(entrant.id)})"
        for entrant in entrants
        for name in (called[entrant.id],)
    }


def _shown(entrant: str) -> str:
    """Returns an id as players see it, such as `bot 2`."""
    return entrant.replace(":", " ")


def _others(tournament: Tournament) -> tuple[Participant, ...]:
    """Returns the people whom events name, but who are no entrants."""
    return *tournament.gone, *tournament.applicants


def _distinct_gone(tournament: Tournament, called: Mapping[str, str]) -> Mapping[str, str]:
    others = _others(tournament)
    counts = Counter(called[entrant.id] for entrant in (*tournament.entrants, *others))
    return {
        entrant.id: name if counts[name] == 1 else f"{name} ({_shown(entrant.id)})"
        for entrant in others
        for name in (called[entrant.id],)
    }


def entrant_names(tournament: Tournament, names: Names = without_name) -> Mapping[int, str]:
    """Returns the names of a started tournament's entrants in sentences, by starting rank."""
    called = {entrant.id: name_of(entrant, names) for entrant in tournament.entrants}
    by_id = _distinct(tournament.entrants, called)
    return {entrant.number: by_id[entrant.id] for entrant in tournament.entrants}


Sentences: TypeAlias = Mapping[type[Event], Callable[[Any, Cast, str], str]]
"""The sentence of each event, from the event, the cast and the actor recorded in the log."""
