"""Files readable only by their owner."""

import os
import stat

import pytest

from hoodwink.service.adapters.process.private_files import make_private, private_umask


def rights(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(autouse=True)
def generous_umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture
def opened(tmp_path):
    """A data folder of an earlier release, readable by everybody."""
    tmp_path.chmod(0o755)
    (tmp_path / "redis").mkdir()
    for name in ("redis/appendonly.aof", "lock", "other"):
        (tmp_path / name).touch()
    return tmp_path


def test_a_folder_and_our_files_are_made_private(opened):
    assert make_private(opened, ("redis", "lock", "missing")) == []

    assert rights(opened) == rights(opened / "redis") == 0o700
    assert rights(opened / "redis" / "appendonly.aof") == rights(opened / "lock") == 0o600


def test_other_users_files_keep_their_permissions(opened):
    make_private(opened, ("redis",))

    assert rights(opened / "other") == 0o644


def test_a_link_is_not_followed(opened):
    (opened / "redis" / "link").symlink_to(opened / "other")

    make_private(opened, ("redis",))

    assert rights(opened / "other") == 0o644


def test_a_file_of_another_user_is_reported(opened, monkeypatch):
    def refuse(path, _mode):
        raise PermissionError(path)

    monkeypatch.setattr("pathlib.Path.chmod", refuse)

    assert make_private(opened, ("lock",)) == [opened, opened / "lock"]


def test_files_are_created_private_only_within_the_block(tmp_path):
    with private_umask():
        (tmp_path / "private").touch()
    (tmp_path / "usual").touch()

    assert rights(tmp_path / "private") == 0o600
    assert rights(tmp_path / "usual") == 0o644
