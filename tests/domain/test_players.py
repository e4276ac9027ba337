"""Players: registered once, known by the hash of their token."""

import hashlib
import re

import msgspec
import pytest

from domain.players import NAME_PATTERN, Player, register, registered


def test_a_registration_keeps_the_hash_of_the_token_and_not_the_token():
    event = register(player="p1", name="Ada", token="hw_p1_secret")

    assert event.token_hash == hashlib.sha256(b"hw_p1_secret").hexdigest()
    assert b"secret" not in msgspec.json.encode(event)


def test_a_registered_player_is_whom_the_event_names():
    event = register(player="p1", name="Ada", token="hw_p1_secret")

    assert registered(event) == Player("p1", "Ada", event.token_hash)


@pytest.mark.parametrize("name", ["Ada", "Ada Lovelace", "Zoë", "张伟", "O'Brien-Smith"])
def test_names_are_visible_words(name):
    assert re.fullmatch(NAME_PATTERN, name)


@pytest.mark.parametrize(
    "name", ["", " Ada", "Ada ", "Ada  L", "A\u202eda", "A\u200bda", "A\nda", "A\u00a0da"]
)
def test_a_name_hides_nothing_and_turns_nothing_around(name):
    assert not re.fullmatch(NAME_PATTERN, name)
