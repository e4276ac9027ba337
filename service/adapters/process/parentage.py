"""Makes a process end together with the process that started it."""

import ctypes
import os
import signal
import sys
from typing import Final

_PR_SET_PDEATHSIG: Final = 1
_prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


def end_with_parent(parent: int, number: signal.Signals) -> None:
    """Makes the kernel send the calling process a signal when its parent ends, even if the parent is killed.

    For the kernel, the parent is the thread that started the process. Only Linux sends the signal. On other systems, this
    only ends the process if its parent has already ended.
    """
    if _prctl is not None:
        _prctl(_PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:
        os._exit(1)  # the parent ended before the call above, so the signal would never come
