"""Applies the events about single entrants: presence, seeds, byes, departures and substitutions."""

from typing import TypeVar, assert_never

from msgspec.structs import replace

from hoodwink.domain.tournaments.life import events
from hoodwink.domain.tournaments.life.counts import Counts
from hoodwink.domain.tournaments.life.facts import counts_of, current_sitting, participant, terms_of
from hoodwink.domain.tournaments.life.scoring.ranks import terms_for
from hoodwink.domain.tournaments.life.state import Participant, Predecessor, Tournament

_P = TypeVar("_P", bound=Participant)


def of_entrant(tournament: Tournament, event: events.EntrantEvent, at: int) -> Tournament:
    entrant = participant(tournament, event.entrant)
    assert entrant is not None, "only entrants check in, ask for byes and have seeds"
    match event:
        case events.CheckedIn():
            commitment = event.seed_commitment or entrant.commitment
            return changed(
                tournament,
                entrant.id,
                checked_in=event.sitting,
                absent_in=0,
                commitment=commitment,
                is_marked=False,
                returned_at=at,
                free_since=at,
            )
        case events.SaidAbsent() | events.MarkedAbsent():
            is_marked = isinstance(event, events.MarkedAbsent)
            counts = replace(entrant.counts, absences=entrant.counts.absences + 1)
            return changed(
                tournament, entrant.id, absent_in=event.sitting, is_marked=is_marked, counts=counts
            )
        case events.ByeRequested():
            return changed(tournament, entrant.id, byes=(*entrant.byes, event.round))
        case events.ByeAssigned():
            others = [bye for bye in entrant.assigned if bye[0] != event.round]
            return changed(tournament, entrant.id, assigned=(*others, (event.round, event.score)))
        case events.EntrantSeedRevealed():
            return without_awaited(
                changed(tournament, entrant.id, seed=event.seed, commitment=""), entrant.id
            )
        case events.TeamChosen():
            after = _in_team(tournament, entrant, event)
            return after if tournament.terms is None else with_terms(after)
        case _:
            assert_never(event)


def _in_team(tournament: Tournament, entrant: Participant, event: events.TeamChosen) -> Tournament:
    counts = replace(entrant.counts, team_changes=entrant.counts.team_changes + 1)
    if event.name:
        counts = replace(counts, teams_founded=counts.teams_founded + 1)
        teams, codes = (*tournament.teams, event.name), (*tournament.team_codes, 0)
        tournament = replace(tournament, teams=teams, team_codes=codes)
    return changed(tournament, entrant.id, team=event.team, counts=counts)


def left(
    tournament: Tournament, event: events.EntrantWithdrew | events.EntrantWithdrawn | events.EntrantExpelled
) -> Tournament:
    if tournament.terms is None:  # an entrant who leaves before the start makes room (T-3)
        staying = without(tournament.entrants, event.entrant)
        leaving = [entrant for entrant in tournament.entrants if entrant.id == event.entrant]
        gone = (*without(tournament.gone, event.entrant), *leaving)
        order = tuple([id_ for id_ in tournament.order if id_ != event.entrant])
        return replace(tournament, entrants=staying, gone=gone, order=order)
    is_withdrawn = isinstance(event, events.EntrantWithdrawn)
    after = changed(tournament, event.entrant, left_after=event.left_after, is_withdrawn=is_withdrawn)
    return without_awaited(after, event.entrant)


def entered_again(tournament: Tournament, player: str) -> Counts:
    """Returns the counts of a player who enters or asks for it."""
    before = counts_of(tournament, player)
    return replace(before, entries=before.entries + 1)


def expelled(tournament: Tournament, event: events.EntrantExpelled) -> Tournament:
    after = left(tournament, event)
    if tournament.terms is None:
        return replace(after, barred=(*tournament.barred, event.entrant))
    return changed(_lapsed(after, event.entrant), event.entrant, is_expelled=True, offered_to="")


def _lapsed(tournament: Tournament, entrant: str) -> Tournament:
    """Returns the tournament after the offer of a place lapsed, if there was one."""
    offering = participant(tournament, entrant)
    assert offering is not None, "after the start, an entrant stays one"
    return replace(tournament, lapsed=offering.offered_to)


def seeds_missed(tournament: Tournament, event: events.EntrantSeedsMissed) -> Tournament:
    for entrant in event.entrants:
        tournament = without_awaited(changed(tournament, entrant, seed="", commitment=""), entrant)
    return tournament


def without_awaited(tournament: Tournament, entrant: str) -> Tournament:
    """Returns the tournament after it stopped waiting for an entrant's seed."""
    call = tournament.call
    if call is None:
        return tournament
    awaited = tuple([id_ for id_ in call.awaited if id_ != entrant])
    return replace(tournament, call=replace(call, awaited=awaited))


def with_terms(tournament: Tournament) -> Tournament:
    """Returns the tournament with new terms for its settings and entrants."""
    ids = [entrant.id for entrant in tournament.entrants]
    return replace(tournament, terms=terms_for(tournament, ids, terms_of(tournament).rounds))


def changed(tournament: Tournament, entrant: str, **changes: object) -> Tournament:
    """Returns the tournament with an entrant's fields replaced."""
    entrants = tuple(
        [replace(listed, **changes) if listed.id == entrant else listed for listed in tournament.entrants]
    )
    return replace(tournament, entrants=entrants)


def without(listed: tuple[_P, ...], player: str) -> tuple[_P, ...]:
    return tuple([each for each in listed if each.id != player])


def with_place(tournament: Tournament, event: events.PlaceEvent) -> Tournament:
    """Returns the tournament after the place of an entrant was offered, declined, taken or given back (T-19, V-7)."""
    entrant = participant(tournament, event.entrant)
    assert entrant is not None, "only entrants have places"
    match event:
        case events.PlaceOffered():
            known = any(each.id == event.player for each in tournament.gone)
            invited = () if known else (Participant(id=event.player),)
            return changed(
                replace(tournament, gone=(*tournament.gone, *invited)),
                entrant.id,
                offered_to=event.player,
                offers=entrant.offers + 1,
            )
        case events.PlaceDeclined():
            return changed(tournament, entrant.id, offered_to="")
        case events.EntrantSubstituted():
            before = Predecessor(
                player=entrant.id,
                until=event.until,
                had_left=entrant.has_left,
                was_withdrawn=entrant.is_withdrawn,
            )
            after = _handed_over(tournament, entrant, before, to=event.player)
            # They have just said that they play, which is what check-in asks for.
            sitting = current_sitting(tournament)
            return changed(
                after,
                event.player,
                commitment=event.seed_commitment,
                checked_in=sitting if tournament.check_in == sitting else 0,
            )
        case events.SubstitutionReversed():
            before = Predecessor(player=entrant.id, until=event.until, is_reversal=True)
            after = _handed_over(_lapsed(tournament, entrant.id), entrant, before, to=event.player)
            last = entrant.predecessors[-1]
            left_after = event.until if last.had_left else None
            return changed(after, event.player, left_after=left_after, is_withdrawn=last.was_withdrawn)
        case _:
            assert_never(event)


def _handed_over(tournament: Tournament, entrant: Participant, before: Predecessor, *, to: str) -> Tournament:
    """Returns the tournament after another player took over a place, with its number, opponents and past byes."""
    until = before.until
    holder = replace(
        entrant,
        id=to,
        left_after=None,
        seed="",
        commitment="",
        checked_in=0,
        absent_in=0,
        is_marked=False,
        is_withdrawn=False,
        byes=tuple([round_ for round_ in entrant.byes if round_ <= until]),
        assigned=tuple([bye for bye in entrant.assigned if bye[0] <= until]),
        predecessors=(*entrant.predecessors, before),
        offered_to="",
    )
    entrants = tuple([holder if listed.id == entrant.id else listed for listed in tournament.entrants])
    gone = tournament.gone
    if not any(each.id == entrant.id for each in gone):
        gone = (*gone, Participant(id=entrant.id))
    after = replace(tournament, entrants=entrants, gone=gone, applicants=without(tournament.applicants, to))
    return with_terms(without_awaited(after, entrant.id))


def playing_on(
    tournament: Tournament, event: events.AbsenceReversed | events.WithdrawalReversed, at: int
) -> Tournament:
    """Returns the tournament after an administrator reversed an absence or a withdrawal (V-7)."""
    if isinstance(event, events.AbsenceReversed):
        return changed(tournament, event.entrant, absent_in=0, is_marked=False, free_since=at)
    return changed(tournament, event.entrant, left_after=None, is_withdrawn=False, free_since=at)
