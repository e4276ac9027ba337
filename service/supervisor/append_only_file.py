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

_ANALYZED: Final = re.compile(
    r"^AOF analyzed: (?:filename=(.+?), )?size=(\d+), ok_up_to=(\d+),", re.MULTILINE
)
_TRANSACTION_END: Final = b"\r\nEXEC\r\n"


class CannotRepair(Exception):
    """Raised when the file could not be repaired and is unchanged. The message is one line for people."""


class Damage(msgspec.Struct, frozen=True, kw_only=True):
    """An append-only file whose end cannot be loaded.

    Attributes:
        file: the damaged file.
        checked: the argument for the tool: the file, or the manifest that lists it last.
        size: the size of the file in bytes.
        intact: the number of bytes at its beginning that can be loaded.
        holds_writes: whether the rest has complete writes, which may have been acknowledged.
    """

    file: Path
    checked: Path
    size: int
    intact: int
    holds_writes: bool

    @property
    def command(self) -> str:
        """The command that cuts the end off without keeping a copy."""
        return f"redis-check-aof --fix {self.checked}"


def find_damage(folder: Path, server: Path) -> Damage | None:
    """Returns the damage of a stopped server's append-only file, or `None`.

    Args:
        folder: where the server stores its data.
        server: its program.
    """
    checked = _file_to_check(folder)
    if checked is None:
        return None
    for name, size, intact in _ANALYZED.findall(_check(server, str(checked))):
        if intact != size:
            file = checked.with_name(name) if name else checked
            return Damage(
                file=file,
                checked=checked,
                size=int(size),
                intact=int(intact),
                holds_writes=_holds_transaction(file, int(intact)),
            )
    return None


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
    said = _check(server, "--fix", str(damage.checked), answer="y\n")
    # The file itself shows whether the tool did it, whatever the tool reports.
    if damage.file.stat().st_size != damage.intact:
        kept.unlink()
        raise CannotRepair(f"`{damage.command}` refused: {said.strip().splitlines()[-1]}")
    return kept


def _file_to_check(folder: Path) -> Path | None:
    """Returns the manifest of a newer server's files, or the single file of a server before version 7."""
    candidates = (folder / "appendonlydir" / "appendonly.aof.manifest", folder / "appendonly.aof")
    return next((path for path in candidates if path.exists()), None)


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
