"""How each event changes a tournament."""

from typing import assert_never

from msgspec.structs import replace

from domain.tables.entries import Recorded
from domain.tables.fairness import REVEAL_MS
from domain.tournaments.life import events
from domain.tournaments.life.evolve_rounds import evolve_rounds
from domain.tournaments.life.ranks import terms_for
from domain.tournaments.life.state import (
    Call,
    Interval,
    Participant,
    Phase,
    Tournament,
    participant,
    setup_of,
    terms_of,
)


def evolve(tournament: Tournament, recorded: Recorded) -> Tournament:
    """Returns the tournament after the event; trusts it."""
    assert events.is_of_tournament(recorded.event), f"{recorded.event.wire} is no event of a tournament"
    return replace(applied(tournament, recorded.event, recorded.entry.at), version=recorded.entry.version)


def applied(tournament: Tournament, event: events.TournamentEvent, at: int) -> Tournament:
    """Returns the tournament after what happened at `at` (ms), its version unchanged."""
    if isinstance(event, events.RoundEvent):
        return evolve_rounds(tournament, event)
    match event:
        case events.TournamentOpened():
            return _opened(tournament, event)
        case events.RegistrationOpened():
            return replace(tournament, phase=Phase.REGISTRATION)
        case events.Entered():
            return _entered(tournament, event)
        case events.EntrantWithdrew():
            return _left(tournament, event)
        case events.EntrantExpelled():
            return _expelled(tournament, event)
        case events.EntrantsOrdered():
            return replace(tournament, order=event.entrants)
        case events.TournamentStarted():
            return _started(tournament, event)
        case events.CheckInOpened():
            return replace(tournament, check_in=event.sitting, check_in_until=event.until)
        case (
            events.CheckedIn()
            | events.SaidAbsent()
            | events.ByeRequested()
            | events.ByeAssigned()
            | events.EntrantSeedRevealed()
        ):
            return _of_entrant(tournament, event)
        case events.SeedsCalled():
            return replace(tournament, call=_call(event, at))
        case events.EntrantSeedsMissed():
            return _missed(tournament, event)
        case events.TiebreaksChanged():
            return _reranked(tournament, event)
        case events.SittingRescheduled():
            return _rescheduled(tournament, event)
        case events.TournamentPaused():
            return replace(tournament, phase=Phase.PAUSED, pauses=(*tournament.pauses, Interval(at)))
        case events.TournamentResumed():
            return _resumed(tournament, at)
        case events.TournamentFinished():
            return _over(tournament, Phase.FINISHED, at)
        case events.TournamentCancelled():
            return _over(tournament, Phase.CANCELLED, at)
        case events.SeedRevealed():
            return replace(tournament, is_seed_revealed=True)
        case _:
            assert_never(event)


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


def _entered(tournament: Tournament, event: events.Entered) -> Tournament:
    newcomer = Participant(
        id=event.entrant,
        name=event.name,
        policy=event.policy,
        number=event.number,
        from_round=event.from_round,
        commitment=event.seed_commitment,
    )
    entrants = (*tournament.entrants, newcomer)
    bots = tournament.bots_entered + (event.policy is not None)
    after = replace(tournament, entrants=entrants, bots_entered=bots)
    return _with_terms(after) if event.number else after


def _with_terms(tournament: Tournament) -> Tournament:
    """Returns the tournament with the terms that its settings and entrants lead to."""
    ids = [one.id for one in tournament.entrants]
    return replace(tournament, terms=terms_for(setup_of(tournament), ids, terms_of(tournament).rounds))


def _left(tournament: Tournament, event: events.EntrantWithdrew | events.EntrantExpelled) -> Tournament:
    if tournament.terms is None:  # whoever leaves before the start makes room (T-3)
        staying = tuple([one for one in tournament.entrants if one.id != event.entrant])
        leaving = [one for one in tournament.entrants if one.id == event.entrant]
        gone = (*[one for one in tournament.gone if one.id != event.entrant], *leaving)
        order = tuple([entrant for entrant in tournament.order if entrant != event.entrant])
        return replace(tournament, entrants=staying, gone=gone, order=order)
    return _uncalled(_changed(tournament, event.entrant, left_after=event.left_after), event.entrant)


def _uncalled(tournament: Tournament, entrant: str) -> Tournament:
    """Returns the tournament with an entrant's seed awaited no longer."""
    call = tournament.call
    if call is None:
        return tournament
    awaited = tuple([one for one in call.awaited if one != entrant])
    return replace(tournament, call=replace(call, awaited=awaited))


def _expelled(tournament: Tournament, event: events.EntrantExpelled) -> Tournament:
    after = _left(tournament, event)
    if tournament.terms is None:
        return replace(after, barred=(*tournament.barred, event.entrant))
    return _changed(after, event.entrant, is_expelled=True)


def _changed(tournament: Tournament, entrant: str, **changes: object) -> Tournament:
    """Returns the tournament with an entrant's fields replaced."""
    entrants = tuple([replace(one, **changes) if one.id == entrant else one for one in tournament.entrants])
    return replace(tournament, entrants=entrants)


def _started(tournament: Tournament, event: events.TournamentStarted) -> Tournament:
    by_id, placed = {one.id: one for one in tournament.entrants}, set(event.entrants)
    entrants = [replace(by_id[entrant], number=rank) for rank, entrant in enumerate(event.entrants, start=1)]
    unplaced = [one for one in tournament.entrants if one.id not in placed]
    return replace(
        tournament,
        phase=Phase.RUNNING,
        entrants=tuple(entrants),
        gone=(*tournament.gone, *unplaced),
        unplaced=tuple([one.id for one in unplaced]),
        terms=terms_for(setup_of(tournament), event.entrants, event.rounds),
        schedule=event.schedule,
    )


def _of_entrant(
    tournament: Tournament,
    event: events.CheckedIn
    | events.SaidAbsent
    | events.ByeRequested
    | events.ByeAssigned
    | events.EntrantSeedRevealed,
) -> Tournament:
    one = participant(tournament, event.entrant)
    assert one is not None, "only entrants check in, ask for byes and have seeds"
    match event:
        case events.CheckedIn():
            commitment = event.seed_commitment or one.commitment
            return _changed(tournament, one.id, checked_in=event.sitting, absent_in=0, commitment=commitment)
        case events.SaidAbsent():
            return _changed(tournament, one.id, absent_in=event.sitting)
        case events.ByeRequested():
            return _changed(tournament, one.id, byes=(*one.byes, event.round))
        case events.ByeAssigned():
            others = [bye for bye in one.assigned if bye[0] != event.round]
            return _changed(tournament, one.id, assigned=(*others, (event.round, event.score)))
        case events.EntrantSeedRevealed():
            return _uncalled(_changed(tournament, one.id, seed=event.seed, commitment=""), one.id)
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
        tournament = _uncalled(_changed(tournament, entrant, seed="", commitment=""), entrant)
    return tournament


def _reranked(tournament: Tournament, event: events.TiebreaksChanged) -> Tournament:
    setup = replace(setup_of(tournament), tiebreaks=event.tiebreaks)
    after = replace(tournament, setup=setup)
    return _with_terms(after) if tournament.terms is not None else after


def _rescheduled(tournament: Tournament, event: events.SittingRescheduled) -> Tournament:
    setup = setup_of(tournament)
    sittings = tuple(
        [
            replace(sitting, starts_at=event.starts_at) if number == event.sitting else sitting
            for number, sitting in enumerate(setup.sittings, start=1)
        ]
    )
    return replace(tournament, setup=replace(setup, sittings=sittings))


def _over(tournament: Tournament, phase: Phase, at: int) -> Tournament:
    """Returns the tournament ended, and with it a pause: the time of grace at its open tables goes on."""
    pauses = tournament.pauses
    if tournament.phase is Phase.PAUSED:
        *earlier, pause = pauses
        pauses = (*earlier, Interval(pause.since, at))
    return replace(tournament, phase=phase, call=None, pauses=pauses)


def _resumed(tournament: Tournament, at: int) -> Tournament:
    """Returns the tournament with what the pause held up put off by its length: check-in, and seeds to be revealed."""
    *earlier, pause = tournament.pauses
    is_checking_in = tournament.check_in_until > pause.since
    call = tournament.call
    return replace(
        tournament,
        phase=Phase.RUNNING,
        pauses=(*earlier, Interval(pause.since, at)),
        check_in_until=tournament.check_in_until + (at - pause.since if is_checking_in else 0),
        call=None if call is None else replace(call, until=at + REVEAL_MS),
    )
