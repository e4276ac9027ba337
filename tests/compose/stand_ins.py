"""Base images made from Debian packages, under the names used in Dockerfile and docker-compose.yml.

They differ from the real ones: Debian 13 has Python 3.13 and Redis 8.0 without its modules, and both images are larger.
"""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

import yaml

from tests.compose.engine import ROOT, Engine, output

_RELEASE: Final = "trixie"
# Like the real image: Redis accepts connections from other containers, and stores its data in its own folder.
_ENTRYPOINT: Final = '#!/bin/sh\nexec "$@" --protected-mode no\n'


class StandIn(NamedTuple):
    """A base image to make.

    Attributes:
        name: its name in the files.
        packages: the Debian packages in it.
        version: the command that prints the version of the replaced software.
        changes: further instructions for the image.
    """

    name: str
    packages: Sequence[str]
    version: Sequence[str]
    changes: Sequence[str] = ()


def stand_ins() -> tuple[StandIn, StandIn]:
    """Returns the stand-ins for the images of Python and Redis."""
    (python,) = set(re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE))
    redis = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]["redis"]["image"]
    return (
        StandIn(
            python,
            ("ca-certificates", "python-is-python3", "python3", "python3-venv"),
            ("python", "--version"),
        ),
        StandIn(
            redis,
            ("redis-server",),
            ("redis-server", "--version"),
            ('ENTRYPOINT ["docker-entrypoint.sh"]', "WORKDIR /data"),
        ),
    )


def make_all(engine: Engine) -> Iterator[str]:
    """Makes the images; yields a line about each."""
    with ThreadPoolExecutor() as pool:
        yield from pool.map(lambda stand_in: made(engine, stand_in), stand_ins())


def made(engine: Engine, stand_in: StandIn) -> str:
    """Makes one image; returns a line about it."""
    with tempfile.TemporaryDirectory(prefix="hoodwink-base-") as folder:
        root = Path(folder)
        output(
            "debootstrap", "--variant=minbase", f"--include={','.join(stand_in.packages)}", _RELEASE, folder
        )
        _furnish(root)
        changes = [argument for change in stand_in.changes for argument in ("--change", change)]
        with subprocess.Popen(["tar", "-C", folder, "-c", "."], stdout=subprocess.PIPE) as tar:
            assert tar.stdout
            engine.podman(
                "import", *changes, "-", f"docker.io/library/{stand_in.name}", stdin=tar.stdout.fileno()
            )
        version = output("chroot", folder, *stand_in.version).strip()
    return f"{stand_in.name} is Debian {_RELEASE} with {version}"


def _furnish(root: Path) -> None:
    """Adds the image's needs other than packages, and this machine's access to the package index."""
    for path in map(Path, ("/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt")):
        target = root / path.relative_to("/")
        if path.exists() and target.parent.exists():
            shutil.copy(path, target)
    if (root / "usr/bin/redis-server").exists():
        output("chroot", str(root), "install", "--directory", "--owner=redis", "--group=redis", "/data")
        entrypoint = root / "usr/local/bin/docker-entrypoint.sh"
        entrypoint.write_text(_ENTRYPOINT)
        entrypoint.chmod(0o755)
