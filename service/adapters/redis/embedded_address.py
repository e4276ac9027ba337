"""Where the embedded Redis of a data folder listens."""

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Final
from urllib.parse import quote

_MAX_SOCKET_BYTES: Final = 103
"""macOS has room for 104 bytes with the final zero, Linux for 108."""


def embedded_socket(folder: Path) -> Path:
    """Returns a path short enough for a socket: in the folder, or in a private folder for temporary files."""
    socket = folder.absolute() / "redis.sock"
    if len(os.fsencode(socket)) <= _MAX_SOCKET_BYTES:
        return socket
    name = hashlib.sha256(os.fsencode(folder.absolute())).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"hoodwink-{os.getuid()}-{name}" / "redis.sock"


def embedded_url(folder: Path) -> str:
    return f"unix://{quote(str(embedded_socket(folder)))}"
