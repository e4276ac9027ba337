"""The page's libraries are those published on npm, and the page lists them."""

import json
import tarfile
from io import BytesIO
from shutil import copytree

import pytest
from click.testing import CliRunner

from hoodwink.service.cli import hoodwink
from hoodwink.service.web import vendored
from hoodwink.service.web.vendored import (
    NOTES,
    VENDOR,
    NotPublished,
    changed,
    differences,
    download,
    libraries,
)


def test_every_vendored_file_matches_its_recorded_hash():
    assert changed() == []


def test_every_library_comes_with_its_licence_from_the_registry():
    for name, library in libraries().items():
        assert library.source == f"https://registry.npmjs.org/{name}/-/{name}-{library.version}.tgz"
        assert f"{name}/LICENSE" in library.files
        assert library.licence


def test_changed_removed_and_added_files_are_found(tmp_path):
    folder = copytree(VENDOR, tmp_path / "vendor")
    (folder / "lit-html/lit-html.js").write_text("alert(1)")
    (folder / "lit-html/directive.js").unlink()
    (folder / "new.js").touch()

    assert changed(folder) == ["lit-html/directive.js", "lit-html/lit-html.js", "new.js"]


def published(library, **changes: bytes) -> bytes:
    """Returns an archive of a library with some changed files; empty ones are missing."""
    manifest = {"version": library.version, "license": library.licence}
    files = {file.published: (VENDOR / path).read_bytes() for path, file in library.files.items()}
    files = {"package/package.json": json.dumps(manifest).encode()} | files | changes
    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            if content:
                archive.addfile(member, BytesIO(content))
    return packed.getvalue()


class TestComparison:
    @pytest.fixture
    def library(self):
        return libraries()["lit-html"]

    @pytest.mark.parametrize(
        ("changes", "lines"),
        [
            ({}, []),
            (
                {"package/lit-html.js": b"x", "package/directives/ref.js": b""},
                [
                    "lit-html/directives/ref.js is not published: the archive has no package/directives/ref.js.",
                    "lit-html/lit-html.js differs from the published package/lit-html.js.",
                ],
            ),
            (
                {"package/package.json": b'{"version":"9.9.9","license":"MIT"}'},
                [
                    "The archive has version 9.9.9, but vendored.json says {0.version}.",
                    "The archive has the licence MIT, but vendored.json says BSD-3-Clause.",
                ],
            ),
            ({"package/package.json": b""}, ["The archive names no version and no licence."]),
        ],
    )
    def test_each_difference_is_one_line(self, library, changes, lines):
        found = list(differences(library, published(library, **changes)))

        assert found == [line.format(library) for line in lines]

    def test_a_missing_file_is_reported(self, library, tmp_path):
        folder = copytree(VENDOR, tmp_path / "vendor")
        (folder / "lit-html/LICENSE").unlink()

        assert [*differences(library, published(library), folder)] == ["lit-html/LICENSE is missing."]

    @pytest.mark.parametrize("damage", [b"", b"<html>", bytes(1000)])
    def test_a_file_that_is_not_an_archive_is_refused(self, library, damage):
        with pytest.raises(NotPublished, match="is not an archive"):
            list(differences(library, damage))

    def test_a_broken_archive_is_refused(self, library):
        with pytest.raises(NotPublished, match="is not an archive"):
            list(differences(library, published(library)[:-2000]))

    @pytest.mark.parametrize(
        "source", ["file:///etc/passwd", "http://registry.npmjs.org/x", "https://example.org/x"]
    )
    def test_nothing_is_downloaded_from_other_hosts(self, source):
        with pytest.raises(NotPublished, match="not an address of npm's registry"):
            download(source)


def found_at(source):
    return next(library for library in libraries().values() if library.source == source)


class TestCommand:
    def run(self, monkeypatch, answer):
        monkeypatch.setattr("hoodwink.service.cli.page.download", answer)
        return CliRunner().invoke(hoodwink, ["page", "vendored"])

    def test_matching_files_are_confirmed(self, monkeypatch):
        done = self.run(monkeypatch, lambda source: published(found_at(source)))

        lit, qr = libraries()["lit-html"].version, libraries()["lean-qr"].version
        lines = [f"lit-html {lit}: 9 files are as published.", f"lean-qr {qr}: 2 files are as published."]
        assert (done.exit_code, done.output.splitlines()) == (0, lines)

    def test_a_difference_gives_exit_status_1(self, monkeypatch):
        changes = {"package/LICENSE": b"x"}
        done = self.run(monkeypatch, lambda source: published(found_at(source), **changes))

        assert done.exit_code == 1
        assert done.output.endswith(": lean-qr/LICENSE differs from the published package/LICENSE.\n")

    def test_a_missing_network_is_reported_in_one_line(self, monkeypatch):
        def refuse(*_args, **_options):
            raise OSError("Network is unreachable")

        monkeypatch.setattr(vendored, "urlopen", refuse)
        done = CliRunner().invoke(hoodwink, ["page", "vendored"])

        assert done.exit_code == 1
        assert done.output.startswith("Error: https://registry.npmjs.org/")
        assert done.output.endswith("cannot be downloaded: Network is unreachable.\n")


def test_the_notes_list_files_once_and_are_next_to_the_libraries():
    noted = [path for library in libraries().values() for path in library.files]

    assert len(noted) == len({*noted})
    assert all(path.partition("/")[0] in libraries() for path in noted)
    assert (VENDOR / NOTES).is_file()
