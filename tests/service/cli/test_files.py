"""Files written by commands; interrupted commands leave none."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from hoodwink.service.cli import hoodwink
from hoodwink.service.cli.shared.files import reserve, reserve_folder

GOLDEN = min((Path(__file__).parents[2] / "golden").glob("blindside-*.log"))


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, BrokenPipeError, SystemExit])
def test_interrupted_work_leaves_no_empty_file(tmp_path, interruption):
    file = tmp_path / "new.log"

    with pytest.raises(interruption), reserve(file):
        assert file.exists()
        raise interruption

    assert not file.exists()


@pytest.mark.parametrize("content", ["", "an older log"])
def test_an_existing_file_is_not_changed(tmp_path, content):
    file = tmp_path / "old.log"
    file.write_text(content)

    with pytest.raises(KeyboardInterrupt), reserve(file):
        raise KeyboardInterrupt

    assert file.read_text() == content


def test_a_written_file_stays(tmp_path):
    file = tmp_path / "new.log"

    with reserve(file):
        file.write_text("written")

    assert file.read_text() == "written"


@pytest.mark.parametrize(
    "arguments",
    [
        ["demo", "blindside", "--url", "http://127.0.0.1:1", "--out"],
        ["demo", "blindside", "--url", "http://127.0.0.1:1", "--option", "nonsense", "--out"],
        ["bench", "--only", "nonsense", "--json"],
    ],
)
def test_a_failed_command_leaves_no_file(tmp_path, arguments):
    file = tmp_path / "new"

    assert CliRunner().invoke(hoodwink, [*arguments, str(file)]).exit_code in {1, 2}

    assert not file.exists()


@pytest.mark.parametrize(
    ("arguments", "work"),
    [
        (["demo", "blindside", "--url", "http://127.0.0.1:1", "--out"], "hoodwink.service.cli.demo._play"),
        (["bench", "--only", "engine", "--json"], "bench.engine.measure"),
    ],
)
def test_an_interrupted_command_leaves_no_file(tmp_path, monkeypatch, arguments, work):
    file = tmp_path / "new"

    def interrupted(*_):
        assert file.exists()
        raise KeyboardInterrupt

    monkeypatch.setattr(work, interrupted)

    assert CliRunner().invoke(hoodwink, [*arguments, str(file)]).output.endswith("Aborted!\n")

    assert not file.exists()


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_a_log_can_be_read_from_standard_input(command):
    piped = CliRunner().invoke(hoodwink, [command, "-"], input=GOLDEN.read_bytes())

    assert (piped.exit_code, piped.output) == (
        0,
        CliRunner().invoke(hoodwink, [command, str(GOLDEN)]).output,
    )


def test_an_empty_new_folder_is_removed(tmp_path):
    with pytest.raises(KeyboardInterrupt), reserve_folder(tmp_path / "new"):
        assert (tmp_path / "new").is_dir()
        raise KeyboardInterrupt

    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("is_new", [True, False])
def test_used_and_existing_folders_stay(tmp_path, is_new):
    folder = tmp_path / "logs"
    if not is_new:
        folder.mkdir()

    with reserve_folder(folder):
        if is_new:
            (folder / "cup.ndjson").touch()

    assert folder.is_dir()


def test_an_unwritable_folder_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("os.access", lambda *_: False)

    with pytest.raises(PermissionError), reserve_folder(tmp_path):
        pytest.fail("the work began")
