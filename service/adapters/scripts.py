"""Lua scripts, sent once and then called by their digest."""

from collections.abc import Sequence
from hashlib import sha1
from typing import Any

from redis.exceptions import NoScriptError

from service.adapters.wire import Argument, Wire


class Script:
    """A script whose keys all lie in one slot."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._digest = sha1(text.encode(), usedforsecurity=False).hexdigest()

    def run(self, wire: Wire, keys: Sequence[str], *arguments: Argument) -> Any:
        """Returns the script's reply."""
        command = (len(keys), *keys, *arguments)
        try:
            return wire.call(keys[0], "EVALSHA", self._digest, *command)
        except NoScriptError:  # it did not run: this server has not seen it since it started
            return wire.call(keys[0], "EVAL", self._text, *command)
