"""The proof in the browser reports every fault of a log with the first wrong line."""

import json
from functools import cache
from random import Random

import pytest
from msgspec.structs import replace

from hoodwink.domain.cards import commitment
from hoodwink.domain.tables.commands import (
    MissSeed,
    MoveClocks,
    RevealSeed,
)
from hoodwink.domain.tables.fairness import REVEAL_MS
from hoodwink.domain.tables.proving.verify import verify_log
from tests.domain.tables.forger import entries_of, fields_of, rechained, version_of, with_data
from tests.domain.tables.sitting import START, Sitting
from tests.service.web.modules import Tab, served
from tests.service.web.proof.proofs import assert_found, failures, forged, golden, lines_of, report_on

pytestmark = pytest.mark.browser

ADAS, HOSTS = "ada0" * 16, "0123456789abcdef" * 2
HASH = "0" * 64


@pytest.fixture(scope="module")
def tab(chromium):
    with served() as port, chromium.new_context() as context:
        opened = Tab(context, port)
        yield opened
        assert opened.errors == []


@cache
def seeded():
    """The log of a table with the seeds of its host and a player, one of them missed."""
    sitting = Sitting(seats=3, game="coconut", seed_commitment=commitment(HOSTS))
    sitting.sit_committed("ada", ADAS).sit_committed("bo", "b" * 32).sit("bot").start()
    sitting.do(RevealSeed(0, ADAS), by="player:0", after_ms=1)
    sitting.do(RevealSeed(None, HOSTS), by="host", after_ms=1)
    sitting.do(MissSeed(1), after_ms=REVEAL_MS)
    return sitting.play_out().log()


# ------------------------------------------------------------------------------------- changed files


def with_replacement(log, line, old, new):
    """Returns the log with a text replaced on a line, counted from 1."""
    lines = lines_of(log)
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new, 1)
    return "".join(lines)


LOG = golden("blindside-117")  # 34 events: 5 the deal, 32 the scores, 33 the end, 34 the secret
DEAL, SCORED, ENDED, SECRET = (
    version_of(LOG, kind) + 1
    for kind in ("blindside.round_dealt", "table.round_scored", "table.ended", "table.seed_revealed")
)
CARD = fields_of(entries_of(LOG)[DEAL - 2])["hands"][0][0]
HEAD = json.loads(lines_of(LOG)[0])["head"]


def test_an_unchanged_log_has_no_fault(tab):
    assert report_on(tab, LOG)["passed"]


@pytest.mark.parametrize(
    ("line", "old", "new", "names"),
    [
        (DEAL + 1, "player:0", "player:1", ["chain"]),
        (DEAL + 1, '"seat":0', '"seat":1', ["chain"]),
        (DEAL + 1, '"cmd":"', '"cmd":"x', ["chain"]),
        (DEAL, f'"{CARD}"', '"AS"' if CARD != "AS" else '"KS"', ["chain", "cards"]),
        (DEAL, '"dealer":', '"dealer":1', ["chain", "dealers", "cards"]),
        (2, '"server_seed":"', '"server_seed":"f', ["secret", "chain"]),
        (SECRET, '"server_seed":"', '"server_seed":"f', ["secret", "chain"]),
        (2, '"commitment":"', '"commitment":"f', ["secret", "chain"]),
        (SCORED, '"totals":[2', '"totals":[3', ["chain", "scores"]),
        (ENDED, '"places":[', '"places":[1', ["chain", "scores"]),
        (1, HEAD, HASH, ["chain"]),
        (1, "log/3", "log/2", ["order"]),
        (1, "blindside-117", "blindside-118", ["order"]),
    ],
)
def test_a_changed_byte_is_found_and_named(tab, line, old, new, names):
    found = report_on(tab, with_replacement(LOG, line, old, new))

    assert found["fault"]["line"] == line
    # Another secret also gives other cards, and later scores contradict a changed one.
    assert set(names) <= set(failures(found)) <= {*names, "dealers", "cards"}


def test_every_changed_byte_is_found(tab):
    chance = Random(1)
    positions = chance.sample(range(len(LOG)), 250)
    texts = [LOG[:at] + bytes([LOG[at] ^ 1]) + LOG[at + 1 :] for at in positions]

    found = tab.run(
        """async (texts) => {
            const reports = [];
            for (const text of texts) reports.push(await modules.verify.verify(text));
            return reports.map(({ passed, fault }) => [passed, fault?.line]);
        }""",
        [text.decode("latin-1") for text in texts],
    )

    for at, (passed, line) in zip(positions, found, strict=True):
        assert not passed
        assert line == 1 + LOG[:at].count(b"\n"), LOG[at - 20 : at + 20]


@pytest.mark.parametrize("line", [2, DEAL, DEAL + 3, SCORED, SECRET])
def test_a_removed_line_is_found_and_named(tab, line):
    lines = lines_of(LOG)
    del lines[line - 1]
    found = report_on(tab, "".join(lines))

    assert "order" in failures(found)
    assert found["fault"]["line"] == line - (line == SECRET)


@pytest.mark.parametrize("line", [3, DEAL, DEAL + 3, SCORED])
def test_two_swapped_lines_are_found_and_named(tab, line):
    lines = lines_of(LOG)
    lines[line - 1 : line + 1] = lines[line], lines[line - 1]
    found = report_on(tab, "".join(lines))

    assert "order" in failures(found)
    assert "chain" in failures(found)
    assert found["fault"]["line"] == line


def test_a_duplicated_line_is_found_and_named(tab):
    lines = lines_of(LOG)
    found = report_on(tab, "".join([*lines[:DEAL], lines[DEAL - 1], *lines[DEAL:]]))

    assert "order" in failures(found)
    assert found["fault"]["line"] == DEAL + 1


def test_lines_after_the_end_are_found(tab):
    assert_found(report_on(tab, LOG.decode() + lines_of(LOG)[-1]), ["order", "chain"], SECRET + 1)


# ------------------------------------------------------------------------------------- forged by the service


def swap_cards(fields):
    fields["hands"][0][0], fields["hands"][1][0] = fields["hands"][1][0], fields["hands"][0][0]


def another_dealer(fields):
    fields["dealer"] = 1 - fields["dealer"]


def more_points(fields):
    fields["totals"][0] += 1


FORGERIES = {
    "cards exchanged": (("blindside-4001", "blindside.round_dealt", swap_cards, 3), ["cards"]),
    "another dealer": (
        ("blind_don-4001", "blind_don.round_dealt", another_dealer, 2),
        ["dealers", "cards"],
    ),
    "another cut": (("blind_don-8", "blind_don.dealer_cut", another_dealer), ["dealers"]),
    "a stock in another order": (
        ("coconut-4001", "coconut.round_dealt", lambda fields: fields["stock"].reverse(), 2),
        ["cards"],
    ),
    "a bank in another order": (
        ("double_blind-4001", "double_blind.caper_dealt", lambda fields: fields["bank"].reverse(), 30),
        ["cards"],
    ),
    "a blind card exchanged": (
        ("shithead-4001", "shithead.round_dealt", lambda fields: fields["blind"].reverse()),
        ["cards"],
    ),
    "points added": (("coconut-4001", "table.round_scored", more_points, 2), ["scores"]),
    "another score": (
        ("coconut-4001", "table.ended", lambda fields: fields["scores"].reverse()),
        ["scores"],
    ),
    "other places": (
        ("shithead-639", "table.ended", lambda fields: fields["places"].reverse()),
        ["scores"],
    ),
    "a dealer named": (
        ("coconut-4001", "table.opened@4", lambda fields: fields.update(first_dealer=0)),
        ["dealers"],
    ),
    "another commitment": (
        ("coconut-4001", "table.opened@4", lambda fields: fields.update(commitment=HASH)),
        ["secret"],
    ),
    "another secret at the end": (
        ("coconut-4001", "table.seed_revealed", lambda fields: fields.update(server_seed=HASH)),
        ["secret"],
    ),
}


@pytest.mark.parametrize("what", FORGERIES)
def test_a_forgery_with_matching_seals_is_found_and_named(tab, what):
    change, names = FORGERIES[what]
    log, line = forged(*change)
    found = report_on(tab, log)

    assert not verify_log(log).valid
    assert_found(found, named := failures(found), line)
    assert set(names) <= set(named) <= {*names, "dealers", "cards"}


def test_changed_cards_in_the_kept_part_of_a_fork_are_found(tab):
    def other_cards(fields):
        deal = next(entry for entry in fields["entries"] if entry["type"] == "blindside.round_dealt")
        swap_cards(deal["data"])

    log, line = forged("blindside-5002", "table.forked", other_cards)

    assert_found(report_on(tab, log), ["chain", "cards"], line)


def without(name, kind):
    """Returns a golden log without its first event of this type and with new seals, and the line of the event."""
    log = golden(name)
    version = version_of(log, kind)
    entries = entries_of(log)
    return rechained([*entries[: version - 1], *entries[version:]]), version + 1


def test_a_round_that_was_not_dealt_is_found(tab):
    log, _ = without("blindside-117", "blindside.round_dealt")

    assert_found(report_on(tab, log), ["cards"], SCORED - 1)


def test_a_version_that_no_event_has_is_found(tab):
    log = rechained(entries_of(LOG), left_out=SCORED)

    assert not verify_log(log).valid
    assert_found(report_on(tab, log), ["order"], SCORED + 1)


def test_a_fork_without_the_log_of_its_parent_is_found(tab):
    log, line = without("blindside-5002", "table.forked")
    found = report_on(tab, log)

    assert {"chain", "cards"} <= set(failures(found))
    assert found["fault"]["line"] == line


def test_a_fork_at_another_version_is_found(tab):
    log, line = forged(
        "blindside-5002", "table.opened@5", lambda fields: fields["parent"].update(version=199)
    )

    assert_found(report_on(tab, log), ["chain"], line)


# ------------------------------------------------------------------------------------- seeds


def seeds_forged(kind, number=1, *, at=None, **fields):
    """Returns the log with seeds after a change to one event's fields or time, and the line of the event."""
    entries, version = entries_of(seeded()), version_of(seeded(), kind, number)
    entry = entries[version - 1]
    changed_entry = with_data(entry, fields_of(entry) | fields)
    entries[version - 1] = replace(changed_entry, at=entry.at if at is None else at)
    return rechained(entries), version + 1


def test_a_seed_that_was_not_committed_to_is_found(tab):
    log, line = seeds_forged("table.player_seed_revealed", seed="c" * 32)

    found = report_on(tab, log)

    assert found["fault"] == {"passed": False, "text": "A different seed was committed to.", "line": line}
    assert set(failures(found)) <= {"seeds", "dealers", "cards"}


@pytest.mark.parametrize(
    ("kind", "number", "at"),
    [
        ("table.player_seed_revealed", 2, START + REVEAL_MS),
        ("table.player_seed_missed", 1, START + REVEAL_MS - 1),
    ],
)
def test_a_seed_at_the_wrong_time_is_found(tab, kind, number, at):
    log, line = seeds_forged(kind, number, at=at)

    assert not verify_log(log).valid
    assert_found(report_on(tab, log), ["seeds"], line)


def test_only_a_timely_reveal_after_an_outage_counts(tab):
    sitting = Sitting(seats=2).sit_committed("ada", ADAS).sit("bo").start()
    sitting.now += 2_000 + 16_000
    sitting.do(MoveClocks(sitting.now - 16_000, sitting.now))
    sitting.do(RevealSeed(0, ADAS), by="player:0", after_ms=REVEAL_MS - 2_000 - 1)
    log = sitting.play_out().log()
    assert report_on(tab, log)["passed"]

    entries, version = entries_of(log), version_of(log, "table.player_seed_revealed")
    entries[version - 1] = replace(entries[version - 1], at=entries[version - 1].at + 1)
    assert_found(report_on(tab, rechained(entries)), ["seeds"], version + 1)


def test_play_before_all_seeds_are_fixed_is_found(tab):
    entries = entries_of(seeded())
    missed = version_of(seeded(), "table.player_seed_missed")
    log = rechained([*entries[: missed - 1], *entries[missed:]])

    assert_found(report_on(tab, log), ["seeds"], missed + 1)


def test_a_seat_taken_after_the_start_is_found(tab):
    entries = entries_of(seeded())
    started = version_of(seeded(), "table.started@2")
    log = rechained([*entries[:started], entries[1], *entries[started:]])

    found = report_on(tab, log)

    assert "seeds" in failures(found)
    assert found["fault"]["line"] == started + 2


# ------------------------------------------------------------------------------------- stored in a browser


def kept_of(log, version, **seed):
    entry = entries_of(log)[version - 1]
    opened = fields_of(entries_of(log)[0])
    return {
        "version": version,
        "head": entry.hash,
        "commitment": opened["commitment"],
        "seeds": [{"role": "seat", **seed}] if seed else [],
    }


STARTED = version_of(seeded(), "table.started@2")


@pytest.mark.parametrize(
    ("seed", "passed"),
    [
        ({"seed": ADAS, "isRevealed": True}, True),
        ({"seed": HOSTS, "role": "host"}, True),
        ({"seed": "b" * 32}, True),  # its player was too late, but all other stored seeds are in the log
        ({"seed": "b" * 32, "isRevealed": True}, False),
        ({"seed": "c" * 32}, False),
        ({"seed": "c" * 32, "role": "entrant"}, True),
    ],
)
def test_the_seed_stored_in_the_browser_is_compared(tab, seed, passed):
    found = report_on(tab, seeded(), kept=kept_of(seeded(), STARTED, **seed))

    assert found["checks"][-1]["passed"] is passed
    assert failures(found) == ([] if passed else ["kept"])


@pytest.mark.parametrize(
    ("change", "line"),
    [({"head": HASH}, STARTED + 1), ({"commitment": HASH}, 2), ({"version": STARTED + 1}, STARTED + 2)],
)
def test_a_log_other_than_the_one_seen_by_the_browser_is_found(tab, change, line):
    kept = kept_of(seeded(), STARTED) | change

    assert_found(report_on(tab, seeded(), kept=kept), ["kept"], line)
