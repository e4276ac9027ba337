"""Places of event streams per process, player and address, and the reserve for seated players."""

import pytest

from hoodwink.domain.kernel import without_name
from hoodwink.domain.players import Player
from hoodwink.service.adapters.limits.counters import Counters
from hoodwink.service.application.errors import LimitReached
from hoodwink.service.application.limits import Limit
from hoodwink.service.application.reading.my_tables import NOTHING_TOLD
from hoodwink.service.http.framework.streaming import PersonalSubscription, TableSubscription
from hoodwink.service.http.messages.problems import Problem
from hoodwink.service.http.serving.streams.places import Places
from tests.service.http.cup import standing_api

HOME, SCHOOL = "192.0.2.1", "192.0.2.2"


@pytest.fixture
def table():
    api = standing_api()
    path = api.playing(api.person("Ada"), api.person("Bob"))
    return api.service.tables.load(path.rpartition("/")[2])


@pytest.fixture
def follow(table):
    """Returns a function that subscribes to a table of Ada and Bob, or to a player's news."""
    seated = dict(zip(("ada", "bob"), (seat.player for seat in table.state.seats), strict=True))

    def subscription(player=None, viewer="spectator", news=False):
        player = seated.get(player, player)
        actor = None if player is None else Player(id=player, name=player, token_hash="")
        if news:
            return PersonalSubscription(actor=actor, player=player, now=0, told=NOTHING_TOLD, updates=None)
        return TableSubscription(loaded=table, names=without_name, actor=actor, player=player, viewer=viewer)

    return subscription


def places(max_streams=100, **bounds):
    counters = Counters({Limit[name.upper()]: bound for name, bound in bounds.items()})
    return Places(lambda: counters, max_streams=max_streams)


def ended(place):
    """Returns a list that receives an item when the place gives way."""
    calls = []
    place.begin(lambda: calls.append(place))
    return calls


def test_some_places_are_reserved_for_seated_players(follow):
    here = places(max_streams=8)
    for _ in range(3):
        here.take(follow(), HOME)
        here.take(follow("guest"), HOME)
    for stranger in (follow(), follow("guest"), follow("guest", viewer=0), follow("guest", news=True)):
        with pytest.raises(Problem, match="too_many_streams") as refused:
            here.take(stranger, HOME)
        assert (refused.value.status, refused.value.headers["Retry-After"]) == (503, "5")

    here.take(follow("ada", viewer=0), HOME)
    here.take(follow("bob", viewer=1), HOME)
    with pytest.raises(Problem, match="too_many_streams"):
        here.take(follow("ada", viewer=0), HOME)


def test_freeing_a_place_twice_frees_it_once(follow):
    here = places(max_streams=4, streams_per_address=3)
    first, _, _ = (here.take(follow(), HOME) for _ in range(3))
    first.release()
    first.release()
    here.take(follow(), HOME)
    with pytest.raises(Problem):
        here.take(follow(), SCHOOL)


def test_places_are_limited_per_address(follow):
    here = places(streams_per_address=2)
    for _ in range(2):
        here.take(follow(), HOME)
    with pytest.raises(LimitReached) as refused:
        here.take(follow("guest"), HOME)
    assert (refused.value.limit, refused.value.retry_after) == (Limit.STREAMS_PER_ADDRESS, 5)

    here.take(follow(), SCHOOL)
    with pytest.raises(LimitReached):
        here.take(follow(), HOME)


def test_ipv6_addresses_of_one_network_share_places(follow):
    here = places(streams_per_address=1)
    here.take(follow(), "2001:db8::1")
    with pytest.raises(LimitReached):
        here.take(follow(), "2001:db8::2")


def test_the_oldest_stream_of_a_player_gives_way_to_a_new_one(follow):
    here = places(streams_per_player=2)
    oldest, other = (here.take(follow("ada", viewer=0), HOME) for _ in range(2))
    gone, stays = ended(oldest), ended(other)

    newest = ended(here.take(follow("ada", news=True), SCHOOL))

    assert (gone, stays, newest) == ([oldest], [], [])
    here.take(follow("ada", viewer=0), HOME)
    assert (len(stays), newest) == (1, [])


def test_a_players_streams_in_other_processes_count(follow):
    counters = Counters({Limit.STREAMS_PER_PLAYER: 2})
    there, here = (Places(lambda: counters, max_streams=100) for _ in range(2))
    for _ in range(2):
        there.take(follow("ada", viewer=0), HOME)

    with pytest.raises(LimitReached) as refused:
        here.take(follow("ada", viewer=0), HOME)

    assert refused.value.limit is Limit.STREAMS_PER_PLAYER


def test_strangers_give_way_to_seated_players_but_not_vice_versa(follow):
    here = places(streams_per_address=3)
    ada = ended(here.take(follow("ada", viewer=0), HOME))
    strangers = [ended(here.take(follow(player), HOME)) for player in (None, "guest")]

    for _ in range(2):
        here.take(follow("bob", viewer=1), HOME)

    assert [len(calls) for calls in (ada, *strangers)] == [0, 1, 1]
    with pytest.raises(LimitReached):
        here.take(follow("cy", news=True), HOME)


def test_a_stream_refused_for_other_processes_counts_against_no_limit(follow):
    counters = Counters({Limit.STREAMS_PER_ADDRESS: 2})
    answers, asked = [False], []

    def agree(limit, who):
        asked.append((limit, who))
        counters.levels[limit].settle(who, 2 if not answers[0] else 0)
        return answers[0]

    here = Places(lambda: counters, max_streams=100, agree=agree)
    with pytest.raises(LimitReached) as refused:
        here.take(follow(), HOME)
    assert refused.value.limit is Limit.STREAMS_PER_ADDRESS
    assert asked == [(Limit.STREAMS_PER_ADDRESS, HOME)], "then it knows"

    counters.levels[Limit.STREAMS_PER_ADDRESS].settle(HOME, 0)
    answers[0] = True
    for _ in range(2):
        here.take(follow(), HOME)
    with pytest.raises(LimitReached):
        here.take(follow(), HOME)


def test_refused_streams_count_against_no_limit(follow):
    here = places(streams_per_address=1, streams_per_player=2)
    first = here.take(follow(), HOME)
    for _ in range(5):
        with pytest.raises(LimitReached):
            here.take(follow("cy"), HOME)
    first.release()
    here.take(follow("cy"), HOME)


def test_a_closed_process_gives_no_places(follow):
    here = places()
    here.close()
    with pytest.raises(Problem, match="too_many_streams"):
        here.take(follow("ada", viewer=0), HOME)
