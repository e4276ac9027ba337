"""hoodwink-client plays tables, synchronously and asynchronously."""

import asyncio
import runpy
import threading
from contextlib import aclosing, closing, contextmanager
from pathlib import Path

import pytest

from hoodwink.domain.games import GAMES
from hoodwink_client import AsyncClient, Client, Refused, Turn, models, random_action
from tests.clients.relay import Relay
from tests.service.processes import PATIENCE_SECONDS, await_true

pytestmark = pytest.mark.processes

EXAMPLE = Path(__file__).parents[2] / "clients/python/examples/play.py"
BLINDSIDE: models.BlindsideTable = {
    "game": "blindside",
    "seats": 2,
    "options": {"rounds": 1},
    "turn_seconds": 0,
    "bot_delay": 0,
    "round_pause": 0,
}


@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=() if game == "blindside" else pytest.mark.campaign) for game in GAMES],
)
def test_the_example_plays_each_game_to_its_end(served, game, capsys):
    runpy.run_path(str(EXAMPLE))["main"](served, game)

    assert capsys.readouterr().out.startswith("played_out: places [")


def test_two_asynchronous_players_meet_at_a_private_table(served):
    seen = list[Turn]()

    async def choose(turn):
        seen.append(turn)
        await asyncio.sleep(0)
        return random_action(turn.legal)

    async def play():
        async with AsyncClient(served) as ada, AsyncClient(served) as bob:
            await ada.register("Ada")
            await bob.register("Bob")
            hosted = await ada.open_table({**BLINDSIDE, "private": True})
            await hosted.sit(seat=1)
            code = (await hosted.request("GET", "/invitation"))["invitation"]
            with pytest.raises(Refused) as refused:
                await bob.table(hosted.id).sit()
            assert (refused.value.status, refused.value.code) == (403, "not_invited")
            joined = bob.table(hosted.id, invitation=code)
            await joined.sit()
            await hosted.start()
            async with aclosing(bob.news()) as news:
                listed = await anext(news)
            return await asyncio.gather(hosted.play(choose), joined.play(choose)), listed

    results, listed = asyncio.run(play())

    assert results[0] == results[1]
    assert results[0]["outcome"] == "played_out"
    assert listed["event"] == "snapshot"
    assert {turn.seat for turn in seen} == {0, 1}
    assert all(turn.must_act for turn in seen)
    assert any(event["type"] == "blindside.card_kept" for turn in seen for event in turn.events)


@contextmanager
def both_seated(served):
    """Yields a running table of Blindside as each of its two players sees it; both have to pass a card."""
    with Client(served) as ada, Client(served) as bob:
        ada.register("Ada")
        bob.register("Bob")
        hosted = ada.open_table(BLINDSIDE)
        joined = bob.table(hosted.id)
        hosted.sit()
        joined.sit()
        hosted.start()
        yield hosted, joined


def test_an_action_that_comes_too_late_has_no_effect_and_the_next_turn_shows_why(served):
    with both_seated(served) as (hosted, joined), closing(hosted.turns()) as turns:
        late = next(turns)
        with closing(joined.turns()) as others:
            faster = next(others)
        joined.act(random_action(faster.legal), version=faster.version)

        assert hosted.act(random_action(late.legal), version=late.version) is None

        turn = next(turns)
        assert [event["type"] for event in turn.events] == ["blindside.blindside_passed"]
        assert hosted.act(random_action(turn.legal), version=turn.version)["version"] > turn.version


def test_players_go_on_after_their_server_was_away(served):
    relay, results = Relay(served), list[models.Result]()
    has_passed, may_go_on = threading.Event(), threading.Event()

    def choose(turn):
        if turn.view["view"]["step"] != "pass":
            has_passed.set()
            may_go_on.wait(PATIENCE_SECONDS)
        return random_action(turn.legal)

    with relay.running() as address, both_seated(address) as tables:
        players = [
            threading.Thread(target=lambda table=table: results.append(table.play(choose)))
            for table in tables
        ]
        for player in players:
            player.start()
        assert has_passed.wait(PATIENCE_SECONDS)
        relay.interrupt()
        may_go_on.set()
        await_true(lambda: relay.turned_away > 1)
        relay.resume()
        for player in players:
            player.join(PATIENCE_SECONDS)

    assert [result["outcome"] for result in results] == ["played_out"] * 2
