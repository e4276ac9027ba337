"""Flask without what this API does not use: sessions, host matching, asynchronous views, editable answers.

It halves what Flask adds to a request. Routing, contexts, error handlers and signals are Flask's own.
"""

from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlsplit

from flask import Flask, Request, Response
from flask.sessions import NullSession, SessionInterface
from werkzeug.routing import MapAdapter, RequestRedirect

from service.http.framework.routing import QuickAdapter, Routes

_LINES: Final = {status.value: f"{status.value} {status.phrase}" for status in HTTPStatus}
_BODILESS: Final = frozenset({204, 304})


class LeanResponse:
    """A finished answer. Flask takes it for a response as far as this application goes."""

    __slots__ = ("body", "headers", "status_code")

    def __init__(self, body: bytes, status_code: int, headers: list[tuple[str, str]]) -> None:
        self.body = body
        self.status_code = status_code
        self.headers = headers

    def __call__(self, environ: Mapping[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answers as a WSGI application does."""
        status = self.status_code
        if status in _BODILESS:
            start_response(_LINES[status], [one for one in self.headers if one[0] != "Content-Type"])
            return ()
        start_response(_LINES[status], [*self.headers, ("Content-Length", str(len(self.body)))])
        return () if environ["REQUEST_METHOD"] == "HEAD" else (self.body,)


class _NoSession(SessionInterface):
    _session: Final = NullSession()

    def open_session(self, app: Flask, request: Request) -> Any:
        return self._session


class LeanFlask(Flask):
    """A Flask application whose views return `LeanResponse`."""

    session_interface: SessionInterface = _NoSession()

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._routes = Routes()

    def add_route(self, rule: str, name: str, view: Callable[..., LeanResponse], method: str) -> None:
        """Adds a view that is to be found quickly."""
        self.add_url_rule(rule, name, view, methods=[method])
        (made,) = self.url_map.iter_rules(name)
        self._routes.add(made, method)

    def endpoint_at(self, method: str, path: str) -> str | None:
        """Returns the name of the view that was added for a path, if there is one."""
        found = self._routes.find(method, path)
        return None if found is None else str(found[0].endpoint)

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Returns what matches the request's path; every host is this one."""
        if request is None:
            return None
        adapter = QuickAdapter(
            self.url_map, "localhost", "/", "", request.scheme, request.path, request.method
        )
        adapter.routes = self._routes
        return adapter

    def full_dispatch_request(self) -> Response:
        """Returns what the view answers; there are no hooks before it, and nobody listens to signals."""
        try:
            answer = self.dispatch_request()
        except Exception as error:  # noqa: BLE001 - which the handlers tell apart
            answer = self.handle_user_exception(error)
        return self.finalize_request(answer)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Returns the view as it is, for none is asynchronous."""
        return func

    def process_response(self, response: Any) -> Any:
        """Returns the response after all that `after_request` registered for the application has seen it."""
        for seen_by in self.after_request_funcs.get(None, ()):
            response = seen_by(response)
        return response

    def make_response(self, rv: Any) -> Response:
        """Returns a lean answer as it is, and anything else as Flask does."""
        if isinstance(rv, RequestRedirect):
            # This application knows no host, so it says where on this one the page is.
            rv = LeanResponse(b"", 308, [("Location", urlsplit(rv.new_url).path)])
        return rv if type(rv) is LeanResponse else super().make_response(rv)  # type: ignore[return-value]
