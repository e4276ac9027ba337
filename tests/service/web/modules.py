"""Modules of the page in Chromium, served from their folder without the rest of the page."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from playwright.sync_api import BrowserContext, Page

FOLDER = Path(__file__).parents[3] / "service" / "web" / "page"
ELSEWHERE = "cards.test"
"""A local host name that Chromium treats as remote, so its pages have no WebCrypto."""

RESOLVES_ELSEWHERE = f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1"

_POLICY = "default-src 'none'; script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"


class _Handler(SimpleHTTPRequestHandler):
    """Serves the modules, and an empty document as `/`."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path != "/":
            super().do_GET()
            return
        document = b"<!doctype html><title>Modules</title>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(document)))
        self.end_headers()
        self.wfile.write(document)

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", _POLICY)
        super().end_headers()

    def log_message(self, *args: Any) -> None:
        """Prints nothing."""


@contextmanager
def served() -> Iterator[int]:
    """Serves the folder on a local port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(FOLDER))) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


class Tab:
    """A tab with an empty document, whose scripts can import the modules."""

    def __init__(self, context: BrowserContext, port: int, host: str = "127.0.0.1") -> None:
        self.page: Page = context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(f"http://{host}:{port}/")

    def call(self, module: str, name: str, *arguments: Any) -> Any:
        """Calls an exported function with JSON arguments and result."""
        script = "async ([module, name, given]) => (await import(module))[name](...given)"
        return self.page.evaluate(script, [f"/{module}", name, arguments])

    def run(self, script: str, given: Any = None) -> Any:
        """Runs a function; its `modules` has the modules of `proof/` and `seeds` by name."""
        return self.page.evaluate(f"async (given) => {{ {_IMPORTS} return ({script})(given); }}", given)


_IMPORTS = """
    const names = ['hashing', 'sha256', 'log', 'chain', 'draws', 'deals', 'verify'];
    const imported = await Promise.all(names.map((name) => import(`/proof/${name}.js`)));
    const modules = Object.fromEntries(names.map((name, i) => [name, imported[i]]));
    modules.seeds = await import('/kit/seeds.js');
"""
