"""Players in the caches of several processes: an outdated player is used for at most a second."""

from collections.abc import Callable
from typing import Any, Final

import pytest

from hoodwink.domain.players import SOMEONE_WHO_LEFT, PlayerRegistered, hash_token
from hoodwink.service.application.errors import KeyReused, SignedOut, TokenSuperseded
from hoodwink.service.application.players.player_lookup import KNOWN_MS
from hoodwink.service.application.players.players import REPEATABLE_MS, Players
from hoodwink.service.application.players.stored_players import commit_of
from hoodwink.service.application.ports import IdempotencyKey, StreamId
from tests.service.application.world import StandingClock, service_on
from tests.service.databases import new_redis


class Two:
    """Two processes on one store with their own caches; the second receives change notices only on demand."""

    def __init__(self):
        self.client, self.clock = new_redis(), StandingClock()
        self.mine = service_on(self.client, self.clock).players
        their_process: Any = service_on(self.client, self.clock)
        self.theirs, self.store = their_process.players, their_process.store
        self.theirs.hear([], until=self.theirs.now())
        self.ada = self.mine.register(name="Ada")
        self.id = self.ada.player.id
        self.reads = 0
        read = self.store.read_named

        def read_and_count(streams):
            self.reads += 1
            return read(streams)

        self.store.read_named = read_and_count

    def player(self):
        return self.mine.get(self.id)

    def name(self):
        return self.theirs.names([self.id])(self.id)


@pytest.fixture
def two():
    return Two()


def test_with_change_notices_each_player_is_read_once(two):
    assert [two.name() for _ in range(3)] == ["Ada"] * 3
    assert two.theirs.authenticate(two.ada.token) is not None
    assert two.reads == 1


def test_a_change_notice_refreshes_the_player(two):
    assert two.name() == "Ada"
    two.mine.rename(two.player(), "Augusta")
    assert two.name() == "Ada"

    two.theirs.hear([two.id], until=two.theirs.now())

    assert two.name() == "Augusta"


def test_players_are_read_again_after_a_second_without_notices(two):
    assert two.name() == "Ada"
    two.mine.end_sessions(two.player(), lambda _: True)
    assert two.theirs.authenticate(two.ada.token) is not None

    two.clock.now += KNOWN_MS

    assert two.theirs.authenticate(two.ada.token) is None


def test_a_new_token_is_accepted_everywhere_immediately(two):
    assert two.name() == "Ada"
    made = two.mine.replace_token(two.player(), None, "secret")

    assert two.theirs.authenticate(made.token) == made.player
    assert two.theirs.authenticate(two.ada.token) is None


def test_the_cache_is_not_used_after_a_lost_connection(two):
    assert two.name() == "Ada"
    two.mine.erase(two.player(), None)

    two.theirs.forget()

    assert two.name() == SOMEONE_WHO_LEFT
    assert two.theirs.authenticate(two.ada.token) is None


def test_a_read_overtaken_by_a_change_is_not_cached(two):
    read = two.store.read_named

    def overtaken(streams):
        found = read(streams)
        two.mine.rename(two.player(), "Augusta")
        two.theirs.hear([two.id], until=two.theirs.now())
        return found

    two.store.read_named = overtaken
    assert two.name() == "Ada"
    two.store.read_named = read
    assert two.name() == "Augusta"


def test_the_names_of_many_players_are_read_together(two):
    others = [two.mine.register(name=f"Name {number}").player.id for number in range(20)]

    names = two.theirs.names([*others, "nobody00"])

    assert [names(other) for other in others] == [f"Name {number}" for number in range(20)]
    assert (names("nobody00"), two.reads) == ("Player nobo", 1)


def test_two_simultaneous_changes_are_both_made(two, monkeypatch):
    append = two.mine._store.append
    theirs = iter(["Augusta"])

    def overtaken(commit_):
        for name in theirs:
            two.theirs.rename(two.player(), name)
        return append(commit_)

    monkeypatch.setattr(two.mine._store, "append", overtaken)
    two.mine.end_sessions(two.player(), lambda _: True)

    player = two.mine.get(two.id)
    assert (player.name, player.token_hash, player.version) == ("Augusta", "", 3)


def overtake(two, monkeypatch, change):
    """Makes another process change something right before this process's next append."""
    append, changes = two.mine._store.append, iter([change])

    def overtaken(commit_):
        for other in changes:
            other()
        return append(commit_)

    monkeypatch.setattr(two.mine._store, "append", overtaken)


KEY = IdempotencyKey("k1", "f1")
ENDINGS = {
    "erase": lambda players, player: players.erase(player, None),
    "end_sessions": lambda players, player: players.end_sessions(player, lambda _: True),
    "replace_token": lambda players, player: players.replace_token(player, None, "other"),
}
CHANGES: dict[str, Callable[[Players, Any], Any]] = ENDINGS | {
    "replace_token": lambda players, player: players.replace_token(player, KEY, "secret"),
    "rename": lambda players, player: players.rename(player, "Augusta"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS)
def test_a_change_is_refused_if_the_token_ends_before_it_is_stored(two, monkeypatch, ending, change):
    ada = two.player()
    overtake(two, monkeypatch, lambda: ending(two.theirs, ada))

    with pytest.raises(SignedOut):
        change(two.mine, ada)

    stored = two.player()
    assert stored.version == 2
    assert two.client.hget(two.store._keys.names(StreamId("player", two.id)), two.id) != b"Augusta"


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_an_erased_player_cannot_be_changed(two, change):
    erased = two.mine.erase(two.player(), IdempotencyKey("erase", ""))

    with pytest.raises(SignedOut):
        change(two.mine, erased)

    assert two.player().version == 2


def test_a_repeated_command_is_recognised_after_its_token_ended(two):
    ada = two.player()
    first = two.mine.replace_token(ada, KEY, "secret")

    assert two.mine.replace_token(ada, KEY, "secret") == first
    assert two.mine.replace_token(first.player, KEY, "secret") == first
    with pytest.raises(KeyReused):
        two.mine.erase(ada, IdempotencyKey("k1", "another request"))
    assert two.player().version == 2


def test_a_simultaneous_repeat_is_recognised(two, monkeypatch):
    ada = two.player()
    overtake(two, monkeypatch, lambda: two.theirs.replace_token(ada, KEY, "secret"))

    two.mine.replace_token(ada, KEY, "secret")

    assert two.player().version == 2


def test_a_key_whose_token_was_replaced_returns_no_token(two):
    first = two.mine.replace_token(two.player(), KEY, "secret")
    second = two.mine.replace_token(first.player, IdempotencyKey("k2", "f1"), "other")

    with pytest.raises(TokenSuperseded):
        two.mine.replace_token(second.player, KEY, "secret")

    assert two.mine.authenticate(second.token) is not None
    assert two.player().version == 3


EVE: Final[dict[str, Any]] = {"name": "Eve", "key": "0123456789abcdef"}


def test_stored_registrations_do_not_reveal_key_or_name(two):
    made = two.mine.register(**EVE)
    (entry,) = two.store.read(StreamId("player", made.player.id))
    stored = two.store.known(StreamId("player", made.player.id), entry.cmd)

    assert (entry.cmd, stored.fingerprint) == (made.player.id, "")


def test_a_repeated_registration_survives_restarts_for_ten_minutes(two):
    made = two.mine.register(**EVE)
    two.clock.now += REPEATABLE_MS - 1

    assert two.mine.register(**EVE) == made
    assert service_on(two.client, two.clock).players.register(**EVE) == made


def test_a_registration_key_expires_after_ten_minutes(two):
    made = two.mine.register(**EVE)
    two.clock.now += REPEATABLE_MS

    others = [
        players.register(**EVE)
        for players in (two.mine, two.theirs, service_on(two.client, two.clock).players)
    ]

    assert len({made.player.id, *[other.player.id for other in others]}) == 4
    assert [other.player.name for other in others] == ["Eve"] * 3
    assert two.mine.authenticate(made.token) is not None
    assert two.mine.get(made.player.id).version == 1


def test_a_registration_key_expires_with_its_token(two):
    made = two.mine.register(**EVE)
    two.mine.replace_token(made.player, None, "secret")

    assert two.mine.register(**EVE).player.id != made.player.id


@pytest.mark.parametrize("name", ["Eva", None, "EVE"])
def test_the_same_key_with_another_name_registers_another_player(two, name):
    made = two.mine.register(**EVE)
    other = two.mine.register(name=name, key=EVE["key"])

    assert other.player.id != made.player.id
    assert other.token.rpartition("_")[2] != made.token.rpartition("_")[2]
    assert two.mine.register(**EVE) == made


def test_an_old_token_stays_valid_and_its_key_returns_no_token(two):
    key, identities = EVE["key"], service_on(two.client, two.clock).identities
    old_id = identities.player_id(key)  # like earlier releases, which derived it from the key alone
    token = identities.token(old_id, key)
    registered = PlayerRegistered(old_id, hash_token(token))
    two.store.append(commit_of(None, registered, IdempotencyKey("c", ""), two.clock.now, "Eve"))

    assert two.mine.register(**EVE).player.id != old_id
    assert two.mine.authenticate(token).name == "Eve"
