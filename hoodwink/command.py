"""The entry point of the command `hoodwink`. It is installed with the library, which does not contain the command itself."""

import sys
from importlib.util import find_spec


def main() -> None:
    """Runs the command line; without it, exits with a line that says how to install it."""
    if find_spec("hoodwink.service") is None or find_spec("click") is None:
        sys.exit(
            "Error: Only the library is installed. To simulate, verify and replay: pip install 'hoodwink[cli]'. "
            "To run the service: pip install 'hoodwink[service]'."
        )
    from hoodwink.service.cli import main as run  # noqa: PLC0415 - it may not be installed

    run()
