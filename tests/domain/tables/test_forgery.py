"""Forged logs in which every hash is right, because the forger knows the seed: the rules refuse them."""

from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from hoodwink.domain.cards import commitment
from hoodwink.domain.games.double_blind.actions import ExposePocket
from hoodwink.domain.kernel import RuleViolation, Stage
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.deciding.decide import decide
from hoodwink.domain.tables.entries import Entry
from hoodwink.domain.tables.fairness import REVEAL_MS
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.domain.tables.state import turn_of
from tests.domain.tables.forger import (
    Fields,
    changed,
    entries_of,
    fields_of,
    rechained,
    version_of,
    with_data,
)
from tests.domain.tables.sitting import Sitting, playing

GOLDEN = Path(__file__).parents[2] / "golden"
SHORT = ("blindside-7001", "blindside-7002", "blind_don-0", "coconut-419", "double_blind-457", "shithead-639")
"""A short golden log of each game, and two with resignations, expired clocks and seeds."""
HOST_SEED, ADAS_SEED, BOS_SEED = "0" * 32, "a" * 32, "b" * 64


def seeded_table() -> Sitting:
    sitting = Sitting(seats=4, turn_seconds=1, rounds=2, seed_commitment=commitment(HOST_SEED))
    sitting.sit_committed("ada", ADAS_SEED).sit_committed("bo", BOS_SEED)
    sitting.do(commands.TakeSeat(player="cy", seat=2, seed="luck"), by="player:2")
    sitting.sit("bot").start()
    sitting.do(commands.RevealSeed(None, HOST_SEED), by="host", after_ms=1)
    sitting.do(commands.RevealSeed(0, ADAS_SEED), by="player:0")
    sitting.do(commands.MissSeed(1), after_ms=REVEAL_MS)
    return sitting


def clocked_table() -> Sitting:
    """Three players and a bot over two rounds, with a clock that ran out and a player who resigned.

    The host and ada reveal the seeds they committed to, bo misses that, and cy has a plain seed.
    """
    sitting = seeded_table().deal()
    lazy = sitting.play_to_turn_of(1).owing()
    sitting.do(commands.ExpireClock(lazy, sitting.choice(lazy)), by=f"bot:{lazy}", after_ms=1_000)
    sitting.play_to(Stage.TO_DEAL).deal().resign(2)
    return sitting.play_out()


LOG = clocked_table().log()


def refusal(log: bytes) -> tuple[str, int | None]:
    """Returns why a log is refused, and at which event."""
    finding = verify_log(log).finding
    assert finding is not None
    assert finding.version is None or finding.line == finding.version + 1
    return finding.code, finding.version


def test_hashing_again_without_a_change_gives_the_same_log():
    assert rechained(entries_of(LOG)) == LOG
    assert verify_log(LOG).valid


# -------------------------------------------------------------------------------- changed facts


def swap(cards: list[Any], first: int = 0, second: int = 1) -> None:
    cards[first], cards[second] = cards[second], cards[first]


def other_score(fields: Fields) -> None:
    fields["deltas"][0] += 3
    fields["deltas"][1] -= 3


def other_winner(fields: Fields) -> None:
    fields["winner"] = (fields["winner"] or 0) ^ 1


@pytest.mark.parametrize(
    ("type_", "change"),
    [
        ("blindside.round_dealt", lambda fields: swap(fields["stock"])),
        ("blindside.round_dealt", lambda fields: swap(fields["hands"])),
        ("blindside.round_dealt", lambda fields: fields.update(dealer=(fields["dealer"] + 1) % 4)),
        ("blindside.round_dealt", lambda fields: fields.update(round=2)),
        ("blindside.stock_drawn", lambda fields: fields.update(card="AS")),
        ("blindside.blindsides_revealed", other_winner),
        ("blindside.keepers_revealed", other_winner),
        ("blindside.keepers_revealed", lambda fields: swap(fields["totals"])),
        ("table.round_scored", other_score),
        ("table.round_scored", lambda fields: fields.update(unit="point")),
        ("table.round_scored", lambda fields: fields.update(totals=[9, 9, 9, 9])),
        ("table.ended", lambda fields: swap(fields["places"])),
        ("table.ended", lambda fields: fields.update(scores=None)),
        ("table.ended", lambda fields: fields.update(outcome="last_seat")),
        ("table.seed_revealed", lambda fields: fields.update(server_seed="0" * 64)),
    ],
)
def test_a_changed_consequence_is_found(type_, change):
    version = version_of(LOG, type_)
    assert refusal(changed(LOG, version, change)) == ("altered", version)


@pytest.mark.parametrize(
    ("type_", "change"),
    [
        ("table.opened@6", lambda fields: fields.update(game="chess")),
        ("table.opened@6", lambda fields: fields.update(seats=11)),
        ("table.opened@6", lambda fields: fields["options"].update(jokers=1)),
        ("table.opened@6", lambda fields: fields["options"].update(rounds=0)),
        ("table.opened@6", lambda fields: fields.update(turn_seconds=-1)),
        ("table.seat_taken@3", lambda fields: fields.update(seat=1)),
        ("table.seat_taken@3", lambda fields: fields.update(seat=-1)),
        ("table.seat_taken@3", lambda fields: fields.update(seat=4)),
        ("blindside.card_kept", lambda fields: fields.update(card="JK")),
        ("blindside.card_kept", lambda fields: fields.update(seat=fields["seat"] ^ 1)),
        ("blindside.card_kept", lambda fields: fields.update(seat=fields["seat"] - 4)),
        ("blindside.card_kept", lambda fields: fields.update(seat=99)),
        ("blindside.card_discarded", lambda fields: fields.update(card="nonsense")),
        ("table.clock_ran_out", lambda fields: fields.update(seat=fields["seat"] ^ 1)),
        ("table.clock_ran_out", lambda fields: fields.update(seat=-1)),
        ("table.seat_resigned", lambda fields: fields.update(seat=3)),
        ("table.seat_resigned", lambda fields: fields.update(seat=1)),
        ("table.seat_resigned", lambda fields: fields.update(seat=77)),
    ],
)
def test_an_impossible_action_is_illegal(type_, change):
    version = version_of(LOG, type_)
    assert refusal(changed(LOG, version, change)) == ("illegal", version)


def test_other_player_seeds_give_other_decks():
    version = version_of(LOG, "table.seat_taken@3", 3)
    forged = changed(LOG, version, lambda fields: fields.update(seed="mine"))
    assert refusal(forged) == ("altered", version_of(LOG, "blindside.round_dealt"))


def test_another_server_seed_gives_other_decks():
    forged = changed(
        LOG, 1, lambda fields: fields.update(server_seed="0" * 64, commitment=commitment("0" * 64))
    )
    assert refusal(forged) == ("altered", version_of(LOG, "blindside.round_dealt"))


def test_a_server_seed_that_was_not_committed_to_is_refused():
    forged = changed(LOG, 1, lambda fields: fields.update(server_seed="0" * 64))
    assert refusal(forged) == ("commitment_broken", 1)


REVEALED, MISSED = "table.player_seed_revealed", "table.player_seed_missed"


@pytest.mark.parametrize(
    ("type_", "number", "change"),
    [
        ("table.opened@6", 1, {"seed_commitment": "0" * 63}),
        ("table.opened@6", 1, {"seed_commitment": "F" * 64}),
        ("table.seat_taken@3", 1, {"seed_commitment": "x" * 64}),
        ("table.seat_taken@3", 3, {"seed_commitment": commitment("a" * 32)}),  # next to a plain seed
        ("table.seat_taken@3", 4, {"seed": "luck"}),  # a bot's
        ("table.seat_taken@3", 4, {"seed_commitment": commitment("a" * 32)}),
        (REVEALED, 1, {"seed": "1" * 32}),
        (REVEALED, 1, {"seat": 0}),
        (REVEALED, 1, {"seat": 2}),
        (REVEALED, 2, {"seed": "A" * 32}),
        (REVEALED, 2, {"seed": ADAS_SEED + "\n"}),
        (REVEALED, 2, {"seat": None}),
        (REVEALED, 2, {"seat": 1}),
        (REVEALED, 2, {"seat": 2}),
        (REVEALED, 2, {"seat": -4}),
        (MISSED, 1, {"seat": None}),
        (MISSED, 1, {"seat": 0}),
        (MISSED, 1, {"seat": 2}),
        (MISSED, 1, {"seat": 9}),
    ],
)
def test_no_seed_can_be_given_revealed_or_missed_afterwards(type_, number, change):
    version = version_of(LOG, type_, number)
    assert refusal(changed(LOG, version, lambda fields: fields.update(change))) == ("illegal", version)


@pytest.mark.parametrize(
    ("type_", "number", "reveal"),
    [("table.opened@6", 1, 1), ("table.seat_taken@3", 1, 2), ("table.seat_taken@3", 2, 3)],
)
def test_a_changed_commitment_does_not_match_the_reveal_or_the_miss(type_, number, reveal):
    forged = changed(LOG, version_of(LOG, type_, number), lambda fields: fields.update(seed_commitment=""))
    assert refusal(forged) == ("illegal", version_of(LOG, REVEALED) + reveal - 1)


def test_an_unrevealed_commitment_forbids_the_deal():
    version, dealt = version_of(LOG, "table.seat_taken@3", 3), version_of(LOG, "blindside.round_dealt")
    committed = {"seed": "", "seed_commitment": commitment("c" * 32)}
    forged = changed(LOG, version, lambda fields: fields.update(committed))
    assert refusal(forged) == ("illegal", dealt)


@pytest.mark.parametrize(("type_", "number"), [(REVEALED, 1), (REVEALED, 2), (MISSED, 1)])
def test_no_reveal_and_no_miss_can_be_dropped(type_, number):
    version, dealt = version_of(LOG, type_, number), version_of(LOG, "blindside.round_dealt")
    assert refusal(without(LOG, version)) == ("illegal", dealt - 1)


def test_a_seed_is_not_missed_early():
    entries = entries_of(LOG)
    version = version_of(LOG, MISSED)
    entries[version - 1] = replace(entries[version - 1], at=entries[version - 1].at - 2)
    assert refusal(rechained(entries)) == ("illegal", version)


def test_a_seed_is_not_revealed_late():
    entries = entries_of(LOG)
    version, late = version_of(LOG, REVEALED), entries[version_of(LOG, MISSED) - 1].at - 1
    for index in (version - 1, version):
        entries[index] = replace(entries[index], at=late)
    assert refusal(rechained(entries)) == ("illegal", version)


def test_a_reveal_cannot_be_turned_into_a_miss_without_another_deck():
    entries = entries_of(LOG)
    version = version_of(LOG, REVEALED, 2)
    late = entries[version].at
    entries[version - 1] = with_data(
        replace(entries[version - 1], type=MISSED, by="worker", at=late), {"seat": 0}
    )
    assert refusal(rechained(entries)) == ("altered", version_of(LOG, "blindside.round_dealt"))


def test_numbers_are_numbers_and_data_is_canonical():
    entries = entries_of(LOG)
    entries[1] = replace(entries[1], data=msgspec.Raw(bytes(entries[1].data).replace(b":", b": ", 1)))
    assert refusal(rechained(entries)) == ("malformed", 2)
    assert refusal(changed(LOG, 2, lambda fields: fields.update(seat=False))) == ("unknown_event", 2)
    assert refusal(changed(LOG, 2, lambda fields: fields.update(colour="red"))) == ("unknown_event", 2)


# ------------------------------------------------------------------------- what is there, and when


def without(log: bytes, version: int) -> bytes:
    entries = entries_of(log)
    del entries[version - 1]
    return rechained(entries)


def test_no_event_is_missing():
    for version in range(2, len(entries_of(LOG)) + 1):
        found = verify_log(without(LOG, version)).finding
        assert found is not None, version
        assert found.version is not None, version
        assert found.version >= version - 1, version


def test_no_event_happened_twice():
    for version in range(1, len(entries_of(LOG)) + 1):
        entries = entries_of(LOG)
        entries.insert(version, entries[version - 1])
        assert not verify_log(rechained(entries)).valid, version


def test_no_two_events_changed_places():
    for version in range(2, len(entries_of(LOG)) + 1):
        entries = entries_of(LOG)
        entries[version - 2], entries[version - 1] = entries[version - 1], entries[version - 2]
        types = {entry.type for entry in entries[version - 2 : version]}
        # The order in which people sit down or reveal, or in which one gives up around a deal, is for them to choose.
        is_legal = types in (
            {"table.seat_taken@3"},
            {"table.player_seed_revealed"},
            {"blindside.round_dealt", "table.seat_resigned"},
        )
        assert verify_log(rechained(entries)).valid == is_legal, version


def test_time_does_not_run_backwards():
    entries = entries_of(LOG)
    version = version_of(LOG, "blindside.card_kept")
    entries[version - 1] = replace(entries[version - 1], at=entries[version - 2].at - 1)
    assert refusal(rechained(entries)) == ("altered", version)


def test_a_clock_does_not_run_out_early():
    entries = entries_of(LOG)
    version = version_of(LOG, "table.clock_ran_out")
    for index in (version - 1, version):
        entries[index] = replace(entries[index], at=entries[index].at - 1)
    assert refusal(rechained(entries)) == ("illegal", version)


def test_an_expired_clock_needs_a_move():
    entries = entries_of(LOG)
    version = version_of(LOG, "table.clock_ran_out")
    entries[version] = replace(entries[version], cmd="another")
    assert refusal(rechained(entries)) == ("illegal", version)


def test_events_of_one_command_are_adjacent():
    entries = entries_of(LOG)
    scored = version_of(LOG, "table.round_scored")
    entries[scored - 1] = replace(entries[scored - 1], cmd="another")
    assert refusal(rechained(entries)) == ("incomplete", scored - 1)


def test_two_commands_cannot_be_merged():
    entries = entries_of(LOG)
    version = version_of(LOG, "blindside.card_kept")
    entries[version] = replace(entries[version], cmd=entries[version - 1].cmd, at=entries[version - 1].at)
    assert refusal(rechained(entries)) == ("altered", version + 1)


@pytest.mark.parametrize("change", [{"at": 99_999_999_999_999}, {"by": "host"}])
def test_events_of_one_command_have_one_time_and_one_actor(change):
    entries = entries_of(LOG)
    scored = version_of(LOG, "table.round_scored")
    entries[scored - 1] = replace(entries[scored - 1], **change)
    assert refusal(rechained(entries)) == ("altered", scored)


def test_a_log_begins_with_the_opening_and_ends_with_the_seed():
    first, second, *rest = entries_of(LOG)
    assert refusal(rechained([second, first, *rest])) == ("illegal", 1)
    assert refusal(rechained([first, second, *rest[:-1]])) == ("incomplete", 1 + len(rest))


def test_no_command_begins_with_a_consequence():
    *entries, revealed = entries_of(LOG)
    again = replace(revealed, cmd="another")
    assert refusal(rechained([*entries, revealed, again])) == ("illegal", len(entries) + 2)


def test_nothing_happens_after_the_end():
    entries = entries_of(LOG)
    again = [replace(entry, cmd="again") for entry in entries[-2:]]
    assert refusal(rechained([*entries, *again])) == ("illegal", len(entries) + 1)


@pytest.mark.parametrize(
    ("outcome", "refused"),
    [
        ("closed", "illegal"),
        ("expired", "illegal"),
        ("stopped", "illegal"),
        ("no_result", "altered"),
        ("played_out", "altered"),
    ],
)
def test_a_table_cannot_end_early_without_a_reason(outcome, refused):
    entries = entries_of(LOG)
    half = entries[: version_of(LOG, "blindside.card_kept")]
    ended, revealed = [replace(entry, cmd="end") for entry in entries[-2:]]
    ended = with_data(ended, {"outcome": outcome, "places": None, "scores": None})
    assert refusal(rechained([*half, ended, revealed])) == (refused, len(half) + 1)


# ------------------------------------------------------------------------------------- who asked


@pytest.mark.parametrize(
    ("type_", "allowed_actors"),
    [
        ("table.opened@6", {"worker", "player:0"}),
        ("table.seat_taken@3", {"host", "worker", "player:1", "bot:0"}),
        ("table.player_seed_revealed", {"worker", "player:0", "player:1"}),
        ("table.player_seed_missed", {"host", "player:0", "player:1", "bot:1"}),
        ("table.started@2", {"worker", "player:0"}),
        ("blindside.round_dealt", {"host", "player:0", "bot:0"}),
        ("table.clock_ran_out", {"worker", "player:1"}),
        ("table.seat_resigned", {"host", "player:0", "bot:2", "worker"}),
        ("blindside.blindsides_revealed", {"host"}),
    ],
)
def test_an_actor_who_may_not_ask_is_refused(type_, allowed_actors):
    version = version_of(LOG, type_)
    assert entries_of(LOG)[version - 1].by not in allowed_actors
    for by in allowed_actors:
        assert refusal(asked_by(LOG, version, by)) == ("illegal", version)


def asked_by(log: bytes, version: int, by: str) -> bytes:
    """Returns the log with another actor for the command that begins at the version."""
    entries = entries_of(log)
    cmd = entries[version - 1].cmd
    return rechained([replace(entry, by=by) if entry.cmd == cmd else entry for entry in entries])


def test_no_player_moves_for_a_bot_and_no_bot_for_a_player():
    for entry in beginnings(LOG):
        kind, _, seat = entry.by.partition(":")
        if seat:
            other = "bot" if kind == "player" else "player"
            forged = asked_by(LOG, entry.version, f"{other}:{seat}")
            assert refusal(forged) == ("illegal", entry.version), entry


def beginnings(log: bytes) -> list[Entry]:
    """Returns the first event of each command."""
    return [next(commit) for _, commit in groupby(entries_of(log), key=lambda entry: entry.cmd)]


def test_only_the_host_removes_a_bot_and_no_other_player_frees_a_seat():
    sitting = Sitting(seats=2).sit("ada", "bot")
    sitting.do(commands.LeaveSeat(0), by="player:0")
    sitting.do(commands.LeaveSeat(1), by="host")
    sitting.do(commands.CloseTable(), by="host")
    log = sitting.log()
    assert verify_log(log).valid
    assert verify_log(asked_by(log, 4, "host")).valid
    assert refusal(asked_by(log, 4, "player:1")) == ("illegal", 4)
    assert refusal(asked_by(log, 5, "player:1")) == ("illegal", 5)


def test_a_player_and_the_stand_in_may_both_move():
    sitting = playing("ada", "bo", turn_seconds=1, rounds=5)
    while sitting.table.missed_turns[0] < 3:
        if sitting.owing() == 0:
            sitting.do(commands.ExpireClock(0, sitting.choice(0)), by="bot:0", after_ms=1_000)
        else:
            sitting.step()
    sitting.play_to_turn_of(0).act(0, by="bot:0")
    sitting.play_to_turn_of(0).act(0, by="player:0")
    assert verify_log(sitting.play_out().log()).valid


def test_db_42_a_host_enters_an_exposure_in_a_players_name_and_nothing_else():
    sitting = playing("ada", "bo", "bot", game="double_blind", exposure_actions=True)
    sitting.act(0, ExposePocket(1, 0), by="host")
    exposed = sitting.table.version
    sitting.resign(1)
    moved = sitting.table.version + 1
    log = sitting.play_out().log()
    assert verify_log(log).valid
    assert entries_of(log)[exposed - 1].type == "double_blind.pocket_exposed"
    assert refusal(asked_by(log, exposed, "worker")) == ("illegal", exposed)
    assert refusal(asked_by(log, moved, "host")) == ("illegal", moved)


@pytest.mark.parametrize("seat", [1, 2])
def test_db_42_a_host_enters_nothing_for_bots_and_stand_ins(seat):
    sitting = playing("ada", "bo", "bot", "cy", game="double_blind", exposure_actions=True)
    sitting.resign(1)
    sitting.act(seat, ExposePocket(0, 0), by="host")
    exposed = sitting.table.version
    assert refusal(sitting.play_out().log()) == ("illegal", exposed)


@pytest.mark.parametrize("has_resigned", [False, True])
def test_db_34_db_42_a_host_who_plays_enters_nothing(has_resigned):
    sitting = playing("holly", "ada", "bo", game="double_blind", exposure_actions=True)
    if has_resigned:
        sitting.resign(0)
    sitting.act(1, ExposePocket(0, 0), by="host")
    exposed = sitting.table.version
    assert refusal(sitting.play_out().log()) == ("illegal", exposed)


def test_db_34_a_host_who_ever_held_a_seat_enters_nothing():
    sitting = Sitting(game="double_blind", exposure_actions=True).sit("holly", "ada")
    sitting.do(commands.LeaveSeat(0), by="player:0")
    sitting.sit("bo", "cy").start().deal().act(1, ExposePocket(1, 0), by="host")
    exposed = sitting.table.version
    assert refusal(sitting.play_out().log()) == ("illegal", exposed)


def test_db_34_a_stand_in_commits_no_offence_for_its_player():
    sitting = playing("ada", "bo", "cy", game="double_blind", exposure_actions=True)
    sitting.resign(1)
    sitting.act(1, ExposePocket(0, 0), by="bot:1")
    exposed = sitting.table.version
    assert refusal(sitting.play_out().log()) == ("illegal", exposed)


def test_db_34_an_expired_clock_commits_no_offence():
    sitting = playing("ada", "bo", game="double_blind", exposure_actions=True, turn_seconds=30)
    (seat, *_) = turn_of(sitting.table).owes
    command = commands.ExpireClock(seat, ExposePocket(1 - seat, 0))
    with pytest.raises(RuleViolation, match="no_forced_offence"):
        decide(sitting.table, command, sitting.now + 31_000)


# ----------------------------------------------------------------------------- random forgeries

ODD_VALUES: tuple[Any, ...] = (
    -1,
    0,
    1,
    99,
    2**70,
    "",
    "??",
    "AS",
    "JK",
    "nonsense",
    None,
    True,
    1.5,
    [],
    {},
    [[]],
    ["AS"],
)


def spoilt(value: Any, chance: Random) -> Any:
    """Returns the value with another one somewhere within."""
    if chance.random() < 0.2 or not value or not isinstance(value, dict | list):
        return chance.choice(ODD_VALUES)
    key = chance.choice(list(value) if isinstance(value, dict) else range(len(value)))
    value[key] = spoilt(value[key], chance)
    return value


@pytest.mark.parametrize("name", SHORT)
def test_any_forgery_is_refused_without_an_error(name):
    entries = entries_of((GOLDEN / f"{name}.log").read_bytes())
    chance = Random(name)
    refused = 0
    for _ in range(120):
        index = chance.randrange(len(entries))
        fields = fields_of(entries[index])
        if fields and (index == 0 or chance.random() < 0.9):
            field = chance.choice(list(fields))
            forged = with_data(entries[index], fields | {field: spoilt(fields[field], chance)})
        else:
            forged = with_data(entries[index], chance.choice(ODD_VALUES))
        refused += not verify_log(rechained([*entries[:index], forged, *entries[index + 1 :]])).valid
    assert refused > 80


def test_an_event_of_another_game_is_refused():
    entries = entries_of(LOG)
    version = version_of(LOG, "blindside.card_kept")
    stranger = with_data(
        replace(entries[version - 1], type="coconut.pile_picked_up"),
        {"seat": fields_of(entries[version - 1])["seat"]},
    )
    entries[version - 1] = stranger
    assert refusal(rechained(entries)) == ("illegal", version)
