"""The command that runs one of our modules in a process of its own."""

import sys


def python_module(module: str) -> tuple[str, ...]:
    """Returns the command that runs a module; `-P` keeps packages in the current folder from replacing ours."""
    return (sys.executable, "-P", "-m", module)
