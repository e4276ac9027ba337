"""Pages for people: the web page at `/`, the API description at `/docs`, and the contact for security reports."""

import hashlib
import re
from base64 import b64encode
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Final

from flask import Flask, Request, Response, abort, request
from flask_swagger_ui import get_swaggerui_blueprint

from hoodwink.service.web.files import ROOMS, Answer, page

_FOR_PROGRAMS: Final = frozenset({"v1", "page"})
"""First path segments that only programs request. A wrong address below them always gets a problem document."""

_INLINE: Final = re.compile(rb"<script>(.*?)</script>", re.DOTALL)

_VALID_FOR: Final = timedelta(days=90)
"""How long the contact stays valid. RFC 9116 recommends less than a year."""


def add_page(app: Flask) -> None:
    """Adds the web page. Every address that belongs to one of its rooms returns the same document."""
    files = page()

    def view(**path: str) -> Response:
        encodings = request.headers.get("Accept-Encoding", "")
        if "digest" not in path:  # the page's own router reads the rest of the path
            known = request.headers.get("If-None-Match", "")
            return _response(files.document(path.get("room", ""), encodings=encodings, known=known))
        answer = files.file(path["digest"], path["name"], encodings=encodings)
        return abort(HTTPStatus.NOT_FOUND) if answer is None else _response(answer)

    room = f"/<any({', '.join(filter(None, ROOMS))}):room>"
    for rule in ("/", room, f"{room}/", f"{room}/<path:rest>", "/page/<digest>/<path:name>"):
        app.add_url_rule(rule, "page", view)


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


def add_docs(app: Flask) -> None:
    """Adds Swagger UI with the API description. It loads nothing from other hosts."""
    docs = get_swaggerui_blueprint(
        "/docs",
        "/openapi.json",
        # By default Swagger UI sends the address of the description to a validator on the internet.
        config={"app_name": "Hoodwink", "validatorUrl": None, "deepLinking": True, "showExtensions": True},
    )
    docs.after_request(_add_content_security_policy)
    app.register_blueprint(docs)
    # Werkzeug's own redirect to `/docs/` would name a host, and behind a proxy the wrong one.
    app.add_url_rule("/docs", "docs", lambda: Response(status=308, headers=[("Location", "/docs/")]))


def add_security_contact(app: Flask, contact: str) -> None:
    """Adds `security.txt` (RFC 9116), which names the operator's contact for security reports."""

    def view() -> Response:
        # Per request: computed at start, the date would pass on a server that runs longer than 90 days.
        expires = datetime.now(UTC).replace(microsecond=0) + _VALID_FOR
        lines = (f"Contact: {contact}", f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}", "Preferred-Languages: en")
        return Response("".join(f"{line}\n" for line in lines), content_type="text/plain; charset=utf-8")

    app.add_url_rule("/.well-known/security.txt", "security_contact", view)


def _add_content_security_policy(response: Response) -> Response:
    """Allows only Swagger UI's inline script and its styles.

    Swagger UI has the web page's origin, where players keep their tokens, so no other script may run in it.
    """
    if response.mimetype == "text/html" and "Content-Security-Policy" not in response.headers:
        hashes = [
            b64encode(hashlib.sha256(script).digest()).decode() for script in _INLINE.findall(response.data)
        ]
        scripts = " ".join(["'self'", *(f"'sha256-{found}'" for found in hashes)])
        response.headers["Content-Security-Policy"] = (
            f"default-src 'none'; script-src {scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
            "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        response.headers["Referrer-Policy"] = "no-referrer"
    return response


def _response(answer: Answer) -> Response:
    return Response(answer.body, answer.status, answer.headers)
