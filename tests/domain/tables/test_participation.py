"""Participation: what the people in the seats of a table played themselves, counted from its log."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from hoodwink.domain.games import GAMES
from hoodwink.domain.games.double_blind.actions import ExposePocket, ExposeSleeve
from hoodwink.domain.kernel import Stage
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.actor import is_player
from hoodwink.domain.tables.codec import decode_event
from hoodwink.domain.tables.entries import decoded
from hoodwink.domain.tables.participation import Participation, participation
from hoodwink.domain.tables.proving.log import parse_log
from hoodwink.domain.tables.state import (
    Phase,
    is_played_by_bot,
    stage_of,
    turn_of,
)
from tests.domain.tables.sitting import Sitting, playing
from tests.domain.tables.test_clocks import run_out

GOLDEN = Path(__file__).parents[2] / "golden"


def counted(sitting: Sitting) -> tuple[Participation | None, ...]:
    return participation(sitting.entries)


def person(sitting: Sitting, seat: int) -> Participation:
    found = counted(sitting)[seat]
    assert found is not None
    return found


class Tally:
    """Counts moves by the state of the table as they are made, and not from its events."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting
        self.moves: Counter[tuple[int, bool, int]] = Counter()

    def count(self, seat: int, *, by_bot: bool) -> None:
        self.moves[seat, by_bot, self.sitting.table.round] += 1

    def of(self, seat: int) -> Participation:
        mine = {key: number for key, number in self.moves.items() if key[0] == seat}
        return Participation(
            turns=sum(mine.values()),
            turns_by_bot=sum([number for (_, by_bot, _), number in mine.items() if by_bot]),
            rounds=len({round_ for _, _, round_ in mine}),
            rounds_played=len(
                {
                    round_
                    for _, _, round_ in mine
                    if mine.get((seat, False, round_), 0) >= mine.get((seat, True, round_), 0)
                }
            ),
        )


def disturb(sitting: Sitting, tally: Tally, chance: Random, people: int) -> None:
    """Lets a clock run out, or a player be replaced by a bot, return or resign, where that is allowed."""
    table, seat = sitting.table, chance.randrange(people)
    owes = stage_of(table) is Stage.IN_PLAY and seat in turn_of(table).owes
    what = chance.choice(("run out", "run out", "claim", "return", "resign"))
    if what == "run out" and owes and not is_played_by_bot(table, seat):
        run_out(sitting, seat)
        tally.count(seat, by_bot=True)
    elif what == "claim" and table.away_since[seat] is not None and not is_played_by_bot(table, seat):
        sitting.do(commands.ClaimSeat(seat), by=f"player:{(seat + 1) % people}")
    elif what == "return" and is_played_by_bot(table, seat) and seat not in table.resigned:
        sitting.do(commands.Return(seat), by=f"player:{seat}")
    elif what == "resign" and seat not in table.resigned and chance.random() < 0.02:
        sitting.resign(seat)


def act(sitting: Sitting, tally: Tally, chance: Random, people: int) -> None:
    """Lets a seat that owes an action take it; a player may take the seat back from a bot by moving."""
    seat = chance.choice(turn_of(sitting.table).owes)
    is_person = seat < people and seat not in sitting.table.resigned
    by_bot = not is_person or (is_played_by_bot(sitting.table, seat) and chance.random() < 0.7)
    tally.count(seat, by_bot=by_bot)
    sitting.act(seat, by=f"bot:{seat}" if by_bot else f"player:{seat}", after_ms=1)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_participation_of_random_tables_agrees_with_a_count_of_their_moves(game, seed):
    chance = Random(seed)
    names = ("ada", "bo", "cy", "bot") if GAMES[game].seats[1] > 2 else ("ada", "bo")
    people = min(3, len(names))
    sitting = playing(*names, game=game, turn_seconds=5)
    tally = Tally(sitting)
    while sitting.table.phase is Phase.PLAYING and len(sitting.entries) < 1_500:
        if chance.random() < 0.2:
            disturb(sitting, tally, chance, people)
        elif stage_of(sitting.table) is Stage.IN_PLAY:
            act(sitting, tally, chance, people)
        else:
            sitting.step()
    assert counted(sitting)[:people] == tuple([tally.of(seat) for seat in range(people)])
    assert counted(sitting)[people:] == (None,) * (len(names) - people)
    assert any(by_bot for _, by_bot, _ in tally.moves)


def test_every_golden_log_can_be_counted():
    for log in GOLDEN.glob("*.log"):
        _, entries = parse_log(log.read_bytes())
        recorded = decoded(entries, decode_event)
        acted = [event for event in recorded if event.event.cause() is not None]
        seats = [seat for seat in participation(entries) if seat is not None]
        by_people = [event for event in acted if is_player(event.entry.by)]
        assert sum([seat.turns - seat.turns_by_bot for seat in seats]) == len(by_people), log.name


def test_saying_ready_without_moving_is_not_participation():
    sitting = playing("ada", "bo", "cy", turn_seconds=5, round_pause=10_000, rounds=2)
    while sitting.table.phase is Phase.PLAYING:
        if stage_of(sitting.table) is Stage.IN_PLAY and 0 in turn_of(sitting.table).owes:
            run_out(sitting, 0) if not is_played_by_bot(sitting.table, 0) else sitting.act(0, by="bot:0")
            continue
        if stage_of(sitting.table) is Stage.TO_DEAL:
            sitting.do(commands.Return(0), by="player:0")
            sitting.do(commands.SayReady(0), by="player:0")
            sitting.now += 10_000
        sitting.step()
    ada, bo = person(sitting, 0), person(sitting, 1)
    assert (ada.rounds, ada.rounds_played, ada.turns_by_bot) == (2, 0, ada.turns)
    assert not ada.has_taken_part
    assert ada.is_mostly_by_bot
    assert (bo.rounds, bo.rounds_played, bo.turns_by_bot) == (2, 2, 0)
    assert bo.has_taken_part
    assert not bo.is_mostly_by_bot


def test_resigning_before_any_move_is_participation_for_neither_player():
    sitting = playing("ada", "bo")
    sitting.resign(1)
    assert counted(sitting) == (Participation(), Participation())
    assert not person(sitting, 0).has_taken_part


def test_a_resigned_player_who_acted_in_half_of_the_rounds_took_part():
    sitting = playing("ada", "bo", "cy", rounds=6)
    for _ in range(2):
        sitting.play_to(Stage.TO_DEAL).deal()
    sitting.resign(0)
    shares = []
    while sitting.table.phase is Phase.PLAYING:
        sitting.play_to(Stage.TO_SCORE).step()
        ada = person(sitting, 0)
        shares.append((ada.rounds_played, ada.rounds, ada.has_taken_part))
        if sitting.table.phase is Phase.PLAYING:
            sitting.deal()
    assert shares == [(2, 3, True), (2, 4, True), (2, 5, False), (2, 6, False)]


def test_r_6_one_action_per_round_is_not_participation():
    sitting = playing("ada", "bo", "cy", turn_seconds=5, rounds=2)
    acted = 0
    while sitting.table.phase is Phase.PLAYING:
        if stage_of(sitting.table) is not Stage.IN_PLAY or 0 not in turn_of(sitting.table).owes:
            sitting.step()
        elif acted < sitting.table.round:
            acted = sitting.table.round
            sitting.act(0, by="player:0")
        elif is_played_by_bot(sitting.table, 0):
            sitting.act(0, by="bot:0")
        else:
            run_out(sitting, 0)
    ada = person(sitting, 0)
    assert ada.turns - ada.turns_by_bot == ada.rounds == 2
    assert ada.rounds_played == 0
    assert not ada.has_taken_part


def test_a_round_in_which_nobody_acted_for_a_seat_does_not_count_for_it():
    sitting = playing("ada", "bo", "cy")
    sitting.play_to(Stage.TO_DEAL).deal()
    sitting.resign(1)
    sitting.resign(2)
    assert sitting.table.round == 2
    assert (person(sitting, 0).rounds_played, person(sitting, 0).rounds) == (1, 1)


def test_an_offence_entered_by_the_host_is_not_a_turn():
    sitting = playing("ada", "bo", game="double_blind", exposure_actions=True)
    seat = sitting.owing()
    before = person(sitting, seat)
    offence = next(
        action for action in sitting.legal(seat) if isinstance(action, ExposePocket | ExposeSleeve)
    )
    sitting.do(commands.Act(seat, offence), by="host")
    assert sitting.table.entered[seat] == 1
    assert person(sitting, seat) == before


def test_a_player_who_left_before_the_start_is_not_counted_at_the_seat_of_a_bot():
    sitting = Sitting(seats=2).sit("ada", "bo")
    sitting.do(commands.LeaveSeat(1), by="player:1")
    assert counted(sitting) == (Participation(), None)
    sitting.sit("bot").start().deal().play_out()
    assert counted(sitting)[1] is None
