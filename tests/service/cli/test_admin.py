"""`hoodwink admin`: voids and tokens."""

import re
from getpass import getuser

import pytest
from click.testing import CliRunner

from domain.players import hash_token
from service.adapters.connection import connect
from service.adapters.embedded_redis import EmbeddedRedis
from service.application.administrators import Administrators
from service.cli import hoodwink
from service.settings import Settings
from tests.service.application.world import World

REASON = ("--reason", "A shared screen.")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with EmbeddedRedis(folder=tmp_path_factory.mktemp("admin") / "redis") as server:
        yield server


@pytest.fixture
def world(server):
    """A table that has ended, and one in play."""
    with connect(server.url) as client:
        client.flushall()
        world = World(client)
        world.table("bot", "bot", table="over", rounds=2)
        world.table("ada", "bo", table="lively")
        world.settle()
        yield world


@pytest.fixture
def run(server, world, monkeypatch):
    monkeypatch.setenv("REDIS_URL", server.url)

    def invoke(*arguments, typed=None):
        return CliRunner().invoke(hoodwink, ["admin", *arguments], input=typed)

    return invoke


def voided(world):
    world.service.tables.load("over")
    return world.now_at("over").voided


def test_v_1_an_operator_voids_a_table_under_a_name(run, world):
    result = run("void", "over", *REASON, "--name", "olga", "--yes")
    assert result.exit_code == 0
    assert result.stdout == (
        f"Table over is void as of version {world.now_at('over').version}: A shared screen. (olga)\n"
    )
    assert (voided(world).admin, voided(world).reason) == ("olga", "A shared screen.")
    assert world.is_valid("over")


def test_the_name_is_the_login_name_by_default(run, world, monkeypatch):
    assert run("void", "over", *REASON, "--yes").exit_code == 0
    assert voided(world).admin == getuser()


def test_a_void_asks_for_confirmation(run, world):
    refused = run("void", "over", *REASON, "--name", "olga", typed="n\n")
    assert refused.exit_code == 1
    assert "Void table over (Blindside: Random bot 0, Random bot 1)? This cannot be undone." in refused.stdout
    assert voided(world) is None
    assert run("void", "over", *REASON, "--name", "olga", typed="y\n").exit_code == 0
    assert voided(world) is not None


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("lively", *REASON, "--name", "olga"), "Only a table that is over can be voided."),
        (("nowhere", *REASON, "--name", "olga"), "There is no such table."),
        (("over", *REASON, "--name", "Olga O."), "An administrator's name begins with"),
        (("over", "--reason", " ", "--name", "olga"), "needs a `reason`: 1 to 500 characters"),
    ],
)
def test_a_refusal_is_one_line(run, world, arguments, why):
    result = run("void", *arguments, "--yes")
    assert (result.exit_code, result.stdout) == (1, "")
    assert why in result.stderr
    assert voided(world) is None


def test_a_void_needs_a_reason(run, world):
    assert run("void", "over", "--name", "olga", "--yes").exit_code == 2
    assert voided(world) is None


def test_a_token_is_created_with_the_setting_that_makes_it_valid(run):
    first, second = run("token", "olga"), run("token", "olga")
    assert first.exit_code == 0
    printed = re.fullmatch(r"(hwa_\S{43})\n\nHOODWINK_ADMINISTRATORS=(\S+)\n", first.stdout)
    assert printed is not None
    token, listed = printed.groups()
    assert listed == f"olga={hash_token(token)}"
    settings = Settings.from_environment({"HOODWINK_ADMINISTRATORS": listed})
    assert Administrators(settings.administrators).authenticate(token) == "olga"
    assert Administrators(settings.administrators).authenticate(token + "x") is None
    assert first.stdout != second.stdout


def test_a_token_for_an_invalid_name_is_refused(run):
    result = run("token", "Olga")
    assert (result.exit_code, result.stdout) == (2, "")
