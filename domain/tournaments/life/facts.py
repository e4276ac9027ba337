"""Facts that follow from the state of a tournament."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import accumulate
from types import MappingProxyType
from typing import Final

from hoodwink.domain.administration import is_reason_digest
from hoodwink.domain.tournaments.crosstable import Why
from hoodwink.domain.tournaments.life.admission import Visibility
from hoodwink.domain.tournaments.life.commands.rights import Role
from hoodwink.domain.tournaments.life.counts import NO_COUNTS, Counts
from hoodwink.domain.tournaments.life.events import Seats
from hoodwink.domain.tournaments.life.full_setup import FullSetup, full_setup
from hoodwink.domain.tournaments.life.setup import Setup
from hoodwink.domain.tournaments.life.state import (
    Applicant,
    Deal,
    Match,
    OfferStatus,
    PairedRound,
    Participant,
    Phase,
    Tournament,
)
from hoodwink.domain.tournaments.terms import Terms

NO_TEXTS: Final[Mapping[str, str]] = MappingProxyType({})


def table_id(tournament: str, *, round_: int, board: int, deal: int = 1) -> str:
    """Returns the id of a tournament's table: 20 hex digits that depend on its place alone.

    If the service is killed before it can confirm that it opened a table, it therefore opens the same table again.
    """
    return hashlib.sha256(f"{tournament}:{round_}:{board}:{deal}".encode()).hexdigest()[:20]


def people_in(tournament: Tournament) -> tuple[str, ...]:
    """Returns the ids of the people who have entered, asked for it or been officials, including those who have left."""
    everybody = (*tournament.entrants, *tournament.gone, *tournament.applicants)
    officials = (
        *(*tournament.arbiters, *tournament.former_arbiters),
        *(*tournament.co_organisers, *tournament.former_co_organisers),
    )
    return (*[entrant.id for entrant in everybody if entrant.policy is None], *officials)


def setup_of(tournament: Tournament) -> Setup:
    """Returns the settings of a tournament that has been opened."""
    assert tournament.setup is not None, "a tournament is opened with its settings"
    return tournament.setup


def full_setup_of(tournament: Tournament) -> FullSetup:
    """Returns all settings of a tournament that has been opened."""
    return full_setup(
        setup_of(tournament),
        tournament.compare,
        tournament.arena,
        tournament.admission,
        tournament.deals_per_pairing,
        tournament.team_terms,
    )


def terms_of(tournament: Tournament) -> Terms:
    assert tournament.terms is not None, "a tournament has terms from its start on"
    return tournament.terms


def participant(tournament: Tournament, entrant: str) -> Participant | None:
    """Returns the entrant with that id, including waiting, withdrawn and expelled ones."""
    return next((listed for listed in tournament.entrants if listed.id == entrant), None)


def applicant(tournament: Tournament, player: str) -> Applicant | None:
    return next((listed for listed in tournament.applicants if listed.id == player), None)


def counts_of(tournament: Tournament, player: str) -> Counts:
    """Returns what a player did who has left or asked to enter, so that a return is no new allowance (T-51)."""
    known = (*tournament.gone, *tournament.applicants)
    return next((listed.counts for listed in reversed(known) if listed.id == player), NO_COUNTS)


def offered(tournament: Tournament) -> tuple[str, ...]:
    """Returns the players with an open offer of an entry, in the order of the offers (T-28)."""
    return tuple([offer.player for offer in tournament.offers if offer.status is OfferStatus.OPEN])


def offered_places(tournament: Tournament) -> tuple[str, ...]:
    """Returns the players to whom the place of an entrant is offered (T-19)."""
    return tuple([entrant.offered_to for entrant in tournament.entrants if entrant.offered_to])


def is_waiting(tournament: Tournament, position: int) -> bool:
    """Returns whether the entrant at that position in order of arrival, from 0, is on the waiting list (T-3)."""
    cap = setup_of(tournament).cap
    return tournament.terms is None and cap is not None and position >= cap


def is_live(tournament: Tournament) -> bool:
    return tournament.phase in {Phase.RUNNING, Phase.PAUSED}


def is_over(tournament: Tournament) -> bool:
    return tournament.phase in {Phase.FINISHED, Phase.CANCELLED}


def paired(tournament: Tournament) -> PairedRound | None:
    """Returns the round that has been paired but not started, if any."""
    last = tournament.rounds[-1] if tournament.rounds else None
    return last if last is not None and not last.is_started else None


def started_rounds(tournament: Tournament) -> tuple[PairedRound, ...]:
    """Returns the rounds that have started, in order."""
    return tournament.rounds[:-1] if paired(tournament) else tournament.rounds


def byes_of(round_: PairedRound) -> tuple[int, ...]:
    return tuple([unplayed.entrant for unplayed in round_.unplayed if unplayed.why is Why.PAIRING_BYE])


def numbers_at(tables: Iterable[Seats]) -> list[int]:
    """Returns the entrants at the tables, ascending."""
    return sorted(number for seats in tables for number in seats if number is not None)


def last_round(tournament: Tournament) -> int:
    """Returns the number of the last round that has started; 0 before the first."""
    return len(started_rounds(tournament))


def next_round(tournament: Tournament) -> int:
    """Returns the number of the round to start next, paired or not."""
    return last_round(tournament) + 1


def pairings_planned(tournament: Tournament) -> int:
    """Returns the number of pairings in the settings; each is played for `deals_per_pairing` rounds (D-1)."""
    return (setup_of(tournament).rounds or 0) // tournament.deals_per_pairing


def sitting_of(tournament: Tournament, round_: int) -> int:
    """Returns the sitting of a round, from 1; rounds after the planned ones belong to the last sitting."""
    sittings = terms_of(tournament).rounds_by_sitting
    ends = enumerate(accumulate(sittings), start=1)
    return next((sitting for sitting, end in ends if round_ <= end), len(sittings))


def current_sitting(tournament: Tournament) -> int:
    """Returns the sitting of the round to start next; after the last round, the last sitting."""
    return sitting_of(tournament, next_round(tournament))


def is_first_of_sitting(tournament: Tournament, round_: int) -> bool:
    return round_ == 1 or sitting_of(tournament, round_) != sitting_of(tournament, round_ - 1)


def starts_at(tournament: Tournament, sitting: int) -> int:
    """Returns the start of a sitting, in ms; 0 if no time was set."""
    return setup_of(tournament).sittings[sitting - 1].starts_at or 0


def is_present(tournament: Tournament, entrant: Participant, sitting: int) -> bool:
    """Returns whether an entrant plays in a sitting: bots always do, others unless absent or not checked in (T-4)."""
    if entrant.policy is not None:
        return True
    has_come = not setup_of(tournament).check_in or entrant.checked_in == sitting
    return has_come and entrant.absent_in != sitting


def remaining(tournament: Tournament) -> tuple[Participant, ...]:
    """Returns the entrants who have not left."""
    return tuple([entrant for entrant in tournament.entrants if not entrant.has_left])


def rosters_of(tournament: Tournament) -> Mapping[int, list[Participant]]:
    """Returns the entrants of each team; one who was expelled is no longer one of them (T-31)."""
    found = defaultdict[int, list[Participant]](list)
    for entrant in tournament.entrants:
        if entrant.team is not None and not entrant.is_expelled:
            found[entrant.team].append(entrant)
    return found


def players_of(tournament: Tournament, team: int) -> tuple[Participant, ...]:
    """Returns the people who play for a team and have not left; they may know its code (T-31)."""
    mates = rosters_of(tournament).get(team, ())
    return tuple([mate for mate in mates if mate.policy is None and not mate.has_left])


def team_names(tournament: Tournament, texts: Mapping[str, str] = NO_TEXTS) -> tuple[str, ...]:
    """Returns the names of all teams; `texts` has those that were not erased, by their hashes.

    Simulated tournaments have the names themselves in their logs.
    """
    return tuple(
        [
            texts.get(name) or (f"Team {team}" if is_reason_digest(name) else name)
            for team, name in enumerate(tournament.teams, 1)
        ]
    )


def deal_of(round_: PairedRound) -> int:
    """Returns the number of the deal that all tables of the round share. There is one in each round (D-1)."""
    return round_.number


def is_embargoed(tournament: Tournament, round_: PairedRound) -> bool:
    """Returns whether the tables of the round share a deal that has not been released (D-7)."""
    return tournament.compare is not None and not round_.is_released


def seats_an_entrant(tournament: Tournament, match: Match, player: str) -> bool:
    """Returns whether a player's place has a seat at any table of a board, present or not, no matter who held it then."""
    place = place_of(tournament, player)
    return place is not None and any(place.number in deal.seats for deal in match.deals)


def place_of(tournament: Tournament, player: str) -> Participant | None:
    """Returns the entrant whose place a player holds or held (T-19)."""
    return next((listed for listed in tournament.entrants if listed.was_held_by(player)), None)


def offered_to(tournament: Tournament, player: str) -> Participant | None:
    """Returns the entrant whose place is offered to a player (T-19)."""
    return next((listed for listed in tournament.entrants if listed.offered_to == player), None)


def role_of(tournament: Tournament, player: str) -> Role | None:
    """Returns the part of an official, and `None` for all others (T-50)."""
    if player == tournament.organiser:
        return Role.ORGANISER
    if player in tournament.co_organisers:
        return Role.CO_ORGANISER
    return Role.ARBITER if player in tournament.arbiters else None


def organises(tournament: Tournament, player: str) -> bool:
    """Returns whether a player is the organiser or a co-organiser."""
    return role_of(tournament, player) in {Role.ORGANISER, Role.CO_ORGANISER}


def organisers_of(tournament: Tournament) -> tuple[str, ...]:
    """Returns the organiser and the co-organisers."""
    return (tournament.organiser, *tournament.co_organisers)


def has_organised(tournament: Tournament, player: str) -> bool:
    """Returns whether a player is the organiser, or is or was a co-organiser."""
    return organises(tournament, player) or player in tournament.former_co_organisers


def open_deals(tournament: Tournament) -> tuple[tuple[PairedRound, Match, Deal], ...]:
    """Returns the tables of started rounds that have not been reported yet, whether opened by the service or not."""
    return tuple(
        [
            (round_, match, deal)
            for round_ in started_rounds(tournament)
            if not round_.is_complete
            for match in round_.matches
            for deal in match.deals[-1:]
            if not deal.is_decided
        ]
    )


def is_listed(tournament: Tournament) -> bool:
    """Returns whether everybody sees the tournament in lists."""
    return tournament.admission.visibility is Visibility.PUBLIC


def may_see(tournament: Tournament, player: str | None, *, is_invited: bool) -> bool:
    """Returns whether somebody may know that the tournament exists.

    Args:
        player: their id; `None` for an unknown person.
        is_invited: whether they have the tournament's invitation code.
    """
    if tournament.admission.visibility is not Visibility.PRIVATE or is_invited:
        return True
    if player is None:
        return False
    if role_of(tournament, player) is not None or place_of(tournament, player) is not None:
        return True
    if offered_to(tournament, player) is not None:
        return True
    if player in offered(tournament):  # T-28
        return True
    asked = applicant(tournament, player)
    return asked is not None and not asked.is_declined


def holders_of(entrants: Iterable[Participant]) -> list[str]:
    """Returns the ids of all players who hold or held the places of entrants, without the service's own bots."""
    return [
        player
        for entrant in entrants
        if entrant.policy is None
        for player in (entrant.id, *[before.player for before in entrant.predecessors])
    ]
