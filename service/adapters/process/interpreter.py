"""The Python interpreter: the command that runs one of our modules, how its threads take turns, and how it exits."""

import atexit
import gc
import sys


def python_module(module: str) -> tuple[str, ...]:
    """Returns the command that runs a module."""
    # `-P`, or a folder of the same name in the current directory would replace the installed package.
    return (sys.executable, "-P", "-m", module)


def share_time_finely() -> None:
    """Lets threads of this process take turns after half a millisecond of computing, instead of Python's five.

    For processes in which some threads compute while others must react immediately.
    """
    sys.setswitchinterval(0.0005)


def exit_quickly() -> None:
    """Makes this process skip Python's last garbage collections, which search all modules for a tenth of a second."""
    atexit.register(gc.freeze)
