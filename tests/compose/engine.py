"""Podman with separate storage, networks and settings, isolated from the machine's other containers."""

import os
import resource
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.compose.machine import CannotTry

PROJECT: Final = "hoodwink-trial"
ROOT: Final = Path(__file__).parents[2]

_MAX_LIMIT: Final = 32768
_CONTAINERS: Final = """
[containers]
default_ulimits = ["nofile={files}:{files}", "nproc={processes}:{processes}"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
tmp_dir = "{folder}/tmp"
[network]
network_backend = "netavark"
network_config_dir = "{folder}/networks"
default_subnet = "10.233.0.0/24"
"""
_STORAGE: Final = """
[storage]
driver = "overlay"
graphroot = "{folder}/storage"
runroot = "{folder}/run"
"""

# podman-compose adds its own lines to the output of `exec`.
_DOCKER: Final = """\
docker() {{
  shift
  case $1 in
    exec) container={project}_$3_1; shift 3; podman exec -i $container "$@" ;;
    up) podman-compose -f {root}/docker-compose.yml -p {project} "$@" --no-build ;;
    *) podman-compose -f {root}/docker-compose.yml -p {project} "$@" ;;
  esac
}}
"""


class Engine:
    """Runs Podman and podman-compose, and removes everything they created."""

    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        """Prepares the folder.

        Args:
            folder: an empty folder for images, volumes and settings.
            settings: environment variables for docker-compose.yml.
        """
        self._folder = folder
        (folder / "networks").mkdir()
        files = {"CONTAINERS_CONF": _CONTAINERS, "CONTAINERS_STORAGE_CONF": _STORAGE}
        for variable, text in files.items():
            (folder / variable).write_text(text.format(folder=folder, **_limits()))
        self.environment: dict[str, str] = {
            **os.environ,
            **settings,
            **{variable: str(folder / variable) for variable in files},
        }

    def podman(self, *arguments: str, stdin: int = subprocess.DEVNULL) -> str:
        """Returns the output of a command of Podman; raises `CannotTry` if it fails."""
        return output("podman", *arguments, environment=self.environment, stdin=stdin)

    def compose(self, *arguments: str, **settings: str) -> None:
        """Runs podman-compose on docker-compose.yml, with further environment variables."""
        output("podman-compose", "-p", PROJECT, *arguments, environment=self.environment | settings)

    def paste(self, script: str) -> str:
        """Returns the output of shell commands written for Docker; raises `CannotTry` if one fails."""
        folder = self._folder / "pasted"
        folder.mkdir(exist_ok=True)
        command = f"set -euo pipefail\ncd {folder}\n{_DOCKER.format(root=ROOT, project=PROJECT)}\n{script}"
        return output("bash", "-c", command, environment=self.environment)

    def build(self) -> None:
        """Builds the image and checks that it exists, since podman-compose exits with 0 even after a failure."""
        command = ("podman-compose", "-p", PROJECT, "build")
        said = run(*command, environment=self.environment)
        if not self.podman("images", "--quiet", "hoodwink"):
            raise CannotTry(f"{' '.join(command)}: {said.stdout[-3000:]}{said.stderr[-3000:]}")

    def containers(self) -> list[str]:
        """Returns the names of all running containers."""
        return sorted(self.podman("ps", "--format", "{{.Names}}").split())

    def kill(self, container: str) -> None:
        """Kills the first process of a container, and with it all others, as a crash would."""
        os.kill(self.process_of(container), signal.SIGKILL)

    def process_of(self, container: str) -> int:
        """Returns the id of the first process of a container, 0 if it does not run."""
        return int(self.podman("inspect", "--format", "{{.State.Pid}}", container))

    def is_healthy(self, container: str) -> bool:
        """Returns whether the container's health check succeeds; without systemd, nothing else runs it."""
        command = ("podman", "healthcheck", "run", container)
        return subprocess.run(command, env=self.environment, capture_output=True, check=False).returncode == 0

    def close(self) -> None:
        """Removes all containers, images, volumes and networks of this storage."""
        self.podman("rm", "--all", "--force", "--volumes", "--time", "1")
        self.podman("rmi", "--all", "--force")
        for kind in ("volume", "network"):
            names = set(self.podman(kind, "ls", "--quiet").split()) - {"podman"}
            self.podman(kind, "rm", *names) if names else None
        subprocess.run(
            ["umount", str(self._folder / "storage" / "overlay")], check=False, capture_output=True
        )


def output(*command: str, environment: dict[str, str] | None = None, stdin: int = subprocess.DEVNULL) -> str:
    """Returns the output of a command; raises `CannotTry` if it fails."""
    done = run(*command, environment=environment, stdin=stdin)
    if done.returncode:
        raise CannotTry(f"{' '.join(command)}: {done.stdout[-3000:]}{done.stderr[-3000:]}")
    return str(done.stdout)


def run(
    *command: str, environment: dict[str, str] | None = None, stdin: int = subprocess.DEVNULL
) -> "subprocess.CompletedProcess[str]":
    """Runs a command in the project's folder and returns its output."""
    return subprocess.run(
        command, cwd=ROOT, env=environment, stdin=stdin, capture_output=True, text=True, check=False
    )


def _limits() -> dict[str, int]:
    """Returns the limits a process may set here; Podman raises its own limits, which some sandboxes forbid."""
    kinds = {"files": resource.RLIMIT_NOFILE, "processes": resource.RLIMIT_NPROC}
    allowed = {name: resource.getrlimit(kind)[1] for name, kind in kinds.items()}
    return {
        name: _MAX_LIMIT if limit == resource.RLIM_INFINITY else min(limit, _MAX_LIMIT)
        for name, limit in allowed.items()
    }
