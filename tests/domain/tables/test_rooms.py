"""Rooms: who may sit down and who may watch."""

import pytest

from domain.kernel import RuleViolation
from domain.tables import ForkTable, is_listed, may_sit_down, may_watch, verify_log
from tests.domain.tables.sitting import SEED, Sitting, playing

WATCHES = ("everyone", "invited", "nobody")


def room(*players, rated=False, **opening):
    return Sitting(rated=rated, **opening).sit(*players).table


@pytest.mark.parametrize(("watch", "by_code"), [("everyone", True), ("invited", True), ("nobody", False)])
def test_g_3_who_watches_follows_from_the_table(watch, by_code):
    table = room("ada", watch=watch)

    assert may_watch(table, "ada", is_invited=False)
    assert may_watch(table, "holly", is_invited=False)
    assert may_watch(table, "eve", is_invited=False) is may_watch(table, None, is_invited=False)
    assert may_watch(table, "eve", is_invited=False) is (watch == "everyone")
    assert may_watch(table, None, is_invited=True) is by_code


def test_a_seat_at_a_private_table_is_for_the_host_and_those_who_are_invited():
    table = room("ada", private=True)

    assert may_sit_down(table, "holly", is_invited=False)
    assert may_sit_down(table, "eve", is_invited=True)
    assert not may_sit_down(table, "eve", is_invited=False)
    assert may_sit_down(room("ada"), "eve", is_invited=False)


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("watch", WATCHES)
def test_r_1_only_a_public_table_that_everyone_may_watch_is_listed_and_can_be_rated(private, watch):
    table = room(private=private, watch=watch)

    assert is_listed(table) is (not private and watch == "everyone")
    if is_listed(table):
        assert room(rated=True).rated
    else:
        with pytest.raises(RuleViolation, match="unlisted_unrated"):
            room(private=private, watch=watch, rated=True)


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("watch", WATCHES)
def test_g_3_a_fork_is_as_hidden_as_its_parent_and_private_unless_the_parent_is_listed(private, watch):
    parent = playing("ada", "bo", private=private, watch=watch, rated=False)
    parent.play_out()

    fork = Sitting(ForkTable(table="f1", host="ada", server_seed=SEED, entries=tuple(parent.entries[:5])))

    assert (fork.table.watch, fork.table.private) == (watch, not is_listed(parent.table))


@pytest.mark.parametrize("watch", WATCHES)
def test_the_log_of_a_private_table_verifies(watch):
    sitting = playing("ada", "bo", private=True, watch=watch, rated=False)
    sitting.play_out()

    assert verify_log(sitting.log()).valid
