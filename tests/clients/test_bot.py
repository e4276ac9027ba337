"""`hoodwink bot` lets a function play on a server: what it observes, its mistakes, and restarts of everything."""

import asyncio
import json
import re
import signal
import subprocess
import sys
from collections import Counter
from contextlib import contextmanager, suppress
from pathlib import Path
from textwrap import dedent
from threading import Event, Thread

import pytest
from click.testing import CliRunner

from hoodwink.domain.games import GAMES
from hoodwink.domain.tables.codec import decode_event
from hoodwink.domain.tables.entries import decoded
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.service.cli import hoodwink
from hoodwink.service.cli.bots.online.seat import Seat
from hoodwink.service.cli.shared.stopping import INTERRUPTED
from hoodwink.service.simulation.outside.outsider import observation
from hoodwink.service.simulation.outside.process import Limits
from hoodwink_client import Client, Refused, models, random_action
from tests.clients.in_process import client_of
from tests.clients.relay import Relay
from tests.domain.laws.worlds import commits_of
from tests.service.http.tables.test_secrecy import plays
from tests.service.http.twins import TABLE, api_with_play, inhabitant
from tests.service.processes import PATIENCE_SECONDS, await_true, end

COMMAND = Path(sys.executable).with_name("hoodwink")
UNHURRIED = ("--seconds", "20")
"""On a busy machine, a bot may take longer than the usual limit for its moves."""
FIRST_LEGAL = """
    def choose(observation):
        legal = observation["legal_actions"]
        for choice in legal["choices"]:
            cards = [choice["including"]] if "including" in choice else []
            rest = list(choice["cards"])
            for card in cards:
                rest.remove(card)
            return {"type": choice["type"], "cards": cards + rest[:choice["at_least"] - len(cards)]}
        return legal["actions"][0]
"""


@pytest.fixture
def bot(tmp_path):
    """Writes the code of a bot, and returns its file."""

    def write(code, name="plain"):
        file = tmp_path / f"{name}.py"
        file.write_text(dedent(code))
        return file

    return write


def run(bot, served, *options):
    """Runs the command to its end, and returns its output."""
    words = [
        "bot",
        str(bot),
        "--server",
        served,
        "--accounts",
        str(bot.parent / "accounts"),
        *UNHURRIED,
        *map(str, options),
    ]
    done = CliRunner().invoke(hoodwink, words)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_the_observation_is_the_same_online_and_in_a_simulation(game):
    found = next(plays(game))
    api = api_with_play(found, commits_of(found))
    loaded = api.service.tables.load(TABLE)
    seat, now = found.game.turn(found.entries[-1].state).owes[0], api.service.clock.now_ms()

    async def seen():
        async with client_of(inhabitant(api, seat)) as client:
            table = client.table(TABLE)
            online = Seat(table, "no bot", Limits())
            message = {"event": "snapshot", "id": "", "data": await table.look()}
            await online._note_events(message)
            return json.loads(online._position(table.turn_in(message), message["data"]["now"]))

    online = asyncio.run(seen())
    recorded = decoded(api.service.tables.entries(TABLE), decode_event)
    simulated = json.loads(observation(loaded.state, recorded, seat, now))

    for each in simulated["view"]["seats"]:  # a simulation has no names
        each["name"] = f"Player {each['seat']}"
    assert online == simulated


@pytest.mark.processes
def test_a_bot_plays_several_tables_as_the_same_player(served, bot):
    file = bot(FIRST_LEGAL)

    first = run(file, served, "--play", "coconut", "--tables", 2, "--option", "rounds=1")
    second = run(file, served, "--play", "blind_don", "--option", "rounds=2")

    assert first.count("played_out") == 2
    assert second.count("played_out") == 1
    assert "Mistakes" not in first + second
    (token,) = (file.parent / "accounts").rglob("plain.token")
    with Client(served, token=token.read_text()) as client:
        await_true(lambda: len(client.request("GET", "/v1/me/tables?phase=ended")["tables"]) == 3)


@pytest.mark.processes
def test_a_bot_registered_elsewhere_plays_with_its_token(served, bot):
    file = bot(FIRST_LEGAL)
    with Client(served) as client:
        client.register("Ada")
        token = client.request("POST", "/v1/me/bots", {"name": "Maia"})["token"]
    kept = file.with_suffix(".token")
    kept.write_text(f"{token}\n")

    said = run(file, served, "--play", "blind_don", "--option", "rounds=2", "--token-file", kept)

    assert said.startswith("BOT Maia is player")
    assert said.count("played_out") == 1
    assert not (file.parent / "accounts").exists()


@pytest.mark.processes
@pytest.mark.parametrize("content", [b"", b"hw_1\nhw_2\n", "hw_\u00e4".encode(), b"\xff"])
def test_a_file_without_a_token_is_reported(served, tmp_path, content):
    kept = tmp_path / "bot.token"
    kept.write_bytes(content)

    said = CliRunner().invoke(
        hoodwink, ["bot", "builtins:len", "--server", served, "--token-file", str(kept)]
    )

    assert said.exit_code == 1
    assert said.output.startswith(f"Error: {kept} does not contain a token, which is one word.")


@pytest.mark.processes
def test_a_model_with_a_token_that_is_not_of_a_bot_is_reported(served, tmp_path):
    kept = tmp_path / "ada.token"
    with Client(served) as client:
        kept.write_text(client.register("Ada")["token"])

    said = CliRunner().invoke(hoodwink, ["mcp", "--server", served, "--token-file", str(kept)])

    assert (said.exit_code, said.output) == (1, "Error: Only a bot may do that, with its own token.\n")


@pytest.mark.processes
def test_mistakes_are_reported_and_steady_moves(served, bot):
    file = bot("""
        import pathlib, time

        slept = pathlib.Path(__file__).with_name("slept")
        count = 0

        def choose(observation):
            global count
            count += 1
            match count % 6:
                case 0:
                    raise ValueError("no idea")
                case 1:
                    return [1, 2]
                case 2:
                    held = {action["position"] for action in observation["legal_actions"]["actions"]}
                    return {"type": "play", "position": min({*range(9)} - held, default=0)}
                case 3:
                    return None
                case 4 if not slept.exists():
                    slept.touch()
                    time.sleep(100)
            return observation["legal_actions"]["actions"][0]
    """)
    folder = file.parent / "mistakes"

    said = run(
        file, served, "--play", "blind_don", "--option", "rounds=2", "--seconds", 0.5, "--mistakes", folder
    )

    assert "played_out" in said
    for kind in ("exception", "illegal", "invalid", "slow"):
        assert f"plain.py: {kind}, " in said
    (log, *_), (text, *_) = sorted(folder.glob("*/*.log")), sorted(folder.glob("*/*-exception.txt"))
    assert verify_log(log.read_bytes()).valid
    assert "ValueError: no idea" in text.read_text()
    assert json.loads(text.with_suffix(".json").read_bytes())["legal_actions"]["actions"]


@contextmanager
def connected(bot, served, *options):
    """Runs the command in a process of its own, and interrupts it at the end of the block."""
    known = ["--server", served, "--accounts", bot.parent / "accounts", *UNHURRIED]
    words = [COMMAND, "bot", bot, *known, *options]
    with (bot.parent / "output").open("a") as output:
        process = subprocess.Popen(words, stdout=output, stderr=output)
        try:
            yield process
        finally:
            end(process, by=signal.SIGINT)


@pytest.mark.processes
def test_bots_accept_challenges_and_are_ready_for_the_next_round(served, bot):
    file = bot(FIRST_LEGAL)
    form = {"game": "blind_don", "seats": 2, "options": {"rounds": 2}, "round_pause": 60_000}
    described = ("--name", "Waiter", "--accept", "blind_don", "--version", "1.4")
    with Client(served) as host, connected(file, served, *described):
        host.register("Host")
        one = await_true(
            lambda: next(
                (bot for bot in host.request("GET", "/v1/bots")["bots"] if bot["name"] == "BOT Waiter"), None
            )
        )
        assert one["version"] == "1.4"
        assert one["accepts"]["games"] == ["blind_don"]
        with pytest.raises(Refused, match="plays only: blind_don"):
            host.request("POST", f"/v1/players/{one['id']}/challenges", {"game": "coconut", "seats": 2})
        opened = host.request("POST", f"/v1/players/{one['id']}/challenges", form)
        table = host.table(opened["view"]["id"])
        await_true(lambda: table.look()["view"]["seats"][1]["player"])
        table.start()
        for message in table.follow():
            if turn := table.turn_in(message):
                table.act(random_action(turn.legal), version=turn.version)
            with suppress(Refused):  # unless it is the pause, and the first time
                table.request("POST", "/ready", {})

        result = table.look()["view"]["result"]
        assert result
        assert result["outcome"] == "played_out"


@pytest.mark.processes
def test_a_bot_plays_on_after_it_was_killed_and_after_its_server_was_away(served, bot):
    file, relay = bot(FIRST_LEGAL), Relay(served)
    moves, results, output = Counter[str](), list[models.Result](), file.parent / "output"
    gates = {3: Event(), 6: Event()}

    def choose(turn):
        table = turn.view["id"]
        moves[table] += 1
        if moves[table] in gates:
            gates[moves[table]].wait(PATIENCE_SECONDS)
        return random_action(turn.legal)

    def reached(count):
        return lambda: len(moves) == 2 and min(moves.values()) >= count

    with relay.running() as address, Client(served) as host:
        host.register("Host")
        with connected(file, address) as first:
            player = await_true(lambda: re.search(r"player (\w+)", output.read_text()))[1]
            await_true(lambda: host.request("GET", f"/v1/players/{player}")["bot"]["online"])
            tables = [challenged(host, player) for _ in range(2)]
            players = [
                Thread(target=lambda table=table: results.append(table.play(choose))) for table in tables
            ]
            for each in players:
                each.start()
            await_true(reached(3))
            first.kill()
        with connected(file, address) as second:
            gates[3].set()
            await_true(reached(6))
            relay.interrupt()
            gates[6].set()
            await_true(lambda: all(table.look()["view"]["seats"][1]["owes"] for table in tables))
            relay.resume()
            for each in players:
                each.join(PATIENCE_SECONDS)
            assert second.poll() is None
            second.send_signal(signal.SIGINT)
            assert second.wait(PATIENCE_SECONDS) == INTERRUPTED

    assert [result["outcome"] for result in results] == ["played_out"] * 2
    assert "Mistakes" not in output.read_text()


def challenged(host, player):
    """Returns a table that the host has started after the bot has accepted the challenge."""
    form = {"game": "blind_don", "seats": 2, "options": {"rounds": 2}, "round_pause": 0}
    opened = host.request("POST", f"/v1/players/{player}/challenges", form)
    table = host.table(opened["view"]["id"])
    await_true(lambda: table.look()["view"]["seats"][1]["player"] == player)
    table.start()
    return table
