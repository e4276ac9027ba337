"""Times in answers: how long seats owe or are away, and claiming an absent player's seat."""

import pytest

from tests.service.application.world import StandingClock
from tests.service.http.api import first_legal, new_api, problem

TURN_MS = 60_000


@pytest.fixture
def clock():
    return StandingClock()


@pytest.fixture
def api(clock):
    return new_api(clock=clock)


@pytest.fixture
def path(api, ada, bob):
    """A dealt table of Blind Don with Ada and Bob, and a minute per turn."""
    return api.playing(ada, bob, game="blind_don", turn_seconds=TURN_MS // 1000)


@pytest.fixture
def mover(ada, bob, path):
    """The player to move, and the other one."""
    return (ada, bob) if list(first_legal(ada, path)) else (bob, ada)


def seats(person, path):
    return person.get(path).json["view"]["seats"]


def seat_of(person, path):
    return person.get(path).json["view"]["viewer"]


class TestClaiming:
    def test_g_14_the_seat_of_a_player_with_an_expired_clock_can_be_claimed(self, api, clock, path, mover):
        late, other = mover
        seat = seat_of(late, path)
        problem(other.post(f"{path}/seats/{seat}/claim"), 422, "not_claimable")
        clock.now += TURN_MS
        api.run_due(path)
        assert seats(other, path)[seat]["away_since"] == clock.now

        claimed = other.post(f"{path}/seats/{seat}/claim")

        (event,) = claimed.json["events"]
        assert (claimed.status_code, event["type"], event["data"]) == (
            200,
            "table.seat_claimed",
            {"seat": seat},
        )
        assert event["by"] == f"player:{1 - seat}"
        shown = claimed.json["view"]["seats"][seat]
        assert (shown["bot_kept"], shown["deadline"], shown["resigned"]) == (True, None, False)
        problem(other.post(f"{path}/seats/{seat}/claim"), 422, "already_kept")

    @pytest.mark.parametrize("is_acting", [True, False])
    def test_g_14_the_player_of_a_claimed_seat_can_take_it_back(self, api, clock, path, mover, is_acting):
        late, other = mover
        seat = seat_of(late, path)
        clock.now += TURN_MS
        api.run_due(path)
        other.post(f"{path}/seats/{seat}/claim")
        while is_acting and not (actions := list(first_legal(late, path))):
            assert other.post(f"{path}/actions", next(first_legal(other, path))).status_code == 200

        back = late.post(f"{path}/actions", actions[0]) if is_acting else late.post(f"{path}/return")

        assert back.status_code == 200
        shown = back.json["view"]["seats"][seat]
        assert (shown["bot_kept"], shown["away_since"]) == (False, None)

    def test_a_seat_that_owes_shows_the_time_since(self, api, clock, path, mover):
        owing, other = mover
        seat = seat_of(owing, path)
        assert [shown["owes_since"] for shown in seats(other, path)][seat] == clock.now
        assert seats(other, path)[1 - seat]["owes_since"] is None
