"""The process of a bot from outside: starts it, asks it, and kills it with its children."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from enum import StrEnum
from math import inf
from pathlib import Path
from select import select
from time import monotonic
from typing import Final, NamedTuple

import msgspec

_HOST: Final = Path(__file__).with_name("host.py")
_START_SECONDS: Final = 60
"""A bot may load a large model when it is imported."""

_MAX_ANSWER: Final = 1 << 16
_PIPE: Final = 1 << 16
_FAREWELL_SECONDS: Final = 0.5
_KEPT: Final = ("HOME", "LANG", "LC_ALL", "PATH", "TMPDIR", "VIRTUAL_ENV")
"""The variables of the environment that a bot gets. The others may contain secrets."""


class Kind(StrEnum):
    """The kinds of mistakes that a bot from outside can make."""

    EXCEPTION = "exception"  # the function raised one
    INVALID = "invalid"  # its answer is not an action
    ILLEGAL = "illegal"  # the rules do not allow the action
    SLOW = "slow"  # the answer did not come in time
    DIED = "died"  # the process ended
    NOT_ASKED = "not_asked"  # it had been slow or died too often at the table


class BotFailed(Exception):
    """Raised for a bot that did not answer with an action.

    Attributes:
        is_lost: whether the process is of no more use.
    """

    def __init__(self, kind: Kind, detail: str, *, is_lost: bool = False) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail
        self.is_lost = is_lost


class Limits(NamedTuple):
    """The limits of a bot from outside: seconds for an action, and megabytes of memory."""

    seconds: float = 2.0
    memory_mb: int = 2_048


class Reply(NamedTuple):
    """An action as JSON, and the CPU time that the bot took, according to its own process."""

    action: bytes
    cpu_ns: int


class _Answer(msgspec.Struct):
    id: int
    action: str | None = None
    cpu_ns: int = 0
    exception: str | None = None
    invalid: str | None = None


class BotProcess:
    """A running bot."""

    def __init__(self, bot: str, limits: Limits) -> None:
        """Starts the process and imports the bot.

        Raises:
            BotFailed: it cannot be imported.
        """
        self._limits, self._requests, self._received = limits, 0, bytearray()
        # In a session of its own, so that its children can be killed with it and Ctrl-C does not reach it.
        self._process = subprocess.Popen(
            # `-P`: otherwise the modules next to host.py would hide those of the bot with the same names.
            [sys.executable, "-P", "-s", str(_HOST), bot, str(limits.memory_mb)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # With random hashes, the order of sets would differ between processes, and no run could be repeated.
            env={name: os.environ[name] for name in _KEPT if name in os.environ} | {"PYTHONHASHSEED": "0"},
            start_new_session=True,
            bufsize=0,
        )
        assert self._process.stdin is not None, "it is a pipe"
        assert self._process.stdout is not None, "it is a pipe"
        self._to, self._from = self._process.stdin, self._process.stdout
        # A bot that does not read fills the pipe, and a blocking write would wait beyond the deadline.
        os.set_blocking(self._to.fileno(), False)
        try:
            self._answer(monotonic() + _START_SECONDS)
        except BotFailed as failed:
            self.close()
            raise _lost(failed.kind, failed.detail) from None

    def ask(self, observation: bytes, seed: str | None, seconds: float = inf) -> Reply:
        """Returns the bot's reply to an observation.

        Args:
            observation: as JSON.
            seed: for Python's generator of random numbers, at the first question of a table.
            seconds: the time for the answer, if it is less than the limit.

        Raises:
            BotFailed: there is no reply. If the process is lost, it has to be closed.
        """
        self._requests += 1
        request = {"id": self._requests, "seed": seed, "observation": msgspec.Raw(observation)}
        deadline = monotonic() + min(self._limits.seconds, seconds)
        self._send(msgspec.json.encode(request) + b"\n", deadline)
        answer = self._answer(deadline)
        if answer.action is None:
            raise BotFailed(Kind.INVALID, answer.invalid or "the answer has no action")
        return Reply(answer.action.encode(), answer.cpu_ns)

    def close(self) -> None:
        """Kills the process and its children."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._to.close()
        self._from.close()

    def _send(self, line: bytes, deadline: float) -> None:
        unsent = memoryview(line)
        while unsent:
            self._await(deadline, writing=True)
            try:
                unsent = unsent[os.write(self._to.fileno(), unsent) :]
            except BrokenPipeError:
                raise self._death() from None

    def _answer(self, deadline: float) -> _Answer:
        """Returns the answer to the latest request, without those that a fork of the bot may have added."""
        while True:
            line = self._receive(deadline)
            try:
                answer = msgspec.json.decode(line, type=_Answer)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise _lost(Kind.INVALID, f"the bot wrote into the pipe: {error}") from None
            if answer.id != self._requests:
                continue
            if answer.exception is not None:
                raise BotFailed(Kind.EXCEPTION, answer.exception)
            return answer

    def _receive(self, deadline: float) -> bytes:
        while (end := self._received.find(b"\n")) < 0:
            # Otherwise a bot could fill the memory with a line that never ends.
            if len(self._received) > _MAX_ANSWER:
                raise _lost(Kind.INVALID, f"the answer is longer than {_MAX_ANSWER} bytes")
            self._await(deadline, writing=False)
            part = os.read(self._from.fileno(), _PIPE)
            if not part:
                raise self._death()
            self._received += part
        line = bytes(self._received[:end])
        del self._received[: end + 1]
        return line

    def _await(self, deadline: float, *, writing: bool) -> None:
        """Waits until the pipe is ready; raises `BotFailed` at the deadline."""
        left = deadline - monotonic()  # a bot that writes without end is always ready
        pipes = ([], [self._to]) if writing else ([self._from], [])
        if left <= 0 or not any(select(*pipes, [], left)):
            raise _lost(Kind.SLOW, "there was no answer in time")

    def _death(self) -> BotFailed:
        try:
            code = self._process.wait(_FAREWELL_SECONDS)
        except subprocess.TimeoutExpired:
            return _lost(Kind.DIED, "the bot closed the pipe")
        return _lost(
            Kind.DIED,
            f"the process ended with exit code {code}"
            if code >= 0
            else f"the process was ended by signal {-code}",
        )


def _lost(kind: Kind, detail: str) -> BotFailed:
    return BotFailed(kind, detail, is_lost=True)
