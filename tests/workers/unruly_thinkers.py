"""Thinkers whose process dies at its first decision: `python -m tests.workers.unruly_thinkers FILE`."""

import os
import signal
import sys
from pathlib import Path
from typing import Any

from hoodwink.service.application.streams.seat_knowledge import SeatKnowledge
from hoodwink.workers import thinking_worker

_know = SeatKnowledge.at


def die_once(knowledge: SeatKnowledge, table: Any, seat: int) -> Any:
    """Leaves the file as a trace of the process that was killed."""
    died = Path(sys.argv[1])
    if not died.exists():
        died.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return _know(knowledge, table, seat)


if __name__ == "__main__":
    setattr(SeatKnowledge, "at", die_once)  # noqa: B010 - mypy knows no replaced methods
    thinking_worker.main()
