"""The settings and their environment variables."""

import pytest

from hoodwink.service.adapters.redis.connection import without_password
from hoodwink.service.adapters.tasks.applications import celery_url
from hoodwink.service.settings import InvalidSettings, Settings, variables
from tests import to_environment


def test_every_variable_has_a_meaning():
    assert all(variable.meaning.endswith(".") for variable in variables())


def test_another_process_reads_the_same_settings():
    settings = Settings(port=9000, redis_url="redis://example.org", fsync="everysec")

    assert Settings.from_environment(to_environment(settings)) == settings


def test_the_archive_is_in_the_same_folder_for_every_process(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    settings = Settings.from_environment({"HOODWINK_ARCHIVE": "old"})
    monkeypatch.chdir(tmp_path.parent)
    assert settings.archive == str(tmp_path / "old")
    assert Settings.from_environment(to_environment(settings)) == settings


def test_an_empty_variable_counts_as_unset():
    assert Settings.from_environment({"HOODWINK_PORT": "", "REDIS_URL": ""}) == Settings()


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("HOODWINK_PORT", "eighty", "a whole number from 0 to 65535"),
        ("HOODWINK_PORT", "70000", "a whole number from 0 to 65535"),
        ("HOODWINK_FSYNC", "never", "everysec or always"),
        ("HOODWINK_API_WORKERS", "0", "a whole number from 1 to 256"),
        ("HOODWINK_ABANDON_HOURS", "0", "a number above 0 and up to 8760"),
        ("HOODWINK_REPLICAS", "-1", "a whole number from 0 to 16"),
        ("HOODWINK_REPLICAS_SECONDS", "5", "a number above 0 and up to 4"),
        (
            "HOODWINK_SECURITY_CONTACT",
            "me@example.org",
            "an address that starts with https://, mailto: or tel:",
        ),
    ],
)
def test_an_invalid_value_is_reported_with_the_allowed_ones(name, value, reason):
    with pytest.raises(InvalidSettings, match=f"^{name}={value} is not valid: it must be {reason}[.]$"):
        Settings.from_environment({name: value})


HASH = "0" * 64


@pytest.mark.parametrize("value", [f"olga={HASH}", f"olga={HASH},o.t-t_o={HASH}"])
def test_administrators_are_listed_by_name_and_hash(value):
    assert Settings.from_environment({"HOODWINK_ADMINISTRATORS": value}).administrators == value


@pytest.mark.parametrize(
    "value", ["hwa_secret", "olga=hwa_secret", f"Olga={HASH}", f"olga={HASH},", f"={HASH}"]
)
def test_a_token_instead_of_its_hash_is_refused_and_not_shown(value):
    with pytest.raises(InvalidSettings) as refused:
        Settings.from_environment({"HOODWINK_ADMINISTRATORS": value})
    assert str(refused.value) == (
        "HOODWINK_ADMINISTRATORS is not valid: it must be NAME=SHA256 for each administrator, separated by commas: "
        "`hoodwink admin token NAME` creates an entry."
    )


def test_tasks_use_the_redis_of_the_events_unless_a_broker_is_set():
    assert Settings(redis_url="redis://one").tasks_url == "redis://one"
    assert Settings(redis_url="redis://one", broker_url="redis://two").tasks_url == "redis://two"
    assert Settings().tasks_url == "redis://127.0.0.1:6379/0"


def test_celery_gets_unix_sockets_in_its_notation():
    assert celery_url("unix:///run/redis.sock") == "redis+socket:///run/redis.sock?virtual_host=0"


@pytest.mark.parametrize(
    "url", ["redis://:secret@host:1/0", "rediss://user:secret@host", "unix://:secret@/run/x"]
)
def test_passwords_are_not_shown(url):
    assert "secret" not in without_password(url)
