"""The page can be installed, and shows a calm page of its own while the service cannot be reached."""

import json

import pytest

from hoodwink.service.web.files import FOLDER, page

KEPT = """async () => {
    const kept = {};
    for (const name of await caches.keys()) {
        kept[name] = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname).sort();
    }
    return kept;
}"""
READY = "() => navigator.serviceWorker.ready.then(({ active }) => active?.state === 'activated')"


@pytest.fixture
def installed(visit, ada):
    """A page with an active service worker, at a path of the service."""
    shown = visit("/rules/coconut", sign_in=ada, service_workers="allow")
    shown.page.wait_for_function(READY)
    return shown


def test_a_page_without_connection_is_calm_and_reconnects(installed):
    shown = installed.page
    shown.evaluate("() => caches.open('hoodwink /page/older/')")
    root = page().root + "/"
    assert shown.evaluate(KEPT)[f"hoodwink {root}"] == [
        root + path for path in ("icon.svg", "shell/offline.html", "shell/offline.js", "style/base.css")
    ]

    shown.context.set_offline(True)
    shown.reload()
    shown.get_by_role("heading", name="Hoodwink cannot be reached").wait_for()
    shown.get_by_text("This device is offline").wait_for()
    assert shown.url.endswith("/rules/coconut")

    shown.context.set_offline(False)
    shown.get_by_role("heading", name="Coconut").first.wait_for()
    assert "/v1/" not in json.dumps(shown.evaluate(KEPT))


def test_a_new_release_replaces_the_kept_files_as_a_whole_and_can_be_installed(installed):
    shown = installed.page
    shown.evaluate("() => caches.open('hoodwink /page/older/')")
    shown.evaluate("() => navigator.serviceWorker.ready.then((registration) => registration.unregister())")

    shown.reload()
    shown.wait_for_function(READY)

    shown.wait_for_function("() => caches.keys().then((names) => names.length === 1)")
    assert [*shown.evaluate(KEPT)] == [f"hoodwink {page().root}/"]
    assert installed.complaints == []

    # The manifest names icons that exist.
    session = shown.context.new_cdp_session(shown)

    answer = session.send("Page.getAppManifest")

    assert answer["errors"] == []
    manifest = json.loads(answer["data"])
    assert (manifest["start_url"], manifest["scope"], manifest["id"]) == ("/", "/", "/")
    for icon in manifest["icons"]:
        assert (FOLDER / icon["src"]).is_file()
    assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
