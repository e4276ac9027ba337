"""The seeds of players and host: committed before the start, revealed after it, and fixed in between."""

from itertools import count, islice
from typing import Any

import pytest

from hoodwink.domain.cards import SeededDraws, build_pack, commitment
from hoodwink.domain.due_times import IMMEDIATELY, NOTHING_DUE, WorkDue
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Event, RuleViolation, Stage
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.deciding.decide import decide
from hoodwink.domain.tables.due import work_due
from hoodwink.domain.tables.events import (
    PlayerSeedMissed,
    PlayerSeedRevealed,
    SeatResigned,
    SeatTaken,
    TableOpened,
)
from hoodwink.domain.tables.fairness import REVEAL_MS, SeedStatus, initial_seed
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.domain.tables.state import (
    UNOPENED,
    Phase,
    stage_of,
    turn_of,
)
from hoodwink.domain.tables.view import view_table
from tests.domain.tables.sitting import SEED, START, Sitting, opening_of

ADAS, BOS, HOSTS = "ada0" * 8, "b0" * 32, "0" * 33
TOO_SHORT, TOO_LONG = "a" * 31, "a" * 65


def awaited(**opening: Any) -> Sitting:
    """A table that has started and waits for the seeds of ada (seat 0) and the host."""
    sitting = Sitting(seats=3, seed_commitment=commitment(HOSTS), **opening)
    return sitting.sit_committed("ada", ADAS).sit("bo", "bot").start()


def dealt(seeds: list[str], *, seats: int = 3) -> tuple[Event, ...]:
    """The first deal by the specification, with the seeds in its order."""
    game = GAMES["blindside"]
    return game.deal(Sitting(seats=seats).table.state, SeededDraws(SEED, seeds))


def statuses(sitting: Sitting) -> list[str]:
    """Returns the host's status, then those of the seats."""
    view = view_table(sitting.table, "spectator")
    return [view.host_seed_status, *(seat.seed_status or "empty" for seat in view.seats)]


# ------------------------------------------------------------------------- without commitments


def top_aces(seeds: list[str]) -> bool:
    """Returns whether the two cards on top of the first deck are aces."""
    deck = SeededDraws(SEED, seeds).deck(build_pack(), 1)
    return all(card[0] == "A" for card in deck[:2])


def test_a_last_player_who_knows_the_server_seed_can_choose_the_cards():
    tries = (f"{number}" for number in range(5_000))
    ground = next(text for text in tries if top_aces(["", "luck", text]))
    sitting = Sitting(seats=2, rounds=1)
    sitting.do(commands.TakeSeat(player="ada", seat=0, seed="luck"), by="player:0")
    sitting.do(commands.TakeSeat(player="eve", seat=1, seed=ground), by="player:1")
    assert sitting.start().do(commands.DealRound()) == dealt(["", "luck", ground], seats=2)
    assert verify_log(sitting.play_out().log()).valid


def test_a_player_who_committed_can_only_choose_whether_to_reveal():
    decks, refused = set(), 0
    for text in islice((f"{number:032x}" for number in count()), 300):
        sitting = Sitting(seats=2).sit_committed("ada", ADAS).sit_committed("eve", "0" * 32).start()
        sitting.do(commands.RevealSeed(0, ADAS), by="player:0")
        try:
            sitting.do(commands.RevealSeed(1, text), by="player:1")
        except RuleViolation:
            refused += 1
            sitting.do(commands.MissSeed(1), after_ms=REVEAL_MS)
        decks.add(sitting.do(commands.DealRound()))
    assert (len(decks), refused) == (2, 299)


def test_a_player_who_sits_down_later_cannot_compute_with_a_committed_seed():
    guesses = (f"{number:032x}" for number in count())
    ground = next(text for text in guesses if top_aces(["", "", text]))
    sitting = Sitting(seats=2).sit_committed("ada", ADAS).sit_committed("eve", ground).start()
    sitting.do(commands.RevealSeed(1, ground), by="player:1")
    sitting.do(commands.RevealSeed(0, ADAS), by="player:0")
    assert sitting.do(commands.DealRound()) == dealt(["", ADAS, ground], seats=2)
    assert not top_aces(["", ADAS, ground])


# ------------------------------------------------------------------------------- before the start


def test_a_player_sits_down_with_a_commitment():
    sitting = Sitting()
    committed = commands.TakeSeat(player="ada", seed_commitment=commitment(ADAS))
    assert sitting.do(committed) == (SeatTaken(0, "ada", None, "", commitment(ADAS)),)
    occupant = sitting.table.seats[0]
    assert occupant is not None
    assert occupant.seed == initial_seed(plain="", committed=commitment(ADAS))


def test_the_host_commits_on_opening():
    (opened,) = decide(UNOPENED, opening_of(seed_commitment=commitment(HOSTS)), START)
    assert isinstance(opened, TableOpened)
    assert opened.seed_commitment == commitment(HOSTS)


@pytest.mark.parametrize(
    "text", ["a" * 63, "a" * 65, "A" * 64, "g" * 64, "a" * 64 + "\n", "é" * 64, "٣" * 64]
)
def test_a_malformed_commitment_is_refused(text):
    assert Sitting().refusal(commands.TakeSeat(player="ada", seed_commitment=text)) == "invalid_commitment"
    with pytest.raises(RuleViolation, match="invalid_commitment"):
        decide(UNOPENED, opening_of(seed_commitment=text), START)


def test_a_seat_has_one_seed():
    both = commands.TakeSeat(player="ada", seed="luck", seed_commitment=commitment(ADAS))
    assert Sitting().refusal(both) == "two_seeds"


@pytest.mark.parametrize("seed", [{"seed": "luck"}, {"seed_commitment": commitment(ADAS)}])
def test_bots_have_no_seed(seed):
    bot = commands.TakeSeat(player="bot:random", policy="random", **seed)
    assert Sitting().refusal(bot) == "bot_seed"


def test_leaving_removes_the_commitment():
    sitting = Sitting(seats=2).sit_committed("ada", ADAS)
    sitting.do(commands.LeaveSeat(0), by="player:0")
    sitting.sit("bo", "bot").start()
    assert (statuses(sitting), work_due(sitting.table)) == (["none"] * 3, WorkDue(IMMEDIATELY))


def test_nothing_is_revealed_before_the_start():
    sitting = Sitting(seats=2).sit_committed("ada", ADAS).sit("bot")
    assert sitting.refusal(commands.RevealSeed(0, ADAS)) == "table_not_started"


# -------------------------------------------------------------------------------------- the reveal


@pytest.mark.parametrize("plain", ["", "luck"])
def test_a_table_with_nothing_to_reveal_is_dealt_without_a_wait(plain):
    sitting = Sitting(seats=2).sit("bot")
    sitting.do(commands.TakeSeat(player="ada", seed=plain), by="player:1")
    assert work_due(sitting.start().table) == WorkDue(IMMEDIATELY)
    assert view_table(sitting.table, 0).reveals_until is None
    assert sitting.do(commands.DealRound()) == dealt(["", "", plain], seats=2)


def test_the_deal_waits_for_every_committed_seed():
    sitting = awaited()
    until = START + REVEAL_MS
    assert (work_due(sitting.table), sitting.refusal(commands.DealRound())) == (
        WorkDue(until),
        "seeds_awaited",
    )
    sitting.do(commands.RevealSeed(0, ADAS), by="player:0", after_ms=REVEAL_MS - 1)
    assert (work_due(sitting.table), sitting.refusal(commands.DealRound())) == (
        WorkDue(until),
        "seeds_awaited",
    )
    assert sitting.do(commands.RevealSeed(None, HOSTS), by="host") == (PlayerSeedRevealed(None, HOSTS),)
    assert work_due(sitting.table) == WorkDue(IMMEDIATELY)
    assert sitting.do(commands.DealRound()) == dealt([HOSTS, ADAS, "", ""])


def test_the_time_to_reveal_begins_with_the_start():
    sitting = Sitting(seats=2).sit_committed("ada", ADAS).sit("bot")
    sitting.now += 60_000
    assert work_due(sitting.start().table) == WorkDue(START + 60_000 + REVEAL_MS)


def test_a_seed_that_was_not_revealed_in_time_counts_as_empty():
    sitting = awaited()
    sitting.do(commands.RevealSeed(None, HOSTS), by="host")
    sitting.now += REVEAL_MS - 1
    assert sitting.refusal(commands.MissSeed(0)) == "reveal_running"
    sitting.now += 1
    assert sitting.refusal(commands.RevealSeed(0, ADAS)) == "reveal_over"
    assert sitting.refusal(commands.DealRound()) == "seeds_awaited"
    assert sitting.do(commands.MissSeed(0)) == (PlayerSeedMissed(0),)
    assert sitting.refusal(commands.RevealSeed(0, ADAS)) == "reveal_over"
    assert sitting.do(commands.DealRound()) == dealt([HOSTS, "", "", ""])
    assert sitting.refusal(commands.RevealSeed(0, ADAS)) == "reveal_over"


@pytest.mark.parametrize(
    ("seed", "code"),
    [
        (TOO_SHORT, "invalid_seed"),
        (TOO_LONG, "invalid_seed"),
        (ADAS.upper(), "invalid_seed"),
        (ADAS + "\n", "invalid_seed"),
        ("", "invalid_seed"),
        ("luck" * 8, "invalid_seed"),
        (HOSTS, "wrong_seed"),
        (BOS, "wrong_seed"),
    ],
)
def test_only_the_committed_seed_can_be_revealed(seed, code):
    assert awaited().refusal(commands.RevealSeed(0, seed)) == code


@pytest.mark.parametrize("weak", [TOO_SHORT, TOO_LONG, "luck"])
def test_a_guessable_seed_that_was_committed_to_cannot_be_revealed(weak):
    sitting = Sitting(seats=2).sit_committed("ada", weak).sit("bot").start()
    assert sitting.refusal(commands.RevealSeed(0, weak)) == "invalid_seed"


@pytest.mark.parametrize(
    "command",
    [commands.RevealSeed(1, BOS), commands.RevealSeed(2, BOS), commands.MissSeed(1), commands.MissSeed(2)],
)
def test_without_a_commitment_there_is_nothing_to_reveal_or_miss(command):
    assert awaited().refusal(command) == "no_seed_awaited"


def test_a_seed_is_revealed_or_missed_once():
    sitting = awaited()
    sitting.do(commands.RevealSeed(0, ADAS), by="player:0", after_ms=REVEAL_MS - 1)
    assert sitting.refusal(commands.RevealSeed(0, ADAS)) == "already_revealed"
    sitting.do(commands.MissSeed(None), after_ms=1)
    assert [sitting.refusal(commands.MissSeed(seat)) for seat in (0, None)] == [
        "already_revealed",
        "reveal_over",
    ]
    sitting.deal()
    assert sitting.refusal(commands.RevealSeed(None, HOSTS)) == "reveal_over"
    assert sitting.refusal(commands.RevealSeed(0, ADAS)) == "already_revealed"


def test_g_14_revealing_a_seed_counts_as_acting_but_missing_it_does_not():
    sitting = awaited()
    sitting.do(commands.RevealSeed(0, ADAS), by="player:0", after_ms=7)
    assert sitting.table.person_acted_at == START + 7
    sitting.do(commands.MissSeed(None), after_ms=REVEAL_MS)
    assert sitting.table.person_acted_at == START + 7


# ------------------------------------------------------------------------------- meanwhile and after


def test_nobody_owes_an_action_while_seeds_are_awaited():
    sitting = awaited(turn_seconds=1)
    assert stage_of(sitting.table) is Stage.TO_DEAL
    assert turn_of(sitting.table).owes == ()
    assert sitting.legal(0) == ()
    assert set(sitting.table.owing_since) == {None}
    with pytest.raises(
        RuleViolation, match="seeds_awaited: Play begins when every committed seed has been revealed"
    ):
        sitting.act(0, sitting_action())


def sitting_action() -> Any:
    """Any action of the game."""
    dealt_table = Sitting(seats=2).sit("ada", "bo").start().deal()
    return dealt_table.choice(dealt_table.owing())


def test_g_13_a_player_who_resigns_while_seeds_are_awaited_may_still_reveal():
    sitting = awaited()
    assert sitting.resign(0) == (SeatResigned(0),)
    assert sitting.refusal(commands.DealRound()) == "seeds_awaited"
    sitting.do(commands.RevealSeed(0, ADAS), by="player:0")
    sitting.do(commands.RevealSeed(None, HOSTS), by="host")
    assert verify_log(sitting.deal().play_out().log()).valid


def test_g_13_the_last_seat_wins_while_seeds_are_awaited():
    sitting = awaited()
    sitting.resign(1)
    sitting.resign(0)
    assert (sitting.table.phase, work_due(sitting.table)) == (Phase.ENDED, NOTHING_DUE)
    assert (
        sitting.refusal(commands.RevealSeed(0, ADAS)) == sitting.refusal(commands.MissSeed(0)) == "table_over"
    )
    view, verdict = view_table(sitting.table, "everybody"), verify_log(sitting.log())
    assert (view.reveals_until, view.host_seed, view.host_seed_status) == (None, None, "committed")
    assert (verdict.valid, verdict.host_seed) == (True, "committed")
    assert verdict.player_seeds == ("committed", "none", "none")


def test_g_14_a_table_may_be_abandoned_while_seeds_are_awaited():
    sitting = awaited()
    sitting.do(commands.AbandonTable())
    assert verify_log(sitting.log()).valid


def test_a_table_closed_before_the_start_leaves_its_seeds_unrevealed():
    sitting = Sitting(seats=3).sit_committed("ada", ADAS)
    sitting.do(commands.CloseTable(), by="host")
    verdict = verify_log(sitting.log())
    assert (verdict.valid, verdict.player_seeds) == (True, ("committed", None, None))


def test_everybody_sees_the_status_of_every_seed():
    sitting = Sitting(seats=4, seed_commitment=commitment(HOSTS))
    sitting.sit_committed("ada", ADAS).sit_committed("bo", BOS)
    assert statuses(sitting) == ["committed", "committed", "committed", "empty", "empty"]
    sitting.do(commands.TakeSeat(player="cy", seed="luck"), by="player:2")
    sitting.sit("bot").start()
    shown = view_table(sitting.table, 1)
    assert shown.reveals_until == START + REVEAL_MS
    assert (shown.edition, shown.host_seed, shown.host_seed_commitment) == (3, None, commitment(HOSTS))
    assert [seat.seed for seat in shown.seats] == [None, None, "luck", ""]
    assert [seat.seed_commitment for seat in shown.seats] == [commitment(ADAS), commitment(BOS), "", ""]
    sitting.do(commands.RevealSeed(None, HOSTS), by="host")
    sitting.do(commands.RevealSeed(0, ADAS), by="player:0")
    sitting.do(commands.MissSeed(1), after_ms=REVEAL_MS)
    assert statuses(sitting) == ["revealed", "revealed", "missed", "plain", "none"]
    shown = view_table(sitting.table, "spectator")
    assert (shown.reveals_until, shown.host_seed) == (None, HOSTS)
    assert [seat.seed for seat in shown.seats] == [ADAS, "", "luck", ""]
    verdict = verify_log(sitting.deal().play_out().log())
    assert verdict.host_seed is SeedStatus.REVEALED
    assert verdict.player_seeds == ("revealed", "missed", "plain", "none")
