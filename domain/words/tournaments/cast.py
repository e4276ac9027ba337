"""The names of entrants in sentences."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from hoodwink.domain.kernel import Event, Names, without_name
from hoodwink.domain.phrases import listed
from hoodwink.domain.tables.actor import co_organiser_of
from hoodwink.domain.tournaments.life import Participant, Tournament
from hoodwink.domain.tournaments.life.state import name_of


class Cast:
    """The names of the entrants in sentences. Starting ranks or ids distinguish equal names.

    Building it takes about a microsecond per entrant, so share it between events.
    """

    __slots__ = ("_by_id", "_gone", "_officials", "_roles", "tournament")

    def __init__(self, tournament: Tournament, names: Names = without_name) -> None:
        self.tournament = tournament
        called = {
            entrant.id: name_of(entrant, names) for entrant in (*tournament.entrants, *_others(tournament))
        }
        self._by_id = _distinct(tournament.entrants, called)
        self._gone = _distinct_gone(tournament, called)
        arbiters = (*tournament.arbiters, *tournament.former_arbiters)
        co_organisers = (*tournament.co_organisers, *tournament.former_co_organisers)
        self._officials = {player: names(player) for player in (*arbiters, *co_organisers)}
        self._roles = dict.fromkeys(arbiters, "arbiter") | dict.fromkeys(co_organisers, "co-organiser")
        # An event of somebody who has been both may be from either time.
        self._roles |= dict.fromkeys({*arbiters} & {*co_organisers}, "official")

    def of(self, entrant: str) -> str:
        return self._by_id.get(entrant) or self._gone[entrant]

    def all_of(self, entrants: Iterable[str]) -> str:
        return listed([self.of(entrant) for entrant in entrants])

    def name_of_official(self, player: str) -> str:
        """Returns the name of an arbiter or co-organiser."""
        return self._officials[player]

    def official(self, player: str) -> str:
        """Returns an official as the subject of a sentence."""
        if player == self.tournament.organiser:
            return "The organiser"
        return f"The {self._roles[player]} {self._officials[player]}"

    def organiser(self, by: str) -> str:
        """Returns the organiser or co-organiser who acted, as the subject of a sentence."""
        player = co_organiser_of(by)
        return "The organiser" if player is None else self.official(player)

    def at(self, number: int | None, round_: int) -> str:
        """Returns the player who held a place in a round, by its starting rank."""
        return "a bot" if number is None else self.of(self.tournament.entrants[number - 1].player_in(round_))


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
