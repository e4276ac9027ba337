"""The files of the web page, read, assembled and compressed once, with their security headers.

Their addresses contain a digest of all of them, so a browser may cache them forever and never mixes two releases: the
document names the digest, and the modules import each other by relative addresses.
"""

import gzip
import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple
from zlib import crc32

from hoodwink.service.web.modules import closure, shortened, shortened_picture, shortened_style

FOLDER: Final = Path(__file__).parent / "page"
TEMPLATE: Final = "index.html"
ENTRY: Final = "app.js"
OFFLINE: Final = "shell/offline.html"
EMBEDDED: Final = "shell/embedded.html"
"""The document with the standings of a tournament, for frames of other web pages."""

WORKER: Final = "shell/worker.js"

ROOMS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "": (),
        "docs": (),
        "games": ("home/game.js",),
        "imports": (),
        "leaderboards": (),
        "learn": (),
        "me": (),
        "players": (),
        "replay": (),
        "rules": ("rules/rules.js",),
        "series": (),
        "signin": (),
        "tables": ("table/table.js",),
        "tournaments": (),
    }
)
"""The first segment of each address of the page; a test compares them with the routes in `app.js`.

Each has the modules that `app.js` imports only there, which the document preloads.
"""

# Only lit-html makes markup from text, and only `shell/installing.js` makes the address of a script, each with a
# policy of its own. Their names are the last two words.
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types lit-html service-worker"
)
SAME_ORIGIN: Final = (("Cross-Origin-Resource-Policy", "same-origin"),)
"""The headers of every file; the server itself adds `X-Content-Type-Options` to every answer."""

GUARDS: Final = (
    ("Content-Security-Policy", POLICY),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    *SAME_ORIGIN,
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
)
"""The headers of documents. On scripts and style sheets they have no effect, and would double the size of small ones."""

_OF_WORKER: Final = (
    # A worker has a policy of its own.
    ("Content-Security-Policy", "default-src 'none'; connect-src 'self'"),
    ("Service-Worker-Allowed", "/"),  # otherwise only for addresses below its own
)

MEDIA_TYPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "": "text/plain; charset=utf-8",  # licences
        ".css": "text/css; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".json": "application/json",
        ".png": "image/png",
        ".svg": "image/svg+xml",
        ".webmanifest": "application/manifest+json",
        ".woff2": "font/woff2",
    }
)
_SHORTENED: Final = MappingProxyType({".js": shortened, ".css": shortened_style, ".svg": shortened_picture})
# Each link preview makes a document of its own, so strangers choose how many there are.
_MAX_DOCUMENTS: Final = 128
_HTML: Final = "text/html; charset=utf-8"
# A browser shows a picture in SVG that is opened by its address as a document, with scripts.
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
    """The bytes of a file, plain and compressed; `zipped` is empty if compression does not make it smaller."""

    media_type: str
    plain: bytes
    zipped: bytes


class Page:
    """The web page, in memory.

    Attributes:
        digest: of all files, in the address of each.
    """

    def __init__(self, folder: Path = FOLDER) -> None:
        """Reads the files of a folder, and fills in `{root}` and `{preloads}` in its documents."""
        files = {path: (folder / path).read_bytes() for path in paths(folder)}
        template = (folder / TEMPLATE).read_bytes()
        offline = (folder / OFFLINE).read_bytes()
        embedded = (folder / EMBEDDED).read_bytes()
        # Of the shortened files, because a change of the shortener alone needs new addresses, too.
        stripped = {path: _stripped(path, body) for path, body in files.items()}
        self.digest = _digest({**stripped, TEMPLATE: template, OFFLINE: offline, EMBEDDED: embedded})
        self._files = {path: _content(_media_type(path), body) for path, body in stripped.items()}
        self._files[OFFLINE] = _content(_HTML, _filled(offline.decode(), self.root).encode())
        self._embedded = _content(_HTML, _filled(embedded.decode(), self.root).encode())
        sources = {path: body.decode() for path, body in files.items() if path.endswith(".js")}
        self._rooms = {
            room: _filled(template.decode(), self.root, _preloads(entries, sources))
            for room, entries in ROOMS.items()
        }
        self._document = lru_cache(_MAX_DOCUMENTS)(self._new_document)

    @property
    def root(self) -> str:
        """The address of the files' folder."""
        return f"/page/{self.digest}"

    def document(self, room: str, *, tags: str = "", encodings: str = "", known: str = "") -> Answer:
        """Returns the document for the addresses of a room.

        Args:
            room: a key of `ROOMS`.
            tags: HTML for its head, which describes it to programs that show links.
            encodings: the header `Accept-Encoding` of the request.
            known: the header `If-None-Match` of the request.
        """
        # Weak, because the compressed and the plain document share it.
        tag = f'"{self.digest}{crc32(tags.encode()):x}"'
        headers = [("ETag", f"W/{tag}"), ("Cache-Control", "no-cache")]
        if known.strip() == "*" or tag in _TAG.findall(known):
            return Answer(304, [*headers, ("Vary", "Accept-Encoding"), *GUARDS], b"")
        return _answer(200, headers, self._document(room, tags), encodings)

    def not_found(self, *, encodings: str = "") -> Answer:
        """Returns the document for an unknown address, where the page says that there is nothing."""
        # Programs get a problem document at the same address, so a cache must keep the two apart.
        headers = [("Cache-Control", "no-cache"), ("Vary", "Accept")]
        return _answer(404, headers, self._document("", ""), encodings)

    def embedded(self, origins: str, *, encodings: str = "") -> Answer:
        """Returns the document that pages of some origins may show in a frame; `origins` are separated by spaces."""
        framed = POLICY.replace("frame-ancestors 'none'", f"frame-ancestors {origins}")
        guards = tuple((name, framed if value == POLICY else value) for name, value in GUARDS)
        return _answer(200, [("Cache-Control", "no-cache")], self._embedded, encodings, guards=guards)

    def file(self, digest: str, path: str, *, encodings: str = "") -> Answer | None:
        """Returns a file, or `None` if this release of the page has none at that address."""
        # Never the current file for an old digest: the page would mix two releases. After a 404 it offers to reload.
        if digest != self.digest or path not in self._files:
            return None
        headers = [("Cache-Control", _FOR_EVER), *(_OF_WORKER if path == WORKER else ())]
        return _answer(200, headers, self._files[path], encodings)

    def _new_document(self, room: str, tags: str) -> _Content:
        return _content(_HTML, self._rooms[room].replace("{tags}", tags).encode())


@cache
def page() -> Page:
    """Returns the web page of this release; the first call takes tens of milliseconds."""
    return Page()


def paths(folder: Path = FOLDER) -> list[str]:
    """Returns the paths of all files except the document, hidden files of editors, and unknown types."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return [
        path.relative_to(folder).as_posix()
        for path in found
        if path.suffix in MEDIA_TYPES and not path.name.startswith(".")
    ]


def _stripped(path: str, body: bytes) -> bytes:
    """Returns a file without the comments, a fifth of our own code; a library stays byte for byte as published."""
    if path.startswith("vendor/"):
        return body
    shorten = _SHORTENED.get(Path(path).suffix)
    return shorten(body.decode()).encode() if shorten else body


def _media_type(path: str) -> str:
    return MEDIA_TYPES[Path(path).suffix]


def _digest(files: Mapping[str, bytes]) -> str:
    """Returns a digest of the files and their headers."""
    # Browsers cache files forever with their headers, so changed headers need new addresses, too.
    digest = hashlib.sha256(repr((GUARDS, _OF_WORKER, ROOMS, MEDIA_TYPES)).encode())
    for path, body in sorted(files.items()):
        digest.update(f"\n{path} {len(body)}\n".encode() + body)
    return digest.hexdigest()[:16]


def _preloads(entries: tuple[str, ...], sources: Mapping[str, str]) -> list[str]:
    """Returns the modules that the entry imports; the document itself names the entry."""
    return [path for path in closure((ENTRY, *entries), sources) if path != ENTRY]


def _filled(template: str, root: str, modules: Sequence[str] = ()) -> str:
    links = [f'<link rel="modulepreload" href="{root}/{path}">' for path in modules]
    return template.replace("{preloads}", "\n  ".join(links)).replace("{root}", root)


def _content(media_type: str, body: bytes) -> _Content:
    # Without a time of compression, all processes send the same bytes.
    zipped = gzip.compress(body, 9, mtime=0)
    return _Content(media_type, body, zipped if len(zipped) < len(body) else b"")


def _answer(
    status: int,
    headers: list[tuple[str, str]],
    content: _Content,
    encodings: str,
    *,
    guards: tuple[tuple[str, str], ...] = GUARDS,
) -> Answer:
    """Returns an answer with the content, compressed if the client accepts that; `guards` are for documents."""
    is_zipped = bool(content.zipped) and accepts_gzip(encodings)
    coding = [("Content-Encoding", "gzip")] if is_zipped else []
    headers = [
        ("Content-Type", content.media_type),
        *coding,
        *headers,
        ("Vary", "Accept-Encoding"),
        *(guards if content.media_type in _DOCUMENTS else SAME_ORIGIN),
    ]
    return Answer(status, headers, content.zipped if is_zipped else content.plain)


def accepts_gzip(encodings: str) -> bool:
    """Returns whether the header `Accept-Encoding` allows gzip.

    >>> accepts_gzip("br, gzip;q=0.5"), accepts_gzip("*"), accepts_gzip("gzip;q=0, *"), accepts_gzip("")
    (True, True, False, False)
    """
    named = [_CODING.fullmatch(part.strip()) for part in encodings.split(",")]
    weights = {coding[1].lower(): float(coding[2] or 1) for coding in named if coding}
    # An explicit weight of gzip overrides that of `*` (RFC 9110).
    return weights.get("gzip", weights.get("*", 0.0)) > 0
