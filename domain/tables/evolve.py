"""Evolves a table from event to event."""

from collections.abc import Collection, Iterable, Sequence
from typing import assert_never

from msgspec.structs import replace

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Event, Stage, replace_at
from hoodwink.domain.tables import events
from hoodwink.domain.tables.actor import HOST, Actor, is_player
from hoodwink.domain.tables.attention import people_of
from hoodwink.domain.tables.codec import decode_event
from hoodwink.domain.tables.entries import Entry, Recorded, decoded
from hoodwink.domain.tables.fairness import NO_SEED, PlayerSeed, SeedStatus, SharedDeal, initial_seed
from hoodwink.domain.tables.outages import after_outage
from hoodwink.domain.tables.pace import pause_until
from hoodwink.domain.tables.state import (
    MISSED_TURNS_BEFORE_BOT,
    UNOPENED,
    Occupant,
    Phase,
    Result,
    ScoredRound,
    Table,
    Voided,
    is_played_by_bot,
    seed_of,
    turn_of,
)
from hoodwink.domain.tables.taking_back import after_take_back, remembered


def evolve(table: Table, recorded: Recorded) -> Table:
    """Returns the table after the event. `decide` checked the event before it was recorded."""
    event, entry = recorded.event, recorded.entry
    if not events.is_of_table(event):
        return remembered(table, _evolve_game(table, event, entry.at, entry.by), recorded)
    after = _evolve_table(table, event, entry.at)
    return replace(after, undoable=None) if after.undoable else after


def opened_with(table: Table, opening: Iterable[Event], at: int) -> Table:
    """Returns the table after events of its opening that are not recorded yet."""
    for event in opening:
        assert events.is_of_table(event), "nothing is played while a table is opened"
        table = _evolve_table(table, event, at)
    return table


def _evolve_table(table: Table, event: events.TableEvent, at: int) -> Table:
    after = _with_leaver(table, _after_table_event(table, event, at), event)
    if after.phase is Phase.OPEN:
        return after
    restarted = _restarted(event, len(after.seats))
    return replace(after, owing_since=_turns_began(after, turn_of(after).owes, at, restarted))


def _with_leaver(before: Table, after: Table, event: events.TableEvent) -> Table:
    """Returns `after` with the player whose table it was until this event; at most one player leaves."""
    if not isinstance(event, events.SeatLeft | events.OfferWithdrawn | events.HostChanged):
        return replace(after, left_by="") if after.left_by else after
    people = people_of(after)
    left_by = next((player for player in people_of(before) if player not in people), "")
    return after if left_by == after.left_by else replace(after, left_by=left_by)


def _restarted(event: Event, seats: int) -> Collection[int]:
    """Returns the seats whose turn clocks restart with an event of the table."""
    if isinstance(event, events.ClockRanOut | events.PlayerReturned):
        return (event.seat,)
    # At a fork a round may be in play already, but nobody can act until the seeds are revealed.
    return range(seats) if isinstance(event, events.PlayerSeedRevealed | events.PlayerSeedMissed) else ()


def _evolve_game(table: Table, event: Event, at: int, by: Actor) -> Table:
    rulebook = GAMES[table.game]
    state = rulebook.evolve(table.state, event)
    cause = event.cause()
    if cause is None:
        since = _turns_began(table, rulebook.turn(state).owes, at, ())
        after = replace(table, version=table.version + 1, state=state, moved_at=at, owing_since=since)
        return _after_consequence(table, after)
    seat = cause[0]
    is_own, is_entered = is_player(by), by == HOST
    restarted: Collection[int] = ()
    if event.opens_turn:
        restarted = range(len(table.seats))
    elif (event.restarts_clock and not event.is_step) or _restarts_in_turn(table, event, seat, is_own=is_own):
        restarted = (seat,)
    after = replace(
        table,
        version=table.version + 1,
        state=state,
        moved_at=at,
        round_actions=table.round_actions + 1,
        entered=replace_at(table.entered, seat, table.entered[seat] + 1) if is_entered else table.entered,
        # Moves of bots do not count: otherwise a table that all people have left would never be abandoned.
        person_acted_at=at if is_own or is_entered else table.person_acted_at,
        owing_since=_turns_began(table, rulebook.turn(state).owes, at, restarted),
    )
    return _present(after, seat) if is_own else after


def _restarts_in_turn(table: Table, event: Event, seat: int, *, is_own: bool) -> bool:
    """Returns whether the seat gets the full time again in the middle of its turn."""
    # A bot waits once per turn, not for each step. `table` must be the one before the event, because the player's own
    # move takes the seat back from the bot.
    return is_own if is_played_by_bot(table, seat) else event.restarts_clock


def _present(table: Table, seat: int) -> Table:
    """Returns the table after the seat's player showed up, which resets the missed turns."""
    table = _appeared(table, seat)
    if not table.missed_turns[seat]:
        return table
    return replace(
        table,
        missed_turns=replace_at(table.missed_turns, seat, 0),
        away_since=replace_at(table.away_since, seat, None),
    )


def _missed(table: Table, seat: int, at: int) -> Table:
    """Returns the table after a turn that ended because the seat's clock ran out."""
    missed, since = table.missed_turns[seat], table.away_since[seat]
    return replace(
        table,
        missed_turns=replace_at(table.missed_turns, seat, missed + 1),
        away_since=replace_at(table.away_since, seat, at if since is None else since),
    )


def _appeared(table: Table, seat: int) -> Table:
    """Returns the table after the seat's entrant appeared."""
    if seat not in table.awaited:
        return table
    return replace(table, awaited=tuple([other for other in table.awaited if other != seat]))


def _resigned(table: Table, seat: int) -> Table:
    return replace(_appeared(table, seat), resigned=(*table.resigned, seat))


def _ready(table: Table, seat: int, at: int) -> Table:
    """Returns the table after the seat's player said that they are present or ready for the next round."""
    if pause_until(table) is not None:
        table = replace(_present(table, seat), ready=(*table.ready, seat))
    # An entrant's missed turns still count: in logs of earlier releases, a bot may have played for the seat meanwhile.
    return replace(
        _appeared(table, seat), person_acted_at=at, away_since=replace_at(table.away_since, seat, None)
    )


def _after_consequence(before: Table, after: Table) -> Table:
    """Returns `after` with a new round if the event completed a deal."""
    stage = before.rulebook.stage
    if stage(before.state) is not Stage.TO_DEAL or stage(after.state) is not Stage.IN_PLAY:
        return after
    scores = before.rulebook.scores(before.state)
    return replace(
        after,
        round=before.round + 1,
        round_actions=0,
        earlier_actions=before.earlier_actions + before.round_actions,
        round_scores=scores,
        ready=(),
    )


def _after_table_event(table: Table, event: events.TableEvent, at: int) -> Table:
    table = replace(table, version=table.version + 1)
    match event:
        case events.TableOpened():
            return _opened(table, event, at)
        case events.TableForked():
            return _forked(table, table_after(event.entries))
        case events.DealShared():
            return replace(table, shared=SharedDeal(event.deal, event.key), is_embargoed=True)
        case (
            events.SeatTaken()
            | events.SeatLeft()
            | events.SeatOffered()
            | events.OfferWithdrawn()
            | events.HostChanged()
        ):
            return _room_after(table, event, at)
        case events.TableStarted():
            return _started(table, event, at)
        case events.PlayerSeedRevealed() | events.PlayerSeedMissed():
            return _after_reveal(table, event, at)
        case (
            events.PlayerReady()
            | events.NoShow()
            | events.SeatResigned()
            | events.ClockRanOut()
            | events.SeatClaimed()
            | events.PlayerReturned()
        ):
            return _seat_after(table, event, at)
        case events.ActionTakenBack():
            return after_take_back(table, event, at)
        case events.ClocksMoved():
            return after_outage(table, event.since, event.until)
        case events.RoundScored() | events.RoundVoided() | events.TableEnded() | events.TableVoided():
            return _result_after(table, event, at)
        case events.RematchOpened():
            return replace(table, rematch=event.table, rematches=table.rematches + 1)
        case events.SeedRevealed():
            return replace(table, is_embargoed=False)  # the state has the seed from the opening on
        case _:
            assert_never(event)


def _started(table: Table, event: events.TableStarted, at: int) -> Table:
    # The event contains only the values that the opening left open.
    return replace(
        table,
        phase=Phase.PLAYING,
        started_at=at,
        awaiting_since=at,
        person_acted_at=at,
        awaited=_entrants(table),
        turn_seconds=table.turn_seconds if event.turn_seconds is None else event.turn_seconds,
        bot_delay=table.bot_delay if event.bot_delay is None else event.bot_delay,
        round_pause=table.round_pause if event.round_pause is None else event.round_pause,
    )


def _room_after(table: Table, event: events.RoomEvent, at: int) -> Table:
    match event:
        case events.SeatTaken():
            return _seated(table, event)
        case events.SeatLeft():
            return replace(table, seats=replace_at(table.seats, event.seat, None))
        case events.SeatOffered():
            return replace(table, offered=replace_at(table.offered, event.seat, event.player))
        case events.OfferWithdrawn():
            return replace(table, offered=replace_at(table.offered, event.seat, None))
        case events.HostChanged():
            return _handed_over(table, event.player, at)
        case _:
            assert_never(event)


def _seat_after(table: Table, event: events.SeatEvent, at: int) -> Table:
    match event:
        case events.PlayerReady():
            return _ready(table, event.seat, at)
        case events.NoShow():
            return replace(_resigned(table, event.seat), no_shows=(*table.no_shows, event.seat))
        case events.SeatResigned():
            return replace(_resigned(table, event.seat), person_acted_at=at)
        case events.ClockRanOut():
            return _missed(table, event.seat, at)
        case events.SeatClaimed():
            kept = replace_at(table.missed_turns, event.seat, MISSED_TURNS_BEFORE_BOT)
            return replace(table, missed_turns=kept, person_acted_at=at)
        case events.PlayerReturned():
            return replace(_present(table, event.seat), person_acted_at=at)
        case _:
            assert_never(event)


def _result_after(table: Table, event: events.ResultEvent, at: int) -> Table:
    match event:
        case events.RoundScored():
            scored = ScoredRound(table.version, event.round, event.deltas)
            return replace(table, scored=(*table.scored, scored), round_scores=event.totals)
        case events.RoundVoided():
            return replace(table, state=table.rulebook.void_round(table.state))
        case events.TableEnded():
            result = Result(event.outcome, event.places, event.scores)
            return replace(table, phase=Phase.ENDED, ended_at=at, result=result)
        case events.TableVoided():
            return replace(table, voided=Voided(event.admin, event.reason, at))
        case _:
            assert_never(event)


def _seated(table: Table, event: events.SeatTaken) -> Table:
    seed = initial_seed(plain=event.seed, committed=event.seed_commitment)
    return replace(
        table,
        seats=replace_at(table.seats, event.seat, Occupant(event.player, event.policy, seed)),
        # A player who takes another seat no longer needs the offered one.
        offered=tuple([None if player == event.player else player for player in table.offered]),
        has_host_sat=table.has_host_sat or event.player == table.host,
    )


def _handed_over(table: Table, player: str, at: int) -> Table:
    # Only the old host can reveal this seed. After the start, it has already been revealed or missed.
    seed = NO_SEED if table.host_seed.status is SeedStatus.COMMITTED else table.host_seed
    return replace(table, host=player, host_since=at, has_host_sat=True, host_seed=seed)


def _after_reveal(table: Table, event: events.PlayerSeedRevealed | events.PlayerSeedMissed, at: int) -> Table:
    seed = seed_of(table, event.seat)
    if isinstance(event, events.PlayerSeedMissed):
        return _with_seed(table, event.seat, replace(seed, status=SeedStatus.MISSED))
    revealed = replace(seed, status=SeedStatus.REVEALED, text=event.seed)
    return replace(_with_seed(table, event.seat, revealed), person_acted_at=at)


def _with_seed(table: Table, seat: int | None, seed: PlayerSeed) -> Table:
    if seat is None:
        return replace(table, host_seed=seed)
    occupant = table.seats[seat]
    assert occupant is not None, "nobody starts a table with an empty seat"
    return replace(table, seats=replace_at(table.seats, seat, replace(occupant, seed=seed)))


def _entrants(table: Table) -> tuple[int, ...]:
    """Returns the seats whose players have to appear: those of people at a tournament's table."""
    if table.tournament is None:
        return ()
    return tuple(
        [seat for seat, occupant in enumerate(table.seats) if occupant is not None and not occupant.policy]
    )


def _opened(table: Table, event: events.TableOpened, at: int) -> Table:
    rulebook = GAMES[event.game]
    options = rulebook.options(**event.options)
    state = rulebook.initial(options, event.seats)
    return replace(
        table,
        id=event.table,
        edition=event.edition,
        game=event.game,
        options=options,
        host=event.host,
        turn_seconds=event.turn_seconds,
        bot_delay=event.bot_delay,
        round_pause=event.round_pause,
        private=event.private,
        watch=event.watch,
        rematch_of=event.rematch_of,
        take_backs=event.take_backs,
        commitment=event.commitment,
        server_seed=event.server_seed,
        host_seed=initial_seed(plain="", committed=event.seed_commitment),
        rated=event.rated,
        first_dealer=event.first_dealer,
        tournament=event.tournament,
        parent=event.parent,
        seats=(None,) * event.seats,
        offered=(None,) * event.seats,
        state=state,
        round_scores=rulebook.scores(state),
        entered=(0,) * event.seats,
        missed_turns=(0,) * event.seats,
        away_since=(None,) * event.seats,
        owing_since=(None,) * event.seats,
        person_acted_at=at,
    )


def table_after(entries: Sequence[Entry]) -> Table:
    """Returns the table after all events of a log, without verifying them."""
    table = UNOPENED
    for recorded in decoded(entries, decode_event):
        table = evolve(table, recorded)
    return table


def _forked(table: Table, parent: Table) -> Table:
    """Returns the table with the play of its parent, but without the parent's players."""
    return replace(
        table,
        state=parent.state,
        round=parent.round,
        round_actions=parent.round_actions,
        round_scores=parent.round_scores,
        parent_rounds=parent.round,
        parent_scores=parent.parent_scores + parent.rounds_scored,
    )


def _turns_began(
    before: Table, owes: tuple[int, ...], at: int, restarted: Collection[int]
) -> tuple[int | None, ...]:
    """Returns when the turn of each seat that owes an action began; the turns of `restarted` seats begin now."""
    since: list[int | None] = [None] * len(before.seats)
    for seat in owes:
        # A seat whose turn continues keeps its start: otherwise the moves of other seats would give it more time.
        began = before.owing_since[seat]
        since[seat] = at if began is None or seat in restarted else began
    return tuple(since)
