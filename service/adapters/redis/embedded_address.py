"""The address of a data folder's embedded Redis."""

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Final
from urllib.parse import quote

_MAX_SOCKET_BYTES: Final = 103
"""The maximum on macOS: 104 bytes, minus the final zero. Linux allows 108."""


def embedded_socket(folder: Path) -> Path:
    """Returns a path short enough for a socket: in the data folder, or in a private temporary folder."""
    socket = folder.absolute() / "redis.sock"
    if len(os.fsencode(socket)) <= _MAX_SOCKET_BYTES:
        return socket
    # Computed, not stored: every process that knows the data folder must find the same socket.
    name = hashlib.sha256(os.fsencode(folder.absolute())).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"hoodwink-{os.getuid()}-{name}" / "redis.sock"


def embedded_url(folder: Path) -> str:
    return f"unix://{quote(str(embedded_socket(folder)))}"
