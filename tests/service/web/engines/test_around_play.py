"""In Firefox and WebKit, people find a table, wait for each other, play again, and learn from their moves."""

import pytest

from tests.pace import AT_ONCE
from tests.service.processes import await_true
from tests.service.web.engines.parts import await_count, await_text, complaints, count, fill, press
from tests.service.web.engines.player import enter, leave
from tests.service.web.engines.test_at_the_table import followed
from tests.service.web.guests import Guest
from tests.service.web.replays import act, as_shown

pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.campaign, pytest.mark.timeout(900)]

TABLE = "() => document.querySelector('hw-table, hw-open-table')?.getAttribute('table') ?? location.pathname.match(/tables\\/(\\w+)/)?.[1]"
LOWEST = """() => ({
    plays: [...document.querySelectorAll('.game .main')].map((each) => each.getBoundingClientRect().bottom),
    now: [...document.querySelectorAll('.play-now .main')].map((each) => each.getBoundingClientRect().bottom),
})"""
CHOOSE = """(game) => {
    const field = document.querySelector('.play-now select');
    field.value = game;
    field.dispatchEvent(new Event('change', { bubbles: true }));
}"""
# In Firefox, scripts of tests have a `Date` of their own.
LATER = "() => { const { Date } = window; const { now } = Date; Date.now = () => now() + 60_000; }"
HINT = "(words) => document.querySelector('hw-hint span').textContent === words"
LINK = """() => {
    const [field, qr] = [document.querySelector('.invite input'), document.querySelector('svg.qr path')];
    return field && qr?.getAttribute('d') ? [field.value, field.getBoundingClientRect().top] : null;
}"""


@pytest.fixture(autouse=True)
def wide(remote):
    remote.resize(1280, 900)


def newcomer(remote, served, path):
    leave(remote, served)
    remote.go(served + path)


def answer_name(remote, name):
    await_text(remote, "What should others call you?")
    fill(remote, "Name", name)
    press(remote, "Use this name")


def table_of(remote):
    """Waits for the room of a table; returns its path in the API."""
    return f"/v1/tables/{remote.wait(TABLE)}"


def player_of(remote, served):
    known = remote.run("() => JSON.parse(localStorage['hoodwink.player'])")
    return Guest(served, known["id"], known["name"], known["token"])


def test_the_five_games_fit_the_first_screen(remote, served):
    for size in ((1280, 800), (390, 664)):
        remote.resize(*size)
        newcomer(remote, served, "/")
        await_count(remote, ".game .main", 5)
        found = remote.run(LOWEST)
        assert max(found["plays"]) <= size[1]
        assert found["now"][0] < size[1] / 2


def test_play_now_waits_for_another_person(remote, served, bob):
    newcomer(remote, served, "/")
    await_count(remote, ".game .main", 5)
    remote.run(CHOOSE, "blind_don")
    press(remote, "Play now")
    answer_name(remote, "Cleo")
    await_text(remote, "Bots take the free seats in")
    await_count(remote, "svg.qr", 1)
    path = table_of(remote)

    bob.post(f"{path}/seats")

    await_true(lambda: bob.get(path)["view"]["phase"] == "playing")
    assert [seat["name"] for seat in bob.get(path)["view"]["seats"]] == ["Cleo", "Bob"]
    await_count(remote, ".felt", 1)


def test_play_now_joins_somebody_who_waits(remote, served, ada, bob):
    opened = bob.post("/v1/tables", {"game": "coconut", "seats": 2, **AT_ONCE})["view"]["id"]
    path = f"/v1/tables/{opened}"
    bob.post(f"{path}/seats")
    with followed(path, bob):
        await_true(lambda: bob.get(f"{path}/presence")["seats"])
        await_true(lambda: opened in str(bob.get("/v1/tables?phase=open&game=coconut")))
        enter(remote, ada, "/")
        await_count(remote, ".game .main", 5)
        remote.run(CHOOSE, "coconut")
        press(remote, "Play now")
        assert table_of(remote) == path
    await_true(lambda: bob.get(path)["view"]["seats"][1]["player"] == ada.id)


def test_play_now_takes_bots_when_nobody_comes(remote, ada):
    enter(remote, ada, "/")
    await_count(remote, ".game .main", 5)
    remote.run(CHOOSE, "double_blind")
    press(remote, "Play now")
    await_text(remote, "Bots take the free seats in")
    path = table_of(remote)

    remote.run(LATER)

    await_true(lambda: ada.get(path)["view"]["phase"] == "playing")
    assert {seat["policy"] for seat in ada.get(path)["view"]["seats"]} == {None, "steady"}


def test_a_waiting_room_has_its_link_on_top_and_a_friend_starts_the_table(remote, served, ada, bob):
    enter(remote, ada, "/games/blind_don")
    press(remote, "Invite friends")
    link, top = remote.wait(LINK)
    path = table_of(remote)
    code = ada.get(f"{path}/invitation")["invitation"]
    assert link == f"{served}{path.removeprefix('/v1')}#invitation={code}"
    assert top < 450
    press(remote, "Copy")
    await_text(remote, "Copied.")

    ada.post(f"{path}/offers", {"player": bob.id})
    bob.post(f"{path}/seats")
    press(remote, "Start")
    await_count(remote, ".felt", 1)
    assert ada.get(path)["view"]["phase"] == "playing"


def test_a_rematch_starts_when_both_have_agreed(remote, ada, bob):
    path = ada.table("coconut", bob)
    enter(remote, ada, path.removeprefix("/v1"))
    bob.post(f"{path}/resign", {"confirm": True})
    await_text(remote, "You win", "Bob", "resigned", "Replay and verify")

    press(remote, "Play again")
    again = await_true(lambda: bob.get(path)["view"]["rematch"])
    remote.wait("(table) => location.pathname.endsWith(table)", again)
    bob.post(f"/v1/tables/{again}/seats")

    await_true(lambda: bob.get(f"/v1/tables/{again}")["view"]["phase"] == "playing")
    await_count(remote, ".felt", 1)


def test_g_21_a_hint_says_what_expert_would_do(remote, ada):
    path = ada.table("coconut", bots=1, rated=False)
    await_true(lambda: (ada.get(path)["view"]["waiting"] or {}).get("seats") == [0])
    enter(remote, ada, path.removeprefix("/v1"))

    press(remote, "Hint")
    hint = ada.get(f"{path}/hint")

    remote.wait(HINT, as_shown(f"Expert would {hint['words']}."))
    assert complaints(remote) == []


def test_g_21_a_player_steps_through_the_moves_of_a_table(remote, ada):
    path = ada.table("blind_don", bots=1, rated=False)
    for _ in range(6):
        act(ada, path)
    ada.post(f"{path}/resign", {"confirm": True})
    review = ada.get(f"{path}/review")["moves"]
    enter(remote, ada, path.removeprefix("/v1"))

    press(remote, "Review my moves")

    await_count(remote, "hw-review ol a", len(review))
    await_text(remote, as_shown(review[0]["played_words"])[1:], inside="hw-review ol")
    assert count(remote, ".board .felt") == 1
