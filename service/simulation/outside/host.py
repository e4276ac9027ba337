"""Runs a bot from outside in this process: `python host.py BOT MEMORY_MB`. Needs nothing but the standard library.

Reads a request per line from standard input, and writes an answer per line to what was standard output.
"""

import importlib
import importlib.util
import json
import os
import random
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any, BinaryIO

_FUNCTION = "choose"
"""The function of a file that names no other."""

_CHECK_SECONDS = 1.0
_MAX_TRACEBACK = 2_000


def load(bot: str) -> Callable[[Any], Any]:
    """Returns the function that `module:function`, `file.py:function` or `file.py` names."""
    place, _, function = bot.rpartition(":") if not bot.endswith(".py") else (bot, "", _FUNCTION)
    if place.endswith(".py"):
        file = Path(place).resolve()
        sys.path.insert(0, str(file.parent))
        spec = importlib.util.spec_from_file_location(file.stem, file)
        if spec is None or spec.loader is None:
            raise ImportError(f"{file} is no Python file")
        # Registered before it is executed: dataclasses and pickle look their module up there.
        module = sys.modules[file.stem] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    else:
        sys.path.insert(0, str(Path.cwd()))
        module = importlib.import_module(place)
    chosen = getattr(module, function)
    if not callable(chosen):
        raise TypeError(f"{function} in {place} is no function")
    return chosen  # type: ignore[no-any-return]


def take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Returns the pipes from and to the parent; nothing that the bot prints or reads can get there afterwards."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    return requests, answers


def limit(memory_mb: int) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        resource.setrlimit(resource.RLIMIT_AS, (memory_mb << 20, memory_mb << 20))
    except (ValueError, OSError):  # macOS knows no such limit
        sys.stderr.write("This system cannot limit the memory of a bot.\n")


def end_with(parent: int) -> None:
    """Kills this process and its children once the parent is gone; a bot in an endless loop would not notice."""
    while os.getppid() == parent:
        time.sleep(_CHECK_SECONDS)
    os.killpg(0, signal.SIGKILL)


def answer(choose: Callable[[Any], Any], request: dict[str, Any]) -> dict[str, Any]:
    """Returns the answer to a request: an action and the CPU time it took, or why there is none."""
    # Only the first question of a table has one, and the later ones go on with the same generator.
    if request["seed"] is not None:
        random.seed(request["seed"])
    began = time.process_time_ns()
    try:
        action = choose(request["observation"])
    except BaseException as error:  # noqa: BLE001 - a bot that exits has failed, too
        return {"exception": _traceback(error)}
    cpu_ns = time.process_time_ns() - began
    try:
        # Raises for half a surrogate pair, which no request can carry.
        json.dumps(action, ensure_ascii=False).encode()
        return {"action": json.dumps(action, allow_nan=False), "cpu_ns": cpu_ns}
    except Exception as error:  # noqa: BLE001 - the action may be an object of any class
        return {"invalid": f"{type(error).__name__}: {error}"[:_MAX_TRACEBACK]}


def _traceback(error: BaseException) -> str:
    """Returns the last frames of the bot's own code."""
    within = error.__traceback__ and error.__traceback__.tb_next
    return "".join(traceback.format_exception(type(error), error, within, limit=-5))[-_MAX_TRACEBACK:]


def main() -> None:
    """Answers requests until the parent closes the pipe."""
    requests, answers = take_pipes()

    def send(content: dict[str, Any]) -> None:
        answers.write(json.dumps(content).encode() + b"\n")
        answers.flush()

    limit(int(sys.argv[2]))
    Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    try:
        choose = load(sys.argv[1])
    except BaseException as error:  # noqa: BLE001 - as above
        send({"id": 0, "exception": _traceback(error)})
        return
    with suppress(BrokenPipeError):  # the parent is gone
        # The parent waits for this one longer than for any other, because an import may take long.
        send({"id": 0})
        for line in requests:
            request = json.loads(line)
            send({"id": request["id"], **answer(choose, request)})


if __name__ == "__main__":
    main()
