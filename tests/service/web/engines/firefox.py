"""Firefox, driven over Marionette, its own form of WebDriver. Playwright works only with some of its releases."""

import json
import shutil
import socket
import subprocess
from base64 import b64decode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Protocol

import pytest

from tests.service.processes import await_true, end

PATIENCE_SECONDS: Final = 60
SIZE: Final = (1280, 900)

_FIREFOX: Final = ("firefox-esr", "firefox")
_PREFERENCES: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "marionette.port": 0,  # any free one, which Firefox writes to its profile
        "browser.download.folderList": 2,
        "browser.download.always_ask_before_handling_new_types": False,
        "datareporting.policy.dataSubmissionEnabled": False,
    }
)
_SHIFT: Final = "\ue008"


class Failed(Exception):
    """The browser could not carry out a command."""


class Send(Protocol):
    """Sends a command and returns the value of its answer; raises `Failed`."""

    def __call__(self, command: str, **given: Any) -> Any: ...


class Remote:
    """A browser window.

    Attributes:
        downloads: the folder for downloads.
    """

    def __init__(self, send: Send, downloads: Path) -> None:
        self._send = send
        self.downloads = downloads
        self.resize(*SIZE)

    def go(self, url: str) -> None:
        self._send("Navigate", url=url)

    def run(self, script: str, *given: Any) -> Any:
        """Calls a function of JavaScript in the page; returns what it returns."""
        return self._send("ExecuteScript", script=f"return ({script})(...arguments)", args=list(given))

    def wait(self, script: str, *given: Any) -> Any:
        """Waits until a function returns something true; returns it."""
        return await_true(lambda: self.run(script, *given), within_s=PATIENCE_SECONDS)

    def click(self, x: float, y: float) -> None:
        """Clicks a point of the window with a mouse."""
        point = {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0}
        buttons = ({"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})
        self._act("pointer", point, *buttons, parameters={"pointerType": "mouse"})

    def press(self, key: str, *, shift: bool = False) -> None:
        """Presses a key; WebDriver has characters of its own for those that write nothing."""
        keys = [_SHIFT, key] if shift else [key]
        down = [{"type": "keyDown", "value": each} for each in keys]
        self._act("key", *down, *[{"type": "keyUp", "value": each} for each in reversed(keys)])

    def resize(self, width: int, height: int) -> None:
        self._send("SetWindowRect", width=width, height=height)

    def picture(self) -> bytes:
        """Returns a screenshot as PNG."""
        return b64decode(self._send("TakeScreenshot"))

    def _act(self, kind: str, *steps: Any, **more: Any) -> None:
        self._send("PerformActions", actions=[{"type": kind, "id": kind, "actions": list(steps), **more}])


@contextmanager
def firefox(folder: Path) -> Iterator[Remote]:
    """Runs Firefox with a new profile in a folder; skips the test if it is not installed."""
    program = next(filter(None, map(shutil.which, _FIREFOX)), None)
    if program is None:
        pytest.skip("Firefox is not installed")
    profile, downloads = folder / "profile", folder / "downloads"
    profile.mkdir()
    downloads.mkdir()
    wanted = {**_PREFERENCES, "browser.download.dir": str(downloads)}
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in wanted.items()]
    (profile / "user.js").write_text("".join(lines), encoding="utf-8")
    port = profile / "MarionetteActivePort"
    with _process(program, "--headless", "--marionette", "--no-remote", "--profile", str(profile)):
        await_true(lambda: port.exists() and port.read_text().strip(), within_s=PATIENCE_SECONDS)
        with socket.create_connection(("127.0.0.1", int(port.read_text())), PATIENCE_SECONDS) as connection:
            send = _Marionette(connection)
            send("NewSession")
            yield Remote(send, downloads)


class _Marionette:
    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._number = 0
        self._read()  # it introduces itself

    def __call__(self, command: str, **given: Any) -> Any:
        self._number += 1
        message = json.dumps([0, self._number, f"WebDriver:{command}", given]).encode()
        self._connection.sendall(b"%d:%s" % (len(message), message))
        _, _, error, answer = self._read()
        if error:
            raise Failed(f"{error['error']}: {error['message']}")
        return answer.get("value")

    def _read(self) -> Any:
        length = b""
        while (character := self._receive(1)) != b":":
            length += character
        return json.loads(self._receive(int(length)))

    def _receive(self, size: int) -> bytes:
        received = b""
        while len(received) < size:
            part = self._connection.recv(size - len(received))
            if not part:
                raise Failed("Firefox has ended")
            received += part
        return received


@contextmanager
def _process(*command: str, **given: Any) -> Iterator[None]:
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **given)
    try:
        yield
    finally:
        end(running)
