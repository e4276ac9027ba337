"""Lua scripts, sent to a server once and then called by their digest."""

from collections.abc import Sequence
from hashlib import sha1
from typing import Any, TypeAlias

from redis.exceptions import NoScriptError

from hoodwink.service.adapters.redis.transport import Argument, Keyed, Transport

Call: TypeAlias = tuple[Sequence[str], Sequence[Argument]]
"""The keys and the arguments of one call."""


class Script:
    """A script whose keys are all in one slot."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._digest = sha1(text.encode(), usedforsecurity=False).hexdigest()

    def run(self, transport: Transport, keys: Sequence[str], *arguments: Argument) -> Any:
        command = (len(keys), *keys, *arguments)
        try:
            return transport.call(keys[0], "EVALSHA", self._digest, *command)
        except NoScriptError:  # the server does not know the script, so it has not run
            return transport.call(keys[0], "EVAL", self._text, *command)

    def run_each(self, transport: Transport, calls: Sequence[Call]) -> list[Any]:
        """Returns the replies of several calls, sent together. The script must be idempotent, since a call may run twice."""
        try:
            return transport.call_each([_command("EVALSHA", self._digest, *call) for call in calls])
        except NoScriptError:  # other nodes of a cluster may know the script and have run their calls
            return transport.call_each([_command("EVAL", self._text, *call) for call in calls])


def _command(name: str, script: str, keys: Sequence[str], arguments: Sequence[Argument]) -> Keyed:
    return keys[0], (name, script, len(keys), *keys, *arguments)
