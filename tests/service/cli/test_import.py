"""`hoodwink import` imports a valid log, once."""

from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner

from hoodwink.service.application.commands.imports import id_of
from hoodwink.service.cli import hoodwink
from tests.service.http.api import new_service

LOG = Path(__file__).parents[2] / "golden" / "blindside-117.log"
MODULE = import_module("hoodwink.service.cli.import_")


@pytest.fixture
def service(monkeypatch):
    fake = new_service()

    @contextmanager
    def connected():
        yield fake

    monkeypatch.setattr(MODULE, "connected_service", connected)
    return fake


def run_import(*arguments, **given):
    done = CliRunner().invoke(hoodwink, ["import", *arguments], **given)
    return done.exit_code, done.output.strip()


def test_a_log_is_imported_once(service):
    import_id = id_of(LOG.read_bytes())
    expected = (
        f"Table blindside-117 (blindside, 34 events) is import {import_id}: GET /v1/imports/{import_id}"
    )

    assert run_import(str(LOG)) == (0, expected)
    assert run_import("-", input=LOG.read_bytes()) == (0, expected)
    assert service.imports.log(import_id) == LOG.read_bytes()


def test_an_invalid_log_is_refused_with_the_line_of_the_fault(service, tmp_path):
    changed = tmp_path / "changed.log"
    changed.write_bytes(LOG.read_bytes().replace(b'"card":"7D"', b'"card":"8D"', 1))

    assert run_import(str(changed)) == (
        1,
        f"Error: {changed} does not verify at line 9: the hash does not follow.",
    )


def test_a_log_that_is_too_large_is_refused(service, monkeypatch):
    monkeypatch.setattr(MODULE, "MAX_LOG", 1_000)
    assert run_import(str(LOG)) == (
        1,
        f"Error: {LOG} is too large: an imported log may have at most 1,000 bytes.",
    )
