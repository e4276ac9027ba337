"""The command that runs one of our modules in another process."""

import sys


def python_module(module: str) -> tuple[str, ...]:
    """Returns the command that runs a module."""
    # `-P`, or a folder of the same name in the current directory would replace the installed package.
    return (sys.executable, "-P", "-m", module)
