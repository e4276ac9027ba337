"""Shorthand of commits: play can be decided again from it, byte for byte."""

from itertools import groupby

import pytest

from hoodwink.domain.games import GAMES
from hoodwink.domain.tables.codec import decode_event
from hoodwink.domain.tables.entries import decoded
from hoodwink.domain.tables.evolve import evolve
from hoodwink.domain.tables.proving.log import GENESIS, parse_log
from hoodwink.domain.tables.state import UNOPENED
from hoodwink.service.adapters.archive.shorthand import expanded, shortened
from tests.golden.record import FOLDER


def commits_of(name):
    """Yields each commit of a golden log, with the table and the hash before it."""
    _, entries = parse_log((FOLDER / f"{name}.log").read_bytes())
    table, head = UNOPENED, GENESIS
    for _, group in groupby(entries, key=lambda entry: entry.cmd):
        commit = decoded(tuple(group), decode_event)
        yield table, commit, head
        for recorded in commit:
            table = evolve(table, recorded)
        head = commit[-1].entry.hash


@pytest.mark.parametrize("game", GAMES)
def test_play_is_decided_again_from_its_shorthand(game):
    for table, commit, head in commits_of(f"{game}-4001"):
        first, short = commit[0].entry, shortened(table, commit, head)
        assert (short is None) == (first.type.startswith("table.") and first.type != "table.round_scored")
        if short is not None:
            shorthand, after = short
            assert expanded(table, shorthand, head=head, at=first.at, by=first.by, cmd=first.cmd) == (
                after,
                commit,
            )


def test_an_action_that_the_host_entered_has_none():
    entered = [
        one
        for one in commits_of("double_blind-2065")
        if one[1][0].entry.type == "double_blind.pocket_exposed"
    ]
    assert {commit[0].entry.by for _, commit, _ in entered} >= {"host"}
    for table, commit, head in entered:
        assert (shortened(table, commit, head) is None) == (commit[0].entry.by == "host")


def test_events_to_which_the_rules_do_not_lead_have_none():
    (early, _, _), *_, (table, commit, head) = [
        one for one in commits_of("blindside-117") if one[1][0].entry.type == "blindside.card_discarded"
    ]
    assert shortened(table, commit, head) is not None
    assert shortened(table, commit, "0" * 64) is None
    assert shortened(early, commit, head) is None
