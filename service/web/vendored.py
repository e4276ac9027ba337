"""The libraries in the page's folder `vendor`: unchanged copies of npm's files."""

import hashlib
import tarfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Final
from urllib.request import urlopen

import msgspec

from hoodwink.service.web.files import FOLDER

VENDOR: Final = FOLDER / "vendor"
NOTES: Final = "vendored.json"
REGISTRY: Final = "https://registry.npmjs.org/"
_MAX_BYTES: Final = 64 << 20  # the archive is read into memory
_SECONDS: Final = 30


class NotPublished(Exception):
    """A library cannot be compared with npm's archive; the message is for people."""


class VendoredFile(msgspec.Struct, frozen=True):
    """One file of a library.

    Attributes:
        published: its path in npm's archive.
        sha256: its digest, in hexadecimal.
    """

    published: str
    sha256: str


class Library(msgspec.Struct, frozen=True, rename={"source": "from"}):
    """A library, as listed in `vendored.json`.

    Attributes:
        source: the address of npm's archive.
        files: its files by their paths in the folder `vendor`.
    """

    version: str
    licence: str
    source: str
    files: dict[str, VendoredFile]


class _Manifest(msgspec.Struct):
    version: str
    license: str


def libraries(folder: Path = VENDOR) -> dict[str, Library]:
    """Returns the vendored libraries by their names."""
    return msgspec.json.decode((folder / NOTES).read_bytes(), type=dict[str, Library])


def changed(folder: Path = VENDOR) -> list[str]:
    """Returns the files that differ from `vendored.json`: changed, missing or not listed."""
    noted = {
        path: file.sha256 for library in libraries(folder).values() for path, file in library.files.items()
    }
    found = {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and path != folder / NOTES
    }
    return sorted(path for path in noted.keys() | found.keys() if noted.get(path) != found.get(path))


def download(source: str) -> bytes:
    """Downloads an archive of npm; raises `NotPublished`."""
    # `urlopen` would also read local files, and the address comes from a file that a pull request can change.
    if not source.startswith(REGISTRY):
        raise NotPublished(f"{source} is not an address of npm's registry, {REGISTRY}.")
    try:
        with urlopen(source, timeout=_SECONDS) as answer:  # noqa: S310 - its scheme has been checked
            # A longer archive is cut off here, and then cannot be read.
            archive: bytes = answer.read(_MAX_BYTES)
    except OSError as error:
        raise NotPublished(f"{source} cannot be downloaded: {error}.") from None
    return archive


def differences(library: Library, archive: bytes, folder: Path = VENDOR) -> Iterator[str]:
    """Yields a line for each difference between a library and npm's archive."""
    try:
        with tarfile.open(fileobj=BytesIO(archive), mode="r:gz") as opened:
            yield from _manifest_differences(library, opened)
            for path, file in library.files.items():
                published, local = _member(opened, file.published), _local(folder / path)
                if published is None:
                    yield f"{path} is not published: the archive has no {file.published}."
                elif local is None:
                    yield f"{path} is missing."
                elif local != published:
                    yield f"{path} differs from the published {file.published}."
    except (tarfile.TarError, OSError, EOFError) as error:
        raise NotPublished(f"{library.source} is not an archive: {error}.") from None


def _manifest_differences(library: Library, opened: tarfile.TarFile) -> Iterator[str]:
    try:
        manifest = msgspec.json.decode(_member(opened, "package/package.json") or b"", type=_Manifest)
    except msgspec.DecodeError:
        yield "The archive names no version and no licence."
        return
    if manifest.version != library.version:
        yield f"The archive has version {manifest.version}, but {NOTES} says {library.version}."
    if manifest.license != library.licence:
        yield f"The archive has the licence {manifest.license}, but {NOTES} says {library.licence}."


def _member(opened: tarfile.TarFile, name: str) -> bytes | None:
    try:
        member = opened.extractfile(name)
    except KeyError:
        return None
    return None if member is None else member.read()


def _local(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None
