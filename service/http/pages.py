"""The pages for people: the web page at `/`, the description of the API at `/docs`, and whom to tell of a weakness."""

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
"""The first segments of addresses that no person opens: a wrong one is answered with a problem in every case."""

_INLINE: Final = re.compile(rb"<script>(.*?)</script>", re.DOTALL)

_VALID_FOR: Final = timedelta(days=90)
"""How long a contact may be relied on; RFC 9116 asks for less than a year."""


def add_page(app: Flask) -> None:
    """Adds the web page; its document is the same at every address that the page has a room for."""
    files = page()

    def view(**path: str) -> Response:
        encodings = request.headers.get("Accept-Encoding", "")
        if "digest" not in path:  # the page itself reads what follows the room
            known = request.headers.get("If-None-Match", "")
            return _response(files.document(path.get("room", ""), encodings=encodings, known=known))
        answer = files.file(path["digest"], path["name"], encodings=encodings)
        return abort(HTTPStatus.NOT_FOUND) if answer is None else _response(answer)

    room = f"/<any({', '.join(filter(None, ROOMS))}):room>"
    for rule in ("/", room, f"{room}/", f"{room}/<path:rest>", "/page/<digest>/<path:name>"):
        app.add_url_rule(rule, "page", view)


def page_for(asked: Request) -> Response | None:
    """Returns the page where a person has followed a wrong link, or `None` where a program should read a problem."""
    is_for_programs = asked.path.split("/")[1] in _FOR_PROGRAMS
    takes_html = any(
        media_type == "text/html" and weight > 0 for media_type, weight in asked.accept_mimetypes
    )
    if is_for_programs or not takes_html or asked.method not in {"GET", "HEAD"}:
        return None
    return _response(page().not_found(encodings=asked.headers.get("Accept-Encoding", "")))


def add_docs(app: Flask) -> None:
    """Adds the pages that show the description of the API; nothing in them is loaded from other hosts."""
    docs = get_swaggerui_blueprint(
        "/docs",
        "/openapi.json",
        config={"app_name": "Hoodwink", "validatorUrl": None, "deepLinking": True, "showExtensions": True},
    )
    docs.after_request(_guarded)
    app.register_blueprint(docs)
    # Werkzeug's own redirect to `/docs/` would name a host, and behind a proxy the wrong one.
    app.add_url_rule("/docs", "docs", lambda: Response(status=308, headers=[("Location", "/docs/")]))


def add_security_contact(app: Flask, contact: str) -> None:
    """Adds RFC 9116's file, which names the operator's contact for reports of weaknesses."""

    def view() -> Response:
        expires = datetime.now(UTC).replace(microsecond=0) + _VALID_FOR
        lines = (f"Contact: {contact}", f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}", "Preferred-Languages: en")
        return Response("".join(f"{line}\n" for line in lines), content_type="text/plain; charset=utf-8")

    app.add_url_rule("/.well-known/security.txt", "security_contact", view)


def _guarded(response: Response) -> Response:
    """Adds the policy of Swagger UI, which has one script in its document and sets styles.

    It has the origin of the web page, where players keep their tokens, so no other script may run in it.
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
