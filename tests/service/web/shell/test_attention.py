"""A tab that is not looked at calls its player: by its title, and by a notification if the player allows it."""

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from hoodwink.service.web.files import page as page_files
from tests.service.processes import await_true
from tests.service.web.shell.test_installed import READY
from tests.service.web.tournaments.cups import Held

HIDE = """hidden => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange'));
}"""
# Without a desktop, Chromium allows and shows no notification.
NOTE = """() => {
    window.shown = [];
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    ServiceWorkerRegistration.prototype.showNotification = async (title, { body, tag, data }) => {
        window.shown.push({ title, body, tag, url: data.url });
    };
}"""


@pytest.mark.browser
def test_a_hidden_tab_calls_its_player_and_another_one_notes_the_offer_of_a_tournament(visit, ada, bob):
    shown = visit("/rules", sign_in=ada, service_workers="allow")
    page = shown.page
    page.wait_for_function(READY)
    # A table that is waiting already when the page begins to listen is no news.
    with page.expect_response("**/v1/me/events"):
        page.reload()
    before = page.title()
    page.evaluate(NOTE)
    page.evaluate(HIDE, True)

    table = bob.table("blindside", ada).rpartition("/")[2]
    page.wait_for_function("() => document.title === '● Your turn · Blindside'")
    page.wait_for_function("() => window.shown.length")

    assert page.evaluate("() => window.shown") == [
        {"title": "Your turn", "body": "Blindside", "tag": f"/tables/{table}", "url": f"/tables/{table}"}
    ]
    page.evaluate(HIDE, False)
    assert page.title() == before

    cup = Held(bob.served)
    cup.order("/offers", {"players": [ada.id]})
    note = page.get_by_role("status").filter(has_text="You are offered a place in a tournament: The Cup")
    expect(note.get_by_role("link")).to_have_attribute("href", f"/tournaments/{cup.id}")
    note.get_by_role("button", name="Dismiss").click()
    expect(note).to_have_count(0)
    assert json.dumps(shown.complaints) == "[]"


# Chromium without a push service of its own.
PUSHES = """endpoint => {
    window.asked = 0;
    let subscribed = null;
    let permission = 'default';
    Object.defineProperty(Notification, 'permission', { get: () => permission });
    Notification.requestPermission = async () => { window.asked += 1; permission = 'granted'; return permission; };
    PushManager.prototype.getSubscription = async () => subscribed;
    PushManager.prototype.subscribe = async (options) => {
        if (PushManager.works === false) throw new DOMException('Registration failed', 'AbortError');
        window.options = options;
        const keys = { p256dh: 'B' + 'A'.repeat(86), auth: 'A'.repeat(22) };
        const binary = atob(options.applicationServerKey.replaceAll('-', '+').replaceAll('_', '/'));
        const applicationServerKey = Uint8Array.from(binary, (each) => each.charCodeAt(0)).buffer;
        subscribed = { endpoint, options: { applicationServerKey }, toJSON: () => ({ endpoint, keys, expirationTime: null }), unsubscribe: async () => { subscribed = null; } };
        return subscribed;
    };
    document.querySelector('hw-notices').refresh();
}"""


MODULE = f"{page_files().root}/kit/pushes.js"
RENEW = """async ([module, isOutdated]) => {
    const { renew, subscription } = await import(module);
    if (isOutdated) new Uint8Array((await subscription()).options.applicationServerKey).fill(4);
    window.options = null;
    await renew();
    return window.options?.applicationServerKey ?? null;
}"""


@pytest.mark.browser
def test_a_browser_is_subscribed_only_after_a_click(visit, ada):
    page = visit("/me", sign_in=ada, service_workers="allow").page
    page.wait_for_function(READY)
    page.wait_for_selector("hw-notices", state="attached")
    page.evaluate(PUSHES, "https://push.example.org/browser")
    page.get_by_role("button", name="Notify me").wait_for()
    assert page.evaluate("() => window.asked") == 0

    page.evaluate("() => { PushManager.works = false; }")
    page.get_by_role("button", name="Notify me").click()
    page.get_by_text("could not reach the service of its maker").wait_for()
    page.evaluate("() => { PushManager.works = true; }")
    page.get_by_role("button", name="Notify me").click()
    page.get_by_text("This browser calls you, even while the page is closed.").wait_for()

    pushes = ada.get("/v1/me/pushes")
    assert [push["endpoint"] for push in pushes["pushes"]] == ["https://push.example.org/browser"]
    assert page.evaluate("() => window.options") == {
        "userVisibleOnly": True,
        "applicationServerKey": pushes["public_key"],
    }
    # The same again once the service has another key.
    assert page.evaluate(RENEW, [MODULE, False]) is None
    assert page.evaluate(RENEW, [MODULE, True]) == pushes["public_key"]
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Notify me").wait_for()
    assert ada.get("/v1/me/pushes")["pushes"] == []


# A push has been handled once the worker has asked for the open pages: the notification follows in the same task.
LISTEN = """() => {
    Object.assign(self, { shown: [], asked: 0, listed: self.clients.matchAll.bind(self.clients) });
    self.registration.showNotification = async (title, { data }) => { self.shown.push([title, data.url]); };
    self.clients.matchAll = async (options) => {
        const found = await self.listed(options);
        self.asked += 1;
        return found;
    };
}"""
IS_UNSEEN = """async () => (await self.listed({ type: 'window', includeUncontrolled: true }))
    .every(({ visibilityState }) => visibilityState !== 'visible')"""


@pytest.mark.browser
def test_a_push_is_shown_unless_the_page_is_looked_at(visit, ada, served):
    page = visit("/rules", sign_in=ada, service_workers="allow").page
    page.wait_for_function(READY)
    worker = page.context.service_workers[-1]
    worker.evaluate(LISTEN)
    session = page.context.new_cdp_session(page)
    registrations: list[Any] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(each for each in event["registrations"] if not each["isDeleted"]),
    )
    session.send("ServiceWorker.enable")
    await_true(lambda: page.wait_for_timeout(10) or registrations)
    pushed: list[str] = []

    def push(path):
        """Delivers a message, and waits until the worker has handled it."""
        pushed.append(path)
        session.send(
            "ServiceWorker.deliverPushMessage",
            {
                "origin": served,
                "registrationId": registrations[-1]["registrationId"],
                "data": json.dumps({"url": path}),
            },
        )
        await_true(lambda: page.wait_for_timeout(10) or worker.evaluate("() => self.asked") == len(pushed))

    push("/tables/seen")
    page.goto("about:blank")
    # The browser may still list the page that was left.
    await_true(lambda: page.wait_for_timeout(10) or worker.evaluate(IS_UNSEEN))
    push("/tables/unseen")
    push("/tournaments/unseen")

    assert worker.evaluate("() => self.shown") == [
        ["A table waits for you", "/tables/unseen"],
        ["There is news of your tournament", "/tournaments/unseen"],
    ]
