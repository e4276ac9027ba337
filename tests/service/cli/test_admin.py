"""`hoodwink admin`: voids and tokens."""

import re
from getpass import getuser

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from hoodwink.domain.players import hash_token
from hoodwink.domain.series import Stopped
from hoodwink.domain.tables.actor import ORGANISER
from hoodwink.domain.tournaments import life
from hoodwink.service.adapters.redis.connection import connect
from hoodwink.service.application.errors import NotFound
from hoodwink.service.application.players.administrators import Administrators
from hoodwink.service.application.players.identity import Use
from hoodwink.service.application.ports import IdempotencyKey
from hoodwink.service.application.projecting.projecting import grouped_by_category, rebuild
from hoodwink.service.cli import hoodwink
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis
from tests.domain.series.seasons import Season
from tests.service.application.audits import differences as audited
from tests.service.application.test_forgetting import opened_cup
from tests.service.application.world import World

REASON = ("--reason", "A shared screen.")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with EmbeddedRedis(folder=tmp_path_factory.mktemp("admin") / "redis") as server:
        yield server


@pytest.fixture
def world(server):
    """A finished table and one in play."""
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
    monkeypatch.setenv("HOODWINK_ADMINISTRATORS", f"olga={'0' * 64},{getuser()}={'1' * 64}")

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
    assert voided(world).admin == "olga"
    assert world.service.administration.reason(voided(world).reason).text == "A shared screen."
    assert world.is_valid("over")


def test_the_name_is_the_login_name_by_default(run, world, monkeypatch):
    assert run("void", "over", *REASON, "--yes").exit_code == 0
    assert voided(world).admin == getuser()


def test_a_void_asks_for_confirmation(run, world):
    refused = run("void", "over", *REASON, "--name", "olga", typed="n\n")
    assert refused.exit_code == 1
    assert (
        "Void table over (Blindside: Random bot (seat 0), Random bot (seat 1))? This cannot be undone."
        in refused.stdout
    )
    assert voided(world) is None
    assert run("void", "over", *REASON, "--name", "olga", typed="y\n").exit_code == 0
    assert voided(world) is not None


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("lively", *REASON, "--name", "olga"), "Only a table that is over can be voided."),
        (("nowhere", *REASON, "--name", "olga"), "There is no such table."),
        (("over", *REASON, "--name", "mallory"), "mallory is not an administrator of this service"),
        (("over", "--reason", " ", "--name", "olga"), "needs a reason: 1 to 500 characters"),
    ],
)
def test_a_refusal_is_reported_in_one_line(run, world, arguments, why):
    result = run("void", *arguments, "--yes")
    assert (result.exit_code, result.stdout) == (1, "")
    assert why in result.stderr
    assert voided(world) is None


def test_a_void_needs_a_reason(run, world):
    assert run("void", "over", "--name", "olga", "--yes").exit_code == 2
    assert voided(world) is None


def acts(world):
    return [(act.event.act, act.event.subject, act.reason) for act in world.service.administration.acts()]


@pytest.mark.parametrize("listed", ["", f"otto={'0' * 64}"])
def test_only_names_that_the_operator_lists_are_accepted(run, world, monkeypatch, listed):
    monkeypatch.setenv("HOODWINK_ADMINISTRATORS", listed)
    for arguments in (
        ("void", "over", *REASON, "--yes"),
        ("end-table", "over", "--yes"),
        ("end-tournament", "cup", *REASON, "--yes"),
        ("end-series", "club", *REASON, "--yes"),
        ("ban", "ada", *REASON, "--yes"),
        ("unban", "ada"),
        ("rename", "ada", "Eve"),
        ("erase", "ada", "--yes"),
        ("rotate", "invitations", "--yes"),
        ("erase-reason", "1", "--yes"),
    ):
        result = run(*arguments, "--name", "olga")
        assert result.exit_code == 1, arguments
        assert "olga is not an administrator of this service" in result.stderr, arguments
        assert acts(world) == [], arguments


def test_a_refused_act_is_not_recorded(run, world):
    assert run("void", "lively", *REASON, "--name", "olga", "--yes").exit_code == 1
    assert run("end-table", "lively", "--name", "olga", "--yes").exit_code == 1
    assert run("ban", "nobody", *REASON, "--name", "olga", "--yes").exit_code == 1
    ada = world.service.players.register(name="Ada").player
    assert run("rename", ada.id, "steady bot", "--name", "olga").exit_code == 1
    assert acts(world) == []


def test_a_bot_table_and_a_tournament_are_ended(run, world):
    world.table("bot", "bot", table="bots")
    assert run("end-table", "bots", "--name", "olga", "--yes").exit_code == 0
    assert world.service.tables.load("bots").state.result.outcome == "stopped"
    opened_cup(world, "ada")
    result = run("end-tournament", "cup", *REASON, "--name", "olga", "--yes")
    assert result.stdout == "Tournament cup is cancelled: A shared screen. (olga)\n"
    assert world.service.tournaments.load("cup").state.phase is life.Phase.CANCELLED
    assert acts(world) == [("end_table", "bots", None), ("end_tournament", "cup", "A shared screen.")]


def test_s_13_a_series_is_ended(run, world):
    opening = replace(Season().opening, dates=(4_000_000_000_000,))
    world.service.series.open("club", opening, by=ORGANISER, key=IdempotencyKey("open club", ""))
    result = run("end-series", "club", *REASON, "--name", "olga", "--yes")
    assert result.stdout == "Series club has ended: A shared screen. (olga)\n"
    assert world.service.series.load("club").state.stopped is Stopped.ADMINISTRATOR
    assert acts(world) == [("end_series", "club", "A shared screen.")]


def test_acts_are_listed_with_reasons_until_those_are_erased(run, world):
    run("void", "over", *REASON, "--name", "olga", "--yes")
    (line,) = run("log").stdout.splitlines()
    assert re.fullmatch(r"   1  [\d-]{10} [\d:]{8}  olga  void_table  over  A shared screen\.", line)
    assert run("erase-reason", "1", "--name", "olga", "--yes").exit_code == 0
    first, second = run("log").stdout.splitlines()
    assert first.endswith("void_table  over  (reason erased)")
    assert second.endswith("olga  erase_reason  1")
    assert b"shared screen" not in b"".join(
        world.client.dump(key) or b"" for key in world.client.scan_iter("hw:*")
    )
    assert world.is_valid("over")
    assert run("erase-reason", "1", "--name", "olga", "--yes").exit_code == 1


def test_the_reason_of_a_ruling_is_erased_by_its_hash(run, world):
    digest = world.service.administration.keep_text("A shared screen.", check=lambda _: None)
    assert run("erase-reason", "sha256:1", "--name", "olga", "--yes").exit_code == 2
    assert run("erase-reason", digest, "--name", "olga", "--yes").exit_code == 0
    assert acts(world) == [("erase_reason", digest, None)]
    with pytest.raises(NotFound):
        world.service.administration.reason(digest)


def test_a_ban_resigns_and_lifting_it_allows_play_again(run, world):
    ada = world.service.players.register(name="Ada").player
    world.table(ada.id, "bot", table="hers")
    world.settle()
    for projectors in grouped_by_category(world.service.projectors.values()):
        rebuild(projectors)
    banned = run("ban", ada.id, *REASON, "--name", "olga", "--yes")
    assert banned.stdout.endswith(f"Ada ({ada.id}) is banned. (olga)\n")
    assert world.service.players.get(ada.id).is_banned
    assert world.service.tables.load("hers").state.resigned == (0,)
    assert run("unban", ada.id, "--name", "olga").exit_code == 0
    assert not world.service.players.get(ada.id).is_banned
    assert run("unban", ada.id, "--name", "olga").exit_code == 1
    assert [act for act, *_ in acts(world)] == ["ban_player", "lift_ban"]


def test_a_player_is_renamed_and_erased(run, world):
    ada = world.service.players.register(name="Adolf").player
    assert (
        run("rename", ada.id, "Ada", "--name", "olga").stdout
        == f"Adolf ({ada.id}) is now called Ada. (olga)\n"
    )
    assert run("erase", ada.id, "--name", "olga", "--yes").exit_code == 0
    erased = world.service.players.get(ada.id)
    assert (erased.is_erased, erased.token_hash) == (True, "")
    assert acts(world) == [("rename_player", ada.id, None), ("erase_player", ada.id, None)]


@pytest.mark.parametrize("use", Use)
def test_rotating_a_key_changes_only_values_derived_from_it(run, world, use):
    def derived():
        made = world.service.identities
        return {
            Use.INVITATIONS: made.invitation("t1"),
            Use.STREAM_TOKENS: made.stream_proof("ada", "hash", 1, ""),
            "token": made.token("ada", "key"),
            "id": made.table_id("ada", "key"),
        }

    before = derived()
    assert run("rotate", use.value, "--name", "olga", "--yes").exit_code == 0
    after = derived()
    assert {name for name in before if before[name] != after[name]} == {use}
    assert acts(world) == [(f"rotate_{use.replace('-', '_')}", "", None)]


def test_the_audit_finds_changed_admin_records(run, world, server):
    run("void", "over", *REASON, "--name", "olga", "--yes")
    assert audited(world.service, "records") == []
    (digest,) = world.client.hkeys("hw:reasons")
    world.client.hset("hw:reasons", digest, "salt Another reason.")
    stream = next(world.client.scan_iter("hw:{p*}:administration:*"))
    ((_, fields),) = world.client.xrange(stream)
    world.client.delete(stream)
    world.client.xadd(stream, {**fields, b"data": fields[b"data"].replace(b"olga", b"otto")}, "1-0")
    locations = [difference.location for difference in audited(world.service, "records")]
    assert locations == ["administration:administration, event 1, hash", f"hw:reasons, {digest.decode()}"]


def test_acts_cannot_follow_a_damaged_record_of_acts(run, world):
    ada = world.service.players.register(name="Ada").player
    assert run("rename", ada.id, "Eve", "--name", "olga").exit_code == 0
    assert run("rename", ada.id, "Ida", "--name", "olga").exit_code == 0
    stream = next(world.client.scan_iter("hw:{p*}:administration:*"))
    world.client.xdel(stream, "1-0")
    refused = run("rename", ada.id, "Ada", "--name", "olga")
    assert refused.exit_code == 1
    assert "or the stream `administration` is damaged, which `hoodwink audit` would show" in refused.stderr
    assert world.service.players.get(ada.id).name == "Ida"


@pytest.mark.parametrize("command", ["audit", "rebuild"])
def test_a_key_of_the_wrong_type_is_named(run, world, command, tmp_path, monkeypatch):
    monkeypatch.setenv("HOODWINK_DATA", str(tmp_path))
    key = next(world.client.scan_iter("hw:{p*}:table:over")).decode()
    world.client.set(key, "something else", xx=True)
    failed = CliRunner().invoke(hoodwink, [command])
    assert failed.exit_code == 1
    assert failed.stderr.splitlines()[-1].startswith(f"Error: the key {key} has a value of another type")


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
