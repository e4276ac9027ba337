"""Language models play by the tools of `hoodwink mcp`, and are told no more than any player in their seat."""

import asyncio
import json
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest

from hoodwink.domain.games import GAMES
from hoodwink.domain.tables.proving.log import parse_log
from hoodwink.service.http.messages.answers import encode
from hoodwink_client import AsyncClient, Client, random_action
from tests.clients.in_process import client_of
from tests.service.http.api import catch_up, new_api
from tests.service.http.tables.test_secrecy import HEAD, plays
from tests.service.http.twins import TABLE, inhabitant, twins
from tests.service.web.secrecy.entitled import Story, named_in

ACTIONS = 24
"""The actions of each of two models before they resign."""


def model_of(client):
    """Returns a model that has the tools of `hoodwink mcp`, in this process."""
    from mcp import Client as Host

    from hoodwink.service.cli.bots.online.tools import mcp_server

    return Host(mcp_server(client, "1"))


async def call(model, tool, **arguments):
    """Returns the text of a tool's answer; fails if the tool reports an error."""
    answer = await model.call_tool(tool, arguments)
    assert not answer.is_error, answer.content[0].text
    return answer.content[0].text


async def error(model, tool, **arguments):
    answer = await model.call_tool(tool, arguments)
    assert answer.is_error
    return answer.content[0].text


@pytest.mark.processes
def test_a_model_plays_a_table_over_stdio(served, tmp_path):
    from mcp import Client as Host
    from mcp import StdioServerParameters, stdio_client

    command = str(Path(sys.executable).with_name("hoodwink"))
    arguments = ["mcp", "--server", served, "--accounts", str(tmp_path), "--name", "Sage"]

    async def play():
        server = StdioServerParameters(command=command, args=arguments)
        # The default is where `sys.stderr` was when `mcp` was imported, perhaps in a test of a command.
        assert sys.__stderr__ is not None
        async with Host(stdio_client(server, errlog=sys.__stderr__)) as model:
            tools = (await model.list_tools()).tools
            games = json.loads(await call(model, "list_games"))
            rules = json.loads(await call(model, "read_rules", game="blind_don"))
            form = {"game": "blind_don", "seats": 2, "bots": ["steady"], "options": {"rounds": 2}}
            table = json.loads(await call(model, "open_table", **form))
            told = [*table["happened"]]
            while table["phase"] != "ended":
                table = json.loads(await call(model, "wait", table=table["table"]))
                told += table["happened"]
                if table["your_turn"]:
                    action = random_action(table["legal_actions"])
                    form = {"table": table["table"], "action": action, "version": table["version"]}
                    table = json.loads(await call(model, "choose", **form))
                    told += table["happened"]
            return tools, games, rules, told, table

    tools, games, rules, told, table = asyncio.run(play())

    assert len(tools) <= 10
    assert all(tool.description for tool in tools)
    assert {game["name"] for game in games} == set(GAMES)
    assert "trump" in rules["rules"]
    assert table["seats"][0]["name"] == "BOT Sage"
    assert table["result"]["outcome"] == "played_out"
    (token,) = tmp_path.rglob("Sage.token")
    assert token.stat().st_mode & 0o077 == 0
    with Client(served, token=token.read_text()) as client:
        path = f"/v1/tables/{table['table']}/events?include=words&limit=1000"
        assert told == [event["words"] for event in client.request("GET", path)["events"]]


def leaks(story, viewer, text):
    """Yields what an answer about a table tells that its viewer may not know."""
    body = json.loads(text)
    if body["version"] >= story.ended_at:
        return
    yield from set(named_in(text)) - set(story.known(viewer, body["version"]))
    if body["phase"] == "playing":
        table = story.at(body["version"]).table
        if body["view"] != json.loads(encode(table.rulebook.view(table.state, viewer))):
            yield f"the view of version {body['version']} is not that of {viewer}"


async def played(served, game):
    """Returns what two models were told at a table, by seat, and its log."""
    told: tuple[list[str], list[str]] = [], []
    async with AsyncExitStack() as stack:
        clients, ids, models = [], [], []
        for name in ("Ada", "Bob"):
            client = await stack.enter_async_context(AsyncClient(served))
            ids.append((await client.register(name))["id"])
            clients.append(client)
            models.append(await stack.enter_async_context(model_of(client)))
        opened = json.loads(await call(models[0], "open_table", game=game, seats=2, bots=[]))
        table = opened["table"]
        offer = {"player": ids[1]}
        await clients[0].table(table).request("POST", "/offers", offer)
        (offered,) = json.loads(await call(models[1], "wait"))
        await call(models[1], "sit_down", table=offered["table"])
        await call(models[0], "start_table", table=table)

        async def play(seat):
            chance = Random(seat)
            for _ in range(ACTIONS):
                text = await call(models[seat], "wait", table=table, seconds=20)
                told[seat].append(text)
                seen = json.loads(text)
                if seen["phase"] != "playing":
                    return
                if not (seen["legal_actions"]["actions"] or seen["legal_actions"]["choices"]):
                    continue
                action = random_action(seen["legal_actions"], chance)
                form = {"table": table, "action": action, "version": seen["version"]}
                answer = await models[seat].call_tool("choose", form)
                if not answer.is_error:
                    told[seat].append(answer.content[0].text)
            await models[seat].call_tool("leave", {"table": table})  # refused if the other one was first

        await asyncio.gather(play(0), play(1))
        return told, await clients[0].request("GET", f"/v1/tables/{table}/log")


@pytest.mark.processes
@pytest.mark.parametrize("game", GAMES)
def test_no_answer_contains_a_card_that_the_seat_may_not_see(served, game):
    told, log = asyncio.run(played(served, game))

    story = Story(parse_log(log)[1])
    for seat in (0, 1):
        assert len(told[seat]) >= 10
        assert [leak for text in told[seat] for leak in leaks(story, seat, text)] == []
    # In Blind Don, both players see the same cards.
    assert game == "blind_don" or any(leak for text in told[0] for leak in leaks(story, 1, text))


async def answers(api, seat):
    """Returns the texts of all tools that tell something about the twins' table, errors included."""
    async with client_of(inhabitant(api, seat)) as client, model_of(client) as model:
        look = await call(model, "see", table=TABLE)
        version = json.loads(look)["version"]
        actions = [{"type": "play", "position": 0}, {"type": "flip", "slot": 0}, {"type": "no_such"}]
        refused = [
            await error(model, "choose", table=TABLE, action=action, version=at)
            for action in actions
            for at in (1, version + 1)
        ]
        others = [await error(model, tool, table=TABLE) for tool in ("sit_down", "start_table")]
        return [
            look,
            await call(model, "see", table=TABLE),
            await call(model, "wait", table=TABLE),
            await call(model, "list_tables"),
            *refused,
            *others,
        ]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_answers_do_not_depend_on_hidden_cards(game):
    found, compared = next(plays(game)), 0
    for mine, theirs in twins(found, 0, Random(0)):
        one, other = (asyncio.run(answers(api, 0)) for api in (mine, theirs))
        assert one == other
        assert not any(HEAD.search(text.encode()) for text in one)
        compared += 1
    assert compared


def test_an_offered_seat_is_declined():
    api = new_api()
    ada, bob = api.person("Ada"), api.person("Bob")
    forms = [{"game": "blindside", "seats": 2, "private": private} for private in (True, False)]
    private, public = (ada.post("/v1/tables", form).headers["Location"] for form in forms)
    ada.post(f"{private}/offers", {"player": bob.id, "seat": 1})
    catch_up(api)

    async def leave():
        async with client_of(bob) as client, model_of(client) as model:
            await call(model, "leave", table=private.rpartition("/")[2])
            return await error(model, "leave", table=public.rpartition("/")[2])

    assert "none is offered to you" in asyncio.run(leave())
    assert ada.get(private).json["view"]["seats"][1]["offered_to"] is None


@pytest.mark.processes
def test_errors_say_what_to_do(served):
    async def play():
        async with AsyncClient(served) as client:
            await client.register("Ada")
            async with model_of(client) as model:
                opened = json.loads(
                    await call(model, "open_table", game="blind_don", seats=2, bots=["steady"])
                )
                table = opened["table"]
                version = json.loads(await call(model, "wait", table=table))["version"]
                yield await error(model, "read_rules", game="whist")
                yield await error(model, "see", table="not a table!")
                yield await error(model, "see", table="nosuchtable")
                yield await error(model, "open_table", game="blind_don", seats=3, bots=[])
                yield await error(model, "choose", table=table, action={"type": "play"}, version=version + 9)
                yield await error(
                    model, "choose", table=table, action={"type": "play", "position": "x"}, version=version
                )
                yield await error(model, "wait", table=table, seconds=10_000)
            client.http.base_url, client.patience = "http://127.0.0.1:9", 0
            async with model_of(client) as model:
                yield await error(model, "list_games")

    async def collected():
        return [text async for text in play()]

    unknown, unreadable, missing, seats, late, wrong, long, down = asyncio.run(collected())

    assert "(game_not_found)" in unknown
    assert "Call list_tables" in unreadable
    assert "(table_not_found)" in missing
    assert "seats: Must be 2." in seats
    assert "Call see" in late
    assert "position" in wrong
    assert "60" in long
    assert "Traceback" not in down
