"""A player moves to another device, and comes back to a lost one."""

import json
from typing import Any

import pytest

from hoodwink.service.web.files import page as page_files

pytestmark = [pytest.mark.browser, pytest.mark.processes]

PATIENCE_MS = 60_000
KEEP = "([module, player]) => import(module).then(({ session }) => session.keep(player))"


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click(timeout=PATIENCE_MS)


def await_signed_in(page, who):
    page.get_by_text(f"You are signed in as {who}.").wait_for(timeout=PATIENCE_MS)
    return json.loads(page.evaluate("() => localStorage['hoodwink.player']"))


def devices(page):
    page.locator(".devices li").first.wait_for(timeout=PATIENCE_MS)
    return [item.locator("b").inner_text() for item in page.locator(".devices li").all()]


def test_a_link_moves_the_player_to_another_device(walk, ada):
    first, complaints = walk("/me", sign_in=ada)
    press(first, "Add a device")
    link = first.get_by_label("Link", exact=True).input_value(timeout=PATIENCE_MS)
    first.locator("svg.qr path[d^=M]").wait_for(timeout=PATIENCE_MS)
    code = link.partition("#")[2]
    assert link.endswith(f"/signin#{code}")

    second, more = walk(f"/signin#{code}")
    second.wait_for_url("**/signin", timeout=PATIENCE_MS)
    press(second, "Sign in here")
    other = await_signed_in(second, "Ada")
    assert (other["id"], other["token"] == ada.token) == (ada.id, False)

    third, refused = walk(f"/signin#{code}")
    press(third, "Sign in here")
    third.get_by_role("alert").get_by_text("used already").wait_for(timeout=PATIENCE_MS)
    third.get_by_label("Code").wait_for(timeout=PATIENCE_MS)
    assert [said for said in refused if "403" not in said] == []

    first.reload()
    assert len(devices(first)) == 2
    first.get_by_role("button", name="Rename").nth(1).click()
    first.get_by_label("New name of").fill("Phone")
    press(first, "Rename")
    first.get_by_role("button", name="Sign out Phone").click(timeout=PATIENCE_MS)
    press(first, "Sign it out")
    first.get_by_text("Phone is signed out.").wait_for(timeout=PATIENCE_MS)
    assert len(devices(first)) == 1
    second.goto("/me")
    second.wait_for_function("() => !localStorage['hoodwink.player']", timeout=PATIENCE_MS)
    assert (complaints, [said for said in more if "401" not in said]) == ([], [])


def test_a_recovery_code_brings_the_player_back(walk, ada):
    first, complaints = walk("/me", sign_in=ada)
    press(first, "Make a recovery code")
    code = first.locator(".paper .secret").inner_text(timeout=PATIENCE_MS)
    first.emulate_media(media="print")
    assert first.locator(".paper .secret").is_visible()
    assert not first.get_by_role("heading", name="Your devices").is_visible()
    first.emulate_media(media="screen")
    press(first, "I have kept it")
    first.get_by_text("You have a recovery code, made").wait_for(timeout=PATIENCE_MS)

    second, more = walk("/signin")
    for attempt in ("wrong", code.lower()):
        second.get_by_label("Code").fill(attempt)
        press(second, "Sign in here")
        if attempt == "wrong":
            second.get_by_role("alert").get_by_text("This does not sign you in").wait_for(timeout=PATIENCE_MS)
    assert await_signed_in(second, "Ada")["id"] == ada.id
    second.goto("/me")
    second.get_by_text("Signed in with the recovery code").wait_for(timeout=PATIENCE_MS)
    second.get_by_text("You have none that works.").wait_for(timeout=PATIENCE_MS)
    assert (complaints, [said for said in more if "403" not in said]) == ([], [])


def with_authenticator(page):
    """Gives a page an authenticator, which approves everything immediately."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def test_a_passkey_signs_in_and_is_removed(visit, served, ada):
    by_name = served.replace("127.0.0.1", "localhost")
    page, complaints = visit("/me", sign_in=ada)
    with_authenticator(page)
    press(page, "Make a passkey")
    page.get_by_text(f"Passkeys work only at {by_name}.").wait_for(timeout=PATIENCE_MS)
    page.goto(f"{by_name}/me")
    page.evaluate("kept => localStorage['hoodwink.player'] = kept", ada.kept)
    page.reload()
    press(page, "Make a passkey")
    page.get_by_text("You can sign in with the new passkey now.").wait_for(timeout=PATIENCE_MS)

    page.evaluate("localStorage.clear()")
    page.goto(f"{by_name}/signin")
    press(page, "Sign in with a passkey")
    again = await_signed_in(page, "Ada")
    assert (again["id"], again["token"] == ada.token) == (ada.id, False)

    page.goto(f"{by_name}/me")
    page.get_by_text("Signed in with a passkey").wait_for(timeout=PATIENCE_MS)
    page.get_by_role("button", name="Remove the passkey").click(timeout=PATIENCE_MS)
    press(page, "Remove it")
    page.get_by_text("The passkey is removed.").wait_for(timeout=PATIENCE_MS)
    page.goto(f"{by_name}/signin")
    press(page, "Sign in with a passkey")
    page.get_by_text("The passkey could not be checked").wait_for(timeout=PATIENCE_MS)
    assert [said for said in complaints if "403" not in said] == []


def test_a_page_without_a_secure_context_says_what_works(visit, ada):
    page, _ = visit("/me", sign_in=ada)
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
    page.reload()

    page.get_by_text("Passkeys need a page that came over https.").wait_for(timeout=PATIENCE_MS)
    assert page.get_by_role("button", name="Make a passkey").count() == 0
    page.get_by_role("button", name="Add a device").wait_for(timeout=PATIENCE_MS)


def test_a_player_who_signs_in_while_the_page_loads_sees_no_other_account(walk, ada, bob):
    ada.post("/v1/me/recovery-code")
    ada.ask("PUT", f"/v1/players/me/blocks/{bob.id}")
    page, complaints = walk("/nowhere", sign_in=ada)
    held: dict[str, Any] = {}

    def hold_first(route):
        if route.request.url in held:
            route.continue_()
        else:
            held[route.request.url] = route

    private = ["**/v1/me/sign-in", "**/v1/players/me/blocks"]
    for path in private:
        page.route(path, hold_first)
    with page.expect_request(private[0]), page.expect_request(private[1]):
        page.goto("/me")

    player = {"id": bob.id, "name": bob.name, "token": bob.token}
    page.evaluate(KEEP, [f"{page_files().root}/kit/session.js", player])
    for route in held.values():
        route.continue_()

    page.get_by_text("You have not blocked anybody.").wait_for(timeout=PATIENCE_MS)
    page.get_by_text("You have none that works.").wait_for(timeout=PATIENCE_MS)
    assert not complaints
