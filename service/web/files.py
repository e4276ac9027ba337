"""The files of the web page, read, put together and compressed once, with the headers that keep the page safe.

Their addresses contain a digest of all of them, so a browser may cache them forever and never mixes two releases: the
document names the digest, and the modules import each other by relative addresses.
"""

import gzip
import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from hoodwink.service.web.modules import closure, without_comments

FOLDER: Final = Path(__file__).parent / "page"
TEMPLATE: Final = "index.html"
ENTRY: Final = "app.js"

ROOMS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "": (),
        "games": ("home/game.js",),
        "imports": (),
        "leaderboards": (),
        "learn": (),
        "me": (),
        "players": (),
        "replay": (),
        "rules": ("rules/rules.js",),
        "tables": ("table/table.js",),
        "tournaments": (),
    }
)
"""The first segment of each address that the page has a room for; a test compares them with the routes in `app.js`.

With each room are the modules that `app.js` loads only there, so that a link into the room loads them without delay.
"""

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types lit-html"
)
SAME_ORIGIN: Final = (("Cross-Origin-Resource-Policy", "same-origin"),)
"""The headers of every file; `X-Content-Type-Options` stands on every answer of the server."""

GUARDS: Final = (
    ("Content-Security-Policy", POLICY),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    *SAME_ORIGIN,
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
)
"""The headers of what a browser can open as a document. On scripts and style sheets they would say nothing, and weigh as
much as the smaller ones of them."""

MEDIA_TYPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "": "text/plain; charset=utf-8",  # licences
        ".css": "text/css; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".json": "application/json",
        ".svg": "image/svg+xml",
        ".woff2": "font/woff2",
    }
)
_HTML: Final = "text/html; charset=utf-8"
_DOCUMENTS: Final = frozenset({_HTML, "image/svg+xml"})
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_CODING: Final = re.compile(r"(gzip|\*)[ \t]*(?:;[ \t]*q=([01](?:\.\d{0,3})?))?", re.IGNORECASE)
_TAG: Final = re.compile(r'(?:W/)?("[^"]*")')


class Answer(NamedTuple):
    """An answer to a request, complete except for its `Content-Length`."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes


class _Content(NamedTuple):
    """The bytes of a file in both forms; `zipped` is empty where compression makes nothing smaller."""

    media_type: str
    plain: bytes
    zipped: bytes


class Page:
    """The web page, in memory.

    Attributes:
        digest: of all files, in the address of each.
    """

    def __init__(self, folder: Path = FOLDER) -> None:
        """Reads the files of a folder: `index.html`, in which `{root}` and `{preloads}` are filled in, and all others."""
        files = {path: (folder / path).read_bytes() for path in paths(folder)}
        template = (folder / TEMPLATE).read_bytes()
        self.digest = _digest({**files, TEMPLATE: template})
        self._files = {path: _content(_media_type(path), _sent(path, body)) for path, body in files.items()}
        sources = {path: body.decode() for path, body in files.items() if path.endswith(".js")}
        self._documents = {
            room: _content(_HTML, _filled(template.decode(), self.root, _preloads(entries, sources)).encode())
            for room, entries in ROOMS.items()
        }

    @property
    def root(self) -> str:
        """Returns the address below which the files are."""
        return f"/page/{self.digest}"

    def document(self, room: str, *, encodings: str = "", known: str = "") -> Answer:
        """Returns the document for the addresses of a room.

        Args:
            room: a key of `ROOMS`.
            encodings: the header `Accept-Encoding` of the request.
            known: the header `If-None-Match` of the request.
        """
        # Weak, because it stands for both forms of the same text.
        tag = f'"{self.digest}"'
        headers = [("ETag", f"W/{tag}"), ("Cache-Control", "no-cache")]
        if known.strip() == "*" or tag in _TAG.findall(known):
            return Answer(304, [*headers, ("Vary", "Accept-Encoding"), *GUARDS], b"")
        return _answer(200, headers, self._documents[room], encodings)

    def not_found(self, *, encodings: str = "") -> Answer:
        """Returns the document for an address at which there is nothing, so that the page can say so."""
        headers = [("Cache-Control", "no-cache"), ("Vary", "Accept")]
        return _answer(404, headers, self._documents[""], encodings)

    def file(self, digest: str, path: str, *, encodings: str = "") -> Answer | None:
        """Returns a file, or `None` if this release of the page has none at that address."""
        if digest != self.digest or path not in self._files:
            return None
        return _answer(200, [("Cache-Control", _FOR_EVER)], self._files[path], encodings)


@cache
def page() -> Page:
    """Returns the web page of this release; the first call takes some ten milliseconds."""
    return Page()


def paths(folder: Path = FOLDER) -> list[str]:
    """Returns the paths of all files but the document; an editor's hidden files and unknown types are left out."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return [
        path.relative_to(folder).as_posix()
        for path in found
        if path.suffix in MEDIA_TYPES and not path.name.startswith(".")
    ]


def _sent(path: str, body: bytes) -> bytes:
    """Returns what a browser gets of a file: of our own code everything but the comments, which weigh a fifth."""
    is_own_code = path.endswith((".js", ".css")) and not path.startswith("vendor/")
    return without_comments(body.decode()).encode() if is_own_code else body


def _media_type(path: str) -> str:
    return MEDIA_TYPES[Path(path).suffix]


def _digest(files: Mapping[str, bytes]) -> str:
    """Returns a digest of the files and of what is sent with them: with other headers it is another page."""
    digest = hashlib.sha256(repr((GUARDS, ROOMS, MEDIA_TYPES)).encode())
    for path, body in sorted(files.items()):
        digest.update(f"\n{path} {len(body)}\n".encode() + body)
    return digest.hexdigest()[:16]


def _preloads(entries: tuple[str, ...], sources: Mapping[str, str]) -> list[str]:
    """Returns the modules that a browser loads after the first one, which the document names itself."""
    return [path for path in closure((ENTRY, *entries), sources) if path != ENTRY]


def _filled(template: str, root: str, modules: Sequence[str]) -> str:
    links = [f'<link rel="modulepreload" href="{root}/{path}">' for path in modules]
    return template.replace("{preloads}", "\n  ".join(links)).replace("{root}", root)


def _content(media_type: str, body: bytes) -> _Content:
    zipped = gzip.compress(body, 9, mtime=0)
    return _Content(media_type, body, zipped if len(zipped) < len(body) else b"")


def _answer(status: int, headers: list[tuple[str, str]], content: _Content, encodings: str) -> Answer:
    """Returns an answer with the content in the form that the client prefers."""
    is_zipped = bool(content.zipped) and _takes_gzip(encodings)
    coding = [("Content-Encoding", "gzip")] if is_zipped else []
    headers = [
        ("Content-Type", content.media_type),
        *coding,
        *headers,
        ("Vary", "Accept-Encoding"),
        *(GUARDS if content.media_type in _DOCUMENTS else SAME_ORIGIN),
    ]
    return Answer(status, headers, content.zipped if is_zipped else content.plain)


def _takes_gzip(encodings: str) -> bool:
    """Returns whether a client takes gzip.

    >>> _takes_gzip("br, gzip;q=0.5"), _takes_gzip("*"), _takes_gzip("gzip;q=0, *"), _takes_gzip("")
    (True, True, False, False)
    """
    named = [_CODING.fullmatch(part.strip()) for part in encodings.split(",")]
    weights = {coding[1].lower(): float(coding[2] or 1) for coding in named if coding}
    return weights.get("gzip", weights.get("*", 0.0)) > 0
