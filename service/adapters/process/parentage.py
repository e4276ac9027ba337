"""Makes a process end together with the process that started it."""

import ctypes
import os
import signal
import sys
from typing import Final

_PR_SET_PDEATHSIG: Final = 1
_prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


def end_with(parent: int, number: signal.Signals) -> None:
    """Makes the kernel send the calling process a signal when its parent ends, even if the parent is killed.

    For the kernel, the parent is the thread that started the process. Other systems than Linux send no signal;
    there, only a parent that has already ended is noticed.
    """
    if _prctl is not None:
        _prctl(_PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:
        os._exit(1)  # the parent ended before the call above, so the signal would never come
