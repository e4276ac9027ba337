"""Applies the events of a tournament to its state."""

from typing import TypeVar, assert_never

from msgspec.structs import replace

from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tables.fairness import REVEAL_MS
from hoodwink.domain.tournaments.life import events
from hoodwink.domain.tournaments.life.arena import after_round_event, bell_moved
from hoodwink.domain.tournaments.life.evolve_officials import with_officials
from hoodwink.domain.tournaments.life.evolve_rounds import evolve_rounds, with_stopped_tables
from hoodwink.domain.tournaments.life.facts import applicant, participant, setup_of, terms_of
from hoodwink.domain.tournaments.life.outages import after_outage
from hoodwink.domain.tournaments.life.scoring.ranks import terms_for
from hoodwink.domain.tournaments.life.setup import ArenaTimes
from hoodwink.domain.tournaments.life.state import (
    Announcement,
    Applicant,
    Call,
    Interval,
    Participant,
    Phase,
    Tournament,
)

_P = TypeVar("_P", bound=Participant)


def evolve(tournament: Tournament, recorded: Recorded) -> Tournament:
    """Returns the tournament after the event, without checking the event."""
    assert events.is_of_tournament(recorded.event), f"{recorded.event.wire} is not an event of a tournament"
    return replace(applied(tournament, recorded.event, recorded.entry.at), version=recorded.entry.version)


def applied(tournament: Tournament, event: events.TournamentEvent, at: int) -> Tournament:
    """Returns the tournament after an event at time `at` (ms), with its version unchanged."""
    if isinstance(event, events.RoundEvent):
        after = evolve_rounds(tournament, event)
        return after if tournament.arena is None else after_round_event(after, event, at)
    if isinstance(event, events.RequestEvent):
        return _of_applicant(tournament, event)
    if isinstance(event, events.EntrantEvent):
        return _of_entrant(tournament, event, at)
    match event:
        case events.TournamentOpened():
            return _opened(tournament, event)
        case events.DuplicateChosen() | events.AdmissionChosen() | events.ArenaChosen():
            return _with_settings(tournament, event)
        case events.InvitationReplaced():
            return replace(tournament, invitations=tournament.invitations + 1)
        case events.RegistrationOpened():
            return replace(tournament, phase=Phase.REGISTRATION)
        case events.Entered():
            return _entered(tournament, event, at)
        case events.EntrantWithdrew() | events.EntrantWithdrawn():
            return _left(tournament, event)
        case events.EntrantExpelled():
            return _expelled(tournament, event)
        case events.EntrantsOrdered():
            return replace(tournament, order=event.entrants)
        case events.TournamentStarted():
            return _started(tournament, event, at)
        case events.CheckInOpened():
            return replace(tournament, check_in=event.sitting, check_in_until=event.until)
        case events.SeedsCalled():
            return replace(tournament, call=_call(event, at))
        case events.EntrantSeedsMissed():
            return _missed(tournament, event)
        case (
            events.ArbiterNamed()
            | events.ArbiterRemoved()
            | events.CoOrganiserNamed()
            | events.CoOrganiserRemoved()
        ):
            return with_officials(tournament, event)
        case events.RoundsAdded() | events.TiebreaksChanged() | events.SittingRescheduled():
            return _replanned(tournament, event)
        case events.Described() | events.Announced():
            return _with_text(tournament, event, at)
        case events.TournamentPaused() | events.TournamentResumed() | events.ClocksMoved():
            return _with_clocks(tournament, event, at)
        case events.BellRung() | events.OvertimeEnded():
            return _after_bell(tournament, event)
        case events.TournamentFinished() | events.TournamentCancelled():
            return _ended(tournament, event, at)
        case events.SeedRevealed():
            return replace(tournament, is_seed_revealed=True)
        case _:
            assert_never(event)


def _with_settings(
    tournament: Tournament, event: events.DuplicateChosen | events.AdmissionChosen | events.ArenaChosen
) -> Tournament:
    match event:
        case events.DuplicateChosen():
            return replace(tournament, compare=event.compare)
        case events.AdmissionChosen():
            return replace(tournament, admission=event.admission)
        case events.ArenaChosen():
            return replace(tournament, arena=ArenaTimes(event.arena_minutes, event.finish_minutes))
        case _:
            assert_never(event)


def _replanned(
    tournament: Tournament,
    event: events.RoundsAdded | events.TiebreaksChanged | events.SittingRescheduled,
) -> Tournament:
    match event:
        case events.RoundsAdded():
            return _with_rounds(tournament, event)
        case events.TiebreaksChanged():
            return _reranked(tournament, event)
        case events.SittingRescheduled():
            return _rescheduled(tournament, event)
        case _:
            assert_never(event)


def _with_clocks(
    tournament: Tournament,
    event: events.TournamentPaused | events.TournamentResumed | events.ClocksMoved,
    at: int,
) -> Tournament:
    match event:
        case events.TournamentPaused():
            return replace(tournament, phase=Phase.PAUSED, pauses=(*tournament.pauses, Interval(at)))
        case events.TournamentResumed():
            return _resumed(tournament, at)
        case events.ClocksMoved():
            return after_outage(tournament, event.since, event.until)
        case _:
            assert_never(event)


def _after_bell(tournament: Tournament, event: events.BellRung | events.OvertimeEnded) -> Tournament:
    if isinstance(event, events.BellRung):
        return replace(tournament, is_bell_rung=True, call=None)
    return with_stopped_tables(tournament)


def _with_text(tournament: Tournament, event: events.Described | events.Announced, at: int) -> Tournament:
    if isinstance(event, events.Described):
        return replace(tournament, description=event.text, descriptions=tournament.descriptions + 1)
    announced = Announcement(official=event.official, text=event.text, at=at)
    return replace(tournament, announcements=(*tournament.announcements, announced))


def _opened(tournament: Tournament, event: events.TournamentOpened) -> Tournament:
    return replace(
        tournament,
        id=event.tournament,
        edition=event.edition,
        organiser=event.organiser,
        setup=event.setup,
        commitment=event.commitment,
        server_seed=event.server_seed,
    )


def _entered(tournament: Tournament, event: events.Entered, at: int) -> Tournament:
    asked = applicant(tournament, event.entrant)
    arrivals = tournament.arrivals + (asked is None)
    newcomer = Participant(
        id=event.entrant,
        policy=event.policy,
        number=event.number,
        arrival=arrivals if asked is None else asked.arrival,
        from_round=event.from_round,
        commitment=event.seed_commitment,
        free_since=at,
    )
    after = replace(
        tournament,
        entrants=_with_newcomer(tournament, newcomer),
        applicants=_without(tournament.applicants, newcomer.id),
        arrivals=arrivals,
        bots_entered=tournament.bots_entered + (event.policy is not None),
    )
    return _with_terms(after) if event.number else after


def _with_newcomer(tournament: Tournament, newcomer: Participant) -> tuple[Participant, ...]:
    """Returns the entrants with another one. On the waiting list, those who asked earlier come first (T-26)."""
    cap = setup_of(tournament).cap
    if newcomer.number or cap is None:
        return (*tournament.entrants, newcomer)
    waiting = sorted((*tournament.entrants[cap:], newcomer), key=lambda entrant: entrant.arrival)
    return *tournament.entrants[:cap], *waiting


def _of_applicant(tournament: Tournament, event: events.RequestEvent) -> Tournament:
    match event:
        case events.EntryRequested():
            asking = Applicant(
                id=event.entrant, arrival=tournament.arrivals + 1, commitment=event.seed_commitment
            )
            return replace(
                tournament,
                applicants=(*tournament.applicants, asking),
                gone=_without(tournament.gone, asking.id),
                arrivals=asking.arrival,
            )
        case events.EntryAccepted():  # the entry follows
            return tournament
        case events.EntryDeclined():
            declined = [
                replace(asking, is_declined=True) if asking.id == event.entrant else asking
                for asking in tournament.applicants
            ]
            return replace(tournament, applicants=tuple(declined))
        case events.RequestWithdrawn():
            leaving = [asking for asking in tournament.applicants if asking.id == event.entrant]
            return replace(
                tournament,
                applicants=_without(tournament.applicants, event.entrant),
                gone=(*tournament.gone, *leaving),
            )
        case _:
            assert_never(event)


def _without(listed: tuple[_P, ...], player: str) -> tuple[_P, ...]:
    return tuple([each for each in listed if each.id != player])


def _with_terms(tournament: Tournament) -> Tournament:
    """Returns the tournament with new terms for its settings and entrants."""
    ids = [entrant.id for entrant in tournament.entrants]
    return replace(tournament, terms=terms_for(tournament, ids, terms_of(tournament).rounds))


def _left(
    tournament: Tournament, event: events.EntrantWithdrew | events.EntrantWithdrawn | events.EntrantExpelled
) -> Tournament:
    if tournament.terms is None:  # an entrant who leaves before the start makes room (T-3)
        staying = _without(tournament.entrants, event.entrant)
        leaving = [entrant for entrant in tournament.entrants if entrant.id == event.entrant]
        gone = (*_without(tournament.gone, event.entrant), *leaving)
        order = tuple([id_ for id_ in tournament.order if id_ != event.entrant])
        return replace(tournament, entrants=staying, gone=gone, order=order)
    return _without_awaited(_changed(tournament, event.entrant, left_after=event.left_after), event.entrant)


def _without_awaited(tournament: Tournament, entrant: str) -> Tournament:
    """Returns the tournament after it stopped waiting for an entrant's seed."""
    call = tournament.call
    if call is None:
        return tournament
    awaited = tuple([id_ for id_ in call.awaited if id_ != entrant])
    return replace(tournament, call=replace(call, awaited=awaited))


def _expelled(tournament: Tournament, event: events.EntrantExpelled) -> Tournament:
    after = _left(tournament, event)
    if tournament.terms is None:
        return replace(after, barred=(*tournament.barred, event.entrant))
    return _changed(after, event.entrant, is_expelled=True)


def _changed(tournament: Tournament, entrant: str, **changes: object) -> Tournament:
    """Returns the tournament with an entrant's fields replaced."""
    entrants = tuple(
        [replace(listed, **changes) if listed.id == entrant else listed for listed in tournament.entrants]
    )
    return replace(tournament, entrants=entrants)


def _started(tournament: Tournament, event: events.TournamentStarted, at: int) -> Tournament:
    by_id, placed = {newcomer.id: newcomer for newcomer in tournament.entrants}, set(event.entrants)
    entrants = [
        replace(by_id[entrant], number=rank, free_since=0)
        for rank, entrant in enumerate(event.entrants, start=1)
    ]
    unplaced = [newcomer for newcomer in tournament.entrants if newcomer.id not in placed]
    return replace(
        tournament,
        phase=Phase.RUNNING,
        started_at=at,
        entrants=tuple(entrants),
        gone=(*tournament.gone, *unplaced),
        unplaced=tuple([newcomer.id for newcomer in unplaced]),
        terms=terms_for(tournament, event.entrants, event.rounds),
        schedule=event.schedule,
    )


def _of_entrant(tournament: Tournament, event: events.EntrantEvent, at: int) -> Tournament:
    entrant = participant(tournament, event.entrant)
    assert entrant is not None, "only entrants check in, ask for byes and have seeds"
    match event:
        case events.CheckedIn():
            commitment = event.seed_commitment or entrant.commitment
            return _changed(
                tournament,
                entrant.id,
                checked_in=event.sitting,
                absent_in=0,
                commitment=commitment,
                returned_at=at,
                free_since=at,
            )
        case events.SaidAbsent() | events.MarkedAbsent():
            return _changed(tournament, entrant.id, absent_in=event.sitting)
        case events.ByeRequested():
            return _changed(tournament, entrant.id, byes=(*entrant.byes, event.round))
        case events.ByeAssigned():
            others = [bye for bye in entrant.assigned if bye[0] != event.round]
            return _changed(tournament, entrant.id, assigned=(*others, (event.round, event.score)))
        case events.EntrantSeedRevealed():
            return _without_awaited(
                _changed(tournament, entrant.id, seed=event.seed, commitment=""), entrant.id
            )
        case _:
            assert_never(event)


def _call(event: events.SeedsCalled, at: int) -> Call:
    return Call(
        round=event.round,
        awaited=event.entrants,
        until=at + REVEAL_MS,
        early=event.early,
        reason=event.reason,
    )


def _missed(tournament: Tournament, event: events.EntrantSeedsMissed) -> Tournament:
    for entrant in event.entrants:
        tournament = _without_awaited(_changed(tournament, entrant, seed="", commitment=""), entrant)
    return tournament


def _reranked(tournament: Tournament, event: events.TiebreaksChanged) -> Tournament:
    setup = replace(setup_of(tournament), tiebreaks=event.tiebreaks)
    after = replace(tournament, setup=setup)
    return _with_terms(after) if tournament.terms is not None else after


def _with_rounds(tournament: Tournament, event: events.RoundsAdded) -> Tournament:
    """Returns the tournament with more rounds in its last sitting."""
    setup, planned = setup_of(tournament), terms_of(tournament).rounds
    *earlier, last = setup.sittings
    longer = replace(last, rounds=(last.rounds or 0) + event.rounds)
    after = replace(tournament, setup=replace(setup, sittings=(*earlier, longer)))
    ids = [entrant.id for entrant in tournament.entrants]
    return replace(after, terms=terms_for(after, ids, planned + event.rounds))


def _rescheduled(tournament: Tournament, event: events.SittingRescheduled) -> Tournament:
    setup = setup_of(tournament)
    sittings = tuple(
        [
            replace(sitting, starts_at=event.starts_at) if number == event.sitting else sitting
            for number, sitting in enumerate(setup.sittings, start=1)
        ]
    )
    return replace(tournament, setup=replace(setup, sittings=sittings))


def _ended(
    tournament: Tournament, event: events.TournamentFinished | events.TournamentCancelled, at: int
) -> Tournament:
    """Returns the ended tournament. A pause ends with it, so that the grace period at open tables continues."""
    phase = Phase.FINISHED if isinstance(event, events.TournamentFinished) else Phase.CANCELLED
    pauses = tournament.pauses
    if tournament.phase is Phase.PAUSED:
        *earlier, pause = pauses
        pauses = (*earlier, Interval(pause.since, at))
    return replace(tournament, phase=phase, call=None, pauses=pauses)


def _resumed(tournament: Tournament, at: int) -> Tournament:
    """Returns the resumed tournament: the pause extends check-in, and the time to reveal seeds starts again."""
    *earlier, pause = tournament.pauses
    is_checking_in = tournament.check_in_until > pause.since
    call = tournament.call
    return replace(
        tournament,
        phase=Phase.RUNNING,
        pauses=(*earlier, Interval(pause.since, at)),
        check_in_until=tournament.check_in_until + (at - pause.since if is_checking_in else 0),
        call=None if call is None else replace(call, until=at + REVEAL_MS),
        bell_moved=0 if tournament.arena is None else bell_moved(tournament, pause.since, at),
    )
