"""Finds and cuts off the damaged end of a Redis server's append-only file.

Redis's own `redis-check-aof` does both. It is the server's program under another name, so it is available wherever
a server is, and always has the same version.
"""

import re
import shutil
import subprocess
from datetime import UTC, datetime
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Final

import msgspec

_ANALYZED: Final = re.compile(r"^AOF analyzed: (?:filename=.+?, )?size=(\d+), ok_up_to=(\d+),", re.MULTILINE)
_WRITTEN: Final = re.compile(r"^file (\S+) seq \d+ type [bi]", re.MULTILINE)
_TRANSACTION_END: Final = b"\r\nEXEC\r\n"


class CannotRepair(Exception):
    """Raised when the file could not be repaired and is unchanged. The message is one line for people."""


class Damage(msgspec.Struct, frozen=True, kw_only=True):
    """An append-only file whose end cannot be loaded.

    Attributes:
        file: the damaged file.
        size: the size of the file in bytes.
        intact: the number of bytes at its beginning that can be loaded.
        holds_writes: whether the rest has complete writes, which may have been acknowledged.
    """

    file: Path
    size: int
    intact: int
    holds_writes: bool

    @property
    def command(self) -> str:
        """The command that cuts the end off without keeping a copy."""
        return f"redis-check-aof --fix {self.file}"


def find_damage(folder: Path, server: Path) -> Damage | None:
    """Returns the damage of a stopped server's append-only file, or `None`.

    Args:
        folder: where the server stores its data.
        server: its program.
    """
    file = _file_being_written(folder)
    found = file and _ANALYZED.search(_check(server, str(file)))
    if not file or not found:
        return None
    size, intact = map(int, found.groups())
    if intact == size:
        return None
    return Damage(file=file, size=size, intact=intact, holds_writes=_holds_transaction(file, intact))


def cut_off(damage: Damage, server: Path) -> Path:
    """Cuts the damaged end off, and returns a new file next to the data with that end.

    Raises:
        CannotRepair: the end could not be copied, or the tool refused.
    """
    # Copied first, because the tool cuts irrevocably, and the end may be all that is left of acknowledged writes.
    kept = damage.file.with_name(f"{damage.file.name}.cut-{datetime.now(UTC):%Y%m%dT%H%M%S%f}")
    try:
        with damage.file.open("rb") as file, kept.open("xb") as end:
            file.seek(damage.intact)
            shutil.copyfileobj(file, end)
    except OSError as error:
        kept.unlink(missing_ok=True)
        raise CannotRepair(
            f"Cannot copy the end that would be cut off to {kept}: {error.strerror}."
        ) from None
    said = _check(server, "--fix", str(damage.file), answer="y\n")
    # The file itself shows whether the tool did it, regardless of what the tool reports.
    if damage.file.stat().st_size != damage.intact:
        kept.unlink()
        raise CannotRepair(f"`{damage.command}` refused: {said.strip().splitlines()[-1]}")
    return kept


def _file_being_written(folder: Path) -> Path | None:
    """Returns the last file that the manifest lists, or the single file of a server before version 7.

    The tool could read the manifest itself, but Valkey 9's takes its own snapshots for damaged.
    """
    manifest, single = folder / "appendonlydir" / "appendonly.aof.manifest", folder / "appendonly.aof"
    if manifest.exists() and (names := _WRITTEN.findall(manifest.read_text())):
        return manifest.with_name(names[-1])
    return single if single.exists() else None


def _holds_transaction(file: Path, after: int) -> bool:
    """Returns whether a transaction ends after a position."""
    # Each commit is a transaction, so an end without `EXEC` has none. Mapped, as the file may exceed the memory.
    with file.open("rb") as opened, mmap(opened.fileno(), 0, access=ACCESS_READ) as content:
        return content.find(_TRANSACTION_END, after) >= 0


def _check(server: Path, *arguments: str, answer: str = "") -> str:
    name = server.name.replace("server", "check-aof")  # the program decides by its name which tool it is
    return subprocess.run(
        [name, *arguments],
        executable=server,
        input=answer,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    ).stdout
