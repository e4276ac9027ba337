"""A browser window driven over WebDriver."""

import subprocess
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Protocol

from tests.service.processes import await_true, end

PATIENCE_SECONDS: Final = 60
SIZE: Final = (1280, 900)

_SHIFT: Final = "\ue008"
_SIZES: Final = "() => [[outerWidth - innerWidth, outerHeight - innerHeight], [innerWidth, innerHeight]]"


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

    def hover(self, x: float, y: float) -> None:
        """Moves the mouse to a point of the window."""
        point = {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0}
        self._act("pointer", point, parameters={"pointerType": "mouse"})

    def type(self, text: str) -> None:
        """Types a text into what has the focus."""
        for key in text:
            self.press(key)

    def press(self, key: str, *, shift: bool = False) -> None:
        """Presses a key; WebDriver has characters of its own for those that write nothing."""
        keys = [_SHIFT, key] if shift else [key]
        down = [{"type": "keyDown", "value": each} for each in keys]
        self._act("key", *down, *[{"type": "keyUp", "value": each} for each in reversed(keys)])

    def resize(self, width: int, height: int) -> None:
        """Gives the page this size, to which the window adds its bars."""

        def is_done() -> bool:
            bars, size = self.run(_SIZES)
            if size == [width, height]:
                return True
            self._send("SetWindowRect", width=width + bars[0], height=height + bars[1])
            return False

        await_true(is_done, within_s=PATIENCE_SECONDS)

    def add_authenticator(self) -> None:
        """Gives the browser an authenticator, which approves everything immediately; only Firefox can."""
        can = ("hasResidentKey", "hasUserVerification", "isUserConsenting", "isUserVerified")
        kind = {"protocol": "ctap2_1", "transport": "internal"}
        self._send("WebAuthn:AddVirtualAuthenticator", **kind, **dict.fromkeys(can, True))

    def picture(self) -> bytes:
        """Returns a screenshot as PNG."""
        return b64decode(self._send("TakeScreenshot"))

    def _act(self, kind: str, *steps: Any, **more: Any) -> None:
        self._send("PerformActions", actions=[{"type": kind, "id": kind, "actions": list(steps), **more}])


@contextmanager
def process(*command: str, **given: Any) -> Iterator[None]:
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **given)
    try:
        yield
    finally:
        end(running)
