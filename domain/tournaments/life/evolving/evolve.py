"""Applies the events of a tournament to its state."""

from typing import assert_never

from msgspec.structs import replace

from hoodwink.domain.kernel import replace_at
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tables.fairness import REVEAL_MS
from hoodwink.domain.tournaments.life import events
from hoodwink.domain.tournaments.life.arena import after_round_event, bell_moved
from hoodwink.domain.tournaments.life.counts import MAX_TIMES
from hoodwink.domain.tournaments.life.evolving.admission import after_entry, with_applicants, with_offers
from hoodwink.domain.tournaments.life.evolving.entrants import (
    entered_again,
    expelled,
    left,
    of_entrant,
    playing_on,
    seeds_missed,
    with_place,
    with_terms,
    without,
)
from hoodwink.domain.tournaments.life.evolving.officials import with_officials
from hoodwink.domain.tournaments.life.evolving.rounds import after_round, with_stopped_tables
from hoodwink.domain.tournaments.life.facts import applicant, setup_of, terms_of
from hoodwink.domain.tournaments.life.outages import after_outage
from hoodwink.domain.tournaments.life.scoring.ranks import terms_for
from hoodwink.domain.tournaments.life.setup import ArenaTimes, SeriesPlace, TeamTerms
from hoodwink.domain.tournaments.life.state import (
    Announcement,
    Call,
    Interval,
    Participant,
    Phase,
    Tournament,
)


def evolve(tournament: Tournament, recorded: Recorded) -> Tournament:
    """Returns the tournament after the event, without checking the event."""
    assert events.is_of_tournament(recorded.event), f"{recorded.event.wire} is not an event of a tournament"
    event, decisions = recorded.event, tournament.decisions
    if type(event) in MAX_TIMES:
        decisions = decisions | {event.wire: decisions.get(event.wire, 0) + 1}
    after = applied(tournament, event, recorded.entry.at)
    return replace(after, version=recorded.entry.version, decisions=decisions)


def applied(tournament: Tournament, event: events.TournamentEvent, at: int) -> Tournament:
    """Returns the tournament after an event at time `at` (ms), with its version unchanged."""
    if isinstance(event, events.RoundEvent):
        after = after_round(tournament, event)
        return after if tournament.arena is None else after_round_event(after, event, at)
    if isinstance(event, events.RequestEvent):
        return with_applicants(tournament, event)
    if isinstance(event, events.OfferEvent):
        return with_offers(tournament, event)
    if isinstance(event, events.FieldEvent):
        return _with_field(tournament, event, at)
    if isinstance(event, events.EntrantEvent):
        return of_entrant(tournament, event, at)
    if isinstance(event, events.PlaceEvent):
        return with_place(tournament, event)
    if isinstance(event, events.OfficialEvent):
        return with_officials(tournament, event)
    if isinstance(event, events.PlanEvent):
        return _replanned(tournament, event)
    if isinstance(event, events.PhaseEvent):
        return _in_phase(tournament, event, at)
    if isinstance(event, events.SettingsEvent):
        return _with_settings(tournament, event)
    match event:
        case events.TournamentOpened():
            return _opened(tournament, event)
        case events.InvitationReplaced() | events.TeamCodeReplaced():
            return _with_new_code(tournament, event)
        case events.CheckInOpened() | events.SeedsCalled() | events.EntrantSeedsMissed():
            return _before_round(tournament, event, at)
        case events.Described() | events.Announced():
            return _with_text(tournament, event, at)
        case _:
            assert_never(event)


def _with_new_code(
    tournament: Tournament, event: events.InvitationReplaced | events.TeamCodeReplaced
) -> Tournament:
    if isinstance(event, events.TeamCodeReplaced):
        team, codes = event.team - 1, tournament.team_codes
        return replace(tournament, team_codes=replace_at(codes, team, codes[team] + 1))
    return replace(tournament, invitations=tournament.invitations + 1)


def _with_field(tournament: Tournament, event: events.FieldEvent, at: int) -> Tournament:
    match event:
        case events.Entered():
            return _entered(tournament, event, at)
        case events.EntrantWithdrew() | events.EntrantWithdrawn():
            return left(tournament, event)
        case events.EntrantExpelled():
            return expelled(tournament, event)
        case events.AbsenceReversed() | events.WithdrawalReversed():
            return playing_on(tournament, event, at)
        case events.EntrantsOrdered():
            return replace(tournament, order=event.entrants)
        case _:
            assert_never(event)


def _before_round(
    tournament: Tournament,
    event: events.CheckInOpened | events.SeedsCalled | events.EntrantSeedsMissed,
    at: int,
) -> Tournament:
    match event:
        case events.CheckInOpened():
            return replace(tournament, check_in=event.sitting, check_in_until=event.until)
        case events.SeedsCalled():
            return replace(tournament, call=_call(event, at))
        case events.EntrantSeedsMissed():
            return seeds_missed(tournament, event)
        case _:
            assert_never(event)


def _in_phase(tournament: Tournament, event: events.PhaseEvent, at: int) -> Tournament:
    match event:
        case events.RegistrationOpened():
            return replace(tournament, phase=Phase.REGISTRATION)
        case events.TournamentStarted():
            return _started(tournament, event, at)
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


def _with_settings(tournament: Tournament, event: events.SettingsEvent) -> Tournament:
    match event:
        case events.DuplicateChosen():
            return replace(tournament, compare=event.compare)
        case events.DealsChosen():
            return replace(tournament, deals_per_pairing=event.deals_per_pairing)
        case events.AdmissionChosen():
            return replace(tournament, admission=event.admission)
        case events.ArenaChosen():
            return replace(tournament, arena=ArenaTimes(event.arena_minutes, event.finish_minutes))
        case events.TeamsChosen():
            return replace(tournament, team_terms=TeamTerms(event.team_size, event.team_counting))
        case events.SeriesJoined():
            return replace(tournament, series=SeriesPlace(event.series, event.number))
        case _:
            assert_never(event)


def _replanned(tournament: Tournament, event: events.PlanEvent) -> Tournament:
    match event:
        case events.RoundsAdded():
            return _with_rounds(replace(tournament, added=(*tournament.added, event.rounds)), event.rounds)
        case events.AddedRoundsReversed():
            return _with_rounds(replace(tournament, added=tournament.added[:-1]), -event.rounds)
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
        counts=entered_again(tournament, event.entrant),
    )
    after = replace(
        tournament,
        entrants=_with_newcomer(tournament, newcomer),
        applicants=without(tournament.applicants, newcomer.id),
        offers=after_entry(tournament.offers, newcomer.id),
        arrivals=arrivals,
        bots_entered=tournament.bots_entered + (event.policy is not None),
    )
    return with_terms(after) if event.number else after


def _with_newcomer(tournament: Tournament, newcomer: Participant) -> tuple[Participant, ...]:
    """Returns the entrants with another one. On the waiting list, those who asked earlier come first (T-26)."""
    cap = setup_of(tournament).cap
    if newcomer.number or cap is None:
        return (*tournament.entrants, newcomer)
    waiting = sorted((*tournament.entrants[cap:], newcomer), key=lambda entrant: entrant.arrival)
    return *tournament.entrants[:cap], *waiting


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


def _call(event: events.SeedsCalled, at: int) -> Call:
    return Call(
        round=event.round,
        awaited=event.entrants,
        until=at + REVEAL_MS,
        early=event.early,
        reason=event.reason,
    )


def _reranked(tournament: Tournament, event: events.TiebreaksChanged) -> Tournament:
    setup = replace(setup_of(tournament), tiebreaks=event.tiebreaks)
    after = replace(tournament, setup=setup)
    return with_terms(after) if tournament.terms is not None else after


def _with_rounds(tournament: Tournament, rounds: int) -> Tournament:
    """Returns the tournament with more rounds in its last sitting, or fewer."""
    setup, planned = setup_of(tournament), terms_of(tournament).rounds
    *earlier, last = setup.sittings
    longer = replace(last, rounds=(last.rounds or 0) + rounds)
    after = replace(tournament, setup=replace(setup, sittings=(*earlier, longer)))
    ids = [entrant.id for entrant in tournament.entrants]
    return replace(after, terms=terms_for(after, ids, planned + rounds))


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
