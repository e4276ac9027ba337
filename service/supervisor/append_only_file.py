"""The damaged end of a Redis server's append-only file: what Redis says of it, and how it is cut off.

Both are left to Redis' own `redis-check-aof`. It is the server's program under another name, so it is there wherever a
server is, and always of the same version.
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


class CannotMend(Exception):
    """Raised when the file could not be mended; the message is one line for people, and the file is as it was."""


class Damage(msgspec.Struct, frozen=True, kw_only=True):
    """An append-only file whose end cannot be loaded.

    Attributes:
        file: the file that is damaged.
        checked: the argument for the tool: the file, or the manifest that lists it last.
        size: of the file, in bytes.
        intact: the length of its beginning that can be loaded.
        holds_writes: whether what follows holds complete writes, which may have been acknowledged.
    """

    file: Path
    checked: Path
    size: int
    intact: int
    holds_writes: bool

    @property
    def command(self) -> str:
        """The command that cuts the end off without keeping it."""
        return f"redis-check-aof --fix {self.checked}"


def find_damage(folder: Path, server: Path) -> Damage | None:
    """Returns the damage of the append-only file in the folder of a server that does not run, or `None`.

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
    """Cuts the damaged end off; returns a new file next to the data that holds it.

    Raises:
        CannotMend: the end could not be kept, or the tool refused.
    """
    kept = damage.file.with_name(f"{damage.file.name}.cut-{datetime.now(UTC):%Y%m%dT%H%M%S%f}")
    try:
        with damage.file.open("rb") as file, kept.open("xb") as end:
            file.seek(damage.intact)
            shutil.copyfileobj(file, end)
    except OSError as error:
        kept.unlink(missing_ok=True)
        raise CannotMend(f"Cannot keep what would be cut off in {kept}: {error.strerror}.") from None
    said = _check(server, "--fix", str(damage.checked), answer="y\n")
    if damage.file.stat().st_size != damage.intact:
        kept.unlink()
        raise CannotMend(f"`{damage.command}` refused: {said.strip().splitlines()[-1]}")
    return kept


def _file_to_check(folder: Path) -> Path | None:
    """Returns the list of a newer server's files, or the one file of a server before version 7."""
    candidates = (folder / "appendonlydir" / "appendonly.aof.manifest", folder / "appendonly.aof")
    return next((path for path in candidates if path.exists()), None)


def _holds_transaction(file: Path, after: int) -> bool:
    """Returns whether a transaction ends after a position; each commit is one."""
    with file.open("rb") as opened, mmap(opened.fileno(), 0, access=ACCESS_READ) as content:
        return content.find(_TRANSACTION_END, after) >= 0


def _check(server: Path, *arguments: str, answer: str = "") -> str:
    name = server.name.replace("server", "check-aof")  # by which the program knows what it is asked to be
    return subprocess.run(
        [name, *arguments],
        executable=server,
        input=answer,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    ).stdout
