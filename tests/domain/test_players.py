"""Players: known by the hash of their token, and by a name that no event holds."""

import hashlib
import re
from typing import get_args

import msgspec
import pytest

from domain.kernel import RuleViolation
from domain.players import (
    NAME_PATTERN,
    SOMEONE_WHO_LEFT,
    Player,
    PlayerErased,
    PlayerEvent,
    PlayerRegistered,
    PlayerRenamed,
    TokenEnded,
    TokenReplaced,
    changed,
    check_name,
    decode_player_event,
    hash_token,
)

ADA = Player(id="p1", name="Ada", token_hash="old")


def test_only_the_hash_of_a_token_is_kept():
    assert hash_token("hw_p1_secret") == hashlib.sha256(b"hw_p1_secret").hexdigest()


def test_no_event_of_a_player_has_a_name():
    assert all("name" not in kind.__struct_fields__ for kind in get_args(PlayerEvent))


@pytest.mark.parametrize(
    "event", [PlayerRegistered("p1", "hash"), TokenReplaced("p1", "hash"), TokenEnded("p1")]
)
def test_events_are_read_as_they_were_written(event):
    assert decode_player_event(event.wire, msgspec.json.encode(event)) == event


def test_a_registration_of_an_earlier_release_is_read_without_its_name():
    stored = b'{"player":"p1","name":"Ada","token_hash":"hash"}'

    assert decode_player_event("player.registered", stored) == PlayerRegistered("p1", "hash")


@pytest.mark.parametrize(
    ("event", "changes"), [(PlayerRegistered("p1", "hash"), 0), (PlayerRenamed("p1"), 1)]
)
def test_a_name_is_looked_up_apart_from_the_events(event, changes):
    assert changed(ADA, event, cmd="c") == msgspec.structs.replace(ADA, name_changes=changes)


@pytest.mark.parametrize(("event", "present"), [(TokenReplaced("p1", "new"), "new"), (TokenEnded("p1"), "")])
def test_a_token_that_was_replaced_or_ended_is_remembered_for_the_repetition_of_that_command(event, present):
    after = changed(ADA, event, cmd="c")

    assert (after.token_hash, after.former_hash, after.former_cmd) == (present, "old", "c")
    assert after.name == "Ada"


def test_an_erased_player_has_no_token_and_no_name():
    after = changed(ADA, PlayerErased("p1"), cmd="c")

    assert (after.token_hash, after.name, after.is_erased) == ("", SOMEONE_WHO_LEFT, True)
    assert after.name_changes == 1


@pytest.mark.parametrize("name", ["Ada", "Ada Lovelace", "Zoë", "张伟", "O'Brien-Smith"])
def test_names_are_visible_words(name):
    assert re.fullmatch(NAME_PATTERN, name)
    check_name(name)


@pytest.mark.parametrize(
    "name", ["", " Ada", "Ada ", "Ada  L", "A\u202eda", "A\u200bda", "A\nda", "A\u00a0da"]
)
def test_a_name_hides_nothing_and_turns_nothing_around(name):
    assert not re.fullmatch(NAME_PATTERN, name)


@pytest.mark.parametrize(
    "name",
    [
        "someone who left",
        "Someone-Who-Left",
        "SOMEONEWHOLEFT",
        "Steady bot",
        "Steady bot 2",
        "steadybot2",
        "STEADY_BÖT 12",
        "\uff32andom bot 0",
        "St\u0435ady bot 2",
        "\u0405t\u0451\u0430dy \u0412\u041e\u0422",
        "r\u03b1nd\u03bfm b\u00f8t",
        "Someone who Ieft",
    ],
)
def test_nobody_is_called_like_a_bot_or_a_player_who_left(name):
    with pytest.raises(RuleViolation, match="name_reserved"):
        check_name(name)


@pytest.mark.parametrize(
    "name", ["Steady", "Bot", "Стефан", "Δημήτρης", "Steady bottom", "someone", "random bot of ada"]
)
def test_other_names_are_free(name):
    check_name(name)
