"""The web page is served completely, compressed, under a strict policy, and never mixed from two releases."""

import gzip
import re
from pathlib import Path
from typing import Any

import pytest

from hoodwink.domain.games import GAMES
from hoodwink.domain.tournaments.life.events import TOURNAMENT_EVENTS
from hoodwink.service.http.app import create_app
from hoodwink.service.settings import InvalidSettings, Settings
from hoodwink.service.web import files
from hoodwink.service.web.files import (
    EMBEDDED,
    ENTRY,
    FOLDER,
    GUARDS,
    MEDIA_TYPES,
    OFFLINE,
    ROOMS,
    TEMPLATE,
    WORKER,
    Page,
    page,
    paths,
)
from hoodwink.service.web.modules import (
    imports_of,
    resolved,
    shortened,
    shortened_picture,
    shortened_style,
    without_comments,
)
from tests.service.http.api import new_service, problem
from tests.service.http.test_metrics import metric_value
from tests.service.web.weight import MAX_BYTES, loaded, sources, weight

ROOT = page().root
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
ADDRESSES = [
    "/",
    *(f"/{room}" for room in ROOMS if room),
    "/games/",
    "/games/blindside",
    "/tables/abcdefgh/x",
]
SHORTENED = {".js": shortened, ".css": shortened_style, ".svg": shortened_picture}
FOR_PROGRAMS = ("/v1", "/healthz", "/readyz", "/metrics", "/openapi.json", "/openapi.yaml")


@pytest.fixture(scope="module")
def client():
    return create_app(new_service()).test_client()


def ask(client, path, method="GET", **headers) -> Any:
    return client.open(
        path, method=method, headers={name.replace("_", "-"): to for name, to in headers.items()}
    )


def written(folder: Path, **files: str) -> Path:
    """Returns a folder with these files and the entry; `_` in a name stands for the dot."""
    for name, text in {"index_html": "{root} {preloads}", "app_js": "", **files}.items():
        (folder / name.replace("_", ".")).write_text(text)
    (folder / "shell").mkdir(exist_ok=True)
    for document in (OFFLINE, EMBEDDED):
        (folder / document).write_text("{root}")
    return folder


class TestDocument:
    def test_the_document_is_served_at_every_page_address(self, client):
        for path in ADDRESSES:
            answer = ask(client, path)

            assert (answer.status_code, answer.content_type) == (200, "text/html; charset=utf-8"), path
            assert f'src="{ROOT}/{ENTRY}"' in answer.text, path
            assert not re.search("[{}]", answer.text), path

    def test_the_document_preloads_the_modules_needed_next(self, client):
        preloaded = re.findall(r'<link rel="modulepreload" href="([^"]+)">', ask(client, "/").text)

        assert preloaded
        assert len(preloaded) == len(set(preloaded))
        for module in preloaded:
            assert ask(client, module).mimetype == "text/javascript"

    def test_a_link_into_a_room_preloads_the_rooms_modules(self, tmp_path):
        folder = written(tmp_path, app_js="import './a.js';", a_js="", b_js="")
        (folder / "table").mkdir()
        (folder / "table" / "table.js").write_text("import '../a.js';\nimport '../b.js';")
        made = Page(folder)

        def named(room):
            return re.findall(rf"{made.root}/([\w./]+)", made.document(room).body.decode())

        assert named("games") == ["a.js"]
        assert sorted(named("tables")) == ["a.js", "b.js", "table/table.js"]

    def test_the_document_is_revalidated_and_sent_only_if_changed(self, client):
        first = ask(client, "/")
        assert first.headers["Cache-Control"] == "no-cache"
        tag = first.headers["ETag"]

        for known in (tag, tag.removeprefix("W/"), f'"other", {tag}', "*"):
            for method in ("GET", "HEAD"):
                again = ask(client, "/", method, If_None_Match=known, Accept_Encoding="gzip")
                assert (again.status_code, again.data) == (304, b"")
                assert again.headers["ETag"] == tag
                assert again.headers["Cache-Control"] == "no-cache"
                assert "Content-Encoding" not in again.headers
        assert ask(client, "/", If_None_Match='W/"other"').status_code == 200

    def test_no_other_path_of_the_service_starts_like_a_page_address(self, client):
        begin = {
            rule.rule.split("/")[1]
            for rule in client.application.url_map.iter_rules()
            if rule.endpoint != "page"
        }

        assert not begin & {*ROOMS, "page"}
        assert begin <= {path.split("/")[1] for path in FOR_PROGRAMS}

    def test_page_addresses_match_the_routes_of_the_entry(self):
        r"""A route is a pattern in `app.js` that starts with a slash, such as `/^\/games\/(?<game>\w+)$/`."""
        routes = re.findall(r"\[/\^\\/([a-z]*)", (FOLDER / ENTRY).read_text(encoding="utf-8"))

        assert {*routes} == {*ROOMS}


class TestUnknownAddresses:
    @pytest.mark.parametrize(
        "path", ["/nowhere", "/favicon.ico", "/gamesx", "/table", "/index.html", "/games//../x"]
    )
    def test_browsers_get_the_page_and_programs_a_problem(self, client, path):
        shown = ask(client, path, Accept=BROWSER)
        assert (shown.status_code, shown.mimetype) == (404, "text/html")
        assert shown.data == page().not_found().body
        assert "Accept" in shown.headers.getlist("Vary")
        assert "ETag" not in shown.headers
        assert ask(client, path, "HEAD", Accept=BROWSER).data == b""

        for accept in ("*/*", "application/json", "text/html;q=0", "image/svg+xml,image/*"):
            problem(ask(client, path, Accept=accept), 404, "route_not_found")
        problem(client.get(path), 404, "route_not_found")

    @pytest.mark.parametrize("path", ["/v1", "/v1/nowhere", "/v1/games/whist/x", "/page", "/page/x/y.js"])
    def test_a_wrong_api_or_file_path_is_always_a_problem(self, client, path):
        problem(ask(client, path, Accept=BROWSER), 404, "route_not_found")

    @pytest.mark.parametrize("path", ["/", "/games", "/page/x/y.js"])
    @pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
    def test_the_page_refuses_other_methods(self, client, method, path):
        answer = ask(client, path, method, Accept=BROWSER)

        problem(answer, 405, "method_not_allowed")
        assert answer.headers["Allow"] == "GET, HEAD, OPTIONS"


class TestFiles:
    def test_files_are_cached_forever_at_addresses_of_this_release(self, client):
        for path in paths():
            answer = ask(client, f"{ROOT}/{path}")

            written = (FOLDER / path).read_bytes()
            shorten = None if path.startswith("vendor/") else SHORTENED.get(Path(path).suffix)
            assert answer.status_code == 200, path
            assert answer.data == (shorten(written.decode()).encode() if shorten else written), path
            assert answer.headers["Content-Type"] == MEDIA_TYPES[Path(path).suffix], path
            assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable", path
            assert int(answer.headers["Content-Length"]) == len(answer.data), path

    def test_no_text_in_a_style_sheet_could_be_shortened(self):
        texts = re.compile(r"""'[^'\n]*'|"[^"\n]*\"""")
        for path in FOLDER.glob("style/*.css"):
            style = without_comments(path.read_text(encoding="utf-8"))
            assert [text for text in texts.findall(style) if re.search(r"[{};]|[:,]\s", text)] == [], path

    def test_every_file_has_a_known_type(self):
        found = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file()}

        assert found == {*paths(), TEMPLATE, OFFLINE, EMBEDDED}

    @pytest.mark.parametrize(
        "path",
        [
            "/page/0123456789abcdef/app.js",
            f"{ROOT}/nowhere.js",
            f"{ROOT}/index.html",
            f"{ROOT}/",
            ROOT,
            f"{ROOT}//app.js",
            f"{ROOT}/../files.py",
            f"{ROOT}/%2e%2e/files.py",
            f"{ROOT}/..%2ffiles.py",
            f"{ROOT}/..%5cfiles.py",
            f"{ROOT}/vendor/../app.js",
            f"{ROOT}/./app.js",
            f"{ROOT}//etc/passwd",
            f"{ROOT}/%2fetc/passwd",
            f"{ROOT}/{FOLDER}/app.js",
            f"{ROOT}/app.js%00",
            f"{ROOT}/APP.JS",
            f"{ROOT}/%ff",
        ],
    )
    def test_other_files_cannot_be_reached(self, client, path):
        problem(ask(client, path), 404, "route_not_found")

    def test_a_change_of_one_file_changes_all_addresses(self, tmp_path):
        before = Page(written(tmp_path, a_css="a")).digest

        assert Page(written(tmp_path, a_css="a")).digest == before
        assert (
            len({before, *(Page(written(tmp_path, **change)).digest for change in CHANGES)})
            == len(CHANGES) + 1
        )

    def test_a_change_of_the_shortener_changes_all_addresses(self, tmp_path, monkeypatch):
        folder = written(tmp_path, a_css="a { b }")
        before = Page(folder).digest
        monkeypatch.setattr(files, "_SHORTENED", {})

        assert Page(folder).digest != before

    def test_hidden_and_unknown_files_are_not_served(self, tmp_path):
        folder = written(tmp_path, a_css="a")
        for name in (".a.css", "a.css~", "a.html", "a.pyc"):
            (folder / name).touch()

        assert paths(folder) == ["a.css", "app.js"]


CHANGES: list[dict[str, str]] = [{"a_css": "b"}, {"b_css": "b"}, {"app_js": "1"}, {"index_html": "{root}"}]


class TestEveryAnswer:
    def test_the_service_worker_may_request_only_from_this_service(self, client):
        answer = ask(client, f"{ROOT}/{WORKER}")

        assert answer.headers["Content-Security-Policy"] == "default-src 'none'; connect-src 'self'"
        assert answer.headers["Service-Worker-Allowed"] == "/"

    @pytest.mark.parametrize("path", ["/", "/nowhere", f"{ROOT}/icon.svg", f"{ROOT}/{OFFLINE}"])
    def test_the_policy_allows_only_the_pages_own_files(self, client, path):
        answer = ask(client, path, Accept=BROWSER)

        assert answer.headers["Content-Security-Policy"] == (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
            "worker-src 'self'; manifest-src 'self'; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
            "require-trusted-types-for 'script'; trusted-types lit-html service-worker"
        )
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert answer.headers["Permissions-Policy"] == "camera=(), geolocation=(), microphone=()"
        for name, _ in GUARDS:
            assert len(answer.headers.getlist(name)) == 1

    @pytest.mark.parametrize(
        ("setting", "path", "ancestors"),
        [
            ("", "/tournaments/spring/embed", "'none'"),
            ("*", "/tournaments/spring/embed", "*"),
            ("https://a.org,https://b.org", "/tournaments/spring/embed", "https://a.org https://b.org"),
            ("*", "/tournaments/spring", "'none'"),
            ("*", "/tournaments/spring/desk", "'none'"),
            ("*", "/tables/spring/embed", "'none'"),
        ],
    )
    def test_only_the_standings_may_be_framed_by_stated_origins(self, setting, path, ancestors):
        settings = Settings.from_environment({"HOODWINK_EMBED_ORIGINS": setting})
        answer = ask(create_app(new_service(settings)).test_client(), path, Accept=BROWSER)

        assert f"frame-ancestors {ancestors};" in answer.headers["Content-Security-Policy"]
        assert ("embedded.js" in answer.text) == (ancestors != "'none'")

    @pytest.mark.parametrize(
        "given", ["'self'", "https://a.org;script-src *", "https://a.org/x", "https://a.org, https://b.org"]
    )
    def test_an_invalid_list_of_embedding_origins_is_refused(self, given):
        with pytest.raises(InvalidSettings):
            Settings.from_environment({"HOODWINK_EMBED_ORIGINS": given})

    @pytest.mark.parametrize("path", [ENTRY, "style/base.css"])
    def test_other_files_are_same_origin_only_and_carry_no_policy(self, client, path):
        answer = ask(client, f"{ROOT}/{path}")

        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert "Content-Security-Policy" not in answer.headers

    @pytest.mark.parametrize("path", ["/", f"{ROOT}/{ENTRY}"])
    @pytest.mark.parametrize(
        ("encodings", "is_zipped"),
        [
            ("gzip", True),
            ("gzip, deflate, br, zstd", True),
            ("br;q=1.0, GZIP ; q=0.001", True),
            ("*", True),
            ("identity, *;q=0.5", True),
            ("", False),
            ("identity", False),
            ("br", False),
            ("gzip;q=0", False),
            ("gzip;q=0.000, *", False),
            ("*;q=0", False),
            ("x-gzipped, not gzip", False),
        ],
    )
    def test_files_are_compressed_for_clients_that_accept_it(self, client, path, encodings, is_zipped):
        plain, answer = ask(client, path), ask(client, path, Accept_Encoding=encodings)

        assert answer.headers.get("Content-Encoding") == ("gzip" if is_zipped else None)
        assert (gzip.decompress(answer.data) if is_zipped else answer.data) == plain.data
        assert int(answer.headers["Content-Length"]) == len(answer.data)
        assert {"Accept-Encoding"} == {*plain.headers.getlist("Vary"), *answer.headers.getlist("Vary")}

    def test_incompressible_files_are_sent_uncompressed(self, tmp_path):
        made = Page(written(tmp_path, a_css="a"))

        answer = made.file(made.digest, "a.css", encodings="gzip")

        assert answer
        assert answer.body == b"a"
        assert "Content-Encoding" not in dict(answer.headers)

    @pytest.mark.parametrize("path", ["/", "/nowhere", f"{ROOT}/{ENTRY}"])
    def test_head_returns_the_same_headers_without_body(self, client, path):
        asked = {"Accept": BROWSER, "Accept_Encoding": "gzip"}
        whole, head = (ask(client, path, method, **asked) for method in ("GET", "HEAD"))

        assert head.data == b""
        assert (head.status_code, [*head.headers]) == (whole.status_code, [*whole.headers])

    def test_requests_for_files_are_counted_under_one_name(self, api):
        before = metric_value(api, "hoodwink_http_requests_total", operation="page", status="200")

        for path in ("/", "/games/blindside", f"{ROOT}/{ENTRY}"):
            assert api.spectator.get(path).status_code == 200

        assert metric_value(api, "hoodwink_http_requests_total", operation="page", status="200") == before + 3


class TestModules:
    def test_every_import_is_a_relative_path_to_a_file_of_the_page(self):
        dynamic = re.compile(r"""\bimport\(\s*['"]([^'"]+)['"]\s*\)""")
        files = sources()
        for module, source in files.items():
            in_comments = re.compile(r"/\*.*?\*/|^\s*//[^\n]*", re.DOTALL | re.MULTILINE)
            for name in [*imports_of(source), *dynamic.findall(in_comments.sub("", source))]:
                assert name.startswith(("./", "../")), (module, name)
                assert resolved(module, name) in files, (module, name)

    @pytest.mark.parametrize(
        ("source", "imported"),
        [
            ("import { a } from './a.js';", ["./a.js"]),
            (
                "import {\n  a,\n  b as c, // why\n} from './a.js';\nimport b from \"../b.js\"",
                ["./a.js", "../b.js"],
            ),
            ("import * as a from './a.js'; import './b.js';", ["./a.js", "./b.js"]),
            ("export * from './a.js';\nexport { b } from './b.js';", ["./a.js", "./b.js"]),
            ('import{a as t}from"../a.js";import{b}from"./b.js";const c=1;', ["../a.js", "./b.js"]),
            ("const room = await import('./a.js');\n  import('./b.js').then(show);", []),
            ("// import './a.js';\n/* import './b.js'; */\n/**\n * import './c.js';\n */", []),
            ("/** @typedef {import('./a.js').Card} Card */\nexport const from = './b.js';", []),
            ("export function from(a = './a.js') {}\nexport default 'from';\nimportant('./a.js');", []),
            ("export const text = 'import';\nconst a = ' from ./a.js';\n", []),
        ],
    )
    def test_imports_are_found_in_every_notation(self, source, imported):
        assert imports_of(source) == imported

    @pytest.mark.parametrize("game", GAMES)
    def test_loading_home_and_a_table_transfers_little(self, game):
        names = loaded(game)

        assert weight(*names) <= MAX_BYTES, {name: weight(name) for name in sorted(names)}


def test_d_8_the_proof_of_a_tournament_knows_every_event_but_rulings():
    text = (FOLDER / "proof" / "tournament_facts.js").read_text("utf-8")
    quiet = re.search(r"QUIET = /(.*)/;", text)
    assert quiet is not None
    read = re.findall(r"^  '(tournament\.\w+)'\(", text, re.MULTILINE)
    kinds = {event.wire.partition("@")[0] for event in TOURNAMENT_EVENTS}
    unknown = {kind for kind in kinds.difference(read) if not re.match(quiet[1], kind)}
    assert unknown == {"tournament.result_ruled", "tournament.ruling_reversed"}
