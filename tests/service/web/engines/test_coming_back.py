"""In Firefox and WebKit, players are called back, keep their account, and read what their browser cannot do."""

import json

import pytest

from tests.service.processes import await_true
from tests.service.web.engines.line import line_to
from tests.service.web.engines.parts import await_count, await_text, complaints, count, fill, press
from tests.service.web.engines.player import enter
from tests.service.web.shell.test_attention import HIDE, NOTE
from tests.service.web.shell.test_installed import KEPT, READY

pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.campaign, pytest.mark.timeout(900)]

MANIFEST = """async () => {
    const { href } = document.querySelector('link[rel=manifest]');
    const manifest = await (await fetch(href)).json();
    const found = await Promise.all(manifest.icons.map(({ src }) => fetch(new URL(src, href))));
    return [manifest.start_url, found.map(({ status }) => status)];
}"""
KEPT_PLAYER = "() => JSON.parse(localStorage['hoodwink.player'] ?? 'null')"
CAN = "() => [Boolean(window.PushManager), Boolean(window.PublicKeyCredential?.parseCreationOptionsFromJSON)]"


@pytest.fixture(autouse=True)
def wide(remote):
    remote.resize(1280, 900)


def forget_player(remote):
    remote.run("() => localStorage.clear()")


def test_a_page_without_connection_is_calm_and_reconnects(remote, served):
    with line_to(served) as line:
        remote.go(f"{line.address}/rules/coconut")
        remote.wait(READY)
        start, icons = remote.run(MANIFEST)
        assert (start, set(icons)) == ("/", {200})

        line.cut()
        remote.go(f"{line.address}/tables")
        await_text(remote, "Hoodwink cannot be reached")
        line.mend()
        await_text(remote, "Leaderboards")  # it tries again by itself

        assert "/v1/" not in json.dumps(remote.run(KEPT))


def test_a_hidden_tab_calls_its_player(remote, ada, bob):
    enter(remote, ada, "/rules")
    remote.wait(READY)
    before = remote.wait("() => document.title !== 'Hoodwink' && document.title")
    remote.run(NOTE)
    remote.run(HIDE, True)

    def is_called():
        bob.table("blindside", ada)  # one that waits already when the page begins to listen is no news
        return remote.run("() => document.title") == "● Your turn · Blindside"

    await_true(is_called)
    remote.wait("() => window.shown.length")

    assert remote.run("() => [window.shown[0].title, window.shown[0].body]") == ["Your turn", "Blindside"]
    remote.run(HIDE, False)
    assert remote.run("() => document.title") == before
    assert complaints(remote) == []


def test_the_page_says_whether_it_can_call_while_it_is_closed(remote, ada):
    enter(remote, ada, "/me")
    await_text(remote, "When it is your turn")
    has_push, _ = remote.run(CAN)

    if has_push:
        press(remote, "Notify me")
        await_text(remote, "could not reach the service of its maker")
    else:
        await_text(remote, "This browser can call you only while the page is open.")
        assert "maker" not in remote.run("() => document.querySelector('hw-notices').innerText")
        remote.run("() => Object.defineProperty(Notification, 'permission', { get: () => 'granted' })")
        remote.run("() => document.querySelector('hw-notices').refresh()")
        await_text(remote, "This browser cannot call you while the page is closed.")
    assert complaints(remote) == []


def check_signed_in_again(remote, ada):
    """Checks that the browser keeps Ada, with another token."""
    await_text(remote, "You are signed in as Ada.")
    kept = remote.run(KEPT_PLAYER)
    assert kept["id"] == ada.id
    assert kept["token"] != ada.token


def test_a_link_moves_the_player_to_another_device_which_can_be_signed_out(remote, served, ada):
    enter(remote, ada, "/me")
    press(remote, "Add a device")
    remote.wait("() => document.querySelector('svg.qr path')?.getAttribute('d').startsWith('M')")
    link = remote.run("() => [...document.querySelectorAll('input[readonly]')].at(-1).value")
    forget_player(remote)

    remote.go(f"{served}/signin#{link.partition('#')[2]}")
    press(remote, "Sign in here")
    check_signed_in_again(remote, ada)
    assert remote.run("() => location.href") == f"{served}/signin"

    enter(remote, ada, "/me")
    await_count(remote, "hw-sessions .devices li", 2)
    press(remote, "Sign out …")
    press(remote, "Sign it out")
    await_count(remote, "hw-sessions .devices li", 1)
    assert complaints(remote) == []


def test_a_recovery_code_brings_the_player_back(remote, served, ada):
    enter(remote, ada, "/me")
    press(remote, "Make a recovery code")
    code = remote.wait("() => document.querySelector('.paper .secret')?.innerText")
    press(remote, "I have kept it")
    await_text(remote, "You have a recovery code, made")
    forget_player(remote)

    remote.go(f"{served}/signin")
    fill(remote, "Code", code.lower())
    press(remote, "Sign in here")
    await_text(remote, "You are signed in as Ada.")
    assert remote.run(KEPT_PLAYER)["id"] == ada.id


def test_a_passkey_signs_in_or_the_page_says_what_works_instead(remote, served, ada):
    by_name = served.replace("127.0.0.1", "localhost")
    enter(remote, ada, "/me")
    _, has_passkeys = remote.run(CAN)
    if not has_passkeys:
        await_text(remote, "This browser has no passkeys. The link and the recovery code work here, too.")
        assert count(remote, "hw-passkeys button") == 0
        return
    remote.add_authenticator()
    press(remote, "Make a passkey")
    await_text(remote, f"Passkeys work only at {by_name}.")

    enter(remote, ada._replace(served=by_name), "/me")
    press(remote, "Make a passkey")
    await_text(remote, "You can sign in with the new passkey now.")
    forget_player(remote)
    remote.go(f"{by_name}/signin")
    press(remote, "Sign in with a passkey")
    check_signed_in_again(remote, ada)

    remote.go(f"{by_name}/me")
    press(remote, "Remove the passkey …")
    press(remote, "Remove it")
    await_text(remote, "The passkey is removed.")
