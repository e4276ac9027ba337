"""On Linux, a process may be made to end with the one that started it."""

import ctypes
import os
import signal
import sys
from typing import Final

_PR_SET_PDEATHSIG: Final = 1
_prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


def end_with(parent: int, number: signal.Signals) -> None:
    """Lets the calling process get a signal when its parent ends, even if that is killed.

    To the kernel the parent is the thread that started the process. Elsewhere than on Linux nothing comes, but
    a parent that has ended already is noticed.
    """
    if _prctl is not None:
        _prctl(_PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:
        os._exit(1)  # the parent ended before that
