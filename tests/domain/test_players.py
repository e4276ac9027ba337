"""Players: known by the hash of their token, and by a name that no event holds."""

import hashlib
from typing import get_args

import msgspec
import pytest

from hoodwink.domain.players import (
    SOMEONE_WHO_LEFT,
    BanLifted,
    Player,
    PlayerBanned,
    PlayerErased,
    PlayerEvent,
    PlayerRegistered,
    PlayerRenamed,
    RecoveryCodeMade,
    Session,
    SessionOpened,
    SignIn,
    TokenEnded,
    TokenReplaced,
    changed,
    decode_player_event,
    hash_token,
    session_of,
    signed_in,
)

FIRST = Session(number=1, token_hash="old", how=SignIn.REGISTRATION, opened_at=0)
ADA = Player(id="p1", name="Ada", token_hash="old", sessions=(FIRST,))
OPENED = SessionOpened("p1", 2, "new", SignIn.LINK)


def test_only_the_hash_of_a_token_is_kept():
    assert hash_token("hw_p1_secret") == hashlib.sha256(b"hw_p1_secret").hexdigest()


def test_no_event_of_a_player_has_a_name():
    assert all("name" not in kind.__struct_fields__ for kind in get_args(PlayerEvent))


@pytest.mark.parametrize(
    "event",
    [
        PlayerRegistered("p1", "hash"),
        TokenReplaced("p1", "hash"),
        TokenEnded("p1"),
        OPENED,
        RecoveryCodeMade("p1", "hash"),
    ],
)
def test_events_round_trip(event):
    assert decode_player_event(event.wire, msgspec.json.encode(event)) == event


@pytest.mark.parametrize(
    ("event", "changes"), [(PlayerRegistered("p1", "hash"), 0), (PlayerRenamed("p1"), 1)]
)
def test_a_name_is_looked_up_outside_the_events(event, changes):
    assert changed(ADA, event, cmd="c", at=5) == msgspec.structs.replace(ADA, name_changes=changes)


def test_a_replaced_token_is_remembered_for_repeating_that_command():
    (session,) = changed(ADA, TokenReplaced("p1", "new"), cmd="c", at=5).sessions

    assert (session.number, session.token_hash, session.former_hash, session.cmd) == (1, "new", "old", "c")


def test_a_session_begins_and_ends_apart_from_the_others():
    both = changed(ADA, OPENED, cmd="c", at=5)
    assert [(session.number, session.token_hash, session.opened_at) for session in both.sessions] == [
        (1, "old", 0),
        (2, "new", 5),
    ]

    replaced = changed(both, TokenReplaced("p1", "newer", 2), cmd="d", at=6)
    assert [session.token_hash for session in replaced.sessions] == ["old", "newer"]
    assert changed(both, TokenEnded("p1", (2,)), cmd="d", at=6).sessions == ADA.sessions
    assert [session.number for session in changed(both, TokenEnded("p1"), cmd="d", at=6).sessions] == [2]


def test_a_session_can_make_room_for_another():
    made = changed(ADA, SessionOpened("p1", 2, "new", SignIn.LINK, (1,)), cmd="c", at=5)

    assert [session.number for session in made.sessions] == [2]


@pytest.mark.parametrize(
    ("wire", "data"), [("player.token_replaced", {"token_hash": "new"}), ("player.token_ended", {})]
)
def test_first_versions_of_token_events_are_about_the_first_session(wire, data):
    event = decode_player_event(wire, msgspec.json.encode({"player": "p1", **data}))

    assert event in (TokenReplaced("p1", "new", 1), TokenEnded("p1", (1,)))


def test_an_erased_player_has_no_token_and_no_name():
    after = changed(ADA, PlayerErased("p1"), cmd="c", at=5)

    assert (after.name, after.is_erased) == (SOMEONE_WHO_LEFT, True)
    assert [session_of(after, token_hash) for token_hash in ("old", "")] == [None, None]
    assert [(session.former_hash, session.cmd) for session in after.sessions] == [("old", "c")]
    assert after.name_changes == 1


def test_a_ban_holds_until_it_is_lifted():
    banned = changed(ADA, PlayerBanned("p1"), cmd="c", at=5)

    assert banned == msgspec.structs.replace(ADA, is_banned=True)
    assert changed(banned, BanLifted("p1"), cmd="d", at=6) == ADA


def test_a_recovery_code_works_once():
    made = changed(ADA, RecoveryCodeMade("p1", "hash"), cmd="c", at=5)
    assert made.recovery_code is not None
    assert (made.recovery_code.code_hash, made.recovery_code.made_at) == ("hash", 5)

    by_link = changed(made, OPENED, cmd="d", at=6)
    assert by_link.recovery_code == made.recovery_code
    used = SessionOpened("p1", 2, "new", SignIn.RECOVERY_CODE)
    assert changed(made, used, cmd="d", at=6).recovery_code is None


def test_a_player_acts_with_the_token_that_they_gave():
    other = signed_in(ADA, "new")

    assert other.token_hash == "new"
    assert signed_in(other, "new") is other
