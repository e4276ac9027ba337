"""Firefox, driven over Marionette, its own form of WebDriver. Playwright works only with some of its releases."""

import json
import shutil
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import pytest

from tests.service.processes import await_true
from tests.service.web.engines.remote import PATIENCE_SECONDS, Failed, Remote, process

_FIREFOX: Final = ("firefox-esr", "firefox")
_PREFERENCES: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "marionette.port": 0,  # any free one, which Firefox writes to its profile
        "browser.download.folderList": 2,
        "browser.download.always_ask_before_handling_new_types": False,
        "datareporting.policy.dataSubmissionEnabled": False,
        "toolkit.legacyUserProfileCustomizations.stylesheets": True,
        "ui.useOverlayScrollbars": 1,  # like a phone's
        "ui.primaryPointerCapabilities": 6,  # those of a mouse, which a screen without a desktop has not
        "ui.allPointerCapabilities": 6,
        "permissions.default.desktop-notification": 1,
        "dom.push.serverURL": "",
        "security.webauth.webauthn_enable_softtoken": True,
        "security.webauth.webauthn_enable_usbtoken": False,
    }
)
# Otherwise the window would be at least 500 px wide.
_NARROW: Final = ":root, body { min-width: 0 !important } #navigator-toolbox { display: none }"


@contextmanager
def firefox(folder: Path, *, is_still: bool = False) -> Iterator[Remote]:
    """Runs Firefox with a new profile in a folder; skips the test if it is not installed.

    Args:
        is_still: whether the player has asked the system for fewer movements.
    """
    program = next(filter(None, map(shutil.which, _FIREFOX)), None)
    if program is None:
        pytest.skip("Firefox is not installed")
    profile, downloads = folder / "profile", folder / "downloads"
    (profile / "chrome").mkdir(parents=True)
    downloads.mkdir()
    (profile / "chrome" / "userChrome.css").write_text(_NARROW, encoding="utf-8")
    wanted = {
        **_PREFERENCES,
        "browser.download.dir": str(downloads),
        "ui.prefersReducedMotion": int(is_still),
    }
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in wanted.items()]
    (profile / "user.js").write_text("".join(lines), encoding="utf-8")
    port = profile / "MarionetteActivePort"
    with process(program, "--headless", "--marionette", "--no-remote", "--profile", str(profile)):
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
        name = command if ":" in command else f"WebDriver:{command}"
        message = json.dumps([0, self._number, name, given]).encode()
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
