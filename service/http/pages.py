"""Pages for people: the web page, and the contact for security reports."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Final

from flask import Flask, Request, Response, abort, request

from hoodwink.service.bootstrap import Service
from hoodwink.service.http.previews import preview_tags
from hoodwink.service.web.files import ROOMS, Answer, page

_FOR_PROGRAMS: Final = frozenset({"v1", "page"})
"""First path segments that only programs request. A wrong address below them always gets a problem document."""

_EMBEDDED: Final = re.compile("/tournaments/[a-z0-9]+/embed")

_VALID_FOR: Final = timedelta(days=90)
"""How long the contact stays valid. RFC 9116 recommends less than a year."""


def add_page(app: Flask, service: Service) -> None:
    """Adds the web page. Every address of one of its rooms returns the same document, except for the link preview."""
    view = page_view(service)
    room = f"/<any({', '.join(filter(None, ROOMS))}):room>"
    # With and without a slash at the end: werkzeug would answer the other spelling with 404, or redirect it to an
    # absolute URL on `localhost`, because the bridge drops `Host`.
    for rule in ("/", room, f"{room}/", f"{room}/<path:rest>", "/page/<digest>/<path:name>"):
        app.add_url_rule(rule, "page", view)


def page_view(service: Service) -> Callable[..., Response]:
    """Returns the view that serves the documents and files of the page."""
    files, embedders = page(), service.settings.embed_origins.replace(",", " ")

    def view(**path: str) -> Response:
        encodings = request.headers.get("Accept-Encoding", "")
        if "digest" not in path:  # the page's own router reads the rest of the path
            if embedders and _EMBEDDED.fullmatch(request.path):
                return _response(files.embedded(embedders, encodings=encodings))
            room, known = path.get("room", ""), request.headers.get("If-None-Match", "")
            tags = preview_tags(service, request.path, files.root)
            return _response(files.document(room, tags=tags, encodings=encodings, known=known))
        answer = files.file(path["digest"], path["name"], encodings=encodings)
        return abort(HTTPStatus.NOT_FOUND) if answer is None else _response(answer)

    return view


def page_for(asked: Request) -> Response | None:
    """Returns the page for a person who followed a broken link, or `None` if a program should get a problem."""
    is_for_programs = asked.path.split("/")[1] in _FOR_PROGRAMS
    # `accept_html` would also match the `*/*` of curl and of HTTP libraries, which expect the problem.
    accepts_html = any(
        media_type == "text/html" and weight > 0 for media_type, weight in asked.accept_mimetypes
    )
    if is_for_programs or not accepts_html or asked.method not in {"GET", "HEAD"}:
        return None
    return _response(page().not_found(encodings=asked.headers.get("Accept-Encoding", "")))


def add_security_contact(app: Flask, contact: str) -> None:
    """Adds `security.txt` (RFC 9116), which names the operator's contact for security reports."""

    def view() -> Response:
        # Per request: computed at start, the date would pass on a server that runs longer than 90 days.
        expires = datetime.now(UTC).replace(microsecond=0) + _VALID_FOR
        lines = (f"Contact: {contact}", f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}", "Preferred-Languages: en")
        return Response("".join(f"{line}\n" for line in lines), content_type="text/plain; charset=utf-8")

    app.add_url_rule("/.well-known/security.txt", "security_contact", view)


def _response(answer: Answer) -> Response:
    return Response(answer.body, answer.status, answer.headers)
