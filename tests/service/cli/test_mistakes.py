"""What people get wrong on the command line is told in a line."""

import pytest
from click.testing import CliRunner

from service.cli import hoodwink
from service.cli.client import _refusal


@pytest.mark.parametrize(
    "arguments",
    [
        ["openapi", "{nowhere}"],
        ["simulate", "blindside", "--tables", "1", "--out", "{file}/below"],
        ["bench", "--json", "{nowhere}"],
    ],
)
def test_a_file_that_cannot_be_written_is_one_line(tmp_path, arguments):
    (tmp_path / "file").touch()
    places = {"nowhere": str(tmp_path / "nowhere" / "x"), "file": str(tmp_path / "file")}

    done = CliRunner().invoke(hoodwink, [each.format(**places) for each in arguments])

    assert done.exit_code == 1
    assert done.output.splitlines()[-1].startswith(f"Error: Could not open file '{tmp_path}")
    assert "Traceback" not in done.output


def test_what_the_service_finds_wrong_is_named():
    body = b'{"code":"invalid_body","detail":"The body does not fit.","faults":[{"name":"seats","detail":"Too many."}]}'

    assert str(_refusal(400, body)) == "400 invalid_body: The body does not fit. seats: Too many."


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"{}"])
def test_an_answer_of_something_else_is_told_by_its_status(body):
    assert str(_refusal(502, body)) == "the service answered 502"
