"""The trial's requirements on a machine. `make compose` runs this file first, with any Python, before it installs anything."""

import os
import shutil
import sys
from typing import Final

PACKAGES: Final = (
    "podman", "podman-compose", "runc", "catatonit", "netavark", "aardvark-dns", "iptables", "debootstrap",
)  # fmt: skip
"""The Debian packages needed by the trial."""


class CannotTry(Exception):
    """Raised when this machine cannot run the containers or a command failed; the message gives the reason."""


def check_machine() -> None:
    """Raises `CannotTry` with everything that is missing unless containers can be created here."""
    helpers = os.pathsep.join([os.environ["PATH"], "/usr/lib/podman", "/usr/libexec/podman", "/usr/sbin"])
    missing = [package for package in PACKAGES if not shutil.which(package, path=helpers)]
    faults = [f"not installed: {' '.join(missing)} (apt-get install {' '.join(missing)})."] if missing else []
    if os.geteuid():
        faults.append("Run it as root: debootstrap and the containers' network need it.")
    if faults:
        raise CannotTry(" ".join(faults))


if __name__ == "__main__":
    try:
        check_machine()
    except CannotTry as error:
        sys.exit(f"Error: {error}")
