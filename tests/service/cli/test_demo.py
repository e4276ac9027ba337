"""`hoodwink demo` on a temporary service."""

from click.testing import CliRunner

from hoodwink.service.cli import demo, hoodwink
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor import CannotStart


def test_a_temporary_service_shares_nothing_with_the_real_one(tmp_path, monkeypatch):
    started: list[Settings] = []

    def start(settings):
        started.append(settings)
        raise CannotStart("Enough seen.")

    monkeypatch.setattr(demo, "isolated_service", start)
    real = {
        "HOODWINK_DATA": str(tmp_path / "data"),
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "HOODWINK_ARCHIVE": "s3://tables/archive",
        "HOODWINK_METRICS_PORT": "9100",
    }
    assert "Enough seen." in CliRunner().invoke(hoodwink, ["demo", "blindside"], env=real).output
    (settings,) = started
    assert settings == Settings(port=0, data=settings.data)
    assert settings.data != real["HOODWINK_DATA"]
