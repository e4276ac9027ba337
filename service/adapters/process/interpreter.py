"""The Python interpreter: the command that runs one of our modules, how it imports, takes turns between threads and exits."""

import atexit
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType


def python_module(module: str) -> tuple[str, ...]:
    """Returns the command that runs a module."""
    # `-P`, or a folder of the same name in the current directory would replace the installed package.
    return (sys.executable, "-P", "-m", module)


def import_for_good(module: str) -> ModuleType:
    """Imports a module, and exempts everything imported so far from garbage collection, because it is never freed.

    Searching it for garbage during the import would take an eighth of a process's start. Rich would take up to another
    eighth: structlog imports it if it finds it, for colours and tracebacks that our logs do not have.
    """
    gc.disable()
    try:
        with _hidden("rich"):
            return import_module(module)
    finally:
        gc.freeze()
        gc.enable()


@contextmanager
def _hidden(package: str) -> Iterator[None]:
    """Lets an import of the package fail during the body, as if it were not installed, unless it is already imported."""
    if package in sys.modules:
        yield
        return
    sys.modules[package] = None  # type: ignore[assignment] # documented: an import of this name then fails
    try:
        yield
    finally:
        del sys.modules[package]


def share_time_finely() -> None:
    """Lets threads of this process take turns after half a millisecond of computing, instead of Python's five.

    For processes in which some threads compute while others must react immediately.
    """
    sys.setswitchinterval(0.0005)


def exit_quickly() -> None:
    """Makes this process skip Python's last garbage collections, which search all modules for a tenth of a second."""
    atexit.register(gc.freeze)
