"""WebKitGTK's small browser, driven over its own WebDriver on a screen of its own."""

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from hoodwink.service.supervisor.checks import free_port
from tests.service.processes import await_true
from tests.service.web.engines.remote import PATIENCE_SECONDS, Failed, Remote, process

_DRIVER: Final = "WebKitWebDriver"
_BROWSERS: Final = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser"
_PATHS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Navigate": "url",
        "ExecuteScript": "execute/sync",
        "SetWindowRect": "window/rect",
        "PerformActions": "actions",
    }
)
# It cannot draw through the graphics card of a screen that has none, and its sandbox needs namespaces.
_ENVIRONMENT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "GDK_BACKEND": "x11",
        "NO_AT_BRIDGE": "1",
        "WEBKIT_DISABLE_DMABUF_RENDERER": "1",
        "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
    }
)
# Otherwise its tool bar would make the window at least 447 px wide.
_NARROW: Final = "window * { min-width: 0; margin: 0; padding: 0 }"


@contextmanager
def webkit(folder: Path, *, is_still: bool = False) -> Iterator[Remote]:
    """Runs WebKit's browser with its data in a folder; skips the test if it or Xvfb is not installed.

    Args:
        is_still: whether the player has asked the system for fewer movements.
    """
    browser = next(Path("/").glob(_BROWSERS[1:]), None)
    if browser is None or not (shutil.which(_DRIVER) and shutil.which("Xvfb")):
        pytest.skip("WebKitWebDriver, MiniBrowser or Xvfb is not installed")
    look = folder / ".config" / "gtk-3.0"
    look.mkdir(parents=True)
    (look / "gtk.css").write_text(_NARROW, encoding="utf-8")
    (look / "settings.ini").write_text(
        f"[Settings]\ngtk-enable-animations={int(not is_still)}\n", encoding="utf-8"
    )
    port = free_port("127.0.0.1", 0)
    with _screen() as screen:
        environment = {**os.environ, **_ENVIRONMENT, "DISPLAY": screen, "HOME": str(folder)}
        with process(_DRIVER, f"--port={port}", env=environment):
            send = _Driver(f"http://127.0.0.1:{port}")
            send.begin(str(browser))
            try:
                yield Remote(send, folder)
            finally:
                send.close()


@contextmanager
def _screen() -> Iterator[str]:
    """Runs an X server without a monitor; yields the name of its display."""
    reading, writing = os.pipe()
    size = ("-screen", "0", "1400x1000x24")
    with process("Xvfb", "-displayfd", str(writing), *size, "-nolisten", "tcp", pass_fds=[writing]):
        os.close(writing)
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        yield f":{number}"


class _Driver:
    def __init__(self, address: str) -> None:
        self._session = f"{address}/session"

    def begin(self, browser: str) -> None:
        options = {"binary": browser, "args": ["--automation"]}
        wanted = {"browserName": "MiniBrowser", "webkitgtk:browserOptions": options}
        body = {"capabilities": {"alwaysMatch": wanted}}
        await_true(self._is_ready, within_s=PATIENCE_SECONDS)
        self._session += f"/{self._ask('POST', '', body)['sessionId']}"

    def close(self) -> None:
        """Ends the browser, which the driver would leave behind."""
        self._ask("DELETE", "")

    def __call__(self, command: str, **given: Any) -> Any:
        if command == "TakeScreenshot":
            return self._ask("GET", "/screenshot")
        return self._ask("POST", f"/{_PATHS[command]}", given)

    def _is_ready(self) -> bool:
        try:
            with urlopen(self._session.replace("/session", "/status"), timeout=PATIENCE_SECONDS) as answer:
                return bool(json.load(answer)["value"]["ready"])
        except OSError:
            return False

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = Request(self._session + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urlopen(request, timeout=PATIENCE_SECONDS) as answer:
                return json.load(answer)["value"]
        except HTTPError as refused:
            raise Failed(refused.read().decode()) from refused
